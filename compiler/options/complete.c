/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Completion of command lines, for shells: probec --complete WORD... prints what the last word may
 * become, one candidate per line: the word, a tab, a description. The words before it are those of
 * the command line without "probec". A line that begins with ':' asks the shell for something:
 * ":files PATTERN" for files and directories, ":directories", ":commands", ":processes". A
 * candidate to which more belongs ends with '=', '(', '"', '.' or '/'.
 */
#include "options/complete.h"

#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyse/analyse.h"
#include "base/subprocess.h"
#include "base/cache/cache.h"
#include "options/options.h"
#include "options/private.h"
#include "shared/buf.h"
#include "shared/file.h"

#define NAME_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

struct command_line {
	struct arena *a;
	char **words;           /* before the one that is completed */
	int n;
	const char *word;       /* that one, or what follows "--name=" or "-l" in it */
	const char *before;     /* the beginning of the word, if only its rest is completed; "" */
	const char *program;    /* probec */
};

static const struct {
	const char *name, *help;
} subcommands[] = {
#define SUBCOMMAND(name, main, arguments, help) { name, help },
#include "options/subcommands.def"
};

static const char *const error_ids[] = {
#define ERR(id, meaning, next) #id,
#include "base/errors.def"
#undef ERR
};

static const char *const warning_ids[] = {
#define ERR(id, meaning, next)
#define WARN(id, meaning, next) #id,
#include "base/errors.def"
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static void offer(const struct command_line *l, const char *word, const char *help)
{
	if (begins(word, l->word))
		printf("%s%s%s%s\n", l->before, word, help ? "\t" : "", help ? help : "");
}

/* ---- values of options ---- */

static char *output_of(const struct command_line *l, const char *const argv[])
{
	struct buf out, ignored;
	char *text;

	buf_init(&out);
	buf_init(&ignored);
	subprocess_run(argv, NULL, &out, &ignored);
	text = arena_strdup(l->a, out.len ? out.s : "");
	buf_deinit(&out);
	buf_deinit(&ignored);
	return text;
}

/* The output of the program for one more option and pattern, for the kernel of the command line. */
static char *listed(const struct command_line *l, const char *option, const char *pattern)
{
	const char *argv[] = { l->program, "-w", option, pattern, NULL, NULL, NULL };

	for (int i = 0; i < l->n; i++) {
		const char *w = l->words[i];
		const char *kernel = begins(w, "--release=") ? w + 10 :
			begins(w, "--vm=") ? w + 5 :
			(strcmp(w, "-r") == 0 || strcmp(w, "--release") == 0) && i + 1 < l->n ?
			l->words[i + 1] : NULL;

		if (kernel) {
			argv[4] = "-r";
			argv[5] = kernel;
		}
	}
	return output_of(l, argv);
}

/* Offers a probe point up to where the user has to write something: "kernel.function(string)" is
 * offered as kernel.function(". With @parts, only up to the next dot. */
static void offer_point(const struct command_line *l, char *point, bool parts)
{
	static const struct { const char *form, *begin; } open[] = {
		{ "(string)", "(\"" }, { "(number)", "(" },
	};
	size_t len = strlen(l->word);

	if (!begins(point, l->word))
		return;
	for (size_t i = 0; i < COUNT(open); i++) {
		char *at = strstr(point + len, open[i].form);

		if (at)
			strcpy(at, open[i].begin);
	}
	if (parts) {
		char *dot = strchr(point + len, '.');

		if (!dot)
			return;
		dot[1] = '\0';
	}
	printf("%s%s\n", l->before, point);
}

static void offer_matching_points(const struct command_line *l, const char *pattern, bool parts)
{
	char *save = NULL, *text = listed(l, "-l", pattern), *last = NULL;

	for (char *p = strtok_r(text, "\n", &save); p; p = strtok_r(NULL, "\n", &save)) {
		/* Points with the same first part follow each other. */
		size_t part = strcspn(p, ".");
		char *copy = arena_strdup(l->a, p);

		if (parts && last && strncmp(last, p, part + 1) == 0)
			continue;
		offer_point(l, copy, parts);
		last = p;
	}
}

/* Probe points: the forms and aliases that begin like the word; in a string, the functions or other
 * names. */
static void offer_points(const struct command_line *l)
{
	const char *quote = strrchr(l->word, '"');
	bool in_string = false;

	for (const char *p = l->word; *p; p++)
		in_string ^= *p == '"';
	if (in_string && quote)
		offer_matching_points(l, arena_printf(l->a, "%s*\")", l->word), false);
	else
		offer_matching_points(l, arena_printf(l->a, "%s*", l->word), false);
	if (!strchr(l->word, '.'))
		offer_matching_points(l, arena_printf(l->a, "%s*.*", l->word), true);
}

static void offer_functions(const struct command_line *l)
{
	char *save = NULL;
	char *text = listed(l, "-l", arena_printf(l->a, "kernel.function(\"%s*\")", l->word));

	for (char *p = strtok_r(text, "\n", &save); p; p = strtok_r(NULL, "\n", &save)) {
		char *name = strchr(p, '"'), *end = name ? strchr(name + 1, '"') : NULL;

		if (!end)
			continue;
		*end = '\0';
		offer(l, name + 1, NULL);
	}
}

/* The names of functions and macros of the tapsets, for --doc. */
static void offer_library_names(const struct command_line *l)
{
	char *save = NULL, *text = listed(l, "--dump-functions", "-w");

	for (char *p = strtok_r(text, "\n", &save); p; p = strtok_r(NULL, "\n", &save)) {
		size_t len = strcspn(p, ":(");

		offer(l, arena_strndup(l->a, p, len), p);
	}
}

static void offer_kernels_in(const struct command_line *l, const char *pattern, const char *end)
{
	glob_t found = { 0 };

	glob(pattern, 0, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *path = found.gl_pathv[i], *name, *dot;

		path[strlen(path) - strlen(end)] = '\0';
		name = strrchr(path, '/') + 1;
		offer(l, name, NULL);
		/* Its series, for which the lab takes the newest release. */
		dot = strchr(name, '.');
		if (dot && isdigit((unsigned char)name[0]))
			offer(l, arena_printf(l->a, "%.*s%s",
					      (int)(dot + 1 + strspn(dot + 1, "0123456789") - name),
					      name, strstr(name, "-rt-") ? "-rt" : ""), NULL);
	}
	globfree(&found);
}

static void offer_kernels(const struct command_line *l)
{
	const char *cache = cache_wanted_dir(l->a);

	offer_kernels_in(l, "/lib/modules/*/build", "/build");
	if (!cache)
		return;
	offer_kernels_in(l, arena_printf(l->a, "%s/lab/*/build", cache), "/build");
	offer_kernels_in(l, arena_printf(l->a, "%s/targets/*", cache), "");
}

static void offer_globals_of(const struct command_line *l, const char *text)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		static const char first[] = "global";
		const char *name;
		size_t blanks;
		int len;

		line += *line == '\n';
		name = line + strspn(line, " \t");
		if (strncmp(name, first, strlen(first)) != 0)
			continue;
		name += strlen(first);
		blanks = strspn(name, " \t");
		name += blanks;
		len = (int)strspn(name, NAME_BYTES);
		if (blanks && len)
			offer(l, arena_printf(l->a, "%.*s=", len, name), NULL);
	}
}

