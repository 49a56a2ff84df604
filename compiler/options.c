/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command line: one table says what there is; the help text is made of it.
 */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "config_file.h"
#include "records.h"
#include "session.h"

enum { NONE, NEEDED, OPTIONAL, TWO };
enum { COLOUR_AUTO = 2 };

/* Long names without a letter get a number above all letters. */
enum {
	OPT_VM = 256, OPT_DISABLE_CACHE, OPT_COLOR, OPT_ALL_MODULES, OPT_FORGIVE, OPT_NO_TIME_LIMITS,
	OPT_KEEP, OPT_FORMAT, OPT_NO_CONFIG, OPT_SIGN, OPT_CHECK, OPT_EXPLAIN,
};

/* The loader's limits. */
enum { RING_MB_MAX = 1024, KEEP_MB_MAX = 1024, FILE_MB_MAX = 1 << 20, FILES_MAX = 1 << 20 };

struct option_row {
	int key;          /* the letter, or an OPT_ number */
	const char *name; /* long form */
	int takes;
	const char *arg;  /* what the help calls the argument */
	const char *help; /* NULL: another name of the row above */
};

static const struct option_row rows[] = {
	{ 'e', "script", NEEDED, "TEXT", "the script is TEXT; may be given several times" },
	{ 'p', "pass", NEEDED, "N", "end after pass N: 1 parse 2 analyse 3 emit 4 build 5 run" },
	{ OPT_CHECK, "check", NONE, NULL, "say what is wrong with the script and build nothing" },
	{ OPT_EXPLAIN, "explain", NEEDED, "E_NAME", "what a message's id means and what to do" },
	{ 'v', "verbose", NONE, NULL, "say what each pass did and how long it took" },
	{ 'k', "keep-tmp", NONE, NULL, "keep the directory of temporary files" },
	{ 'g', "guru", NONE, NULL, "guru mode: embedded C is allowed; guru_mode is 1" },
	{ 'w', "no-warnings", NONE, NULL, "show no warnings" },
	{ 'W', "werror", NONE, NULL, "take warnings as errors; -Wno-NAME: one kind is not shown" },
	{ 'u', "unoptimized", NONE, NULL, "keep functions that no probe calls" },
	{ 'I', "include", NEEDED, "DIR", "look for tapsets in DIR as well" },
	{ 'D', "define", NEEDED, "NAME=VALUE", "set a limit: MAXSTRINGLEN, MAXMAPENTRIES, ..." },
	{ 'r', "release", NEEDED, "KERNEL", "build for KERNEL: release, tree or captured target" },
	{ 'm', "module-name", NEEDED, "NAME", "name of the module; with -p4 it becomes ./NAME.ko" },
	{ OPT_SIGN, "sign", TWO, "KEY CERT", "sign the module, for kernels that take no other" },
	{ 'G', "global", NEEDED, "NAME=VALUE", "first value of a global variable" },
	{ 'o', "output", NEEDED, "FILE", "write the script's output to FILE" },
	{ 'S', "rotate", NEEDED, "MB[,N]", "into FILE.0, FILE.1, ... of that size; keep the last N" },
	{ 'F', "background", NONE, NULL, "once the probes are armed, go on without this terminal" },
	{ OPT_KEEP, "keep", NEEDED, "MB", "what a session of -F keeps of its output without -o (1)" },
	{ OPT_FORMAT, "format", NEEDED, "FORMAT", "show it as text, json or csv" },
	{ 't', "timing", NONE, NULL, "at the end a table: hits, times and losses by probe" },
	{ 'c', "command", NEEDED, "CMD", "start CMD when all probes are armed, end with it" },
	{ 'x', "pid", NEEDED, "PID", "target() is PID" },
	{ 'T', "timeout", NEEDED, "SECONDS", "end after SECONDS" },
	{ 's', "buffer", NEEDED, "MB", "memory of each processor's output ring" },
	{ 'd', "module", NEEDED, "MODULE", "accepted: what it asks for is always done" },
	{ OPT_ALL_MODULES, "all-modules", NONE, NULL, "accepted: what it asks for is always done" },
	{ OPT_FORGIVE, "suppress-handler-errors", NONE, NULL,
	  "a run-time error ends its handler only" },
	{ OPT_NO_TIME_LIMITS, "suppress-time-limits", NONE, NULL,
	  "no limit of steps and of load; needs -g" },
	{ OPT_VM, "vm", OPTIONAL, "RELEASE", "run the script in a throwaway virtual machine" },
	{ OPT_DISABLE_CACHE, "disable-cache", NONE, NULL, "do not use the cache of modules" },
	{ OPT_NO_CONFIG, "no-config", NONE, NULL, "read no configuration file" },
	{ OPT_COLOR, "color", OPTIONAL, "WHEN", "colour in messages: auto, always or never" },
	{ OPT_COLOR, "colour", OPTIONAL, "WHEN", NULL },
	{ 'h', "help", NONE, NULL, "this text" },
	{ 'V', "version", NONE, NULL, "the version" },
};
#define NROWS (sizeof(rows) / sizeof(rows[0]))

