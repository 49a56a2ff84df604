/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the command line and the configuration file, and checks which options can be combined. */
#include "options/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "options/config_file.h"
#include "options/private.h"
#include "options/tools.h"

static const struct range nowhere;

/* Words to be read by getopt_long(). */
struct words {
	int argc;
	char **argv;            /* argv[0] is skipped */
	const struct range *at; /* the source range of each; NULL: the command line */
	const char *letters;    /* the optstring of getopt_long(3) */
	const struct option *longs;
	int next;               /* number of the word with the next option */
	bool script_began;      /* the words after it may be options of the script */
	VEC(char *) operands;   /* words that are not options, collected by take_words() */
};

enum { OPERAND = 1 }; /* what getopt_long() returns for a word that is not an option */

static struct words words_begin(struct state *s, int argc, char **argv, const struct range *at)
{
	struct words w = { .argc = argc, .argv = argv, .at = at, .next = 1 };

	w.letters = options_getopt(s, &w.longs);
	opterr = 0;
	optind = 0; /* forgets the words before these */
	getopt_long(1, argv, w.letters, w.longs, NULL);
	return w;
}

static int own_key(struct state *s, int key)
{
	int own = key > 0 && key < OPT_VM ? script_key(s, (char)key) : 0;

	return own ? own : key;
}

/* The key of the option at @w->argv[*at], with its argument in optarg; OPERAND, with the word in
 * optarg; ':' or '?' for a wrong word; -1 if only operands follow, from optind on. Numbers, which
 * are arguments of scripts, and warnings are not left to getopt_long(), which would read their
 * characters as letters. In a file, nothing ends the options. */
static int words_next(struct state *s, struct words *w, int *at)
{
	const char *word = w->next < w->argc ? w->argv[w->next] : "";
	bool number = word[0] == '-' && isdigit((unsigned char)word[1]);
	int key = 0;

	*at = w->next;
	if (w->script_began && strncmp(word, "--", 2) == 0 && word[2]) {
		const char *whole = script_complete(s, word);

		if (!whole) {
			optopt = 0;
			w->next = ++optind;
			return '?';
		}
		w->argv[w->next] = (char *)whole;
	}
	if ((strncmp(word, "-Wno-", 5) == 0 || strcmp(word, "-Werror") == 0) &&
	    !(w->script_began && script_key(s, 'W')))
		key = 'W';
	else if (number || (w->at && strcmp(word, "--") == 0))
		key = OPERAND;
	if (key)
		optarg = w->argv[optind++] + (key == 'W' ? 2 : 0);
	else
		key = getopt_long(w->argc, w->argv, w->letters, w->longs, NULL);
	/* A letter means the script's option, a long name of the same key that of probec. */
	if (w->script_began && word[0] == '-' && word[1] != '-') {
		key = own_key(s, key);
		optopt = own_key(s, optopt);
	}
	w->next = optind;
	return key;
}

/* Reads a second word that getopt_long() does not expect: --sign KEY CERT, but not --sign auto, and
 * --explain E_NAME; a word that is not an id is the script. */
static bool take_option(struct state *s, struct words *w, int key)
{
	const char *more = optind < w->argc ? w->argv[optind] : NULL;
	struct script_option *own = script_option_by_key(s, key);

	if (own) {
		script_take(s, own, optarg);
		return true;
	}
	if (key == 'h' && w->script_began && script_help(s))
		return false;
	if (key == OPT_EXPLAIN && !optarg && more && strncmp(more, "E_", 2) == 0) {
		optarg = w->argv[optind++];
	} else if (key == OPT_SIGN && strcmp(optarg, "auto") != 0) {
		struct option_row row = options_row(s, key);

		if (optarg != w->argv[optind - 1]) {
			wrong(s, "--%s takes two words: --%s %s", row.name, row.name, row.arg);
			return true;
		}
		if (!more) {
			wrong(s, "--%s needs %s", row.name, row.arg);
			return true;
		}
		s->opt.sign_cert = more;
		optind++;
	}
	w->next = optind;
	return options_take(s, key, optarg);
}

