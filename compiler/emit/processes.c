/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes in programs whose handler does nothing in most processes: it begins with a condition on
 * the process, such as pid() == target(). The runtime then writes no breakpoint into the others
 * (runtime/attach/user_owner.c).
 *
 * Conditions are that of the probe point, `if (...) next` at the beginning of the body, and an `if`
 * that is the whole body, each with its parts that are joined by &&. What is evaluated before such
 * a part must have no effect: it changes nothing and cannot fail.
 */
#include <string.h>

#include "emit/graph.h"
#include "emit/probe.h"
#include "emit/stmt.h"
#include "emit/value.h"

struct conditions {
	struct emit *e;
	struct emit_processes *ret;
	bool quiet; /* what was looked at has no effect */
};

/* Whether @x is a call of that function of the library. */
static bool is_call(const struct expr *x, const char *name)
{
	const struct function *f;

	if (x->kind != EX_CALL || x->u.call.targets.n != 1 || x->u.call.args.n)
		return false;
	f = x->u.call.targets.v[0];
	return f->src->in_tapset == 2 && strcmp(f->name, name) == 0;
}

/* The address of a number that is the same while probes are armed; NULL: @x is none. */
static const char *constant(struct emit *e, const struct expr *x)
{
	if (x->kind == EX_NUM)
		return arena_printf(e->a, "&(const s64){ %s }",
				    emit_val_num(e, x->u.num.v).text);
	if (x->kind == EX_NAME && x->u.name.sym->kind == SYM_GLOBAL &&
	    x->u.name.sym->storage == STORE_UNLOCKED)
		return arena_printf(e->a, "&%s", emit_name_lvalue(e, x->u.name.sym));
	return NULL;
}

static void compare(struct conditions *c, const struct expr *a, const struct expr *b)
{
	if (is_call(a, "pid") && is_call(b, "target"))
		c->ret->only_target = true;
	if (is_call(a, "pid_ns_id") && !c->ret->pid_namespace)
		c->ret->pid_namespace = constant(c->e, b);
}

static bool visit_part(struct expr **px, void *data)
{
	const struct expr *x = *px;
	struct conditions *c = data;

	switch (x->kind) {
	case EX_NUM: case EX_STR: case EX_NAME: case EX_UNARY: case EX_COND:
		break;
	case EX_BINARY:
		c->quiet &= x->u.binary.op != OP_DIV && x->u.binary.op != OP_MOD;
		break;
	case EX_CALL:
		vec_each(f, &x->u.call.targets)
			c->quiet &= emit_func_info(c->e, *f)->light;
		break;
	default:
		c->quiet = false;
	}
	return c->quiet;
}

/* Adds what @x says, or its negation. Returns whether parts after it count as well. */
static bool narrow(struct conditions *c, struct expr *x, bool negate)
{
	struct visitor v = { .expr = visit_part, .data = c };

	if (x->kind == EX_UNARY && x->u.unary.op == OP_NOT)
		return narrow(c, x->u.unary.a, !negate);
	if (x->kind == EX_BINARY && x->u.binary.op == (negate ? OP_LOR : OP_LAND))
		return narrow(c, x->u.binary.a, negate) && narrow(c, x->u.binary.b, negate);
	if (x->kind == EX_BINARY && x->u.binary.op == (negate ? OP_NE : OP_EQ)) {
		compare(c, x->u.binary.a, x->u.binary.b);
		compare(c, x->u.binary.b, x->u.binary.a);
	}
	walk_expr(&x, &v);
	return c->quiet;
}

struct emit_processes emit_processes_of(struct emit *e, const struct probe *p,
					const struct emit_stmts *list)
{
	struct emit_processes ret = { 0 };
	struct conditions c = { e, &ret, true };

	if (!probe_is_user(p) || (p->cond && !narrow(&c, p->cond, false)))
		return ret;
	vec_each(it, &list->v) {
		const struct stmt *s = *it;
		bool is_next;

		if (s->kind == ST_EMPTY)
			continue;
		if (s->kind != ST_IF || s->u.if_.els)
			break;
		is_next = emit_is_next(s->u.if_.then);
		if (!is_next && it != &list->v.v[list->v.n - 1])
			break;
		if (!narrow(&c, s->u.if_.c, is_next) || !is_next)
			break;
	}
	return ret;
}
