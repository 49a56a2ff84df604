/* SPDX-License-Identifier: GPL-2.0 */
/* Prints what a script says about itself. */
#include <stdio.h>
#include <string.h>

#include "options/private.h"

enum { HELP_WIDTH = 80 };

const char *script_name(const struct state *s)
{
	const char *path = s->opt.script_path, *slash = strrchr(path, '/');

	if (s->opt.head && s->opt.head->is_executable)
		return slash ? slash + 1 : path;
	return arena_printf(s->arena, "probec %s", path);
}

static const char *bracketed(struct arena *a, const struct script_argument *it)
{
	return arena_printf(a, "%s%s%s%s", it->is_optional ? "[" : "", it->name,
			    it->is_optional ? "]" : "", it->repeats ? "..." : "");
}

const char *script_usage(const struct state *s)
{
	const char *text = arena_printf(s->arena, "%s [OPTION]...", script_name(s));

	vec_each(a, &s->opt.head->arguments)
		text = arena_printf(s->arena, "%s %s", text, bracketed(s->arena, a));
	return text;
}

static bool has_long(const struct state *s, const char *name)
{
	vec_each(o, &s->opt.head->options)
		if (o->name && strcmp(o->name, name) == 0)
			return true;
	return false;
}

/* How an option of probec is written after the script's name: by its letter or long name, unless
 * the script has that one. */
static const char *spelling(const struct state *s, const struct option_row *row)
{
	if (row->key < OPT_VM && !script_key(s, (char)row->key))
		return arena_printf(s->arena, "-%c %s", row->key, row->arg);
	return arena_printf(s->arena, "--%s%s=%s", has_long(s, row->name) ? OPTION_RESERVED : "",
			    row->name, row->arg);
}

/* The options of probec that users need most. */
static void print_others(const struct state *s)
{
	static const int others[] = { 'c', 'x', 'T', 'o', OPT_SORT, OPT_TOP, OPT_FORMAT };
	const char *text = "";

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct option_row row = options_own_row(others[i]);

		/* The script's own means the same. */
		if ((others[i] == OPT_SORT || others[i] == OPT_TOP) && has_long(s, row.name))
			continue;
		text = arena_printf(s->arena, "%s%s%s", text, spelling(s, &row),
				    i == 3 ? ",\n" : ", ");
	}
	printf("\nprobec's own options work as well: %s...\n"
	       "probec --help lists them. --" OPTION_RESERVED "NAME always means probec's "
	       "--NAME.\n", text);
}

/* proberun takes no options of scripts, but values of their globals. */
static void print_globals(const struct state *s)
{
	const char *after = "";
	size_t column = 0;

	if (!s->opt.head->options.n)
		return;
	puts("\nFor a module from probec -p4, set the options by the names of their globals, as\n"
	     "in proberun MODULE.ko NAME=VALUE:");
	vec_each(o, &s->opt.head->options) {
		size_t len = strlen(o->global) + strlen(", ");

		if (*after && column + len > HELP_WIDTH) {
			after = ",\n";
			column = 0;
		}
		printf("%s%s", after, o->global);
		after = ", ";
		column += len;
	}
	puts(".");
}

bool script_help(const struct state *s)
{
	const struct script_head *head = s->opt.head;

	if (!head || (!head->title && !head->text.n && !head->options.n && !head->arguments.n))
		return false;
	if (head->title)
		printf("%s - %s\n\n", head->name, head->title);
	printf("Usage: %s\n", script_usage(s));
	if (head->text.n)
		putchar('\n');
	vec_each(line, &head->text)
		puts(*line);
	if (head->arguments.n)
		puts("\nArguments:");
	vec_each(a, &head->arguments)
		options_print_text(printf("  %s", bracketed(s->arena, a)), a->help);
	if (head->options.n)
		puts("\nOptions:");
	vec_each(o, &head->options) {
		struct option_row row = script_row(o);

		options_print_row(&row);
	}
	print_globals(s);
	print_others(s);
	return true;
}
