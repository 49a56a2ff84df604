/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Diagnostics. One shape for all commands:
 *
 *   file:line:col: error: text [E_NAME]
 *     12 | the line
 *        |     ^~~~
 *     = note text                 (diag_hint: a next step without a place of its own)
 *   file:line:col: note: text     (diag_note: a second place, with its own line)
 *
 * Reporting never stops a pass; the driver stops between passes when diag_errors() is not 0. The
 * ids are one list, errors.def; the compiler refuses to build a call with an id that is not in it.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>

#include "base/source.h"
#include "base/vec.h"

enum diag_id {
#define ERR(name, text, todo) name,
#include "base/errors.def"
#undef ERR
	DIAG_ID_COUNT
};

struct buf;
struct diag; /* opaque: counts, colour, -w */

/** diag_create - diagnostics to stderr; @colour 0 never, 1 always, 2 when stderr is a
 *  terminal with colours, and NO_COLOR is not set. */
struct diag *diag_create(struct arena *a, int colour);
/** diag_set_quiet - -w: warnings are not shown (errors always are). */
void diag_set_quiet(struct diag *d, int quiet);
/** diag_set_werror - -W: warnings count as errors. */
void diag_set_werror(struct diag *d, int on);
/** diag_silence - -Wno-@name: do not show that kind of warning. Returns false if there is none. */
bool diag_silence(struct diag *d, const char *name);
/** diag_warning_names - the names that diag_silence() accepts, in one line. Owned by @a. */
const char *diag_warning_names(struct arena *a);
/** diag_explain - the meaning of @id and the next step, as text for users, or NULL. Owned by @a. */
const char *diag_explain(struct arena *a, const char *id);
/** diag_nearest_warning - the name of a warning nearest to @name, or NULL. */
const char *diag_nearest_warning(struct arena *a, const char *name);
/** diag_nearest_id - the id nearest to @id, or NULL. */
const char *diag_nearest_id(const char *id);
/** diag_errors - the number of errors so far. */
unsigned diag_errors(const struct diag *d);

/** diag_shown - whether the last report was shown or is recorded. If not, computing its hint can be
 *  omitted. */
bool diag_shown(const struct diag *d);
/** diag_flooded - whether there are so many errors that further ones in this text would not
 *  help. */
bool diag_flooded(const struct diag *d);

/** diag_error / diag_warn - report at @r (a zero range: without a source location). At most 20
 *  errors and 20 warnings are shown. A second error with the same id at the same location is not
 *  shown. */
void diag_error(struct diag *d, struct range r, enum diag_id id, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void diag_warn(struct diag *d, struct range r, enum diag_id id, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/** diag_remark - a note by itself, which -w and -Wno-NAME silence like a warning. */
void diag_remark(struct diag *d, struct range r, enum diag_id id, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/** diag_note / diag_hint - add to the last report; suppressed together with it. */
void diag_note(struct diag *d, struct range r, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void diag_hint(struct diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/** diag_hold / diag_release - suppress reports in between, to try an alternative; they nest.
 *  diag_release() returns the number of errors since the outermost diag_hold(). */
void diag_hold(struct diag *d);
unsigned diag_release(struct diag *d);
/** diag_held_text - the text of the first error since the outermost diag_hold(), or NULL. */
const char *diag_held_text(const struct diag *d);
/** diag_held_hint - its first hint, or NULL. */
const char *diag_held_hint(const struct diag *d);

/** diag_record - begin to store what diag_warn() and diag_remark() report, even if options silence
 *  it. */
void diag_record(struct diag *d);
/** diag_recorded - append what was stored to @b, as text for diag_replay(). */
void diag_recorded(const struct diag *d, struct buf *b);
/** diag_replay - show what another run stored, as the options of this run require. Returns 0, or
 *  -1 without showing anything if the text is damaged or has a warning that is an error in this
 *  run. */
int diag_replay(struct diag *d, const char *text);

/** diag_nearest - the name in @names that is nearest to @name by edit distance (at most a third of
 *  its letters), otherwise the shortest one that begins with it, if @name has four letters or more;
 *  or NULL. For "did you mean". */
const char *diag_nearest(const char *name, const char *const *names, size_t n);

#endif
