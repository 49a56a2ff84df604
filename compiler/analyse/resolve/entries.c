/* SPDX-License-Identifier: GPL-2.0 */
/*
 * @entry(expression) of return probes. The expression is evaluated at the entry of the function: it
 * moves to the probe's entry block, where it is assigned to a symbol of its own, whose value is
 * saved with the call. The symbol replaces it in the handler. Equal expressions share one symbol.
 * In the condition of a return probe, a path through a parameter is treated as if it were in
 * @entry().
 *
 * gettimeofday_ns() - @entry(gettimeofday_ns()) is the usual way to write elapsed_ns(), and becomes
 * it: one cheap clock that is never set, instead of two readings of one that can be.
 */
#include <string.h>

#include "ast/print.h"
#include "ast/walk.h"
#include "analyse/resolve/functions.h"
#include "analyse/resolve/handler.h"
#include "shared/buf.h"

struct entry_walk {
	struct resolver *r;
	struct probe *p;
};

static bool is_entry(const struct expr *e)
{
	return e->kind == EX_AT && strcmp(e->u.at.name, "@entry") == 0;
}

static const char *text_of(struct resolver *r, const struct expr *e)
{
	struct buf b;
	const char *text;

	buf_init(&b);
	print_expr(&b, e);
	text = arena_strdup(r->s->arena, b.s ? b.s : "");
	buf_deinit(&b);
	return text;
}

static struct expr *name_of(struct entry_walk *en, struct symbol *sym, struct range at)
{
	struct expr *e = ast_expr(en->r->s->arena, EX_NAME, at);

	e->u.name.name = sym->name;
	e->u.name.sym = sym;
	return e;
}

/* The symbol that saves @value; if there is none yet, it is made with its assignment. */
static struct symbol *keep(struct entry_walk *en, struct expr *value)
{
	struct arena *a = en->r->s->arena;
	const char *name = arena_printf(a, "@entry(%s)", text_of(en->r, value));
	struct expr *assign;
	struct symbol *sym;
	struct stmt *st;

	vec_each(it, &en->p->entries)
		if (strcmp((*it)->name, name) == 0)
			return *it;
	sym = NEW(a, struct symbol);
	sym->kind = SYM_ENTRY;
	sym->name = name;
	sym->cname = arena_printf(a, "%zu", en->p->entries.n);
	sym->range = value->range;
	sym->lock = -1;
	vec_push(a, &en->p->entries, sym);
	assign = ast_expr(a, EX_ASSIGN, value->range);
	assign->u.assign.op = OP_SET;
	assign->u.assign.left = name_of(en, sym, value->range);
	assign->u.assign.right = value;
	st = ast_stmt(a, ST_EXPR, value->range);
	st->u.expr = assign;
	if (!en->p->entry)
		en->p->entry = ast_stmt(a, ST_BLOCK, value->range);
	vec_push(a, &en->p->entry->u.block, st);
	return sym;
}

struct expr *entries_keep(struct resolver *r, struct probe *p, struct expr *value)
{
	struct entry_walk en = { r, p };

	return name_of(&en, keep(&en, value), value->range);
}

/* ---- allowed contents ---- */

static bool refuse_effect(struct expr **pe, void *data)
{
	struct entry_walk *en = data;
	struct expr *e = *pe;
	const char *what = NULL;

	if (e->kind == EX_ASSIGN || e->kind == EX_INCDEC)
		what = "change";
	else if (e->kind == EX_PRINT && !PRINT_IS_SPRINT(e->u.print.kind))
		what = "print";
	if (what) {
		diag_error(en->r->s->diag, e->range, E_CONTEXT, "@entry can't %s anything", what);
		diag_hint(en->r->s->diag, "use a probe at the entry of the function");
		return false;
	}
	return true;
}

static bool usable(struct entry_walk *en, struct expr *e)
{
	struct visitor v = { .expr = refuse_effect, .data = en };
	unsigned before = diag_errors(en->r->s->diag);

	if (e->u.at.args.n != 1) {
		diag_error(en->r->s->diag, e->range, E_ARITY, "@entry takes one expression, not "
			   "%zu", e->u.at.args.n);
		return false;
	}
	if (!site_kind_is_return(en->p->kind)) {
		diag_error(en->r->s->diag, e->range, E_CONTEXT,
			   "@entry is only possible in return probes, and '%s' is not one",
			   en->p->pp);
		if (en->p->kind == PK_ENTRY)
			diag_hint(en->r->s->diag, "at the entry the expression itself has that "
				  "value; %s.return is the return", en->p->pp);
		return false;
	}
	walk_expr(&e->u.at.args.v[0], &v);
	return diag_errors(en->r->s->diag) == before;
}

