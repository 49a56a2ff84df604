/* SPDX-License-Identifier: GPL-2.0 */
/* Takes each option into struct options. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "config.h"
#include "options/options.h"
#include "options/private.h"
#include "records.h"
#include "shared/word.h"

/* The same limits as in the loader. */
enum { RING_MB_MAX = 1024, KEEP_MB_MAX = 1024, FILE_MB_MAX = 1 << 20, FILES_MAX = 1 << 20,
       MEMORY_MB_MAX = 1 << 20, FLIGHT_EVERY_MAX = 86400 };

const char *const options_formats[FORMATS] = {
	[FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", [FORMAT_CSV] = "csv",
	[FORMAT_FOLDED] = "folded", [FORMAT_PERFETTO] = "perfetto", [FORMAT_CTF] = "ctf",
};

struct cap_row {
	struct options_limit limit;
	size_t offset; /* in struct caps */
};

#define CAP(name, member, init, min, max, help) \
	{ { name, help, init, min, max }, offsetof(struct caps, member) },

/* The largest values are those for which the runtime has room (runtime/limits.h). A row without a
 * help text is another name of the row above. */
static const struct cap_row cap_rows[] = {
	CAP("MAXSTRINGLEN", maxstringlen, 512, 16, 7168, "Bytes of a string, including its "
							 "terminator.")
	CAP("MAXMAPENTRIES", maxmapentries, 2048, 1, PRT_MAP_MAX,
	    "Elements of an array that is declared without a size.")
	CAP("MAXACTION", maxaction, 10000, 1, INT64_MAX,
	    "Steps (loops, calls) that one hit of a probe may take.")
	CAP("MAXACTION_INTERRUPTIBLE", maxaction, 10000, 1, INT64_MAX, NULL)
	CAP("MAXNESTING", maxnesting, 32, 1, 1000, "Nested calls of recursive functions.")
	CAP("MAXERRORS", maxerrors, 0, 0, INT_MAX,
	    "Run-time errors that are reported before one ends the session.")
	CAP("MAPERRORS", maperrors, 0, 0, 1,
	    "1: a new element of a full array is a run-time error; 0: it is lost.")
	CAP("MAXLOAD", maxload, 50, 0, 100,
	    "Percentage of one processor that hits may take; 0: no limit.")
	CAP("HIST_WIDTH", hist_width, 50, 1, 1000, "Columns of the longest bar of a histogram.")
	CAP("HIST_ELISION", hist_elision, 2, -1, 1000,
	    "Empty rows of a histogram that are shown beside others; -1: all.")
	CAP("SHOW_ELEMENTS", show_elements, 5, 1, 1000,
	    "Elements of an array, vector or slice that $value$ shows.")
	CAP("MAXSTACKS", maxstacks, 16384, 1, 1 << 20,
	    "Different stacks that a session keeps, 336 bytes of memory each.")
	CAP("MAXRETURNS", maxreturns, 5000, 0, INT_MAX,
	    "Kernel functions whose returns a script may probe; 0: no limit.")
};
#undef CAP
#define NCAPS (sizeof(cap_rows) / sizeof(cap_rows[0]))

bool options_limit(size_t i, struct options_limit *ret)
{
	for (size_t row = 0; row < NCAPS; row++) {
		if (!cap_rows[row].limit.help || i-- > 0)
			continue;
		*ret = cap_rows[row].limit;
		return true;
	}
	return false;
}

static int64_t *cap_of(struct state *s, const struct cap_row *row)
{
	return (int64_t *)((char *)&s->opt.caps + row->offset);
}

void options_init_caps(struct state *s)
{
	for (size_t i = 0; i < NCAPS; i++)
		*cap_of(s, &cap_rows[i]) = cap_rows[i].limit.init;
	s->opt.overload[0] = 500000000;
	s->opt.overload[1] = 1000000000;
}

/* Reads a whole decimal number between min and max; anything else is an error that names the
 * option. */
static bool take_number(struct state *s, const char *what, const char *text, int64_t min,
			int64_t max, int64_t *ret)
{
	char *end;

	errno = 0;

	long long v = strtoll(text, &end, 10);

	if (end == text || *end) {
		wrong(s, "%s needs a whole number, not '%s'", what, text);
		return false;
	}
	if (errno || v < min || v > max) {
		if (max == INT64_MAX)
			wrong(s, "%s must be at least %lld, not '%s'", what, (long long)min, text);
		else
			wrong(s, "%s must be between %lld and %lld, not '%s'", what,
			      (long long)min, (long long)max, text);
		return false;
	}
	*ret = v;
	return true;
}

static bool is_name(const char *text, size_t len)
{
	if (!len || isdigit((unsigned char)text[0]))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!words_is_part(text[i]))
			return false;
	return true;
}

