/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The globals that are shown at the end need a format before types are inferred, because that
 * format is script text and takes part in the inference. So types are guessed here, forwards
 * only: from initial and other values to what they are assigned to, until nothing changes. The
 * guess is right for every program that check accepts; for others, check reports the user's own
 * conflict first.
 */
#include "resolve/guess.h"

#include "ast/walk.h"

struct guess {
	struct resolver *r;
	struct guesses *g;
	struct function *f; /* whose body is walked, or NULL */
	bool changed;
};

static bool is_guess(const struct guess *gs, const enum type *t)
{
	vec_each(it, &gs->g->set)
		if (*it == t)
			return true;
	return false;
}

static void set(struct guess *gs, enum type *t, enum type v)
{
	if (*t == T_STACK && v == T_STRING && is_guess(gs, t)) {
		*t = v;
		gs->changed = true;
	}
	if (*t != T_UNKNOWN || v == T_UNKNOWN || v == T_VOID)
		return;
	*t = v;
	vec_push(gs->r->s->arena, &gs->g->set, t);
	gs->changed = true;
}

static enum type type_of(const struct expr *e)
{
	const struct symbol *sym;
	enum type t = T_UNKNOWN;

	switch (e->kind) {
	case EX_STR:
		return T_STRING;
	case EX_NAME:
	case EX_INDEX:
		sym = ast_base_symbol(e);
		return sym ? sym->type : T_LONG;
	case EX_BINARY:
		return e->u.binary.op == OP_CONCAT ? T_STRING : T_LONG;
	case EX_ASSIGN:
		if (e->u.assign.op == OP_SET)
			return type_of(e->u.assign.right);
		return e->u.assign.op == OP_CONCAT ? T_STRING : T_LONG;
	case EX_COND:
		t = type_of(e->u.cond.a);
		return t != T_UNKNOWN ? t : type_of(e->u.cond.b);
	case EX_CALL:
		for (size_t i = 0; i < e->u.call.targets.n && t == T_UNKNOWN; i++) {
			const struct function *f = e->u.call.targets.v[i];

			t = f->declared != T_UNKNOWN ? f->declared : f->ret;
		}
		return t;
	case EX_PRINT:
		return PRINT_IS_SPRINT(e->u.print.kind) ? T_STRING : T_VOID;
	default:
		return T_LONG;
	}
}

static void keys(struct guess *gs, struct symbol *array, struct expr *const *k, size_t n)
{
	for (size_t i = 0; array && i < n && i < 9; i++)
		if (k[i])
			set(gs, &array->key_type[i], type_of(k[i]));
}

static void assign(struct guess *gs, const struct expr *e)
{
	struct symbol *sym = ast_base_symbol(e->u.assign.left);

	if (!sym)
		return;
	if (e->u.assign.op == OP_STAT)
		set(gs, &sym->type, T_STATS);
	else
		set(gs, &sym->type, type_of(e));
}

static void call(struct guess *gs, const struct expr *e)
{
	vec_each(it, &e->u.call.targets)
		for (size_t i = 0; i < (*it)->params.n && i < e->u.call.args.n; i++)
			set(gs, &(*it)->params.v[i]->type, type_of(e->u.call.args.v[i]));
}

static bool on_expr(struct expr **pe, void *data)
{
	struct guess *gs = data;
	struct expr *e = *pe;

	if (e->kind == EX_ASSIGN)
		assign(gs, e);
	else if (e->kind == EX_INCDEC && ast_base_symbol(e->u.incdec.a))
		set(gs, &ast_base_symbol(e->u.incdec.a)->type, T_LONG);
	else if (e->kind == EX_INDEX)
		keys(gs, ast_base_symbol(e), e->u.index.keys.v, e->u.index.keys.n);
	else if (e->kind == EX_IN)
		keys(gs, ast_base_symbol(e->u.in.array), e->u.in.keys.v, e->u.in.keys.n);
	else if (e->kind == EX_CALL)
		call(gs, e);
	return true;
}

static bool on_stmt(struct stmt **ps, void *data)
{
	struct guess *gs = data;
	struct stmt *s = *ps;
	struct symbol *array;

	if (s->kind == ST_RETURN && s->u.expr && gs->f)
		set(gs, &gs->f->ret, type_of(s->u.expr));
	if (s->kind == ST_TRY && s->u.try_.var && s->u.try_.var->u.name.sym)
		set(gs, &s->u.try_.var->u.name.sym->type, T_STRING);
	if (s->kind != ST_FOREACH)
		return true;
	array = ast_base_symbol(s->u.foreach.array);
	for (size_t i = 0; array && i < s->u.foreach.keys.n && i < 9; i++)
		if (ast_base_symbol(s->u.foreach.keys.v[i]))
			set(gs, &ast_base_symbol(s->u.foreach.keys.v[i])->type, array->key_type[i]);
	if (array && s->u.foreach.value && ast_base_symbol(s->u.foreach.value))
		set(gs, &ast_base_symbol(s->u.foreach.value)->type, array->type);
	return true;
}

void guess_types(struct resolver *r, struct guesses *g)
{
	struct guess gs = { .r = r, .g = g };
	struct visitor v = { .expr = on_expr, .stmt = on_stmt, .data = &gs };

	map_each(it, &r->globals) {
		const struct global_info *gi = it->value;

		if (gi->sym->init)
			set(&gs, &gi->sym->type, type_of(gi->sym->init));
	}
	do {
		gs.changed = false;
		vec_each(it, &r->p->functions) {
			gs.f = *it;
			walk_stmt(&gs.f->body, &v);
		}
		gs.f = NULL;
		vec_each(it, &r->p->probes) {
			walk_stmt(&(*it)->entry, &v);
			walk_stmt(&(*it)->body, &v);
		}
	} while (gs.changed);
}

void guess_undo(struct guesses *g)
{
	vec_each(t, &g->set)
		**t = T_UNKNOWN;
}