static void refuse_write(struct entry_walk *en, const struct expr *e)
{
	const struct expr *to = e->kind == EX_ASSIGN ? e->u.assign.left :
				    e->kind == EX_INCDEC ? e->u.incdec.a : NULL;

	if (to && is_entry(to))
		diag_error(en->r->s->diag, to->range, E_NOT_LVALUE, "@entry can't be assigned to: "
			   "it is a value from the entry of the function");
}

/* ---- the time that a call took ---- */

#define TIME "gettimeofday_ns"
#define ELAPSED "elapsed_ns"

static bool is_time(const struct expr *e)
{
	return e->kind == EX_CALL && !e->u.call.args.n && strcmp(e->u.call.name, TIME) == 0;
}

/* Whether the library has a function of that name, and scripts have none. */
static bool is_library(const struct entry_walk *en, const char *name)
{
	const struct fn_set *set = functions_named(en->r, name);

	for (size_t i = 0; set && i < set->v.n; i++)
		if (!set->v.v[i]->src->in_tapset)
			return false;
	return set;
}

static bool is_elapsed(const struct entry_walk *en, const struct expr *e)
{
	const struct expr *b;

	if (!site_kind_is_return(en->p->kind) || e->kind != EX_BINARY || e->u.binary.op != OP_SUB)
		return false;
	b = e->u.binary.b;
	return is_time(e->u.binary.a) && is_entry(b) && b->u.at.args.n == 1 &&
	       is_time(b->u.at.args.v[0]) && is_library(en, TIME) && is_library(en, ELAPSED);
}

static struct expr *elapsed(struct entry_walk *en, struct range at)
{
	struct expr *e = ast_expr(en->r->s->arena, EX_CALL, at);

	e->u.call.name = ELAPSED;
	e->u.call.name_range = at;
	return e;
}

/* ---- removal ---- */

static void take_entry(struct entry_walk *en, struct expr **pe)
{
	struct arena *a = en->r->s->arena;
	struct expr *e = *pe, *name, *path;

	if (!usable(en, e)) {
		*pe = ast_expr(a, EX_NUM, e->range);
		return;
	}
	name = name_of(en, keep(en, e->u.at.args.v[0]), e->range);
	*pe = name;
	if (!e->u.at.path.n && !e->u.at.pretty && !e->u.at.address)
		return;
	path = ast_expr(a, EX_DEREF, e->range);
	path->u.deref.base = name;
	vec_each(step, &e->u.at.path)
		vec_push(a, &path->u.deref.path, *step);
	path->u.deref.pretty = e->u.at.pretty;
	path->u.deref.plain = e->u.at.plain;
	path->u.deref.address = e->u.at.address;
	*pe = path;
}

static void on_expr(struct expr **pe, void *data)
{
	if (is_entry(*pe))
		take_entry(data, pe);
}

static bool before_expr(struct expr **pe, void *data)
{
	struct entry_walk *en = data;

	refuse_write(en, *pe);
	if (is_elapsed(en, *pe))
		*pe = elapsed(en, (*pe)->range);
	return true;
}

/* A parameter itself is available at the return; a path from it has to be followed at the entry. */
static void on_condition(struct expr **pe, void *data)
{
	struct entry_walk *en = data;
	struct expr *e = *pe;

	if (is_entry(e))
		take_entry(en, pe);
	else if (e->kind == EX_CONTEXT && strncmp(e->u.context.name, "$return", 8) != 0 &&
		 (e->u.context.path.n || e->u.context.pretty || e->u.context.address))
		*pe = name_of(en, keep(en, e), e->range);
}

void entries_take(struct resolver *r, struct probe *p)
{
	struct entry_walk en = { r, p };
	struct visitor body = { .expr = before_expr, .expr_post = on_expr, .data = &en };
	struct visitor cond = {
		.expr_post = site_kind_is_return(p->kind) ? on_condition : on_expr, .data = &en,
	};

	walk_stmt(&p->body, &body);
	walk_expr(&p->cond, &cond);
}
