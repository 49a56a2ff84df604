/* SPDX-License-Identifier: GPL-2.0 */
/*
 * @defined(...) and @probewrite(...), which are known at compile time for each site. They are
 * folded before anything inside is resolved, so the branch that is not taken may name values that
 * do not exist. Only conditions that contain @defined are folded; other constants are left to the C
 * compiler.
 *
 * Whether a script's variable has a member is known once its type is: autocast.c calls this file
 * again.
 *
 * Members of a conditional become members of what remains: (@defined($a) ? $a : $b)->m is $a->m or
 * $b->m.
 */
#include <errno.h>
#include <string.h>

#include "ast/walk.h"
#include "program/program.h"
#include "analyse/resolve/handler.h"
#include "analyse/resolve/values.h"

struct fold {
	struct resolver *r;
	const struct site *site;
	enum probe_kind kind;
	struct stmt *own;       /* the handler as the user wrote it; NULL: a function */
	enum defined_stage stage;
};

static bool is_defined(const struct expr *e)
{
	return e->kind == EX_AT && strcmp(e->u.at.name, "@defined") == 0;
}

/* ---- definitions ---- */

static bool context_defined(struct fold *f, const struct expr *e)
{
	const char *name = e->u.context.name;
	struct expr *probe = ast_clone_expr(f->r->s->arena, e);
	struct name_list names = { 0 };

	if (site_kind(f->kind)->values == PRT_VALUES_TEXT)
		return strcmp(name, "$value") == 0;
	if (!f->site)
		return false;
	if (site_kind_is_hook(f->kind) && strcmp(name, "$verdict") == 0)
		return true;
	if (strncmp(name, "$$", 2) == 0) {
		if (strcmp(name, "$$parms") == 0 || strcmp(name, "$$vars") == 0 ||
		    strcmp(name, "$$name") == 0)
			return true;
		if (strcmp(name, "$$system") == 0)
			return site_kind_is_trace(f->kind);
		if (strcmp(name, "$$provider") == 0)
			return f->site->mark;
		if (strcmp(name, "$$return") != 0 || !site_kind_is_return(f->kind))
			return false;
		locate_context_names(f->r->s, f->site, f->kind, CONTEXT_ALL, &names);
		vec_each(it, &names.v)
			if (strcmp(*it, "$return") == 0)
				return true;
		return false;
	}
	return locate_context(f->r->s, f->site, f->kind, probe, true) == 0;
}

static int value_defined(struct fold *f, const struct expr *e);

/* The kernel's types decide, and names in the expression must exist, too. */
static int word_defined(struct fold *f, const struct expr *e)
{
	struct expr *probe;

	if (strcmp(e->u.at.name, "@entry") == 0)
		return site_kind_is_return(f->kind) && e->u.at.args.n == 1 ?
		       value_defined(f, e->u.at.args.v[0]) : 0;
	if (strcmp(e->u.at.name, "@perf") == 0)
		return e->u.at.args.n == 1;
	if (!casts_is(e))
		return 0;
	vec_each(arg, &e->u.at.args) {
		int v = value_defined(f, *arg);

		if (v <= 0)
			return v;
	}
	probe = ast_clone_expr(f->r->s->arena, e);
	if (casts_become_local(f->r, f->site, f->kind, probe))
		return locate_context(f->r->s, f->site, f->kind, probe, true) == 0;

	int err = casts_resolve(f->r, NULL, f->site, &probe, true);

	/* There is no answer: some of those of the name may have the member, and others not. */
	if (err == -ENOTUNIQ) {
		probe = ast_clone_expr(f->r->s->arena, e);
		casts_resolve(f->r, NULL, f->site, &probe, false);
	}
	return err == 0;
}

/* Returns 0, 1, or -1 if it is not decided yet. Features that this build lacks are not defined, so
 * scripts can test for them. */
static int value_defined(struct fold *f, const struct expr *e)
{
	if (e->kind == EX_CONTEXT)
		return context_defined(f, e);
	if (e->kind == EX_DEREF)
		return f->stage == DEFINED_EARLY ? -1 :
		       autocast_defined(f->r, e, f->stage == DEFINED_LAST);
	return e->kind == EX_AT ? word_defined(f, e) : 1;
}

/* ---- folding ---- */

static void set_num(struct expr *e, int64_t v)
{
	memset(&e->u, 0, sizeof(e->u));
	e->kind = EX_NUM;
	e->type = T_LONG;
	e->u.num.v = v;
}

static bool fold_expr(struct expr **pe, void *data);

