/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of this folder. */
#ifndef DOC_PRIVATE_H
#define DOC_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"
#include "base/vec.h"
#include "state.h"

/* One thing that has a description. Texts are owned by the arena of struct state. */
struct doc_entry {
	const char *kind;       /* "function", "alias", "limit", ... */
	const char *name;       /* by which it is found */
	const char *signature;  /* how it is written */
	const char *text;       /* paragraphs separated by empty lines; "": it has no comment */
	const char *values;     /* of an alias: the variables that it prepares; otherwise NULL */
	const struct source *src; /* where it is defined; NULL: in probec */
	uint32_t line;
};
struct doc_entries {
	VEC(struct doc_entry) v;
	const struct source *rows; /* the table of aliases that was read last; NULL: none */
};

/* ---- doc.c ---- */

/** doc_plain_name - a signature without arguments: kernel.function.return for
 *  kernel.function("vfs_read").return, @1 for @1(). Owned by @a, or @signature. */
const char *doc_plain_name(struct arena *a, const char *signature);

/* ---- comments.c ---- */

/** doc_comment_above - the comment that ends on the line above line @line of @src, without its
 *  marks; "" if there is none. @far: code may stand between them, but no empty line. */
const char *doc_comment_above(struct arena *a, const struct source *src, uint32_t line, bool far);

/* ---- collectors: append the entries of one sort; errors of files are reported ---- */

/** doc_library - functions, aliases and macros of the script, the tapsets and the directories of
 *  -I. */
void doc_library(struct state *s, struct doc_entries *to);
/** doc_points - the forms of probe points. */
void doc_points(struct state *s, struct doc_entries *to);
/** doc_words - statements, operators, limits and ids of messages. */
void doc_words(struct state *s, struct doc_entries *to);
/** doc_tools - the ready-made scripts. */
void doc_tools(struct state *s, struct doc_entries *to);

#endif
