/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Assignments to registers, @kregister(n) = v, which become calls of the library; and @probewrite,
 * which tests whether a handler assigns a name at all.
 */
#include <string.h>

#include "ast/walk.h"
#include "analyse/resolve/values.h"

/* ---- registers ---- */

static struct expr *binary(struct resolver *r, struct range at, enum binary_op op, struct expr *a,
			   struct expr *b)
{
	struct expr *e = ast_expr(r->s->arena, EX_BINARY, at);

	e->u.binary.op = op;
	e->u.binary.a = a;
	e->u.binary.b = b;
	return e;
}

static struct expr *set_register(struct resolver *r, struct range at, struct expr *n,
				 struct expr *value)
{
	struct expr *e = ast_expr(r->s->arena, EX_CALL, at);

	e->u.call.name = "__set_register";
	e->u.call.name_range = at;
	vec_push(r->s->arena, &e->u.call.args, n);
	vec_push(r->s->arena, &e->u.call.args, value);
	return e;
}

/* Whether @n is the number of a register that can be assigned; otherwise reports why not. */
static bool can_be_set(struct resolver *r, const struct expr *left, const struct expr *n)
{
	if (!r->s->opt.guru && !resolve_file(left->range)->in_tapset) {
		diag_error(r->s->diag, left->range, E_GURU,
			   "assigning to @kregister needs guru mode");
		diag_hint(r->s->diag, "give -g; the kernel continues with the changed value");
		return false;
	}
	if (n->kind != EX_NUM || (n->u.num.v != 7 && n->u.num.v != 16))
		return true; /* values that are not in registers are reported when they are read */
	diag_error(r->s->diag, left->range, E_NOT_LVALUE, "@kregister(%d) is %s, which can't be "
		   "assigned", (int)n->u.num.v, n->u.num.v == 7 ? "the stack pointer" :
		   "the instruction pointer");
	diag_hint(r->s->diag, "override_return(value) leaves a function without running it");
	return false;
}

void writes_register(struct resolver *r, struct expr **pe)
{
	struct expr *e = *pe, *left = e->kind == EX_ASSIGN ? e->u.assign.left : e->u.incdec.a;
	struct expr *n, *one, *value;
	enum binary_op op, back;

	if (left->kind != EX_AT || strcmp(left->u.at.name, "@kregister") != 0 ||
	    left->u.at.args.n != 1 || (e->kind == EX_ASSIGN && e->u.assign.op == OP_STAT))
		return;
	n = left->u.at.args.v[0];
	if (!can_be_set(r, left, n)) {
		*pe = ast_number(r->s->arena, e->range, 0);
		return;
	}
	if (e->kind == EX_ASSIGN) {
		value = e->u.assign.right;
		if (e->u.assign.op != OP_SET)
			value = binary(r, e->range, (enum binary_op)e->u.assign.op, left, value);
		*pe = set_register(r, e->range, n, value);
		return;
	}
	op = e->u.incdec.inc ? OP_ADD : OP_SUB;
	back = e->u.incdec.inc ? OP_SUB : OP_ADD;
	one = ast_number(r->s->arena, e->range, 1);
	*pe = set_register(r, e->range, n, binary(r, e->range, op, left, one));
	if (!e->u.incdec.prefix)
		*pe = binary(r, e->range, back, *pe, one);
}

/* ---- @probewrite ---- */

struct looked_for {
	const char *name;
	bool found;
};

static const char *name_of(const struct expr *e)
{
	if (e->kind == EX_INDEX)
		e = e->u.index.array;
	return e->kind == EX_NAME ? e->u.name.name : e->kind == EX_CONTEXT ? e->u.context.name : "";
}

static bool visit_write(struct expr **pe, void *data)
{
	struct looked_for *l = data;
	const struct expr *e = *pe;
	const struct expr *left = e->kind == EX_ASSIGN ? e->u.assign.left :
				  e->kind == EX_INCDEC ? e->u.incdec.a : NULL;

	l->found |= left && strcmp(name_of(left), l->name) == 0;
	return !l->found;
}

bool writes_name(struct stmt *body, const struct expr *e)
{
	struct looked_for l = { .name = name_of(e) };
	struct visitor v = { .expr = visit_write, .data = &l };

	walk_stmt(&body, &v);
	return l.found;
}
