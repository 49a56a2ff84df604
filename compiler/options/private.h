/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of this folder. */
#ifndef OPTIONS_PRIVATE_H
#define OPTIONS_PRIVATE_H

#include <getopt.h>

#include "state.h"

enum option_takes { NONE, NEEDED, OPTIONAL, TWO };
enum { COLOUR_AUTO = 2 };

/* Long names without a letter get a number above all letters. */
enum {
	OPT_VM = 256, OPT_DIRECT, OPT_DISABLE_CACHE, OPT_COLOR, OPT_ALL_MODULES, OPT_FORGIVE,
	OPT_OVERRIDE, OPT_NO_FAST_USER, OPT_NO_TIME_LIMITS, OPT_KEEP, OPT_FORMAT, OPT_NO_CONFIG,
	OPT_SIGN, OPT_CHECK, OPT_EXPLAIN,
	OPT_LINES, OPT_DUMP_FUNCTIONS, OPT_DUMP_TYPES, OPT_DUMP_ALIASES,
	OPT_DEBUGINFO, OPT_PERCENTILES, OPT_ESCAPE, OPT_COMPATIBLE, OPT_SKIP_BADVARS,
	OPT_NO_DISPLAY, OPT_POISON_CACHE, OPT_CLEAN_CACHE, OPT_MODINFO, OPT_TMPDIR, OPT_VP,
	OPT_FOREIGN, /* and above it: the long options of SystemTap alone */
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

/** options_row - the row whose key is @key, probec's or one of SystemTap's. */
struct option_row options_row(int key);
/** options_getopt - all rows as arguments of getopt_long(): the letters, with which it gives every
 *  word in its order, and @longs; the arena owns both. */
const char *options_getopt(struct arena *a, const struct option **longs);
/** options_unknown - report that there is no option @word ("-z", "--nosuch=1"), or several whose
 *  names begin so. */
void options_unknown(struct state *s, const char *word);
/** options_help - the text of -h. */
void options_help(void);

/* ---- stap.c ---- */

/** options_foreign - row @i of the options of SystemTap that probec has no use for; letters have no
 *  name. A key of 0: there are no more. */
struct option_row options_foreign(size_t i);
/** options_take_foreign - note that the option with @key does nothing, or refuse it. */
void options_take_foreign(struct state *s, int key, const char *arg);
/** options_take_macro - -D of a name that is no limit here; @value may be NULL. False: SystemTap
 *  has none of that name either. */
bool options_take_macro(struct state *s, const char *name, const char *value);
/** options_nearest_macro - the name that @name may be a misspelling of: a limit, else one of
 *  SystemTap's. */
const char *options_nearest_macro(const char *name, const char *const *limits, size_t n);
/** options_say_needless - the notes about what does nothing, unless -w asks for none or
 *  there are errors. */
void options_say_needless(struct state *s);

/* ---- take.c ---- */

/** options_take - one option by its key with its argument, NULL when it has none. False: nothing
 *  more to do, the answer was printed. What is wrong is reported. */
bool options_take(struct state *s, int key, const char *arg);
/** options_colour - take the argument @when of --color; false: it is not known. */
bool options_colour(const char *when, int *ret);
/** options_init_caps - the limits as they are without -D. */
void options_init_caps(struct state *s);

#endif