static void take_symbols(struct state *s, const char *text)
{
	const char *eq = strchr(text, '=');

	if (!eq || eq == text || !eq[1]) {
		wrong(s, "--symbols is FILE=BUILD, not '%s'", text);
		diag_hint(s->diag, "FILE is the stripped program, BUILD another build of it that "
			  "has symbols");
		return;
	}
	vec_push(s->arena, &s->opt.other_builds,
		 ((struct other_build){ arena_strndup(s->arena, text, (size_t)(eq - text)),
					eq + 1 }));
}

static void take_define(struct state *s, const char *text)
{
	const char *eq = strchr(text, '=');
	const char *name = eq ? arena_strndup(s->arena, text, eq - text) : text;
	const char *names[NCAPS];

	for (size_t i = 0; i < NCAPS; i++) {
		const struct cap_row *row = &cap_rows[i];

		names[i] = row->limit.name;
		if (strcmp(row->limit.name, name) != 0)
			continue;
		if (!eq)
			wrong(s, "-D %s needs a value: -D %s=%lld", name, name,
			      (long long)row->limit.init);
		else
			take_number(s, arena_printf(s->arena, "-D %s", name), eq + 1,
				    row->limit.min, row->limit.max, cap_of(s, row));
		return;
	}
	if (is_name(name, strlen(name)) && !strchr(text, '\n')) {
		options_take_macro(s, name, eq ? eq + 1 : NULL, names, NCAPS);
		return;
	}
	wrong(s, "-D is NAME or NAME=VALUE, not '%s'", text);
	diag_hint(s->diag, "the limits are MAXSTRINGLEN MAXMAPENTRIES MAPERRORS MAXACTION "
		  "MAXNESTING MAXERRORS MAXLOAD HIST_WIDTH HIST_ELISION SHOW_ELEMENTS MAXSTACKS "
		  "MAXRETURNS; other names are macros for embedded C");
}

static void take_global(struct state *s, const char *text)
{
	const char *eq = strchr(text, '=');

	if (!eq || !is_name(text, eq - text))
		wrong(s, "-G needs NAME=VALUE, not '%s'", text);
	else
		vec_push(s->arena, &s->opt.globals, text);
}

static void take_module_name(struct state *s, const char *text)
{
	size_t len = strlen(text);

	if (len > 3 && strcmp(text + len - 3, ".ko") == 0)
		text = arena_strndup(s->arena, text, len -= 3);
	if (!is_name(text, len))
		wrong(s, "-m needs a name of letters, digits and _, not '%s'", text);
	else if (len > PRT_NAME_LEN)
		wrong(s, "-m takes at most %d characters, '%s' has %zu", PRT_NAME_LEN, text, len);
	else
		s->opt.module_name = text;
}

static void check_rotate(struct state *s, const char *text)
{
	const char *comma = strchr(text, ',');
	int64_t v;

	if (take_number(s, "-S MB", comma ? arena_strndup(s->arena, text, comma - text) : text, 1,
			FILE_MB_MAX, &v) && comma)
		take_number(s, "-S MB,N", comma + 1, 1, FILES_MAX, &v);
}

