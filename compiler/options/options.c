/* SPDX-License-Identifier: GPL-2.0 */
/* The command line, word by word, and what of it goes together. */
#include "options/options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "options/config_file.h"
#include "options/private.h"

static const struct range nowhere;

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
	const struct option_row *row = options_long(name);

	if (!row && name[0] && name[1])
		row = options_foreign(s, name);
	if (!row) {
		options_unknown_long(s, name);
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

		/* --explain E_NAME; what is no id is the script. */
		if (!arg && row->key == OPT_EXPLAIN && *i + 1 < argc &&
		    !strncmp(argv[*i + 1], "E_", 2))
			arg = argv[++*i];

		return options_take(s, row, arg);
	}
	return true;
}

/* argv[*i] is one letter or several, the last of which may have its argument attached. */
static bool take_letters(struct session *s, int argc, char **argv, int *i)
{
	if (!strncmp(argv[*i], "-Wno-", 5) || !strcmp(argv[*i], "-Werror")) {
		options_take_warning(s, argv[*i] + 2);
		return true;
	}
	for (const char *p = argv[*i] + 1; *p; p++) {
		const struct option_row *row = options_letter(*p);

		if (!row)
			row = options_foreign(s, (char[]){ *p, '\0' });
		if (!row) {
			options_unknown_letter(s, *p);
			return true;
		}
		if (row->takes == NONE) {
			if (!options_take(s, row, NULL))
				return false;
			continue;
		}
		if (p[1])
			return options_take(s, row, p + 1);
		if (*i + 1 == argc) {
			wrong(s, "-%c needs %s", *p, row->arg);
			return true;
		}
		return options_take(s, row, argv[++*i]);
	}
	return true;
}

/* The script's name and arguments; argv is permuted so that the arguments stand together. */
static void take_operands(struct session *s, char **operands, int n)
{
	struct options *o = &s->opt;

	if (!o->inline_scripts.n) {
		if (!n && (o->list || o->clean_cache))
			return;
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
	if (o->list && o->format && !strcmp(o->format, "csv"))
		wrong(s, "lists are text or json, not csv");
	if (o->no_time_limits && !o->guru) {
		diag_error(s->diag, nowhere, E_GURU, "--suppress-time-limits needs guru mode (-g)");
		diag_hint(s->diag, "without a limit a handler can stop the machine; "
			  "-D MAXACTION=N raises that of steps");
	}
	if (o->override_any && !o->guru) {
		diag_error(s->diag, nowhere, E_GURU, "--override-any needs guru mode (-g)");
		diag_hint(s->diag, "a function that nobody expects to fail can break the kernel "
			  "when it is left without having run");
	}
	if (!o->target && !o->vm && getenv("SYSTEMTAP_RELEASE"))
		o->target = getenv("SYSTEMTAP_RELEASE");
	options_say_needless(s);
	diag_set_quiet(s->diag, o->quiet_warnings);
	diag_set_werror(s->diag, o->werror);
}

/* Messages about options are coloured as the last of them says. */
static void look_ahead(int argc, char *const *argv, int *colour, bool *config)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strncmp(argv[i], "--color", 7) || !strncmp(argv[i], "--colour", 8)) {
			const char *eq = strchr(argv[i], '=');

			options_colour(eq ? eq + 1 : NULL, colour);
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
	s->opt.debuginfo = getenv("PROBEC_DEBUGINFO");
	options_init_caps(s);
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