/* Options of SystemTap that mean something else here than a typing error. */
static const char refused_letters[] = "abBEilLPqRX";
static const char *const refused_names[] = {
	"benchmark-sdt-loops", "bpf", "build-as", "check-version", "clean-cache",
	"client-options", "compatible", "disable-hook", "download-debuginfo", "dump-functions",
	"dump-probe-aliases", "dump-probe-types", "dyninst", "example", "interactive",
	"language-server", "ldd", "list-servers", "modinfo", "monitor", "no-global-var-display",
	"poison-cache", "privilege", "prologue-searching", "remote", "remote-prefix", "runtime",
	"save-uprobes", "sign-module", "skip-badvars", "sysenv", "sysroot", "target-namespaces",
	"tmpdir", "trust-servers", "unprivileged", "use-http-server", "use-server", "use-server-on-error", "vp",
};

struct cap_row {
	const char *name;
	size_t offset; /* in struct caps */
	int64_t init, min, max;
};

/* The largest values are those that the runtime's own limits leave room for (runtime/limits.h). */
static const struct cap_row cap_rows[] = {
	{ "MAXSTRINGLEN", offsetof(struct caps, maxstringlen), 512, 16, 7168 },
	{ "MAXMAPENTRIES", offsetof(struct caps, maxmapentries), 2048, 1, 1 << 24 },
	{ "MAXACTION", offsetof(struct caps, maxaction), 10000, 1, INT64_MAX },
	{ "MAXNESTING", offsetof(struct caps, maxnesting), 32, 1, 1000 },
	{ "MAXERRORS", offsetof(struct caps, maxerrors), 0, 0, INT_MAX },
	{ "MAXLOAD", offsetof(struct caps, maxload), 50, 0, 100 },
};
#define NCAPS (sizeof(cap_rows) / sizeof(cap_rows[0]))

static const struct range nowhere;

#define wrong(s, ...) diag_error((s)->diag, (s)->opt.at, E_OPTION, __VA_ARGS__)

static int64_t *cap_of(struct session *s, const struct cap_row *row)
{
	return (int64_t *)((char *)&s->opt.caps + row->offset);
}

/* A whole decimal number between min and max; anything else is an error that names the option. */
static bool number(struct session *s, const char *what, const char *text, int64_t min, int64_t max,
		   int64_t *ret)
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
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	return true;
}