bool options_colour(const char *when, int *ret)
{
	if (!when || strcmp(when, "always") == 0)
		*ret = 1;
	else if (strcmp(when, "never") == 0)
		*ret = 0;
	else if (strcmp(when, "auto") == 0)
		*ret = COLOUR_AUTO;
	else
		return false;
	return true;
}

/* "50,90,99.9"; the loader limits their number. */
static bool is_percentages(const char *text)
{
	char *end = (char *)text - 1;

	do {
		text = end + 1;
		if (!isdigit((unsigned char)*text) || strtod(text, &end) > 100 ||
		    strspn(text, "0123456789.") != (size_t)(end - text))
			return false;
	} while (*end == ',');
	return !*end;
}

static void take_monitor(struct state *s, const char *arg)
{
	s->opt.monitor = true;
	s->opt.monitor_ms = arg ? word_interval_ms(arg) : 0;
	if (arg && !s->opt.monitor_ms)
		wrong(s, "--monitor takes a number of seconds from 0.1 to 3600, not '%s'", arg);
}

/* Reports what is wrong with the argument of an option of the session that is passed on. */
static void check_text(struct state *s, int key, const char *arg)
{
	if (key == 'S')
		check_rotate(s, arg);
	if (key == OPT_FORMAT && !words_has(options_formats, FORMATS, arg))
		wrong(s, "--format is text, json, csv, folded, perfetto or ctf, not '%s'", arg);
	if (key == OPT_PERCENTILES && !is_percentages(arg))
		wrong(s, "--percentiles needs numbers from 0 to 100, not '%s'", arg);
}

/* Takes the options of the session that are passed on as they are. Returns false if @key is not one
 * of them. */
static bool take_passed(struct state *s, int key, const char *arg)
{
	struct options *o = &s->opt;

	switch (key) {
#define SESSION_OPTION(key, name, takes, arg, help, grant)
#define SESSION_FLAG(key, field, ...) case key: o->field = true; return true;
#define SESSION_TEXT(key, field, ...) case key: check_text(s, key, o->field = arg); return true;
#include "shared/session_options.def"
	default: return false;
	}
}

/* Takes the other options of the session. */
static void take_session(struct state *s, int key, const char *arg)
{
	struct options *o = &s->opt;
	int64_t v;

	if (take_passed(s, key, arg))
		return;
	switch (key) {
	case 'o': o->output = arg; break;
	case OPT_KEEP:
		if (take_number(s, "--keep", arg, 1, KEEP_MB_MAX, &v))
			o->keep_mb = v;
		break;
	case OPT_ESCAPE:
		if (strcmp(arg, "auto") != 0 && strcmp(arg, "always") != 0 &&
		    strcmp(arg, "never") != 0)
			wrong(s, "--escape is auto, always or never, not '%s'", arg);
		o->escape = arg;
		break;
	case OPT_MONITOR: take_monitor(s, arg); break;
	case OPT_OTLP_INTERVAL:
		take_number(s, "--otlp-interval", arg, 1, 86400, &o->otlp_seconds);
		break;
	case OPT_REMOTE: options_take_remotes(s, arg); break;
	case OPT_SSH: o->ssh = arg; break;
	case OPT_MERGE: o->merge = true; break;
	case 'x': take_number(s, "-x", arg, 1, INT_MAX, &o->pid); break;
	case 'T': take_number(s, "-T", arg, 1, INT_MAX, &o->seconds); break;
	case 's':
		if (take_number(s, "-s", arg, 1, RING_MB_MAX, &v))
			o->ring_mb = v;
		break;
	case OPT_MEMORY:
		if (take_number(s, "--memory", arg, 1, MEMORY_MB_MAX, &v))
			o->memory_mb = v;
		break;
	case OPT_FLIGHT:
		o->flight = true;
		if (arg && take_number(s, "--flight", arg, 1, RING_MB_MAX, &v))
			o->ring_mb = v;
		break;
	case OPT_FLIGHT_EVERY:
		if (take_number(s, "--flight-every", arg, 1, FLIGHT_EVERY_MAX, &v))
			o->flight_every = v;
		break;
	case 'd':
	case OPT_ALL_MODULES: break;
	case OPT_GRANT: o->grant = true; break;
	default: options_take_foreign(s, key, arg);
	}
}

