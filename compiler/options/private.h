/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of this folder. */
#ifndef OPTIONS_PRIVATE_H
#define OPTIONS_PRIVATE_H

#include "session.h"

enum option_takes { NONE, NEEDED, OPTIONAL, TWO };
enum { COLOUR_AUTO = 2 };

/* Long names without a letter get a number above all letters. */
enum {
	OPT_VM = 256, OPT_DIRECT, OPT_DISABLE_CACHE, OPT_COLOR, OPT_ALL_MODULES, OPT_FORGIVE,
	OPT_OVERRIDE, OPT_NO_TIME_LIMITS, OPT_KEEP, OPT_FORMAT, OPT_NO_CONFIG, OPT_SIGN, OPT_CHECK,
	OPT_EXPLAIN, OPT_LINES, OPT_DUMP_FUNCTIONS, OPT_DUMP_TYPES, OPT_DUMP_ALIASES,
	OPT_DEBUGINFO, OPT_PERCENTILES, OPT_ESCAPE, OPT_COMPATIBLE, OPT_SKIP_BADVARS,
	OPT_NO_DISPLAY, OPT_POISON_CACHE, OPT_CLEAN_CACHE, OPT_MODINFO, OPT_TMPDIR, OPT_VP,
	OPT_FOREIGN,
};

struct option_row {
	int key;                /* the letter, or an OPT_ number */
	const char *name;       /* long form */
	enum option_takes takes;
	const char *arg;        /* what the help calls the argument */
	const char *help;       /* NULL: another name of the row above */
};

#define wrong(s, ...) diag_error((s)->diag, (s)->opt.at, E_OPTION, __VA_ARGS__)

/* ---- table.c ---- */

/** options_long, options_letter - the row of --@name or -@letter; NULL: there is none. */
const struct option_row *options_long(const char *name);
const struct option_row *options_letter(char letter);
/** options_unknown_long, options_unknown_letter - report one that there is not. */
void options_unknown_long(struct session *s, const char *name);
void options_unknown_letter(struct session *s, char letter);
/** options_help - the text of -h. */
void options_help(void);

/* ---- stap.c ---- */

/** options_foreign - the row of an option of SystemTap that probec has no use for, by its name or
 *  letter; NULL: there is none. */
const struct option_row *options_foreign(struct session *s, const char *name);
/** options_take_foreign - note that it does nothing, or refuse it. */
void options_take_foreign(struct session *s, const char *name, const char *arg);
/** options_take_macro - -D of a name that is no limit here; @value may be NULL. False: SystemTap
 *  has none of that name either. */
bool options_take_macro(struct session *s, const char *name, const char *value);
/** options_nearest_macro - the name that @name may be a misspelling of: a limit, else one of
 *  SystemTap's. */
const char *options_nearest_macro(const char *name, const char *const *limits, size_t n);
/** options_say_needless - the notes about what does nothing, unless -w asks for none or
 *  there are errors. */
void options_say_needless(struct session *s);

/* ---- take.c ---- */

/** options_take - one option with its argument, NULL when it has none. False: nothing more to do,
 *  the answer was printed. What is wrong is reported. */
bool options_take(struct session *s, const struct option_row *row, const char *arg);
/** options_take_warning - take the argument of -W: "error", "no-NAME". */
void options_take_warning(struct session *s, const char *text);
/** options_colour - take the argument @when of --color; false: it is not known. */
bool options_colour(const char *when, int *ret);
/** options_init_caps - the limits as they are without -D. */
void options_init_caps(struct session *s);

#endif
