/* SPDX-License-Identifier: GPL-2.0 */
/* The conditions of the preprocessor: each is  a op b,  and they are joined by && and ||, where &&
 * binds tighter. */
#include "parse/condition.h"

#include <fnmatch.h>
#include <string.h>

#include "target/arch/names.h"
#include "grammar/script.tab.h"
#include "target/kernel/kernel.h"
#include "parse/literals.h"
#include "state.h"

/* Conditions about the language itself compare with these values. */
#define LANGUAGE_RUNTIME "kernel"
#define LANGUAGE_PRIVILEGE "stapdev"

static const char *const names[] = { "kernel_v", "kernel_vr", "systemtap_v", "systemtap_privilege",
				     "guru_mode", "arch", "runtime" };

static bool compare(int op, int diff)
{
	switch (op) {
	case TOK_EQ: return diff == 0;
	case TOK_NE: return diff != 0;
	case '<': return diff < 0;
	case '>': return diff > 0;
	case TOK_LE: return diff <= 0;
	default: return diff >= 0;
	}
}

static bool is_comparison(int kind)
{
	return kind == TOK_EQ || kind == TOK_NE || kind == '<' || kind == '>' || kind == TOK_LE ||
	       kind == TOK_GE;
}

static bool refuse(struct preprocess *pp, struct range r, const char *what)
{
	parser_error(pp->p, r, E_PREPROC, "%s", what);
	return false;
}

/* Compares by == or != with shell wildcards; other operators are errors. */
static bool match(struct preprocess *pp, const char *value, const struct token *op,
		  const struct token *b)
{
	if (b->kind != TOK_STRING)
		return refuse(pp, b->range, "expected a string to compare with");
	if (op->kind != TOK_EQ && op->kind != TOK_NE)
		return refuse(pp, op->range, "only == and != can compare this");
	return compare(op->kind, fnmatch(b->s, value, 0));
}

/* Compares versions by their numbers; == and != accept wildcards. */
static bool match_version(struct preprocess *pp, const char *value, const struct token *op,
			  const struct token *b)
{
	if (b->kind != TOK_STRING)
		return refuse(pp, b->range, "expected a string with a version");
	if ((op->kind == TOK_EQ || op->kind == TOK_NE) && strpbrk(b->s, "*?["))
		return compare(op->kind, fnmatch(b->s, value, 0));
	return compare(op->kind, strverscmp(value, b->s));
}

/* In -p1, the kernel is opened only here, if a script asks about it. */
static bool have_kernel(struct preprocess *pp, const struct token *a)
{
	struct state *s = pp->p->state;

	if (s->kernel)
		return true;
	if (pp->kernel_reported)
		return false;
	if (!kernel_open(s, s->opt.target, &s->kernel))
		return true;
	pp->kernel_reported = true;
	parser_error(pp->p, a->range, E_PREPROC, "'%s' needs a kernel that can't be found",
		     a->s);
	diag_hint(pp->p->diag, "name one with -r RELEASE");
	return false;
}

static const char *kernel_version(struct preprocess *pp, bool whole)
{
	const char *release = kernel_release(pp->p->state->kernel);

	return whole ? release : arena_strndup(pp->p->arena, release, strcspn(release, "-"));
}

/* The value of CONFIG_X without quotes; "", which is the number 0, if it is not set. */
static const char *config_value(struct preprocess *pp, const char *name)
{
	struct arena *a = pp->p->arena;
	size_t len = strlen(name), n;
	const char *at;

	if (!pp->config) {
		const char *tree = kernel_build_tree(pp->p->state->kernel);
		const char *path = tree ? arena_printf(a, "%s/.config", tree) : NULL;
		struct source *src = path ? source_from_file(a, path) : NULL;

		/* With a newline before the first line, every line can be found by its
		 * beginning. */
		pp->config = arena_printf(a, "\n%s", src ? src->text : "");
	}
	name = arena_printf(a, "\n%s=", name);
	at = strstr(pp->config, name);
	if (!at)
		return "";
	at += len + 2;
	n = strcspn(at, "\n");
	if (n >= 2 && at[0] == '"' && at[n - 1] == '"')
		return arena_strndup(a, at + 1, n - 2);
	return arena_strndup(a, at, n);
}

static bool number_of(const struct token *t, int64_t *ret)
{
	return t->kind == TOK_NUMBER && !literals_number(t->s, ret);
}

static bool is_config(const struct token *t)
{
	return t->kind == TOK_IDENT && strncmp(t->s, "CONFIG_", 7) == 0;
}

static bool judge_config(struct preprocess *pp, const struct token *a, const struct token *op,
			 const struct token *b)
{
	const char *value;
	int64_t x, y;

	if (!have_kernel(pp, a))
		return false;
	value = config_value(pp, a->s);
	if (is_config(b))
		return compare(op->kind, strcmp(value, config_value(pp, b->s)));
	if (b->kind == TOK_STRING)
		return match(pp, value, op, b);
	if (!number_of(b, &y))
		return refuse(pp, b->range, "expected a string, a number or another CONFIG_ name");
	if (!*value)
		x = 0;
	else if (literals_number(value, &x))
		return refuse(pp, a->range,
			      arena_printf(pp->p->arena, "'%s' is %s, not a number", a->s, value));
	return compare(op->kind, (x > y) - (x < y));
}