/* Returns false if it was explained. */
static bool explain(struct state *s, const char *id)
{
	const char *text = diag_explain(s->arena, id), *near;

	if (text) {
		fputs(text, stdout);
		return false;
	}
	near = diag_nearest_id(id);
	wrong(s, "--explain: no message has the id '%s'", id);
	if (near)
		diag_hint(s->diag, "did you mean %s?", near);
	else
		diag_hint(s->diag, "the id is in brackets at the end of the message: [E_SYNTAX]");
	return true;
}

/* -W, -Werror, -Wno-NAME. */
static void take_warning(struct state *s, const char *text)
{
	const char *name = text && strncmp(text, "no-", 3) == 0 ? text + 3 : NULL, *near;

	if (!text || strcmp(text, "error") == 0) {
		s->opt.werror = true;
	} else if (!name || !diag_silence(s->diag, name)) {
		wrong(s, "there is no -W%s", text);
		near = name ? diag_nearest_warning(s->arena, name) : NULL;
		if (near)
			diag_hint(s->diag, "did you mean -Wno-%s?", near);
		else
			diag_hint(s->diag, "-W, -Werror, or -Wno-NAME with one of these names: %s",
				  diag_warning_names(s->arena));
	}
}

/* "00201": a level for each pass; here one level serves all. */
static void take_vp(struct state *s, const char *text)
{
	int most = 0;

	if (!*text || strspn(text, "0123456789") != strlen(text)) {
		wrong(s, "--vp needs a digit for each pass, not '%s'", text);
		return;
	}
	for (; *text; text++)
		if (*text - '0' > most)
			most = *text - '0';
	s->opt.verbose += most;
}

/* COLUMN, COLUMN+ or COLUMN-. */
static void take_sort(struct state *s, const char *arg)
{
	size_t len = strlen(arg);
	char last = len > 1 ? arg[len - 1] : '\0';

	s->opt.sort_dir = last == '+' ? 1 : last == '-' ? -1 : 0;
	s->opt.sort = arena_strndup(s->arena, arg, len - (s->opt.sort_dir != 0));
}

/* Takes the options that SystemTap has under the same name. */
static void take_shared(struct state *s, int key, const char *arg)
{
	struct options *o = &s->opt;
	const char *eq;
	int64_t v;

	switch (key) {
	case OPT_VP: take_vp(s, arg); break;
	case 'G': take_global(s, arg); break;
	case OPT_SYMBOLS: take_symbols(s, arg); break;
	case OPT_SKIP_BADVARS: o->skip_badvars = true; break;
	case OPT_SORT: take_sort(s, arg); break;
	case OPT_TOP: 
		if (take_number(s, "--top", arg, 0, INT_MAX, &v))
			o->top = v ? v : -1;
		break;
	case OPT_NO_DISPLAY: o->no_display = true; break;
	case OPT_DISABLE_CACHE: o->no_cache = true; break;
	case OPT_POISON_CACHE: o->poison_cache = true; break;
	case OPT_CLEAN_CACHE: o->clean_cache = true; break;
	case OPT_COMPATIBLE:
		if (!isdigit((unsigned char)*arg) || strspn(arg, "0123456789.") != strlen(arg))
			wrong(s, "--compatible needs a version like 4.8, not '%s'", arg);
		o->compatible = arg;
		break;
	case OPT_MODINFO:
		eq = strchr(arg, '=');
		if (!eq || !is_name(arg, eq - arg))
			wrong(s, "--modinfo needs NAME=VALUE, not '%s'", arg);
		vec_push(s->arena, &o->modinfo, arg);
		break;
	case OPT_NO_CONFIG: break;
	case OPT_MAKE_KEY: o->make_key = arg ? arg : ""; break;
	case OPT_TMPDIR:
		if (*arg != '/')
			wrong(s, "--tmpdir needs a path that begins with /, not '%s'", arg);
		o->tmp_base = arg;
		break;
	default: take_session(s, key, arg);
	}
}

