/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a session is shown, --format:
 *
 *   text  what the script prints, as it prints it
 *   json  one object a line, for prints, messages and losses alike; doc/proberun.8 has the fields
 *   csv   prints with arguments as rows, under a row of what was written in the script
 *
 * Messages (say.h) become objects of the stream in json, and stay on standard error else.
 */
#ifndef LOADER_SHOW_H
#define LOADER_SHOW_H

#include <stddef.h>
#include <stdint.h>

#include "common/text.h"
#include "show/percentiles.h"
#include "show/stack.h"

struct position;
struct meta_print;
struct output;

enum show_format { SHOW_TEXT, SHOW_JSON, SHOW_CSV };

/* The hit whose records are being shown. */
struct show_hit {
	const char *probe;
	int cpu;       /* -1: the session's thread */
	uint64_t time; /* ns since 1970 */
};

struct show {
	enum show_format format;
	struct output *out;
	const struct percentiles *percentiles; /* of every histogram; or NULL */
	int escape;
	const struct show_hit *hit;     /* or NULL */
	const struct meta_print *table; /* csv: whose columns were named last */
	struct stack_names names;       /* of frames */
	struct text line, text;
	struct text args, types;        /* a record's, with stacks made into strings */
};

/** show_open - from here on messages stand in order with the output, or in it. @percentiles: are
 * added to histograms of text and json; has to last; or NULL. @escape: what a print's arguments and
 * commands of system() have is escaped in text and csv. */
void show_open(struct show *s, enum show_format format, const struct percentiles *percentiles,
	       int escape, struct output *out);
/** show_close - write what there is; messages go to standard error again. */
void show_close(struct show *s);
/** show_print - one record of print statement @p; false: its arguments do not fit its types. */
int show_print(struct show *s, const struct meta_print *p, const void *args, size_t len);

/** show_command - a line that a command of system() printed. */
void show_command(struct show *s, const char *text, size_t len);

/** show_begin / show_end - an object of the json stream: its type, the hit or else the time; the
 * caller adds fields to what begin returns. */
struct text *show_begin(struct show *s, const char *type);
void show_end(struct show *s);
/** show_place - file, line and col of @p; nothing for NULL. */
void show_place(struct text *t, const struct position *p);

#endif
