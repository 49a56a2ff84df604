/* SPDX-License-Identifier: GPL-2.0 */
/* Takes the options and arguments that a script declares (script.h). */
#include "options/script.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/subprocess.h"
#include "options/private.h"
#include "parse/text.h"

static const struct range nowhere;

void script_begin(struct state *s, const char *path)
{
	s->opt.script_path = path;
	text_read_script(s);
	if (s->text)
		s->opt.head = script_head_read(s, s->text);
	s->opt.describes = s->opt.head && s->opt.head->title;
}

/* ---- options ---- */

int script_key(const struct state *s, char letter)
{
	if (s->opt.head)
		for (size_t i = 0; i < s->opt.head->options.n; i++)
			if (s->opt.head->options.v[i].letter == letter)
				return OPT_SCRIPT + (int)i;
	return 0;
}

struct script_option *script_option_by_key(const struct state *s, int key)
{
	return key >= OPT_SCRIPT ? &s->opt.head->options.v[key - OPT_SCRIPT] : NULL;
}

struct option_row script_row(const struct script_option *o)
{
	return (struct option_row){
		.key = o->letter ? o->letter : OPT_SCRIPT, .name = o->name,
		.takes = o->value ? NEEDED : NONE, .arg = o->value, .help = o->help,
	};
}

const char *script_complete(struct state *s, const char *word)
{
	size_t len = strcspn(word, "=") - 2, found = 0;
	const char *whole = word, *name = arena_strndup(s->arena, word + 2, len);

	vec_each(o, &s->opt.head->options)
		if (o->name && strcmp(o->name, name) == 0)
			return word;
	if (options_has_long(name))
		return word;
	vec_each(o, &s->opt.head->options) {
		if (!o->name || strncmp(o->name, name, len) != 0)
			continue;
		found++;
		whole = arena_printf(s->arena, "--%s%s", o->name, word + 2 + len);
	}
	return found > 1 ? NULL : whole;
}

/* As -G reads it: decimal, octal after 0, hexadecimal after 0x. */
static bool is_number(const char *text)
{
	char *end;

	errno = 0;
	(void)strtoll(text, &end, 0);
	return *text && !*end && errno == 0;
}

void script_take(struct state *s, struct script_option *o, const char *arg)
{
	const char *name = o->name ? arena_printf(s->arena, "--%s", o->name) :
				     arena_printf(s->arena, "-%c", o->letter);

	if (o->value && !o->is_string && !is_number(arg)) {
		wrong(s, "%s needs a 64-bit integer, not '%s'", name, arg);
		diag_hint(s->diag, "%s --help describes it", script_name(s));
		return;
	}
	o->given = o->value ? arg : "1";
}

/* ---- arguments ---- */

__attribute__((format(printf, 2, 3)))
static void wrong_usage(struct state *s, const char *fmt, ...)
{
	const char *text;
	va_list ap;

	va_start(ap, fmt);
	text = arena_vprintf(s->arena, fmt, ap);
	va_end(ap);
	diag_error(s->diag, nowhere, E_ARG, "%s", text);
	diag_hint(s->diag, "usage: %s; --help describes it", script_usage(s));
}

/* A word that is a program was probably meant to be started, as with strace. */
static void say_superfluous(struct state *s, const char *word)
{
	diag_error(s->diag, nowhere, E_ARG, "%s takes %s arguments: '%s' is one too many",
		   script_name(s), s->opt.head->arguments.n ? "no more" : "no", word);
	if (!s->opt.command && subprocess_find(s->arena, word))
		diag_hint(s->diag, "to run a command while it is probed: %s '%s'; usage: %s",
			  script_key(s, 'c') ? "--command" : "-c", word, script_usage(s));
	else
		diag_hint(s->diag, "usage: %s; --help describes it", script_usage(s));
}

static void check_arguments(struct state *s)
{
	const struct script_head *head = s->opt.head;
	size_t n = head->arguments.n, given = (size_t)s->opt.argc;
	const struct script_argument *a = given < n ? &head->arguments.v[given] : NULL;

	if (a && !a->is_optional)
		wrong_usage(s, "the argument %s is missing: %s", a->name, a->help);
	else if (given > n && !(n && head->arguments.v[n - 1].repeats))
		say_superfluous(s, s->opt.argv[n]);
}

/* Checks the arguments that have kinds, and writes short forms in full. */
static void take_kinds(struct state *s)
{
	const struct script_head *head = s->opt.head;
	size_t n = head->arguments.n;

	for (size_t i = 0; n && i < (size_t)s->opt.argc; i++) {
		const struct script_argument *a = &head->arguments.v[i < n ? i : n - 1];
		char **arg = &s->opt.argv[i];

		if (a->kind == ARGUMENT_NUMBER && !is_number(*arg)) {
			wrong_usage(s, "%s needs a whole number, not '%s'", a->name, *arg);
		} else if (a->kind == ARGUMENT_POINT) {
			*arg = (char *)point_translate(s->arena, *arg);
		} else if (a->kind == ARGUMENT_FUNCTION) {
			const char *text = point_function(s->arena, *arg);

			if (text)
				*arg = (char *)text;
			else
				wrong_usage(s, "%s needs functions, which '%s' does not name: "
					    "write NAME or PATH:NAME", a->name, *arg);
		}
	}
}

void script_check(struct state *s)
{
	struct script_head *head = s->opt.head;
	struct options *o = &s->opt;

	if (!head || (!head->options.n && !head->arguments.n))
		return;
	if (o->inline_scripts.n) {
		wrong(s, "-e and the script '%s' are mutually exclusive", o->script_path);
		diag_hint(s->diag, "give -e before the first argument of its script");
		return;
	}
	if (!o->list)
		check_arguments(s);
	take_kinds(s);
	vec_each(it, &head->options) {
		const char *text = it->given ? arena_printf(s->arena, "%s=%s", it->global,
							    it->given) : NULL;

		if (text && o->last_pass == 5)
			vec_push(s->arena, &o->load_globals, text);
		else if (text)
			vec_push(s->arena, &o->globals, text);
	}
}