static void take_define(struct session *s, const char *text)
{
	const char *eq = strchr(text, '=');
	const char *name = eq ? arena_strndup(s->arena, text, eq - text) : text;
	const char *names[NCAPS];

	for (size_t i = 0; i < NCAPS; i++) {
		const struct cap_row *row = &cap_rows[i];

		names[i] = row->name;
		if (strcmp(row->name, name))
			continue;
		if (!eq)
			wrong(s, "-D %s needs a value: -D %s=%lld", name, name,
			      (long long)row->init);
		else if (number(s, arena_printf(s->arena, "-D %s", name), eq + 1, row->min,
				row->max, cap_of(s, row)))
			vec_push(s->arena, &s->opt.defines, text);
		return;
	}
	const char *near = diag_nearest(name, names, NCAPS);

	wrong(s, "-D has no limit named '%s'", name);
	if (near)
		diag_hint(s->diag, "did you mean '%s'?", near);
	else
		diag_hint(s->diag, "the limits are MAXSTRINGLEN MAXMAPENTRIES MAXACTION MAXNESTING "
			  "MAXERRORS MAXLOAD");
}

static void take_global(struct session *s, const char *text)
{
	const char *eq = strchr(text, '=');

	if (!eq || !is_name(text, eq - text))
		wrong(s, "-G needs NAME=VALUE, not '%s'", text);
	else
		vec_push(s->arena, &s->opt.globals, text);
}

static void take_module_name(struct session *s, const char *text)
{
	size_t len = strlen(text);

	if (len > 3 && !strcmp(text + len - 3, ".ko"))
		text = arena_strndup(s->arena, text, len -= 3);
	if (!is_name(text, len))
		wrong(s, "-m needs a name of letters, digits and _, not '%s'", text);
	else if (len > PRT_NAME_LEN)
		wrong(s, "-m takes at most %d characters, '%s' has %zu", PRT_NAME_LEN, text, len);
	else
		s->opt.module_name = text;
}

static void take_rotate(struct session *s, const char *text)
{
	const char *comma = strchr(text, ',');
	int64_t v;

	if (number(s, "-S MB", comma ? arena_strndup(s->arena, text, comma - text) : text, 1,
		   FILE_MB_MAX, &v) &&
	    (!comma || number(s, "-S MB,N", comma + 1, 1, FILES_MAX, &v)))
		s->opt.rotate = text;
}

static bool colour_of(const char *when, int *ret)
{
	if (!when || !strcmp(when, "always"))
		*ret = 1;
	else if (!strcmp(when, "never"))
		*ret = 0;
	else if (!strcmp(when, "auto"))
		*ret = COLOUR_AUTO;
	else
		return false;
	return true;
}

static void print_row(const struct option_row *row)
{
	char letter[4] = "  ", left[48];

	if (row->key < OPT_VM)
		snprintf(letter, sizeof(letter), "-%c", row->key);
	snprintf(left, sizeof(left), "%s%s --%s%s%s%s", letter, row->key < OPT_VM ? "," : " ",
		 row->name, row->takes == OPTIONAL ? "[=" : row->takes == TWO ? " " :
		 row->arg ? "=" : "",
		 row->arg ? row->arg : "", row->takes == OPTIONAL ? "]" : "");
	printf("  %-29s %s\n", left, row->help);
}

static void print_help(void)
{
	puts("Usage: probec [OPTION]... SCRIPT [ARGUMENT]...\n"
	     "       probec [OPTION]... -e TEXT [ARGUMENT]...\n"
	     "       probec [OPTION]... - [ARGUMENT]...       read the script from standard input\n"
	     "\n"
	     "Compiles a probe script to a kernel module, loads it and shows what it prints.\n");
	for (size_t i = 0; i < NROWS; i++)
		if (rows[i].help)
			print_row(&rows[i]);
	puts("\n"
	     "Options may stand after the script as well; -- ends them.\n"
	     "\n"
	     "  probec -e 'probe begin { println(\"hello\") exit() }'\n"
	     "  probec --vm=6.12 reads.kp              no matching kernel needed\n"
	     "  probec -p4 -m reads reads.kp           makes reads.ko for sudo proberun reads.ko");
}