/* The globals of the script on the command line, for -G. */
static void offer_globals(const struct command_line *l)
{
	for (int i = 0; i < l->n; i++) {
		size_t len = strlen(l->words[i]);
		struct buf b;

		if (len <= 3 || strcmp(l->words[i] + len - 3, ".kp") != 0)
			continue;
		buf_init(&b);
		if (!file_read(l->words[i], &b)) {
			buf_putc(&b, '\0');
			offer_globals_of(l, b.s);
		}
		buf_deinit(&b);
	}
}

static void offer_limits(const struct command_line *l)
{
	struct options_limit limit;

	for (size_t i = 0; options_limit(i, &limit); i++)
		offer(l, arena_printf(l->a, "%s=", limit.name), limit.help);
}

static void offer_passes(const struct command_line *l)
{
	static const char *const names[] = { "parse", "analyse", "emit", "build", "run" };

	for (size_t i = 0; i < COUNT(names); i++)
		offer(l, arena_printf(l->a, "%zu", i + 1), names[i]);
	for (size_t i = 0; analyse_phase(i); i++)
		offer(l, arena_printf(l->a, "2=%s", analyse_phase(i)), "a phase of analyse");
}

static void offer_words(const struct command_line *l, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		offer(l, list[i], NULL);
}

static void offer_when(const struct command_line *l)
{
	offer_words(l, (const char *const[]){ "auto", "always", "never" }, 3);
}

