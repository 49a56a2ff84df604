/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pointers of the kernel keep their type on their way through the script: variables, values of
 * arrays, results of functions and parameters have the type of what is assigned to them, so members
 * can be reached from them.
 *
 * The pass repeats over the whole program until nothing changes. It carries types from values to
 * the variables that they are assigned to, and resolves paths (EX_DEREF) whose start has a type,
 * which may give further values a type. A variable that is assigned pointers to different types has
 * no type. The arguments of callers give a parameter its type unless the function assigns to it.
 * Embedded C says by a comment what its result points to: "points to: task_struct".
 */
#include <string.h>

#include "ast/walk.h"
#include "analyse/resolve/functions.h"
#include "analyse/resolve/handler.h"
#include "analyse/resolve/resolve.h"
#include "analyse/resolve/values.h"

/* Marks variables that point to two types; no path can begin with them. */
static const struct access_type conflict;

struct flow {
	struct resolver *r;
	struct function *fn;     /* whose body is being walked; NULL: a probe's */
	bool changed, report;
	bool reaches;            /* a member or an element of a script's value is used */
	VEC(struct symbol *) assigned;
};

static const struct access_type *target_of(const struct expr *e)
{
	switch (e->kind) {
	case EX_NAME:
	case EX_INDEX:
		return ast_base_symbol(e) ? ast_base_symbol(e)->target : NULL;
	case EX_ASSIGN:
		return e->u.assign.op == OP_SET ? target_of(e->u.assign.right) : NULL;
	case EX_COND: {
		const struct access_type *a = target_of(e->u.cond.a);

		return a ? a : target_of(e->u.cond.b);
	}
	case EX_CALL:
		return e->u.call.targets.n ? e->u.call.targets.v[0]->target : NULL;
	case EX_CONTEXT:
		if (!e->u.context.access || !e->u.context.access->target.db)
			return NULL;
		return &e->u.context.access->target;
	default:
		return NULL;
	}
}

/* @to: the type of a variable or result to which @from is assigned. */
static void carry(struct flow *f, const struct access_type **to, const struct expr *from)
{
	const struct access_type *t = target_of(from);

	if (!t || t == *to || *to == &conflict)
		return;
	if (*to && t != &conflict && locate_same_type(f->r->s, *to, t))
		return;
	*to = *to ? &conflict : t;
	f->changed = true;
}

static bool is_assigned(struct flow *f, const struct symbol *sym)
{
	vec_each(it, &f->assigned)
		if (*it == sym)
			return true;
	return false;
}

/* ---- paths whose start has a type ---- */

static void no_type(struct flow *f, const struct expr *e)
{
	struct diag *d = f->r->s->diag;
	const struct expr *base = e->u.deref.base;
	const struct access_type *t = target_of(base);
	const char *member = e->u.deref.path.n ? e->u.deref.path.v[0].member : NULL;
	const char *what = member ? arena_printf(f->r->s->arena, "'->%s'", member) :
			   e->u.deref.path.n ? "an element" : e->u.deref.plain ? "str()" :
			   e->u.deref.pretty ? "all members" : "'&'";

	if (base->kind == EX_NAME && base->u.name.sym &&
	    base->u.name.sym->unassigned) {
		resolve_unassigned(f->r->s, base->u.name.sym, false);
		return;
	}
	/* The use of a scalar as an array was reported already. */
	if (base->kind == EX_INDEX && ast_base_symbol(base) &&
	    ast_base_symbol(base)->kind != SYM_GLOBAL)
		return;
	if (t == &conflict)
		diag_error(d, e->range, E_BAD_ACCESS, "%s of a script value, which points to "
			   "different types in different places", what);
	else
		diag_error(d, e->range, E_BAD_ACCESS, "%s of a script value: what it points to is "
			   "not known", what);
	if (!member && base->kind == EX_INDEX) {
		diag_hint(d, "several keys are written in one pair of brackets: [a, b]");
		return;
	}
	if (base->kind == EX_AGG && e->u.deref.path.n) {
		diag_hint(d, "only an array or a histogram has elements");
		return;
	}
	if (!e->u.deref.path.n && !e->u.deref.pretty) {
		diag_hint(d, "variables of a script have no address; &p->member has one");
		return;
	}
	if (!e->u.deref.path.n && e->u.deref.plain) {
		diag_hint(d, "user_string(value) and kernel_string(value) read text at an address");
		return;
	}
	diag_hint(d, member ? "name the type: @cast(value, \"struct NAME\")->%s" :
		  "name the type: @cast(value, \"struct NAME\")%s", member ? member :
		  e->u.deref.path.n ? "[0]" : "$");
}

/* Turns a path that begins with a value of the script (EX_DEREF) into an EX_CONTEXT with that
 * base. */
static void start_path(struct expr *e)
{
	struct expr old = *e;

	memset(&e->u, 0, sizeof(e->u));
	e->kind = EX_CONTEXT;
	e->u.context.name = "this value";
	e->u.context.base = old.u.deref.base;
	memcpy(&e->u.context.path, &old.u.deref.path, sizeof(e->u.context.path));
	e->u.context.pretty = old.u.deref.pretty;
	e->u.context.plain = old.u.deref.plain;
	e->u.context.address = old.u.deref.address;
}

int autocast_defined(struct resolver *r, const struct expr *e, bool last)
{
	const struct access_type *t = target_of(e->u.deref.base);
	struct expr *probe;

	if (!t || t == &conflict)
		return last ? 0 : -1;
	probe = ast_clone_expr(r->s->arena, e);
	start_path(probe);
	return locate_value(r->s, *t, probe, true) == 0;
}