/* Those of the session, most of which are proberun's. */
static void take_session(struct session *s, int key, const char *arg)
{
	struct options *o = &s->opt;
	int64_t v;

	switch (key) {
	case 'o': o->output = arg; break;
	case 'S': take_rotate(s, arg); break;
	case 'F': o->background = true; break;
	case OPT_KEEP:
		if (number(s, "--keep", arg, 1, KEEP_MB_MAX, &v))
			o->keep_mb = v;
		break;
	case OPT_FORMAT:
		if (strcmp(arg, "text") && strcmp(arg, "json") && strcmp(arg, "csv"))
			wrong(s, "--format is text, json or csv, not '%s'", arg);
		o->format = arg;
		break;
	case 't': o->timing = true; break;
	case 'c': o->command = arg; break;
	case 'x': number(s, "-x", arg, 1, INT_MAX, &o->pid); break;
	case 'T': number(s, "-T", arg, 1, INT_MAX, &o->seconds); break;
	case 's':
		if (number(s, "-s", arg, 1, RING_MB_MAX, &v))
			o->ring_mb = v;
		break;
	case 'd':
	case OPT_ALL_MODULES: break;
	case OPT_FORGIVE: o->forgive_errors = true; break;
	case OPT_NO_TIME_LIMITS: o->no_time_limits = true; break;
	}
}

/* False: it was explained. */
static bool explain(struct session *s, const char *id)
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
		diag_hint(s->diag, "it stands in brackets at the end of the message: [E_SYNTAX]");
	return true;
}

/* -Werror, -Wno-NAME. */
static void take_warning(struct session *s, const char *text)
{
	if (!strcmp(text, "error")) {
		s->opt.werror = true;
	} else if (strncmp(text, "no-", 3) || !diag_silence(s->diag, text + 3)) {
		wrong(s, "there is no -W%s", text);
		diag_hint(s->diag, "-W, -Werror, or -Wno-NAME with one of these names: %s",
			  diag_warning_names(s->arena));
	}
}

/* One option with its argument. False: nothing more to do, the answer was printed. */
static bool take(struct session *s, const struct option_row *row, const char *arg)
{
	struct options *o = &s->opt;
	int64_t v;

	if (o->at.src && row->key < OPT_VM && strchr("ehVF", row->key)) {
		wrong(s, "-%c has no place in a configuration file", row->key);
		return true;
	}
	switch (row->key) {
	case 'e': vec_push(s->arena, &o->inline_scripts, arg); break;
	case 'p':
		if (number(s, "-p", arg, 1, 5, &v))
			o->last_pass = v;
		break;
	case 'v': o->verbose++; break;
	case 'k': o->keep = true; break;
	case 'g': o->guru = true; break;
	case 'w': o->quiet_warnings = true; break;
	case 'W': o->werror = true; break;
	case 'u': o->unoptimized = true; break;
	case 'I': vec_push(s->arena, &o->include_dirs, arg); break;
	case 'D': take_define(s, arg); break;
	case 'r':
		if (*arg)
			o->target = arg;
		else
			wrong(s, "-r needs a kernel: a release, a build tree or a captured target");
		break;
	case 'm': take_module_name(s, arg); break;
	case 'G': take_global(s, arg); break;
	case OPT_VM: o->vm = arg ? arg : ""; break;
	case OPT_CHECK:
		o->check = true;
		o->last_pass = 2;
		break;
	case OPT_EXPLAIN: return explain(s, arg);
	case OPT_NO_CONFIG: break;
	case OPT_DISABLE_CACHE: o->no_cache = true; break;
	case OPT_COLOR:
		if (!colour_of(arg, &o->colour))
			wrong(s, "--color is auto, always or never, not '%s'", arg);
		break;
	case 'h': print_help(); return false;
	case 'V': puts("probec " PROBEC_VERSION); return false;
	default: take_session(s, row->key, arg);
	}
	return true;
}