static void offer_formats(const struct command_line *l)
{
	offer_words(l, options_formats, FORMATS);
}

static void offer_ids(const struct command_line *l) { offer_words(l, error_ids, COUNT(error_ids)); }
static void ask_for_files(const struct command_line *l) { (void)l; puts(":files *"); }
static void ask_for_directories(const struct command_line *l) { (void)l; puts(":directories"); }
static void ask_for_commands(const struct command_line *l) { (void)l; puts(":commands"); }
static void ask_for_processes(const struct command_line *l) { (void)l; puts(":processes"); }

/* By the name of the argument in the help text. Other arguments are the user's own. */
static const struct {
	const char *arg;
	void (*values)(const struct command_line *l);
} values[] = {
	{ "PATTERN", offer_points }, { "FUNCTION", offer_functions },
	{ "NAME", offer_library_names }, { "E_NAME", offer_ids }, { "DIR", ask_for_directories },
	{ "FILE", ask_for_files }, { "KEY CERT", ask_for_files }, { "CMD", ask_for_commands },
	{ "PID", ask_for_processes }, { "KERNEL", offer_kernels }, { "RELEASE", offer_kernels },
	{ "WHEN", offer_when }, { "FORMAT", offer_formats }, { "N", offer_passes },
};

static void offer_value(const struct command_line *l, const struct option_row *row)
{
	if (row->key == 'm')
		return;
	if (row->key == 'D')
		offer_limits(l);
	if (row->key == 'G')
		offer_globals(l);
	for (size_t i = 0; i < COUNT(values); i++)
		if (row->arg && strcmp(values[i].arg, row->arg) == 0)
			values[i].values(l);
}

/* ---- options ---- */

static void offer_warnings(const struct command_line *l)
{
	char name[64];

	for (size_t i = 0; i < COUNT(warning_ids); i++) {
		snprintf(name, sizeof(name), "-Wno-%s", warning_ids[i] + 2);
		for (char *p = name + 5; *p; p++)
			*p = *p == '_' ? '-' : (char)tolower((unsigned char)*p);
		offer(l, name, "disable this warning");
	}
}

static void offer_option_names(const struct command_line *l)
{
	struct option_row row;

	for (size_t i = 0; (row = options_at(i)).key; i++) {
		if (!row.help || !row.name)
			continue;
		if (l->word[1] != '-' && row.key < OPT_VM)
			offer(l, (char[]){ '-', (char)row.key, '\0' }, row.help);
		if (row.takes == NEEDED)
			offer(l, arena_printf(l->a, "--%s=", row.name), row.help);
		else
			offer(l, arena_printf(l->a, "--%s", row.name), row.help);
		if (row.takes == OPTIONAL)
			offer(l, arena_printf(l->a, "--%s=", row.name), row.help);
	}
	if (begins(l->word, "-W"))
		offer_warnings(l);
}

/* The option that takes the next word: "-l", "-vl", "--list"; a row with key 0 if @word takes
 * none. */
static struct option_row option_before(const char *word)
{
	struct option_row row;
	size_t len = strlen(word);

	for (size_t i = 0; (row = options_at(i)).key; i++) {
		/* --explain takes the next word if it is an id. */
		if (row.takes != NEEDED && row.takes != TWO && row.key != OPT_EXPLAIN)
			continue;
		if (word[0] == '-' && word[1] == '-' && row.name && strcmp(word + 2, row.name) == 0)
			break;
		/* In a cluster of letters, the first one that takes an argument takes the rest. */
		if (word[0] == '-' && word[1] && word[1] != '-' && row.key < OPT_VM &&
		    strchr(word + 1, row.key) == word + len - 1)
			break;
	}
	return row;
}

