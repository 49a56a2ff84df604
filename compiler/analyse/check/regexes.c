/* SPDX-License-Identifier: GPL-2.0 */
/* Compiles the regular expressions; equal texts are compiled once. */
#include <string.h>

#include "ast/literal.h"
#include "ast/walk.h"
#include "base/map.h"
#include "analyse/check/check.h"
#include "program/program.h"
#include "base/regex/regex.h"
#include "state.h"

struct regexes {
	struct state *s;
	struct program *p;
	struct map known; /* quoted text -> its number in program.regexes, + 1 */
};

static void report(struct regexes *r, const struct expr *e, const struct regex_error *err)
{
	struct range at = ast_literal_part(e->u.regex.re_range, err->from, err->to,
					   e->u.regex.re_len);

	diag_error(r->s->diag, at, err->limit ? E_LIMIT : E_REGEX, "%s", err->text);
	if (err->hint)
		diag_hint(r->s->diag, "%s", err->hint);
}

static bool on_expr(struct expr **pe, void *data)
{
	struct regexes *r = data;
	struct expr *e = *pe;
	struct regex_error err;
	struct regex *re;
	const char *key;
	uintptr_t n;

	if (e->kind != EX_REGEX)
		return true;
	key = arena_strndup(r->s->arena, e->u.regex.re, e->u.regex.re_len);
	n = strlen(key) == e->u.regex.re_len ? (uintptr_t)map_get(&r->known, key) : 0;
	if (n) {
		e->u.regex.id = (int)n - 1;
		return true;
	}
	re = regex_compile(r->s->arena, e->u.regex.re, e->u.regex.re_len, &err);
	if (!re) {
		report(r, e, &err);
		return true;
	}
	e->u.regex.id = (int)r->p->regexes.n;
	vec_push(r->s->arena, &r->p->regexes, re);
	map_set(&r->known, key, (void *)(uintptr_t)r->p->regexes.n);
	return true;
}

void regexes_compile(struct state *s, struct program *p)
{
	struct regexes r = { .s = s, .p = p };
	struct visitor v = { .expr = on_expr, .data = &r };

	map_init(&r.known, s->arena);
	program_walk(p, &v);
	vec_each(f, &p->functions)
		if (ast_mentions(*f, "pragma:tagged_dfa"))
			p->groups_used = true;
}