static void unknown_long(struct session *s, const char *name)
{
	const char *names[NROWS], *near;

	for (size_t i = 0; i < sizeof(refused_names) / sizeof(refused_names[0]); i++) {
		if (!strcmp(refused_names[i], name)) {
			diag_error(s->diag, s->opt.at, E_NOT_SUPPORTED,
				   "option --%s of SystemTap is not supported", name);
			return;
		}
	}
	for (size_t i = 0; i < NROWS; i++)
		names[i] = rows[i].name;
	near = diag_nearest(name, names, NROWS);
	wrong(s, "unknown option --%s", name);
	if (near)
		diag_hint(s->diag, "did you mean --%s?", near);
	else
		diag_hint(s->diag, "probec -h lists the options");
}

/* --sign KEY CERT: the only one that takes two words. */
static void take_two(struct session *s, const struct option_row *row, int argc, char **argv, int *i)
{
	if (*i + 2 >= argc) {
		wrong(s, "--%s needs %s", row->name, row->arg);
		*i = argc - 1;
		return;
	}
	s->opt.sign_key = argv[++*i];
	s->opt.sign_cert = argv[++*i];
}

/* argv[*i] is --NAME or --NAME=VALUE. */
static bool take_long(struct session *s, int argc, char **argv, int *i)
{
	const char *text = argv[*i] + 2, *eq = strchr(text, '=');
	const char *name = eq ? arena_strndup(s->arena, text, eq - text) : text;
	const struct option_row *row = NULL;

	for (size_t r = 0; r < NROWS && !row; r++)
		if (!strcmp(rows[r].name, name))
			row = &rows[r];
	if (!row) {
		unknown_long(s, name);
	} else if (row->takes == TWO && !eq) {
		take_two(s, row, argc, argv, i);
	} else if (eq && row->takes == TWO) {
		wrong(s, "--%s takes two words: --%s %s", name, name, row->arg);
	} else if (eq && row->takes == NONE) {
		wrong(s, "--%s takes no value", name);
	} else if (!eq && row->takes == NEEDED && *i + 1 == argc) {
		wrong(s, "--%s needs %s", name, row->arg);
	} else {
		const char *arg = eq ? eq + 1 : row->takes == NEEDED ? argv[++*i] : NULL;

		return take(s, row, arg);
	}
	return true;
}

/* argv[*i] is one letter or several, the last of which may have its argument attached. */
static bool take_letters(struct session *s, int argc, char **argv, int *i)
{
	if (!strncmp(argv[*i], "-Wno-", 5) || !strcmp(argv[*i], "-Werror")) {
		take_warning(s, argv[*i] + 2);
		return true;
	}
	for (const char *p = argv[*i] + 1; *p; p++) {
		const struct option_row *row = NULL;

		for (size_t r = 0; r < NROWS && !row; r++)
			if (rows[r].key == *p)
				row = &rows[r];
		if (!row && strchr(refused_letters, *p)) {
			diag_error(s->diag, s->opt.at, E_NOT_SUPPORTED,
				   "option -%c of SystemTap is not supported", *p);
			return true;
		}
		if (!row) {
			wrong(s, "unknown option -%c", *p);
			diag_hint(s->diag, "probec -h lists the options; -- ends them");
			return true;
		}
		if (row->takes == NONE) {
			if (!take(s, row, NULL))
				return false;
			continue;
		}
		if (p[1])
			return take(s, row, p + 1);
		if (*i + 1 == argc) {
			wrong(s, "-%c needs %s", *p, row->arg);
			return true;
		}
		return take(s, row, argv[++*i]);
	}
	return true;
}

/* The script's name and arguments; argv is permuted so that the arguments stand together. */
static void take_operands(struct session *s, char **operands, int n)
{
	struct options *o = &s->opt;

	if (!o->inline_scripts.n) {
		if (!n) {
			wrong(s, "no script");
			diag_hint(s->diag,
				  "give a file, -e TEXT, or - for standard input; probec -h helps");
			return;
		}
		o->script_path = operands[0];
		operands++;
		n--;
	}
	o->argc = n;
	o->argv = operands;
}