/* "--name=VALUE" and "-lVALUE": completes the value. Returns false if the word is another. */
static bool offer_attached(struct command_line *l)
{
	const char *equals = strchr(l->word, '=');
	struct option_row row;

	for (size_t i = 0; (row = options_at(i)).key; i++) {
		size_t len = row.name ? strlen(row.name) : 0;
		size_t skip = 0;

		if (row.takes == NONE)
			continue;
		if (begins(l->word, "--") && equals && len == (size_t)(equals - l->word) - 2 &&
		    strncmp(l->word + 2, row.name, len) == 0)
			skip = len + 3;
		else if (l->word[1] != '-' && row.key == l->word[1] && l->word[2])
			skip = 2;
		if (!skip)
			continue;
		l->before = arena_strndup(l->a, l->word, skip);
		l->word += skip;
		offer_value(l, &row);
		return true;
	}
	return false;
}

/* ---- subcommands and operands ---- */

/* Reads an option of a help text: "  -k, --kernel=KERNEL   run them ...". Returns false if the line
 * has none. */
static bool help_option(char *text, char **name, char **help)
{
	char *p = text + strspn(text, " "), *end;

	if (p == text || *p != '-')
		return false;
	if (p[1] != '-' && p[2] == ',')
		p += 3 + strspn(p + 3, " ");
	if (!begins(p, "--"))
		return false;
	end = p + strcspn(p, " =[");
	*help = end + strcspn(end, " ");
	*help += strspn(*help, " ");
	end[*end == '='] = '\0';
	*name = p;
	return true;
}

/* The options of a subcommand or a script, from its help text. */
static void offer_options_of(const struct command_line *l, const char *command)
{
	const char *const argv[] = { l->program, command, "--help", NULL };
	char *save = NULL, *text = output_of(l, argv), *name, *help;

	for (char *p = strtok_r(text, "\n", &save); p; p = strtok_r(NULL, "\n", &save))
		if (help_option(p, &name, &help))
			offer(l, name, help);
}

static void offer_for_subcommand(const struct command_line *l)
{
	const char *previous = l->words[l->n - 1];

	if (l->word[0] == '-')
		offer_options_of(l, l->words[0]);
	else if (strcmp(previous, "-k") == 0 || strcmp(previous, "--kernel") == 0 ||
		 strcmp(previous, "-r") == 0 || strcmp(previous, "--release") == 0)
		offer_kernels(l);
	else
		puts(":files *");
}

/* The options that a script, or the tool that is the first word, declares. */
static void offer_script_options(const struct command_line *l)
{
	for (int i = 0; i < l->n; i++) {
		size_t len = strlen(l->words[i]);

		if ((i == 0 && l->words[0][0] != '-') ||
		    (len > 3 && strcmp(l->words[i] + len - 3, ".kp") == 0)) {
			offer_options_of(l, l->words[i]);
			return;
		}
	}
}

static bool is_subcommand(const char *word)
{
	for (size_t i = 0; i < COUNT(subcommands); i++)
		if (strcmp(word, subcommands[i].name) == 0)
			return true;
	return false;
}

/* The names of the tools, as "probec tools" lists them. */
static void offer_tools(const struct command_line *l)
{
	char *save = NULL, *text = output_of(l, (const char *const[]){ l->program, "tools", NULL });

	for (char *p = strtok_r(text, "\n", &save); p; p = strtok_r(NULL, "\n", &save)) {
		size_t len = strcspn(p, " ");

		offer(l, arena_strndup(l->a, p, len), p + len + strspn(p + len, " "));
	}
}

static void offer_operand(const struct command_line *l)
{
	if (!l->n)
		offer_tools(l);
	if (!l->n)
		for (size_t i = 0; i < COUNT(subcommands); i++)
			offer(l, subcommands[i].name, subcommands[i].help);
	puts(":files *.kp");
}

int complete_main(struct arena *a, int argc, char **argv)
{
	char exe[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	struct command_line l = {
		.a = a, .words = argv + 1, .n = argc - 2, .before = "", .program = exe,
	};
	struct option_row row = { 0 };

	if (argc < 2 || len < 0)
		return 1;
	exe[len] = '\0';
	l.word = argv[argc - 1];
	if (l.n && is_subcommand(l.words[0])) {
		offer_for_subcommand(&l);
		return 0;
	}
	if (l.n)
		row = option_before(l.words[l.n - 1]);
	if (row.key == OPT_EXPLAIN)
		puts(":files *.kp");
	if (row.key)
		offer_value(&l, &row);
	else if (l.word[0] != '-')
		offer_operand(&l);
	else if (!offer_attached(&l)) {
		offer_script_options(&l);
		offer_option_names(&l);
	}
	return 0;
}