static void take_list(struct state *s, enum list_what what, const char *arg)
{
	if (s->opt.list)
		wrong(s, "one list at a time: -l, -L, --lines, --doc or --dump-...");
	if (arg && !*arg)
		wrong(s, "%s needs a %s", what == LIST_LINES ? "--lines" : what == LIST_DOC ?
		      "--doc" : what == LIST_VALUES ? "-L" : "-l", what == LIST_LINES ?
		      "function" : what == LIST_DOC ? "name" : "probe point");
	s->opt.list = what;
	s->opt.list_what = arg;
	s->opt.last_pass = 2;
}

/* N, or 2=PHASE. */
static void take_pass(struct state *s, const char *arg)
{
	int64_t v = 2;

	s->opt.last_phase = strncmp(arg, "2=", 2) == 0 ? arg + 2 : NULL;
	if (s->opt.last_phase || take_number(s, "-p", arg, 1, 5, &v))
		s->opt.last_pass = v;
}

bool options_take(struct state *s, int key, const char *arg)
{
	struct options *o = &s->opt;

	if (o->at.src && key < OPT_VM && strchr("eEhVFlL", key)) {
		wrong(s, "-%c is not allowed in a configuration file", key);
		return true;
	}
	switch (key) {
	case 'e': vec_push(s->arena, &o->inline_scripts, arg); break;
	case 'E': vec_push(s->arena, &o->added_scripts, arg); break;
	case 'p': take_pass(s, arg); break;
	case 'v': o->verbose++; break;
	case 'k': o->keep = true; break;
	case 'g': o->guru = true; break;
	case 'w': o->quiet_warnings = true; break;
	case 'W': take_warning(s, arg); break;
	case 'u': o->unoptimized = true; break;
	case OPT_DIRECT: o->direct = true; break;
	case 'I': vec_push(s->arena, &o->include_dirs, arg); break;
	case 'D': take_define(s, arg); break;
	case 'r':
		if (*arg)
			vec_push(s->arena, &o->targets, o->target = arg);
		else
			wrong(s, "-r needs a kernel: a release, a build tree or a captured target");
		break;
	case 'm': take_module_name(s, arg); break;
	case OPT_VM: o->vm = arg ? arg : ""; break;
	case OPT_CHECK:
		o->check = true;
		o->last_pass = 2;
		break;
	case OPT_EXPLAIN:
		if (arg)
			return explain(s, arg);
		o->explain = true;
		o->last_pass = 2;
		break;
	case 'l': take_list(s, LIST_POINTS, arg); break;
	case 'L': take_list(s, LIST_VALUES, arg); break;
	case OPT_LINES: take_list(s, LIST_LINES, arg); break;
	case OPT_DUMP_FUNCTIONS: take_list(s, LIST_FUNCTIONS, NULL); break;
	case OPT_DUMP_TYPES: take_list(s, LIST_TYPES, NULL); break;
	case OPT_DUMP_ALIASES: take_list(s, LIST_ALIASES, NULL); break;
	case OPT_DEBUGINFO: o->debuginfo = arg; break;
	case OPT_DOC: take_list(s, LIST_DOC, arg); break;
	case OPT_SIGN: o->sign_key = arg; break;
	case OPT_COLOR:
		if (!options_colour(arg, &o->colour))
			wrong(s, "--color is auto, always or never, not '%s'", arg);
		break;
	case 'h': options_help(); return false;
	case 'V': puts("probec " PROBEC_VERSION); return false;
	default: take_shared(s, key, arg);
	}
	return true;
}