static bool judge_name(struct preprocess *pp, const struct token *a, const struct token *op,
		       const struct token *b)
{
	const char *near;
	int64_t y;

	if (strcmp(a->s, "kernel_v") == 0 || strcmp(a->s, "kernel_vr") == 0)
		return have_kernel(pp, a) &&
		       match_version(pp, kernel_version(pp, a->s[8] == 'r'), op, b);
	if (strcmp(a->s, "systemtap_v") == 0)
		return match_version(pp, pp->p->state->opt.compatible ?
				     pp->p->state->opt.compatible : LANGUAGE_VERSION, op, b);
	if (strcmp(a->s, "systemtap_privilege") == 0)
		return match(pp, LANGUAGE_PRIVILEGE, op, b);
	if (strcmp(a->s, "arch") == 0)
		return match(pp, arch_names->machine, op, b);
	if (strcmp(a->s, "runtime") == 0)
		return match(pp, LANGUAGE_RUNTIME, op, b);
	if (strcmp(a->s, "guru_mode") == 0) {
		int guru = pp->p->state->opt.guru;

		if (op->kind != TOK_EQ && op->kind != TOK_NE)
			return refuse(pp, op->range, "guru_mode can be compared only with == and "
						     "!=");
		return number_of(b, &y) ? compare(op->kind, (guru > y) - (guru < y)) :
		       refuse(pp, b->range, "expected a number to compare guru_mode with");
	}
	parser_error(pp->p, a->range, E_PREPROC, "'%s' is unknown in conditions",
		     a->s);
	near = diag_nearest(a->s, names, sizeof(names) / sizeof(*names));
	if (near)
		diag_hint(pp->p->diag, "did you mean '%s'?", near);
	else
		diag_hint(pp->p->diag, "a condition can test kernel_v, kernel_vr, arch, "
			  "systemtap_v, systemtap_privilege, guru_mode, runtime and CONFIG_ names");
	return false;
}

static bool judge(struct preprocess *pp, const struct token *a, const struct token *op,
		  const struct token *b)
{
	int64_t x, y;

	if (is_config(a))
		return judge_config(pp, a, op, b);
	if (a->kind == TOK_IDENT)
		return judge_name(pp, a, op, b);
	if (a->kind == TOK_STRING && b->kind == TOK_STRING)
		return compare(op->kind, strcmp(a->s, b->s));
	if (number_of(a, &x) && number_of(b, &y))
		return compare(op->kind, (x > y) - (x < y));
	return refuse(pp, tree_join(a->range, b->range),
		      "a string can't be compared with a number");
}

/* Reads a token of the condition. Returns false after a report if it can't be one. */
static bool next(struct preprocess *pp, struct range open, struct token *t)
{
	preprocess_expand(pp, t);
	if (t->bad) {
		parser_error(pp->p, t->range, t->bad_id, "%s", t->bad);
		return true;
	}
	if (!t->kind)
		return refuse(pp, open, "this conditional has no '%?'");
	if (t->kind == TOK_PP_OPEN || t->kind == TOK_PP_ELSE || t->kind == TOK_PP_CLOSE)
		return refuse(pp, t->range, "expected '%?' after the condition");
	return true;
}

/* Skips to the "%?" of an invalid condition. */
static bool give_up(struct preprocess *pp, struct range open, struct token *t)
{
	while (t->kind && t->kind != TOK_PP_THEN && next(pp, open, t))
		;
	return false;
}

/*
 * Reads from left to right as a sum of products. Parts that can't change the result any more are
 * read but not evaluated, so that "arch == ..." can guard a condition that makes no sense
 * elsewhere.
 */
bool condition_read(struct preprocess *pp, struct range open)
{
	bool any = false, all = true;
	struct token a, op, b, join;

	for (;;) {
		if (!next(pp, open, &a))
			return false;
		if (a.kind != TOK_IDENT && a.kind != TOK_STRING && a.kind != TOK_NUMBER) {
			refuse(pp, a.range, "expected a name, a string or a number to compare");
			return give_up(pp, open, &a);
		}
		if (!next(pp, open, &op))
			return false;
		if (!is_comparison(op.kind)) {
			refuse(pp, op.range, "expected ==, !=, <, <=, > or >=");
			return give_up(pp, open, &op);
		}
		if (!next(pp, open, &b))
			return false;
		if (!any && all)
			all = judge(pp, &a, &op, &b);
		if (!next(pp, open, &join))
			return false;
		if (join.kind == TOK_PP_THEN)
			return any || all;
		if (join.kind == TOK_LOR) {
			any = any || all;
			all = true;
		} else if (join.kind != TOK_LAND) {
			refuse(pp, join.range, "expected &&, || or '%?'");
			return give_up(pp, open, &join);
		}
	}
}