static void check_together(struct session *s)
{
	struct options *o = &s->opt;

	if (o->command && o->pid)
		wrong(s, "-c and -x exclude each other: both say what target() is");
	if (o->vm && o->target)
		wrong(s, "--vm and -r exclude each other: --vm=RELEASE says the kernel");
	if (o->vm && o->pid)
		wrong(s,
		      "--vm and -x exclude each other: the process does not exist in the machine");
	if (o->rotate && !o->output)
		wrong(s, "-S needs -o: it says the size of its files");
	if (o->rotate && o->vm)
		wrong(s, "-S and --vm exclude each other: the machine writes one file");
	if (o->background && o->command)
		wrong(s, "-F and -c exclude each other: CMD would have no terminal; -x takes a "
		      "process that runs");
	if (o->background && o->vm)
		wrong(s, "-F and --vm exclude each other: the machine ends with its command");
	if (o->keep_mb && !o->background)
		wrong(s, "--keep needs -F");
	if (o->no_time_limits && !o->guru) {
		diag_error(s->diag, nowhere, E_GURU, "--suppress-time-limits needs guru mode (-g)");
		diag_hint(s->diag, "without a limit a handler can stop the machine; "
			  "-D MAXACTION=N raises that of steps");
	}
	diag_set_quiet(s->diag, o->quiet_warnings);
	diag_set_werror(s->diag, o->werror);
}

/* Messages about options are coloured as the last of them says. */
static void look_ahead(int argc, char *const *argv, int *colour, bool *config)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strncmp(argv[i], "--color", 7) || !strncmp(argv[i], "--colour", 8)) {
			const char *eq = strchr(argv[i], '=');

			colour_of(eq ? eq + 1 : NULL, colour);
		}
		*config &= strcmp(argv[i], "--no-config") != 0;
	}
}

/* The file's options come before those of the command line, which so have the last word. */
static void take_config(struct session *s, int colour)
{
	struct config_words words = { 0 };
	int argc;
	char **argv;

	config_read(s, &words);
	argc = (int)words.w.n;
	argv = arena_alloc(s->arena, (argc + 1) * sizeof(*argv));
	for (int i = 0; i < argc; i++)
		argv[i] = (char *)words.w.v[i];
	if (colour == COLOUR_AUTO && !diag_errors(s->diag)) {
		look_ahead(argc, argv, &colour, &(bool){ true });
		s->diag = diag_create(s->arena, colour);
	}
	for (int i = 0; i < argc; i++) {
		s->opt.at = words.at.v[i];
		if (argv[i][0] != '-' || !argv[i][1] || !strcmp(argv[i], "--"))
			wrong(s, "'%s' is no option, and a configuration file has only options",
			      argv[i]);
		else if (argv[i][1] == '-')
			take_long(s, argc, argv, &i);
		else
			take_letters(s, argc, argv, &i);
	}
	s->opt.at = nowhere;
}

enum options_result options_parse(struct session *s, int argc, char **argv)
{
	char **operands = arena_alloc(s->arena, (argc + 1) * sizeof(*operands));
	int n = 0, colour = COLOUR_AUTO;
	bool ended = false, config = true;

	look_ahead(argc - 1, argv + 1, &colour, &config);
	s->diag = diag_create(s->arena, colour);
	s->opt.last_pass = 5;
	s->opt.colour = colour;
	for (size_t i = 0; i < NCAPS; i++)
		*cap_of(s, &cap_rows[i]) = cap_rows[i].init;
	if (config)
		take_config(s, colour);

	for (int i = 1; i < argc; i++) {
		const char *a = argv[i];
		bool more = true;

		if (ended || a[0] != '-' || !a[1] || isdigit((unsigned char)a[1]))
			operands[n++] = argv[i];
		else if (!strcmp(a, "--"))
			ended = true;
		else if (a[1] == '-')
			more = take_long(s, argc, argv, &i);
		else
			more = take_letters(s, argc, argv, &i);
		if (!more)
			return OPTIONS_DONE;
	}
	if (!diag_errors(s->diag))
		take_operands(s, operands, n);
	check_together(s);
	return diag_errors(s->diag) ? OPTIONS_WRONG : OPTIONS_RUN;
}
