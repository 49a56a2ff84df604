/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The formats of a session's output, --format:
 *
 *   text      the script's prints, unchanged
 *   json      one object per line, for prints, messages and losses alike; doc/proberun.8 has the
 *             fields
 *   csv       prints with arguments as rows, below a row of column names from the script
 *   folded    prints of stacks as lines for flame graphs (folded.h); other prints go to standard
 *             error
 *   perfetto  a trace: prints, spans and counters on tracks (perfetto.h)
 *   ctf       a trace of all prints and globals, in a directory (ctf.h)
 *
 * Messages (say.h) become objects of the stream in json; in other formats they go to standard
 * error.
 */
#ifndef LOADER_SHOW_H
#define LOADER_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/buf.h"
#include "show/args.h"
#include "show/percentiles.h"
#include "show/stack.h"
#include "show/table.h"

struct position;
struct meta_print;
struct output;
struct perfetto;
struct ctf;

enum show_format {
	SHOW_TEXT, SHOW_JSON, SHOW_CSV, SHOW_FOLDED, SHOW_PERFETTO, SHOW_CTF,
};

/* The hit whose records are being shown. */
struct show_hit {
	const char *probe;
	int cpu;       /* -1: the session thread */
	uint64_t time; /* ns since 1970 */
	unsigned number; /* of the probe in the script */
	bool hot;        /* its handler interrupts other code */
	bool first;      /* it is a begin probe, which prints headings */
};

struct show {
	enum show_format format;
	struct output *out;
	const struct percentiles *percentiles; /* for every histogram; or NULL */
	int escape;
	const struct show_hit *hit;     /* or NULL */
	const struct meta_print *table; /* csv: the print whose columns were named last */
	const char *script;             /* perfetto: its name, or NULL */
	struct perfetto *trace;         /* NULL: nothing was written yet */
	struct ctf *ctf;                /* ctf: of show_trace() */
	/* gets each print of a hit as well, with its text, and stacks as strings. False: the
	 * arguments do not fit. Or NULL */
	bool (*also)(void *arg, const struct show_hit *hit, const struct meta_print *p,
		     struct args args, const struct buf *text);
	void *also_arg;
	struct stack_names names;       /* names of frames' addresses */
	struct buf line, text;
	struct buf args, types;        /* of a record, with stacks converted to strings */
	uint64_t rows;                  /* records that show something of hits (empty.h) */
	struct held_table held;              /* the table whose rows are being collected */
};

/** show_open - from here on, messages are in order with the output, or within it. @percentiles:
 * added to histograms of text and json, must outlive the show; or NULL. @escape: arguments of
 * prints and output of system() are escaped in text and csv. */
void show_open(struct show *s, enum show_format format, const struct percentiles *percentiles,
	       int escape, struct output *out);
/** show_trace - format ctf: @ctf is the trace, which the caller owns. */
void show_trace(struct show *s, struct ctf *ctf);
/** show_finish - write what the format demands after the last record. */
void show_finish(struct show *s);
/** show_close - write the buffer; messages go to standard error again. */
void show_close(struct show *s);
/** show_print - show one record of print statement @p. Returns false if its arguments do not fit
 * its types. */
bool show_print(struct show *s, const struct meta_print *p, const void *args, size_t len);
/** show_row - the same for a record that is in no table, or leaves it. */
bool show_row(struct show *s, const struct meta_print *p, const void *args, size_t len);
/** show_as_text - replace each stack in @args by its text, which is valid until the next record.
 * -1: damaged. */
int show_as_text(struct show *s, const struct meta_print *p, struct args *args);

/** show_command - show a line that a command of system() printed. */
void show_command(struct show *s, const char *text, size_t len);

/** show_begin / show_end - write an object of the JSON stream: its type, and the hit or else the
 * time; the caller adds fields to what show_begin() returns. */
struct buf *show_begin(struct show *s, const char *type);
void show_end(struct show *s);
/** show_srcloc - add file, line and col of @p; nothing for NULL. */
void show_srcloc(struct buf *t, const struct position *p);

#endif