/* Reports @word, an option that lacks its argument (@key is ':'), has one that it does not take, or
 * is unknown. */
static void take_wrong(struct state *s, int key, const char *word)
{
	struct option_row row = options_row(s, optopt);

	if (word[1] != '-' && key == ':')
		wrong(s, "-%c needs %s", row.key, row.arg);
	else if (word[1] != '-')
		options_unknown(s, (char[]){ '-', (char)optopt, '\0' });
	else if (!optopt)
		options_unknown(s, word);
	else if (key == ':')
		wrong(s, "--%s needs %s", row.name, row.arg);
	else
		wrong(s, "--%s takes no value", row.name);
}

/* Collects @word. The first one is the script, unless -e gave it, and says which options follow. */
static void take_operand(struct state *s, struct words *w, char *word)
{
	const char *tool;

	vec_push(s->arena, &w->operands, word);
	if (w->operands.n > 1 || s->opt.inline_scripts.n)
		return;
	tool = tools_find(s, word);
	script_begin(s, tool ? tool : word);
	w->letters = options_getopt(s, &w->longs);
	w->script_began = s->opt.head != NULL;
}

/* Takes the options of @w, and collects its operands. Returns false if an option printed its answer
 * and the program is to end. */
static bool take_words(struct state *s, struct words *w)
{
	int key, at;

	while ((key = words_next(s, w, &at)) != -1) {
		s->opt.at = w->at ? w->at[at] : nowhere;
		if (key == OPERAND && w->at)
			wrong(s, "'%s' is not an option, and a configuration file contains only "
			      "options", w->argv[at]);
		else if (key == OPERAND)
			take_operand(s, w, optarg);
		else if (key == ':' || key == '?')
			take_wrong(s, key, w->argv[at]);
		else if (!take_option(s, w, key))
			return false;
	}
	s->opt.at = nowhere;
	while (optind < w->argc)
		take_operand(s, w, w->argv[optind++]);
	return true;
}

/* Reports a script that does not exist, if its name may be meant as that of a tool. */
static void report_missing_script(struct state *s)
{
	const char *path = s->opt.script_path, *near;

	if (s->text_error != ENOENT || strchr(path, '/'))
		return;
	near = tools_nearest(s, path);
	if (!near && strchr(path, '.'))
		return;
	diag_error(s->diag, nowhere, E_IO, "can't read the script '%s': %s", path,
		   strerror(ENOENT));
	if (near)
		diag_hint(s->diag, "did you mean the tool '%s'?", near);
	else
		diag_hint(s->diag, "probec tools lists the scripts that are run by name alone");
}

/* The script's name and arguments. */
static void take_operands(struct state *s, char **operands, int n)
{
	struct options *o = &s->opt;

	if (o->inline_scripts.n) {
		s->text = NULL;
		s->text_error = 0;
	} else {
		if (!n && (o->list || o->clean_cache || o->make_key))
			return;
		if (!n) {
			wrong(s, "no script");
			diag_hint(s->diag,
				  "give a file, -e TEXT, or - for standard input; see probec -h");
			return;
		}
		report_missing_script(s);
		operands++;
		n--;
	}
	o->argc = n;
	o->argv = operands;
	script_check(s);
	if (o->inline_scripts.n)
		o->script_path = NULL;
}

/* Its sessions write JSON, from which text can be made. */
static void check_merge(struct state *s)
{
	const struct options *o = &s->opt;

	if (!o->remotes.n)
		wrong(s, "--merge needs --remote");
	if (o->format && strcmp(o->format, "text") != 0 && strcmp(o->format, "json") != 0)
		wrong(s, "with --merge the output is text or json, not %s", o->format);
	if (o->timing && (!o->format || strcmp(o->format, "json") != 0))
		wrong(s, "-t with --merge needs --format=json");
	if (o->no_display)
		wrong(s, "--merge and --no-global-var-display are mutually exclusive");
}

