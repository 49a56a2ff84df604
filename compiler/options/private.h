/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of this folder. */
#ifndef OPTIONS_PRIVATE_H
#define OPTIONS_PRIVATE_H

#include <getopt.h>

#include "options/script.h"
#include "state.h"

enum option_takes { NONE, NEEDED, OPTIONAL, TWO };
enum { COLOUR_AUTO = 2, HELP_COLUMN = 32 };

/* Long names without a letter have numbers above all letters. */
enum {
	OPT_VM = 256, OPT_DIRECT, OPT_DISABLE_CACHE, OPT_COLOR, OPT_ALL_MODULES, OPT_FORGIVE,
	OPT_OVERRIDE, OPT_NO_FAST_USER, OPT_GRANT,
	OPT_NO_TIME_LIMITS, OPT_KEEP, OPT_FORMAT, OPT_NO_CONFIG,
	OPT_SIGN, OPT_CHECK, OPT_EXPLAIN,
	OPT_LINES, OPT_DOC, OPT_DUMP_FUNCTIONS, OPT_DUMP_TYPES, OPT_DUMP_ALIASES,
	OPT_DEBUGINFO, OPT_SYMBOLS, OPT_PERCENTILES, OPT_STACK_LINES, OPT_NATIVE_FRAMES,
	OPT_SUBTRACT_COST,
	OPT_ESCAPE, OPT_METRICS, OPT_METRICS_FILE, OPT_METRICS_TOKEN, OPT_METRICS_TLS,
	OPT_SORT, OPT_TOP,
	OPT_OTLP, OPT_OTLP_EVENTS, OPT_OTLP_INTERVAL, OPT_MONITOR, OPT_CGROUP,
	OPT_CONTAINER, OPT_POD, OPT_COMPATIBLE,
	OPT_MEMORY, OPT_SKIP_BADVARS, OPT_NO_DISPLAY, OPT_POISON_CACHE, OPT_CLEAN_CACHE,
	OPT_MODINFO,
	OPT_TMPDIR, OPT_VP, OPT_REMOTE, OPT_SSH, OPT_MERGE, OPT_MAKE_KEY, OPT_FLIGHT,
	OPT_FLIGHT_EVERY,
	OPT_FOREIGN, /* from here on: long options of SystemTap alone */
	OPT_SCRIPT = 4096, /* from here on: options that the script declares, in their order */
};

/* The beginning of a long name that always means probec's own option. */
#define OPTION_RESERVED "probec-"

struct option_row {
	int key;                /* the letter, or an OPT_ number */
	const char *name;       /* long form; NULL: it has none */
	enum option_takes takes;
	const char *arg;        /* name of the argument in the help text */
	const char *help;       /* NULL: another name of the row above */
};

#define wrong(s, ...) diag_error((s)->diag, (s)->opt.at, E_OPTION, __VA_ARGS__)

/* ---- table.c ---- */

/** options_at - row @i of probec's own options; the row after the last one has key 0. */
struct option_row options_at(size_t i);
/** options_row - the row whose key is @key: the script's, probec's or one of SystemTap's. */
struct option_row options_row(const struct state *s, int key);
/** options_own_row - the row of probec's own option whose key is @key. */
struct option_row options_own_row(int key);
/** options_getopt - all rows as arguments of getopt_long(): the letters, by which it returns all
 *  words in order, and @longs; those that the script declares replace others of the same name.
 *  Owned by the arena. */
const char *options_getopt(const struct state *s, const struct option **longs);
/** options_has_long - whether probec or SystemTap has a long option of that name. */
bool options_has_long(const char *name);
/** options_print_text - print the lines of a help text in their column, after @n columns. */
void options_print_text(int n, const char *text);
/** options_print_row - print the help of an option. */
void options_print_row(const struct option_row *row);
/** options_unknown - report that the option @word ("-z", "--nosuch=1") is unknown or ambiguous. */
void options_unknown(struct state *s, const char *word);
/** options_help - print the text of -h. */
void options_help(void);

/* ---- stap.c ---- */

/** options_foreign - row @i of the options of SystemTap that probec does not have; letters have no
 *  name. The row after the last one has key 0. */
struct option_row options_foreign(size_t i);
/** options_take_foreign - record that the option with @key does nothing, or refuse it. */
void options_take_foreign(struct state *s, int key, const char *arg);
/** options_take_macro - take -D of a @name that is none of the @n @limits: an option of SystemTap
 *  that has a counterpart, or else a macro for embedded C. @value may be NULL. */
void options_take_macro(struct state *s, const char *name, const char *value,
			const char *const *limits, size_t n);
/** options_say_needless - give the notes about options that do nothing, unless -w silences them or
 *  there are errors. */
void options_say_needless(struct state *s);

/* ---- script.c ---- */

/** script_begin - the first word that is not an option is the script @path: read what it
 *  declares. */
void script_begin(struct state *s, const char *path);
/** script_key - the OPT_ number of the script's option with that letter; 0: it has none. */
int script_key(const struct state *s, char letter);
/** script_option_by_key - the option of the script with that OPT_ number, or NULL. */
struct script_option *script_option_by_key(const struct state *s, int key);
/** script_row - an option of the script as a row. */
struct option_row script_row(const struct script_option *o);
/** script_complete - replace the abbreviation @word ("--fa=1") of one of its long options by the
 *  whole. Returns NULL if it may be one of several. */
const char *script_complete(struct state *s, const char *word);
/** script_take - take an option of the script; of several values the last one counts. */
void script_take(struct state *s, struct script_option *o, const char *arg);
/** script_check - check the arguments against those that the script declares, and pass on the
 *  values of its options. */
void script_check(struct state *s);

/* ---- point.c ---- */

/** point_translate - the probe point that @word means: one as it is, a function or pattern of the
 *  kernel ("vfs_*"), PATH:FUNCTION, SYSTEM:TRACEPOINT, or a form of bpftrace or bcc. Owned by
 *  @a, or @word. */
const char *point_translate(struct arena *a, const char *word);
/** point_function - the same for functions, without .call and .return; NULL: it is no function. */
const char *point_function(struct arena *a, const char *word);

/* ---- script_help.c ---- */

/** script_usage - "opensnoop.kp [OPTION]... PATTERN [SECONDS]"; owned by the arena. */
const char *script_usage(const struct state *s);
/** script_name - how users call the script: "opensnoop.kp", "probec reads.kp". */
const char *script_name(const struct state *s);
/** script_help - print what the script says about itself, the text of --help after its name.
 *  Returns false if it says nothing. */
bool script_help(const struct state *s);

/* ---- remotes.c ---- */

/** options_take_remotes - take the hosts of one --remote: destinations of ssh separated by commas,
 *  or a node set, which nodeset expands. Errors are reported. */
void options_take_remotes(struct state *s, const char *arg);
/** options_check_ssh - decide what launches the sessions of --remote, and check it. */
void options_check_ssh(struct state *s);

/* ---- take.c ---- */

/** options_take - take one option by its key, with its argument or NULL. Errors are reported.
 *  Returns false if it printed its answer and the program is to end. */
bool options_take(struct state *s, int key, const char *arg);
/** options_colour - read the argument @when of --color. Returns false if it is unknown. */
bool options_colour(const char *when, int *ret);
/** options_init_caps - set the default limits. */
void options_init_caps(struct state *s);

#endif
