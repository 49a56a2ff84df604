/* SPDX-License-Identifier: GPL-2.0 */
/*
 * elapsed_ns() and elapsed_us() at an alias whose probe is no return probe, but ends something that
 * the library has timed: its block sets __elapsed_ns. A handler that asks for the time runs only if
 * the beginning was seen, as at returns.
 */
#include <string.h>

#include "ast/walk.h"
#include "analyse/resolve/handler.h"

#define TIME "__elapsed_ns"

struct timed {
	struct resolver *r;
	bool provided, used;
	const struct stmt *own; /* the script's part */
	struct stmt *copy;      /* of it, in the handler */
};

static bool is_named(const struct expr *e, const char *name)
{
	return e->kind == EX_NAME && strcmp(e->u.name.name, name) == 0;
}

static bool find_times(struct expr **pe, void *data)
{
	const struct expr *e = *pe;
	struct timed *t = data;

	t->provided |= e->kind == EX_ASSIGN && is_named(e->u.assign.left, TIME) && e->range.src &&
		       e->range.src->in_tapset > 1;
	return true;
}

static bool find_own(struct stmt **ps, void *data)
{
	struct timed *t = data;
	struct range r = (*ps)->range, own = t->own->range;

	if (!t->copy && (*ps)->kind == t->own->kind && r.src == own.src && r.start == own.start &&
	    r.end == own.end)
		t->copy = *ps;
	return !t->copy;
}

static struct expr *time_at(struct timed *t, struct range at)
{
	struct expr *e = ast_expr(t->r->s->arena, EX_NAME, at);

	e->u.name.name = TIME;
	return e;
}

static bool replace(struct expr **pe, void *data)
{
	struct expr *e = *pe, *us;
	struct timed *t = data;
	bool is_us;

	if (e->kind != EX_CALL || e->u.call.args.n)
		return true;
	is_us = strcmp(e->u.call.name, "elapsed_us") == 0;
	if (!is_us && strcmp(e->u.call.name, "elapsed_ns") != 0)
		return true;
	t->used = true;
	*pe = time_at(t, e->range);
	if (!is_us)
		return false;
	us = ast_expr(t->r->s->arena, EX_BINARY, e->range);
	us->u.binary.op = OP_DIV;
	us->u.binary.a = *pe;
	us->u.binary.b = ast_number(t->r->s->arena, e->range, 1000);
	*pe = us;
	return false;
}

/* "if (!__elapsed_ns) next" before @own, the script's part of the handler. */
static void skip_unseen(struct timed *t, struct stmt *own)
{
	struct arena *a = t->r->s->arena;
	struct stmt *check = ast_stmt(a, ST_IF, own->range);
	struct stmt *rest = ast_stmt(a, own->kind, own->range);
	struct expr *none = ast_expr(a, EX_UNARY, own->range);

	none->u.unary.op = OP_NOT;
	none->u.unary.a = time_at(t, own->range);
	check->u.if_.c = none;
	check->u.if_.then = ast_stmt(a, ST_NEXT, own->range);
	*rest = *own;
	own->kind = ST_BLOCK;
	memset(&own->u, 0, sizeof(own->u));
	vec_push(a, &own->u.block, check);
	vec_push(a, &own->u.block, rest);
}

void elapsed_take(struct resolver *r, struct stmt **body, const struct stmt *own)
{
	struct timed t = { .r = r, .own = own };
	struct visitor looks = { .expr = find_times, .stmt = find_own, .data = &t };
	struct visitor replaces = { .expr = replace, .data = &t };

	if (!own)
		return;
	walk_stmt(body, &looks);
	if (!t.provided || !t.copy)
		return;
	walk_stmt(&t.copy, &replaces);
	if (t.used)
		skip_unseen(&t, t.copy);
}