static void check_remote(struct state *s)
{
	struct options *o = &s->opt;

	if (o->merge)
		check_merge(s);
	if (!o->remotes.n)
		return;
	if (o->last_pass != 5 || o->list || o->explain || o->clean_cache || o->bundle)
		wrong(s, "--remote runs sessions: it does not work with -p, -l, --check and the "
			 "like");
	if (o->vm)
		wrong(s, "--remote and --vm are mutually exclusive");
	if (o->pid)
		wrong(s, "--remote and -x are mutually exclusive: the process exists on one "
			 "machine");
	if (o->background)
		wrong(s, "--remote and -F are mutually exclusive: the sessions end with probec");
	if (o->rotate)
		wrong(s, "--remote and -S are mutually exclusive: the output is one file");
	if (o->module_name)
		wrong(s, "--remote and -m are mutually exclusive: modules get a name where they "
			 "run");
	options_check_ssh(s);
}

static void check_bundle(struct state *s)
{
	const struct options *o = &s->opt;

	if (!o->output) {
		wrong(s, "probec bundle needs -o FILE");
		diag_hint(s->diag, "probec bundle -r RELEASE script.kp -o script.run");
	}
	if (o->last_pass != 5 || o->list || o->clean_cache || o->explain) {
		wrong(s, "probec bundle only builds a bundle");
		diag_hint(s->diag, "leave out -p, -l, --check and other options that end before a "
			  "session");
	}
	if (o->vm || o->module_name) {
		wrong(s, "--vm and -m have no effect on a bundle");
		diag_hint(s->diag, "-r names a kernel, -o the bundle");
	}
}

/* A trace is one file, or one directory, that is read from its beginning. */
static void check_trace(struct state *s)
{
	const struct options *o = &s->opt;

	bool ctf = o->format && strcmp(o->format, "ctf") == 0;

	if (!ctf && (!o->format || strcmp(o->format, "perfetto") != 0))
		return;
	if (o->rotate)
		wrong(s, "--format=%s and -S are mutually exclusive: a trace is one %s", o->format,
		      ctf ? "directory" : "file");
	if (ctf && !o->output)
		wrong(s, "--format=ctf needs -o DIRECTORY");
	else if (o->background && !o->output)
		wrong(s, "--format=perfetto with -F needs -o: a trace is read from its beginning");
	if (o->remotes.n)
		wrong(s, "--format=%s and --remote are mutually exclusive: each machine's trace "
		      "is a %s of its own", o->format, ctf ? "directory" : "file");
}

static void check_monitor(struct state *s)
{
	if (s->opt.list || s->opt.explain)
		wrong(s, "--monitor shows a session: it does not work with -l, -L, --explain and "
			 "--dump-*");
	if (s->opt.vm)
		wrong(s, "--monitor and --vm are mutually exclusive: the machine has no screen");
	if (s->opt.command)
		wrong(s, "--monitor and -c are mutually exclusive: CMD would have no terminal; -x "
		      "takes a running process");
	if (s->opt.remotes.n)
		wrong(s, "--remote and --monitor are mutually exclusive: 'ssh -t HOST probec "
		      "--monitor' shows one host");
}

