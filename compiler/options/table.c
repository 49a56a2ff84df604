/* SPDX-License-Identifier: GPL-2.0 */
/* The table of all options, from which the help text is printed. */
#include <stdio.h>
#include <string.h>

#include "options/private.h"

static const struct option_row rows[] = {
	{ 'e', "script", NEEDED, "TEXT", "use TEXT as the script; may be repeated" },
	{ 'E', "add-script", NEEDED, "TEXT", "add TEXT to the script" },
	{ 'p', "pass", NEEDED, "N",
	  "stop after pass N: 1 parse 2 analyse (or 2=PHASE) 3 emit 4 build 5 run" },
	{ OPT_CHECK, "check", NONE, NULL, "report errors in the script and build nothing" },
	{ 'l', "list", NEEDED, "PATTERN", "list the matching probe points" },
	{ 'L', "list-values", NEEDED, "PATTERN",
	  "list matching probe points with the values that handlers can read" },
	{ OPT_LINES, "lines", NEEDED, "FUNCTION",
	  "list the source lines of FUNCTION that can be probed" },
	{ OPT_DOC, "doc", NEEDED, "NAME",
	  "show the documentation of a function, probe point, word, ..." },
	{ OPT_DUMP_FUNCTIONS, "dump-functions", NONE, NULL, "list the functions of the tapsets" },
	{ OPT_DUMP_TYPES, "dump-probe-types", NONE, NULL, "list the forms of probe points" },
	{ OPT_DUMP_ALIASES, "dump-probe-aliases", NONE, NULL, "list the aliases of the tapsets" },
	{ OPT_EXPLAIN, "explain", OPTIONAL, "E_NAME",
	  "explain a message; without E_NAME: the script's sites" },
	{ 'v', "verbose", NONE, NULL, "show what each pass did and its time" },
	{ OPT_VP, "vp", NEEDED, "DIGITS", "like -v, in SystemTap's form: one digit per pass" },
	{ 'k', "keep-tmp", NONE, NULL, "keep the temporary directory" },
	{ OPT_TMPDIR, "tmpdir", NEEDED, "DIR", "create the temporary directory in DIR" },
	{ 'g', "guru", NONE, NULL, "guru mode: allow embedded C and changes to the kernel" },
	{ 'w', "no-warnings", NONE, NULL, "show no warnings" },
	{ 'W', "werror", NONE, NULL, "treat warnings as errors; -Wno-NAME disables one kind" },
	{ 'u', "unoptimized", NONE, NULL, "keep functions that no probe calls" },
	{ OPT_COMPATIBLE, "compatible", NEEDED, "VERSION",
	  "the version of SystemTap that systemtap_v returns" },
	{ OPT_SKIP_BADVARS, "skip-badvars", NONE, NULL,
	  "treat unavailable $variables as 0 instead of errors" },
	{ OPT_NO_DISPLAY, "no-global-var-display", NONE, NULL,
	  "do not print unread globals at the end" },
	{ OPT_SORT, "sort", NEEDED, "COLUMN",
	  "sort tables by COLUMN; COLUMN+: ascending, COLUMN-: descending" },
	{ OPT_TOP, "top", NEEDED, "N", "show N rows of each table (0: all)" },
	{ 'I', "include", NEEDED, "DIR", "also search DIR for tapsets" },
	{ 'D', "define", NEEDED, "NAME=VALUE",
	  "set a limit, such as MAXSTRINGLEN, or a macro for embedded C" },
	{ 'r', "release", NEEDED, "KERNEL", "build for KERNEL: release, tree or captured target" },
	{ OPT_DEBUGINFO, "debuginfo", NEEDED, "DIR",
	  "search only DIR[:DIR...] for debug information; '': none" },
	{ OPT_SYMBOLS, "symbols", NEEDED, "FILE=BUILD",
	  "find functions of the stripped FILE by their code in BUILD, another build of it" },
	{ 'm', "module-name", NEEDED, "NAME", "name of the module; with -p4 it becomes ./NAME.ko" },
	{ OPT_SIGN, "sign", TWO, "KEY CERT", "sign the module, for kernels that require it" },
	{ OPT_MAKE_KEY, "make-key", OPTIONAL, "DIR",
	  "make a key for --sign, and say how to enrol it" },
	{ OPT_MODINFO, "modinfo", NEEDED, "NAME=VALUE", "add the line NAME: VALUE to modinfo's "
							"output" },
	{ 'G', "global", NEEDED, "NAME=VALUE", "initial value of a global" },
#define SESSION_OPTION(key, name, takes, arg, help, grant) { key, name, takes, arg, help },
#define SESSION_FLAG(key, field, name, help, grant) { key, name, NONE, NULL, help },
#define SESSION_TEXT(key, field, name, arg, help, grant) { key, name, NEEDED, arg, help },
#include "shared/session_options.def"
	{ 'd', "module", NEEDED, "MODULE", "ignored: always on" },
	{ OPT_ALL_MODULES, "all-modules", NONE, NULL, "ignored: always on" },
	{ OPT_DIRECT, "direct", NONE, NULL,
	  "attach return probes by direct calls: cheaper, but exclusive" },
	{ OPT_GRANT, "grant", NONE, NULL,
	  "run a module that the administrator allows, without root" },
	{ OPT_VM, "vm", OPTIONAL, "RELEASE", "run the script in a throwaway virtual machine" },
	{ OPT_REMOTE, "remote", NEEDED, "HOST,HOST",
	  "run the script on these hosts (web1, web[1-40], @web) over ssh; may be repeated" },
	{ OPT_MERGE, "merge", NONE, NULL,
	  "with --remote: show the globals of all hosts as one" },
	{ OPT_SSH, "ssh", NEEDED, "CMD",
	  "use CMD as the ssh of --remote, or as a launcher with {} for the host" },
	{ OPT_DISABLE_CACHE, "disable-cache", NONE, NULL, "do not use the module cache" },
	{ OPT_POISON_CACHE, "poison-cache", NONE, NULL,
	  "store modules in the cache, but take none from it" },
	{ OPT_CLEAN_CACHE, "clean-cache", NONE, NULL,
	  "shrink the cache to its maximum size and exit" },
	{ OPT_NO_CONFIG, "no-config", NONE, NULL, "read no configuration file" },
	{ OPT_COLOR, "color", OPTIONAL, "WHEN", "colours in messages: auto, always or never" },
	{ OPT_COLOR, "colour", OPTIONAL, "WHEN", NULL },
	{ 'h', "help", NONE, NULL, "print this text" },
	{ 'V', "version", NONE, NULL, "print the version" },
};
#define NROWS (sizeof(rows) / sizeof(rows[0]))