static void resolve_deref(struct flow *f, struct expr *e)
{
	const struct access_type *t = target_of(e->u.deref.base);

	if (!t || t == &conflict) {
		if (f->report)
			no_type(f, e);
		return;
	}
	start_path(e);
	locate_value(f->r->s, *t, e, false);
	f->changed = true;
}

static bool note_assigned(struct expr **pe, void *data)
{
	struct flow *f = data;
	struct symbol *sym;

	f->reaches |= (*pe)->kind == EX_DEREF;
	if ((*pe)->kind != EX_ASSIGN || (*pe)->u.assign.op != OP_SET)
		return true;
	sym = ast_base_symbol((*pe)->u.assign.left);
	if (sym && sym->kind == SYM_PARAM)
		vec_push(f->r->s->arena, &f->assigned, sym);
	return true;
}

/* Skips code that depends on an @defined which is not decided yet. */
static bool may_enter(struct expr **pe, void *data)
{
	struct expr *e = *pe;

	(void)data;
	if (e->kind == EX_COND)
		return !defined_waits(e->u.cond.c);
	if (e->kind == EX_BINARY && (e->u.binary.op == OP_LAND || e->u.binary.op == OP_LOR))
		return !defined_waits(e->u.binary.a);
	return e->kind != EX_AT || strcmp(e->u.at.name, "@defined") != 0;
}

static void on_expr(struct expr **pe, void *data)
{
	struct flow *f = data;
	struct expr *e = *pe;
	struct symbol *sym;

	if (e->kind == EX_DEREF) {
		resolve_deref(f, e);
	} else if (e->kind == EX_AT && (strcmp(e->u.at.name, "@enumname") == 0 ||
					  strcmp(e->u.at.name, "@flags") == 0)) {
		const struct expr *v = e->u.at.args.n ? e->u.at.args.v[0] : NULL;

		if (v && v->kind == EX_CONTEXT && v->u.context.access)
			f->changed |= !casts_enumname(f->r, e, v->u.context.access->type, true);
		else if (f->report)
			casts_resolve(f->r, NULL, NULL, pe, false);
	} else if (e->kind == EX_ASSIGN && e->u.assign.op == OP_SET) {
		sym = ast_base_symbol(e->u.assign.left);
		if (sym)
			carry(f, &sym->target, e->u.assign.right);
	} else if (e->kind == EX_CALL) {
		vec_each(fn, &e->u.call.targets)
			for (size_t i = 0; i < e->u.call.args.n && i < (*fn)->params.n; i++)
				if (!is_assigned(f, (*fn)->params.v[i]))
					carry(f, &(*fn)->params.v[i]->target,
					      e->u.call.args.v[i]);
	}
}

static bool on_stmt(struct stmt **ps, void *data)
{
	struct flow *f = data;
	struct stmt *s = *ps;

	if (s->kind == ST_RETURN && s->u.expr && f->fn)
		carry(f, &f->fn->target, s->u.expr);
	if (s->kind == ST_FOREACH && s->u.foreach.value && s->u.foreach.value->kind == EX_NAME &&
	    s->u.foreach.value->u.name.sym && ast_base_symbol(s->u.foreach.array))
		carry(f, &s->u.foreach.value->u.name.sym->target, s->u.foreach.array);
	return s->kind != ST_IF || !defined_waits(s->u.if_.c);
}

/* The type to which the result of embedded C points, if it says so. Types are looked up only if the
 * script needs one. */
static void declared(struct flow *f, struct function *fn)
{
	const char *name = ast_note(f->r->s->arena, fn, "points to: ");
	struct access_type *type;

	if (!name || fn->target)
		return;
	type = NEW(f->r->s->arena, struct access_type);
	if (locate_type(f->r->s, NULL, fn->range, name, "kernel", true, type))
		return;
	fn->target = type;
	f->changed = true;
}

static void round_once(struct flow *f, const struct visitor *v)
{
	f->changed = false;
	/* Resolving @enumname may append a function to the queue. */
	for (size_t i = 0; i < f->r->queue.n; i++) {
		f->fn = f->r->queue.v[i];
		/* One that is resolved in its copies has no names and no types itself. */
		if (!f->fn->resolving)
			continue;
		if (f->fn->body)
			walk_stmt(&f->fn->body, v);
		else if (f->reaches)
			declared(f, f->fn);
	}
	f->fn = NULL;
	vec_each(p, &f->r->p->probes) {
		walk_stmt(&(*p)->entry, v);
		walk_stmt(&(*p)->body, v);
	}
	functions_drain(f->r);
}

/* Decides @defined of members by the types known so far, or finally. */
static void answer(struct resolver *r, enum defined_stage stage)
{
	for (size_t i = 0; i < r->queue.n; i++)
		defined_fold_members(r, &r->queue.v[i]->body, stage);
	vec_each(p, &r->p->probes) {
		defined_fold_members(r, &(*p)->entry, stage);
		defined_fold_members(r, &(*p)->body, stage);
	}
}

static void rounds(struct flow *f, const struct visitor *v)
{
	do {
		round_once(f, v);
		answer(f->r, DEFINED_TYPED);
	} while (f->changed);
}

void autocast_resolve(struct resolver *r)
{
	struct flow f = { .r = r };
	struct visitor assigned = { .expr = note_assigned, .data = &f };
	struct visitor v = { .expr = may_enter, .expr_post = on_expr, .stmt = on_stmt, .data = &f };

	round_once(&f, &assigned);
	rounds(&f, &v);
	answer(r, DEFINED_LAST);
	contextvars_left(r);
	rounds(&f, &v);
	f.report = true;
	round_once(&f, &v);
}
