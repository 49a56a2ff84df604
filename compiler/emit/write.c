/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Assignments to values of the kernel: to memory at the end of an access path, or to a register of
 * a parameter or of the returned value. As in C, the value is cut to the size of the target, and
 * that is the value of the assignment. The path is followed before the right side is evaluated.
 */
#include <string.h>

#include "target/arch/arch.h"
#include "emit/access.h"
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/rehearse.h"
#include "emit/value.h"

/* Follows an access path to its end. An address in memory is stored in a temporary, because the
 * right side is evaluated before it is used. */
static const char *open_place(struct emit *e, struct expr *left, struct expr *right)
{
	const char *at = emit_access_open(e, left, right), *t;

	if (left->u.context.access->result != AR_READ)
		return at;
	t = emit_temp(e, TMP_ADDR);
	emit_line(e, "%s = %s;", t, at);
	return t;
}

/* The value of a target after it was assigned the temporary @t. */
static const char *fitted(struct emit *e, const struct access *ac, const char *t)
{
	const char *sign = ac->is_signed ? "true" : "false";

	if (strcmp(ac->type_name, "bool") == 0 || strcmp(ac->type_name, "_Bool") == 0)
		return arena_printf(e->a, "!!%s", t);
	if (ac->bit_size)
		return arena_printf(e->a, "prt_bits((u64)%s, 0, %u, %s)", t, ac->bit_size, sign);
	return arena_printf(e->a, "prt_cut((u64)%s, %u, %s)", t, ac->size, sign);
}

static void store_memory(struct emit *e, const struct access *ac, const char *at, const char *t,
			 unsigned srcloc)
{
	const char *user = ac->of_user ? "_user" : "";

	if (ac->bit_size)
		emit_line(e, "prt_write%s_bits(c, %s, %u, %u, %u, %s, %u);", user, at, ac->size,
			  ac->bit_offset, ac->bit_size, t, srcloc);
	else
		emit_line(e, "prt_write%s(c, %s, %u, %s, %u);", user, at, ac->size, t, srcloc);
	emit_fail_if(e, "c->err");
}

/* The bytes of a stack slot of a program that an assignment stores; 0: the target is none. */
static unsigned user_slot_size(const struct access *ac)
{
	switch (ac->base) {
	case AB_STACK_ARG: return ac->of_user ? 8 : 0;
	case AB_STACK_ARG_32: return ac->bit_size ? 4 : ac->size;
	case AB_STACK_PAIR_32: return ac->bit_size ? 8 : ac->size;
	default: return 0;
	}
}

/* The address of such a slot. */
static const char *user_slot(struct emit *e, const struct access *ac)
{
	if (ac->base == AB_STACK_ARG)
		return arena_printf(e->a, "prt_slot_user(c, %u)", ac->n);
	return arena_printf(e->a, "PRT_REG(c, %s) + %u", emit_register(e, ARCH_STACK_POINTER),
			    4 * (ac->n + 1));
}

/* @at: the current contents of the register or stack slot, of which only a part may be assigned. */
static void store_value(struct emit *e, const struct access *ac, const char *at, const char *t,
			unsigned srcloc)
{
	const char *v = t;

	e->fn->uses_context = true;
	if (ac->bit_size)
		v = arena_printf(e->a, "prt_put_bits(%s, %u, %u, %s)", at, ac->bit_offset,
				 ac->bit_size, t);
	if (ac->base == AB_RETURN) {
		emit_line(e, "prt_set_return(c, %s);", v);
	} else if (ac->base == AB_REG_ARG) {
		emit_line(e, "prt_set_arg(c, %u, %s);", ac->n, v);
	} else if (user_slot_size(ac)) {
		emit_line(e, "prt_write_user(c, %s, %u, %s, %u);", user_slot(e, ac),
			  user_slot_size(ac), v, srcloc);
		emit_fail_if(e, "c->err");
	} else if (ac->base == AB_STACK_ARG) {
		emit_line(e, "prt_set_arg_stack(c, %u, %s, %u);", ac->n, v, srcloc);
		emit_fail_if(e, "c->err");
	} else {
		emit_line(e, "PRT_SET_REG(c, %s, %s);", emit_register(e, ac->location->pieces.v[0]
			  .ops.v[0].name), v);
	}
}

/* Assigns the temporary @t to @left, which was opened as @at. */
static void store(struct emit *e, const struct expr *left, const char *at, const char *t)
{
	const struct access *ac = left->u.context.access;
	unsigned srcloc = emit_srcloc(e, left->range);

	emit_line(e, "%s = %s;", t, fitted(e, ac, t));
	if (ac->result == AR_READ)
		store_memory(e, ac, at, t, srcloc);
	else
		store_value(e, ac, at, t, srcloc);
}

static struct emit_val rehearse(struct emit *e, struct expr *left, struct expr *right, bool want)
{
	const struct access *ac = left->u.context.access;

	if (ac->of_user && ac->result == AR_READ) {
		emit_line(e, "prt_writable_user(c, %s, %u, %u);", open_place(e, left, right),
			  ac->size, emit_srcloc(e, left->range));
		emit_fail_if(e, "c->err");
	} else if (user_slot_size(ac)) {
		emit_line(e, "prt_writable_user(c, %s, %u, %u);", user_slot(e, ac),
			  user_slot_size(ac), emit_srcloc(e, left->range));
		emit_fail_if(e, "c->err");
	}
	return emit_rehearse_assigned(e, left, right, want);
}

struct emit_val emit_write(struct emit *e, struct expr *x, bool want)
{
	struct expr *left = x->u.assign.left;

	if (e->fn->rehearses)
		return rehearse(e, left, x->u.assign.right, want);

	const char *at = open_place(e, left, x->u.assign.right);
	struct emit_val v = emit_expr_value(e, x->u.assign.right);
	const char *t = emit_temp(e, TMP_LONG);

	if (x->u.assign.op != OP_SET) {
		v = emit_val_hold(e, v);
		emit_line(e, "%s = %s;", t, emit_access_value(e, left, at).text);
	}
	emit_assign_long(e, x, t, v);
	store(e, left, at, t);
	return want ? emit_val_text(t, T_LONG, V_STABLE) : emit_val_num(e, 0);
}

struct emit_val emit_write_incdec(struct emit *e, struct expr *x, bool want)
{
	struct expr *left = x->u.incdec.a;

	if (e->fn->rehearses)
		return rehearse(e, left, NULL, want);

	const char *at = open_place(e, left, NULL), *old = emit_temp(e, TMP_LONG);
	const char *t = emit_temp(e, TMP_LONG);

	emit_line(e, "%s = %s;", old, emit_access_value(e, left, at).text);
	emit_line(e, "%s = (s64)((u64)%s %c 1);", t, old, x->u.incdec.inc ? '+' : '-');
	store(e, left, at, t);
	if (!want)
		return emit_val_num(e, 0);
	return emit_val_text(x->u.incdec.prefix ? t : old, T_LONG, V_STABLE);
}