struct option_row options_at(size_t i)
{
	return i < NROWS ? rows[i] : (struct option_row){ 0 };
}

struct option_row options_own_row(int key)
{
	for (size_t i = 0; i < NROWS; i++)
		if (rows[i].key == key)
			return rows[i];
	return (struct option_row){ 0 };
}

struct option_row options_row(const struct state *s, int key)
{
	const struct script_option *o = script_option_by_key(s, key);
	struct option_row row = options_own_row(key);
	size_t i;

	if (o)
		return script_row(o);
	if (row.key)
		return row;
	for (i = 0; (row = options_foreign(i)).key && row.key != key; i++)
		;
	return row;
}

struct getopt_rows {
	VEC(char) letters;
	VEC(struct option) longs;
};

/* Adds a row; getopt_long() is to return @key for its long name. */
static void add_row(struct arena *a, struct getopt_rows *to, struct option_row row, int key)
{
	static const int has_arg[] = {
		[NONE] = no_argument, [NEEDED] = required_argument,
		[OPTIONAL] = optional_argument, [TWO] = required_argument,
	};

	if (row.key < OPT_VM) {
		vec_push(a, &to->letters, (char)row.key);
		if (row.takes == NEEDED)
			vec_push(a, &to->letters, ':');
	}
	if (row.name)
		vec_push(a, &to->longs,
			 ((struct option){ row.name, has_arg[row.takes], NULL, key }));
}

static void add_script(const struct state *s, struct getopt_rows *to)
{
	int key = OPT_SCRIPT;

	if (!s->opt.head)
		return;
	vec_each(o, &s->opt.head->options)
		add_row(s->arena, to, script_row(o), key++);
}

/* Adds "probec-NAME" for each long name, which no script has. */
static void add_reserved(struct arena *a, struct getopt_rows *to)
{
	for (size_t i = 0; i < NROWS; i++) {
		struct option_row row = rows[i];

		row.key = OPT_VM; /* no letter */
		row.name = arena_printf(a, OPTION_RESERVED "%s", rows[i].name);
		add_row(a, to, row, rows[i].key);
	}
}

const char *options_getopt(const struct state *s, const struct option **longs)
{
	struct arena *a = s->arena;
	struct getopt_rows to = { 0 };
	struct option_row row;

	vec_push(a, &to.letters, '-');
	vec_push(a, &to.letters, ':');
	/* The first of two options that have one name counts. */
	add_script(s, &to);
	for (size_t i = 0; i < NROWS; i++)
		add_row(a, &to, rows[i], rows[i].key);
	for (size_t i = 0; (row = options_foreign(i)).key; i++)
		add_row(a, &to, row, row.key);
	add_reserved(a, &to);
	vec_push(a, &to.letters, '\0');
	vec_push(a, &to.longs, (struct option){ 0 });
	*longs = to.longs.v;
	return to.letters.v;
}