static void check_together(struct state *s)
{
	struct options *o = &s->opt;

	if (o->command && o->pid)
		wrong(s, "-c and -x are mutually exclusive: both set target()");
	if (o->vm && o->target)
		wrong(s, "--vm and -r are mutually exclusive: --vm=RELEASE names the kernel");
	if (o->vm && o->pid)
		wrong(s,
		      "--vm and -x are mutually exclusive: the process does not exist in the "
		      "machine");
	if (o->vm && options_limit_group(o))
		wrong(s, "--vm and %s are mutually exclusive: the control group does not exist in "
		      "the machine", o->pod ? "--pod" : o->container ? "--container" : "--cgroup");
	if (!!o->cgroup + !!o->container + !!o->pod > 1)
		wrong(s, "--cgroup, --container and --pod are mutually exclusive");
	if (o->grant && (o->vm || o->remotes.n || o->bundle))
		wrong(s, "--grant is for sessions on this machine; a bundle takes it when it runs");
	if (o->rotate && !o->output)
		wrong(s, "-S needs -o: it rotates that file");
	if (o->rotate && o->vm)
		wrong(s, "-S and --vm are mutually exclusive: the machine writes one file");
	if (o->background && o->command)
		wrong(s, "-F and -c are mutually exclusive: CMD would have no terminal; -x takes a "
		      "running process");
	if (o->background && o->vm)
		wrong(s, "-F and --vm are mutually exclusive: the machine ends with its command");
	if (o->keep_mb && !o->background)
		wrong(s, "--keep needs -F");
	if (o->bundle)
		check_bundle(s);
	if (o->monitor)
		check_monitor(s);
	check_remote(s);
	check_trace(s);
	if (o->list && o->format && strcmp(o->format, "text") != 0 &&
	    strcmp(o->format, "json") != 0)
		wrong(s, "lists are text or json, not %s", o->format);
	if (o->no_time_limits && !o->guru) {
		diag_error(s->diag, nowhere, E_GURU, "--suppress-time-limits needs guru mode (-g)");
		diag_hint(s->diag, "without limits a handler can hang the machine; -D MAXACTION=N "
				   "raises the step limit");
	}
	if (o->override_any && !o->guru) {
		diag_error(s->diag, nowhere, E_GURU, "--override-any needs guru mode (-g)");
		diag_hint(s->diag, "skipping a function that nobody expects to fail can break the "
			  "kernel");
	}
	if (!o->target && !o->vm && getenv("SYSTEMTAP_RELEASE"))
		o->target = getenv("SYSTEMTAP_RELEASE");
	options_say_needless(s);
	diag_set_quiet(s->diag, o->quiet_warnings);
	diag_set_werror(s->diag, o->werror);
}

/* Messages about options are coloured as the last --color says. */
static void look_ahead(struct state *s, struct words w, int *colour, bool *config)
{
	int key, at;

	while ((key = words_next(s, &w, &at)) != -1) {
		if (key == OPT_COLOR)
			options_colour(optarg, colour);
		*config &= key != OPT_NO_CONFIG;
	}
}

/* Options of the file come before those of the command line, which therefore override them. */
static void take_config(struct state *s, int colour)
{
	struct config_words file = { 0 };
	struct words w;
	int argc;
	char **argv;
	struct range *at;

	config_read(s, &file);
	argc = (int)file.w.n + 1;
	argv = arena_alloc(s->arena, (argc + 1) * sizeof(*argv));
	at = arena_alloc(s->arena, argc * sizeof(*at));
	argv[0] = NULL;
	for (int i = 1; i < argc; i++) {
		argv[i] = (char *)file.w.v[i - 1];
		at[i] = file.at.v[i - 1];
	}
	if (colour == COLOUR_AUTO && !diag_errors(s->diag)) {
		look_ahead(s, words_begin(s, argc, argv, at), &colour, &(bool){ true });
		s->diag = diag_create(s->arena, colour);
	}
	w = words_begin(s, argc, argv, at);
	take_words(s, &w);
}

enum options_result options_parse(struct state *s, int argc, char **argv)
{
	struct words w = words_begin(s, argc, argv, NULL);
	int colour = COLOUR_AUTO;
	bool config = true;

	look_ahead(s, w, &colour, &config);
	s->diag = diag_create(s->arena, colour);
	s->opt.last_pass = 5;
	s->opt.colour = colour;
	s->opt.debuginfo = getenv("PROBEC_DEBUGINFO");
	options_init_caps(s);
	if (config)
		take_config(s, colour);

	w = words_begin(s, argc, argv, NULL);
	if (!take_words(s, &w))
		return OPTIONS_DONE;
	if (!diag_errors(s->diag))
		take_operands(s, w.operands.v, (int)w.operands.n);
	check_together(s);
	return diag_errors(s->diag) ? OPTIONS_WRONG : OPTIONS_RUN;
}
