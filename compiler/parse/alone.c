/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reports errors that the script's text alone shows, for runs that end with pass 1. In other runs,
 * pass 2 reports them together with all other errors.
 */
#include <string.h>

#include "ast/format.h"
#include "ast/literal.h"
#include "ast/walk.h"
#include "parse/parse.h"
#include "state.h"

static void redefined(struct state *s, struct range at, struct range first, const char *what,
		      const char *name)
{
	diag_error(s->diag, at, E_REDEFINED, "%s '%s' is declared twice", what, name);
	diag_note(s->diag, first, "first declared here");
}

static void check_names(struct state *s, const char *what, struct symbol *const *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(v[i]->name, v[k]->name) == 0) {
				redefined(s, v[i]->range, v[k]->range, what, v[i]->name);
				break;
			}
}

struct alone_look {
	struct state *s;
	bool in_probe, said_guru;
};

/* Whether it is an operator whose text goes into the kernel unchanged. */
static bool needs_guru(const struct expr *e)
{
	return e->kind == EX_AT &&
	       (strcmp(e->u.at.name, "@const") == 0 || strcmp(e->u.at.name, "@kregister") == 0);
}

/* Reported once, because one option allows all of it. */
static void need_guru(struct alone_look *l, struct range at, const char *what)
{
	if (l->s->opt.guru || l->said_guru)
		return;
	l->said_guru = true;
	diag_error(l->s->diag, at, E_GURU, "%s needs guru mode", what);
	diag_hint(l->s->diag, "give -g; an error in it is an error in the kernel");
}

static void check_format(struct state *s, const struct expr *e)
{
	struct format_iter it = { .s = e->u.print.format, .len = e->u.print.format_len };
	struct format_conv conv;

	while (ast_format_next(&it, &conv))
		if (conv.bad)
			diag_error(s->diag, ast_literal_part(e->u.print.format_range, conv.start,
							     conv.end, e->u.print.format_len),
				   E_FORMAT, "unknown conversion '%.*s'",
				   (int)(conv.end - conv.start), e->u.print.format + conv.start);
}

const char *parse_counter(struct diag *d, const struct expr *e)
{
	const struct expr *name = e->u.at.args.n == 1 ? e->u.at.args.v[0] : NULL;

	if (name && name->kind == EX_STR && name->u.str.len)
		return name->u.str.s;
	diag_error(d, e->range, E_ARITY, "@perf takes one literal string, the name of a counter");
	diag_hint(d, "probe perf.hw.instructions.counter(\"NAME\") { } has one");
	return NULL;
}

static bool on_expr(struct expr **pe, void *data)
{
	struct alone_look *l = data;
	const struct expr *e = *pe;

	if (e->kind == EX_EMBEDDED)
		need_guru(l, e->range, "embedded C");
	else if (needs_guru(e))
		need_guru(l, e->range, e->u.at.name);
	else if (e->kind == EX_AT && strcmp(e->u.at.name, "@perf") == 0)
		parse_counter(l->s->diag, e);
	if (e->kind == EX_PRINT && e->u.print.format)
		check_format(l->s, e);
	return true;
}

static bool on_stmt(struct stmt **ps, void *data)
{
	struct alone_look *l = data;

	if ((*ps)->kind == ST_RETURN && l->in_probe) {
		diag_error(l->s->diag, (*ps)->range, E_CONTEXT, "'return' outside of a function");
		diag_hint(l->s->diag, "'next' ends a probe");
	}
	return true;
}

static void check_probe(const struct visitor *v, struct probe_decl *d)
{
	walk_stmt(&d->body, v);
	walk_stmt(&d->epilogue, v);
}

int parse_alone(struct state *s)
{
	struct script *sc = s->main;
	struct alone_look l = { .s = s };
	struct visitor v = { .expr = on_expr, .stmt = on_stmt, .data = &l };

	if (!sc->order.n) {
		diag_error(s->diag, (struct range){ .src = sc->src }, E_NO_MATCH,
			   "the script is empty");
		diag_hint(s->diag, "write at least one probe: probe begin { println(\"hello\") }");
	}
	check_names(s, "global", sc->globals.v, sc->globals.n);
	vec_each(e, &sc->embedded)
		need_guru(&l, (*e)->range, "embedded C");
	vec_each(f, &sc->functions) {
		check_names(s, "parameter", (*f)->params.v, (*f)->params.n);
		if ((*f)->embedded)
			need_guru(&l, (*f)->embedded_range, "embedded C");
		walk_stmt(&(*f)->body, &v);
	}
	l.in_probe = true;
	vec_each(d, &sc->probes)
		check_probe(&v, *d);
	vec_each(d, &sc->aliases)
		check_probe(&v, *d);
	return diag_errors(s->diag) ? -1 : 0;
}