bool options_has_long(const char *name)
{
	struct option_row row;

	for (size_t i = 0; i < NROWS; i++)
		if (strcmp(rows[i].name, name) == 0)
			return true;
	for (size_t i = 0; (row = options_foreign(i)).key; i++)
		if (row.name && strcmp(row.name, name) == 0)
			return true;
	return false;
}

/* The long options that begin with the @len characters at @name, as a list: those of the script, if
 * it has such, as they precede others. */
static const char *beginning(const struct state *s, const char *name, size_t len)
{
	const struct option *longs;
	const char *text = "";
	size_t own = 0;

	if (s->opt.head)
		vec_each(o, &s->opt.head->options)
			own += o->name && strncmp(o->name, name, len) == 0;
	for (options_getopt(s, &longs); longs->name; longs++)
		if (strncmp(longs->name, name, len) == 0) {
			text = arena_printf(s->arena, "%s%s--%s", text, *text ? ", " : "",
					    longs->name);
			if (own && !--own)
				break;
		}
	return text;
}

/* The long option that is nearest to @name, preferably of the script; or NULL. */
static const char *nearest(const struct state *s, const char *name)
{
	VEC(const char *) own = { 0 };
	const char *names[NROWS], *near;

	if (s->opt.head)
		vec_each(o, &s->opt.head->options)
			if (o->name)
				vec_push(s->arena, &own, o->name);
	near = own.n ? diag_nearest(name, own.v, own.n) : NULL;
	for (size_t i = 0; i < NROWS; i++)
		names[i] = rows[i].name;
	return near ? near : diag_nearest(name, names, NROWS);
}

void options_unknown(struct state *s, const char *word)
{
	bool declares = s->opt.head && s->opt.head->options.n;
	const char *lists = declares ? arena_printf(s->arena, "%s --help and probec -h list the "
						    "options", script_name(s)) :
				       "probec -h lists the options";
	size_t len = strcspn(word, "=");
	const char *near, *several;

	if (word[1] != '-') {
		wrong(s, "unknown option %s", word);
		diag_hint(s->diag, "%s; -- ends them", lists);
		return;
	}
	word = arena_strndup(s->arena, word, len);
	near = nearest(s, word + 2);
	several = beginning(s, word + 2, len - 2);
	if (*several)
		wrong(s, "several options begin with %s", word);
	else
		wrong(s, "unknown option %s", word);
	if (*several)
		diag_hint(s->diag, "give more of its name: %s", several);
	else if (near)
		diag_hint(s->diag, "did you mean --%s?", near);
	else
		diag_hint(s->diag, "%s", lists);
}

void options_print_text(int n, const char *text)
{
	for (; *text; text += strspn(text, "\n")) {
		size_t len = strcspn(text, "\n");

		printf("%*s%.*s\n", n < HELP_COLUMN ? HELP_COLUMN - n : 1, "", (int)len, text);
		text += len;
		n = 0;
	}
}

void options_print_row(const struct option_row *row)
{
	bool letter = row->key < OPT_VM;
	const char *before = row->takes == OPTIONAL ? "[=" : !row->arg ? "" :
			     row->takes == TWO || !row->name ? " " : "=";
	int n = printf("  %s%s%s%s%s%s%s",
		       letter ? (char[]){ '-', (char)row->key, '\0' } : "  ",
		       !row->name ? "" : letter ? ", " : "  ", row->name ? "--" : "",
		       row->name ? row->name : "", before, row->arg ? row->arg : "",
		       row->takes == OPTIONAL ? "]" : "");

	options_print_text(n, row->help);
}

void options_help(void)
{
	puts("Usage: probec [OPTION]... SCRIPT [ARGUMENT]...\n"
	     "       probec [OPTION]... -e TEXT [ARGUMENT]...\n"
	     "       probec [OPTION]... - [ARGUMENT]...       read the script from standard input\n"
	     "       probec NAME [ARGUMENT]...                run the tool of that name");
#define SUBCOMMAND(name, main, arguments, help) \
	printf("       probec %-33s %s\n", name " " arguments, help);
#include "options/subcommands.def"
	puts("\n"
	     "Compiles a probe script into a kernel module, loads it and shows what it prints.\n");
	for (size_t i = 0; i < NROWS; i++)
		if (rows[i].help)
			options_print_row(&rows[i]);
	puts("\n"
	     "Options may also follow the script; -- ends them. After the script's name, options\n"
	     "that it declares take precedence, and --help describes them: probec reads.kp --help\n"
	     "\n"
	     "  probec -e 'probe begin { println(\"hello\") exit() }'\n"
	     "  probec --vm=6.12 reads.kp              no matching kernel needed\n"
	     "  probec -p4 -m reads reads.kp           makes reads.ko for sudo proberun reads.ko");
}
