/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of this folder. */
#ifndef LIST_PRIVATE_H
#define LIST_PRIVATE_H

#include <stdbool.h>

#include "base/map.h"
#include "base/vec.h"
#include "program/program.h"
#include "shared/buf.h"
#include "state.h"

struct state;

/* Lines that will be sorted. */
struct list_lines {
	struct map seen;
	VEC(const char *) v; /* each once */
};

/** list_add - add a copy of a line. list_flush - write all lines to @out, sorted, each once. */
void list_add(struct state *s, struct list_lines *lines, const struct buf *text);
void list_flush(struct list_lines *lines, struct buf *out);

/** list_origin - the source that says where a value is, in the words of --explain; NULL: the probe
 *  point itself */
const char *list_origin(const struct access *access);

/* Each as list_run(). */
int points_run(struct state *s, struct buf *out);
int dump_run(struct state *s, struct buf *out);
int source_lines_run(struct state *s, struct buf *out);

#endif
