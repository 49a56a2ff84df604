/* SPDX-License-Identifier: GPL-2.0 */
/* Assignments, ++ and --: to variables and to elements of arrays. */
#include "ast/operators.h"
#include "emit/access.h"
#include "emit/agg.h"
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/map.h"
#include "emit/rehearse.h"
#include "emit/value.h"

/* The target of an assignment, with its keys evaluated. */
struct assign_target {
	const struct symbol *sym;
	struct emit_val *keys;  /* NULL: a scalar variable */
	struct expr *x;
	const char *lvalue;     /* C lvalue of a long */
	const char *strbuf;     /* C lvalue of a struct prt_strbuf */
	enum emit_hold hold;
};

static void target_init(struct emit *e, struct assign_target *t, struct expr *x, struct expr *last)
{
	*t = (struct assign_target){ .x = x, .sym = ast_base_symbol(x) };
	if (x->kind == EX_INDEX)
		t->keys = emit_map_target(e, x, last);
	t->hold = t->keys || t->sym->kind == SYM_GLOBAL ? V_SHARED : V_LOCAL;
}

/* Finds or makes the element to write to; comes after the right side. */
static void target_open(struct emit *e, struct assign_target *t)
{
	if (!t->keys) {
		t->lvalue = t->strbuf = emit_name_lvalue(e, t->sym);
		return;
	}

	const char *entry = emit_map_get(e, t->sym, t->keys, t->x->range);

	t->lvalue = arena_printf(e->a, "*(s64 *)%s", entry);
	t->strbuf = arena_printf(e->a, "*(struct prt_strbuf *)%s", entry);
}

static struct emit_val target_value(struct emit *e, const struct assign_target *t)
{
	if (t->sym->type == T_STRING)
		return emit_val_text(arena_printf(e->a, "prt_str_get(&%s)", t->strbuf), T_STRING,
				     t->hold);
	if (!t->keys && t->sym->kind != SYM_GLOBAL)
		map_set(&e->fn->reads, t->sym->cname, (void *)t->sym);
	if (t->keys)
		return emit_val_compound(t->lvalue, t->sym->type, t->hold);
	return emit_val_text(t->lvalue, t->sym->type, t->hold);
}

void emit_assign_long(struct emit *e, struct expr *x, const char *to, struct emit_val v)
{
	const struct operator *row;

	if (x->u.assign.op == OP_SET) {
		emit_line(e, "%s = %s;", to, v.text);
		return;
	}
	row = operators_row((enum binary_op)x->u.assign.op);
	if (row->sort == OPERATOR_FALLIBLE) {
		const char *t = emit_temp(e, TMP_LONG);

		emit_line(e, "%s = %s(c, %s, %s, %u);", t, row->function, to,
			  emit_val_operand(e, v), emit_srcloc(e, x->range));
		if (!v.is_num || v.num == 0)
			emit_fail_if(e, "c->err");
		emit_line(e, "%s = %s;", to, t);
	} else if (row->function) {
		emit_line(e, "%s = %s(%s, %s);", to, row->function, to, emit_val_operand(e, v));
	} else {
		emit_line(e, "%s %s %s;", to, row->assign, v.text);
	}
}

static void assign_string(struct emit *e, struct expr *x, const char *to, struct emit_val v)
{
	const char *text = emit_val_operand(e, v);

	if (x->u.assign.op == OP_CONCAT)
		emit_line(e, "prt_str_set(&%s, prt_str_concat(%s, prt_str_get(&%s), %s));", to,
			  emit_temp(e, TMP_BUF), to, text);
	else
		emit_line(e, "prt_str_set(&%s, %s);", to, text);
}

static struct emit_val rehearse(struct emit *e, struct expr *left, struct expr *right, bool want)
{
	if (left->kind == EX_INDEX)
		vec_each(key, &left->u.index.keys)
			emit_rehearse_operand(e, *key);
	return emit_rehearse_assigned(e, left, right, want);
}

/* A division by zero leaves no new element behind: the divisor is checked before one is made. */
static void check_divisor(struct emit *e, const struct expr *x, struct emit_val v)
{
	const struct operator *row;

	if (x->u.assign.op == OP_SET || (v.is_num && v.num))
		return;
	row = operators_row((enum binary_op)x->u.assign.op);
	if (row->sort != OPERATOR_FALLIBLE)
		return;
	emit_line(e, "%s(c, 0, %s, %u);", row->function, emit_val_operand(e, v),
		  emit_srcloc(e, x->range));
	emit_fail_if(e, "c->err");
}

struct emit_val emit_assign(struct emit *e, struct expr *x, bool want)
{
	struct emit_val none = emit_val_num(e, 0), v;
	struct assign_target t;

	if (x->u.assign.op == OP_STAT && e->fn->rehearses)
		return rehearse(e, x->u.assign.left, x->u.assign.right, false);
	if (x->u.assign.op == OP_STAT) {
		emit_agg_add(e, x);
		return none;
	}
	if (x->u.assign.left->kind == EX_CONTEXT)
		return emit_write(e, x, want);
	if (!emit_rehearse_keeps(e->fn, ast_base_symbol(x->u.assign.left)))
		return rehearse(e, x->u.assign.left, x->u.assign.right, want);
	target_init(e, &t, x->u.assign.left, x->u.assign.right);
	v = emit_expr_whole(e, x->u.assign.right);
	/* Making the element may move the bytes to which the value refers. */
	if (t.keys && v.hold == V_SHARED)
		v = emit_val_hold(e, v);
	if (t.keys || t.sym->kind != SYM_LOCAL)
		v = emit_val_lasting(e, v);
	if (t.keys)
		check_divisor(e, x, v);
	target_open(e, &t);
	if (t.sym->object_size) {
		emit_line(e, "prt_save(c, %s, (u64)%s, %u, %u);", t.lvalue, emit_val_wide(e, v),
			  t.sym->object_size, emit_srcloc(e, x->range));
		emit_fail_if(e, "c->err");
	} else if (t.sym->type == T_STRING) {
		assign_string(e, x, t.strbuf, v);
	} else {
		emit_assign_long(e, x, t.lvalue, v);
	}
	return want ? target_value(e, &t) : none;
}

struct emit_val emit_assign_incdec(struct emit *e, struct expr *x, bool want)
{
	const char *op = x->u.incdec.inc ? "++" : "--", *tmp;
	struct assign_target t;

	if (x->u.incdec.a->kind == EX_CONTEXT)
		return emit_write_incdec(e, x, want);
	if (!emit_rehearse_keeps(e->fn, ast_base_symbol(x->u.incdec.a)))
		return rehearse(e, x->u.incdec.a, NULL, want);
	target_init(e, &t, x->u.incdec.a, NULL);
	target_open(e, &t);
	if (!want) {
		emit_line(e, t.keys ? "(%s)%s;" : "%s%s;", t.lvalue, op);
		return emit_val_num(e, 0);
	}
	if (!t.keys && t.sym->kind != SYM_GLOBAL)
		map_set(&e->fn->reads, t.sym->cname, (void *)t.sym);
	tmp = emit_temp(e, TMP_LONG);
	if (x->u.incdec.prefix)
		emit_line(e, "%s = %s%s;", tmp, op, t.lvalue);
	else
		emit_line(e, t.keys ? "%s = (%s)%s;" : "%s = %s%s;", tmp, t.lvalue, op);
	return emit_val_text(tmp, T_LONG, V_STABLE);
}