/* Returns 0 or 1 if @defined decides @e, otherwise -1. *uses: whether @e contains @defined. */
static int settle(struct fold *f, struct expr *e, bool *uses)
{
	int a, b;

	if (f->own && e->kind == EX_AT && strcmp(e->u.at.name, "@probewrite") == 0 &&
	    e->u.at.args.n == 1) {
		*uses = true;
		return writes_name(f->own, e->u.at.args.v[0]);
	}
	if (is_defined(e)) {
		*uses = true;
		if (e->u.at.args.n != 1)
			return -1;
		fold_expr(&e->u.at.args.v[0], f);
		return value_defined(f, e->u.at.args.v[0]);
	}
	if (e->kind == EX_NUM)
		return e->u.num.v != 0;
	if (e->kind == EX_UNARY && e->u.unary.op == OP_NOT) {
		a = settle(f, e->u.unary.a, uses);
		return a < 0 ? -1 : !a;
	}
	if (e->kind == EX_BINARY && e->u.binary.op == OP_XOR && e->u.binary.a->kind != EX_NUM &&
	    e->u.binary.b->kind != EX_NUM) {
		a = settle(f, e->u.binary.a, uses);
		b = settle(f, e->u.binary.b, uses);
		return a < 0 || b < 0 ? -1 : a ^ b;
	}
	if (e->kind != EX_BINARY || (e->u.binary.op != OP_LAND && e->u.binary.op != OP_LOR))
		return -1;
	a = settle(f, e->u.binary.a, uses);
	b = settle(f, e->u.binary.b, uses);
	if (e->u.binary.op == OP_LAND)
		return a == 0 || b == 0 ? 0 : a == 1 && b == 1 ? 1 : -1;
	return a == 1 || b == 1 ? 1 : a == 0 && b == 0 ? 0 : -1;
}

static int condition(struct fold *f, struct expr *c)
{
	bool uses = false;
	int v = settle(f, c, &uses);

	return uses ? v : -1;
}

static void join_path(struct fold *f, struct expr **pe)
{
	struct arena *a = f->r->s->arena;
	const struct expr *e = *pe, *base = e->u.deref.base;
	struct expr *joined;

	if (base->kind != EX_CONTEXT || base->u.context.pretty || base->u.context.address)
		return;
	joined = ast_clone_expr(a, base);
	joined->range = e->range;
	vec_each(step, &e->u.deref.path)
		vec_push(a, &joined->u.context.path, *step);
	joined->u.context.pretty = e->u.deref.pretty;
	joined->u.context.plain = e->u.deref.plain;
	joined->u.context.address = e->u.deref.address;
	*pe = joined;
}

static bool fold_expr(struct expr **pe, void *data)
{
	struct fold *f = data;
	struct expr *e = *pe;

	while (e->kind == EX_COND) {
		int v = condition(f, e->u.cond.c);

		if (v < 0)
			return true;
		e = *pe = v ? e->u.cond.a : e->u.cond.b;
	}
	if (e->kind == EX_DEREF) {
		fold_expr(&e->u.deref.base, f);
		join_path(f, pe);
		return true;
	}
	if (e->kind == EX_AT || e->kind == EX_BINARY || e->kind == EX_UNARY) {
		int v = condition(f, e);

		if (v >= 0)
			set_num(e, v);
	}
	return true;
}

static bool fold_stmt(struct stmt **ps, void *data)
{
	struct fold *f = data;
	struct stmt *s = *ps;

	while (s->kind == ST_IF) {
		int v = condition(f, s->u.if_.c);
		struct stmt *taken = v > 0 ? s->u.if_.then : s->u.if_.els;

		if (v < 0)
			return true;
		if (!taken)
			taken = ast_stmt(f->r->s->arena, ST_EMPTY, s->range);
		s = *ps = taken;
	}
	return true;
}

void defined_fold(struct resolver *r, struct stmt **st, const struct site *site,
		  enum probe_kind kind, struct stmt *own)
{
	struct fold f = { r, site, kind, own, DEFINED_EARLY };
	struct visitor v = { .expr = fold_expr, .stmt = fold_stmt, .data = &f };

	walk_stmt(st, &v);
}

void defined_fold_members(struct resolver *r, struct stmt **st, enum defined_stage stage)
{
	struct fold f = { r, NULL, PK_NO_PROBE, NULL, stage };
	struct visitor v = { .expr = fold_expr, .stmt = fold_stmt, .data = &f };

	walk_stmt(st, &v);
}

static bool visit_defined(struct expr **pe, void *data)
{
	bool *found = data;

	*found |= is_defined(*pe);
	return !*found;
}

bool defined_waits(struct expr *e)
{
	bool found = false;
	struct visitor v = { .expr = visit_defined, .data = &found };

	walk_expr(&e, &v);
	return found;
}
