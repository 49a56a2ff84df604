/* SPDX-License-Identifier: GPL-2.0 */
/* Operands: the C text of a value, and how its value is preserved (explained in private.h). */
#include <string.h>

#include "emit/expr.h"
#include "emit/function.h"
#include "emit/value.h"

struct emit_val emit_val_text(const char *text, enum type type, enum emit_hold hold)
{
	return (struct emit_val){ .text = text, .type = type, .hold = hold };
}

struct emit_val emit_val_compound(const char *text, enum type type, enum emit_hold hold)
{
	return (struct emit_val){ .text = text, .compound = true, .type = type, .hold = hold };
}

const char *emit_val_operand(struct emit *e, struct emit_val v)
{
	return v.compound ? arena_printf(e->a, "(%s)", v.text) : v.text;
}

struct emit_val emit_val_num(struct emit *e, int64_t n)
{
	struct emit_val v = { .compound = n < 0, .type = T_LONG, .hold = V_CONST, .is_num = true,
			      .num = n };

	if (n == INT64_MIN) {
		v.text = "-9223372036854775807LL - 1";
	} else if (n > INT32_MAX || n < -INT32_MAX) {
		v.text = arena_printf(e->a, "%lldLL", (long long)n);
	} else {
		v.text = arena_printf(e->a, "%lld", (long long)n);
		v.narrow = true;
	}
	return v;
}

static size_t fitting(const struct emit *e, size_t len)
{
	return e->maxstr > 0 && len > (size_t)e->maxstr - 1 ? (size_t)e->maxstr - 1 : len;
}

const char *emit_literal(struct emit *e, const char *s, size_t len)
{
	return emit_quoted(e, s, fitting(e, len));
}

struct emit_val emit_val_str(struct emit *e, const char *s, size_t len)
{
	len = fitting(e, len);
	return (struct emit_val){
		.text = arena_printf(e->a, "PRT_LIT(%s)", emit_quoted(e, s, len)),
		.type = T_STRING, .hold = V_CONST, .len = len,
	};
}

const char *emit_val_wide(struct emit *e, struct emit_val v)
{
	const char *text = emit_val_operand(e, v);

	return v.narrow ? arena_printf(e->a, "(s64)%s", text) : text;
}

struct emit_val emit_val_lasting(struct emit *e, struct emit_val v)
{
	if (v.type == T_STACK) {
		v.text = arena_printf(e->a, "prt_stacks_kept(%s)", v.text);
		v.compound = false;
	}
	return v;
}

struct emit_val emit_val_as_text(struct emit *e, struct emit_val v, struct range r)
{
	const char *t = emit_temp(e, TMP_STR);

	e->fn->heavy = true;
	emit_line(e, "%s = prt_stacks_text(c, %s, %s, %u);", t, emit_temp(e, TMP_BUF),
		  v.text, emit_srcloc(e, r));
	emit_fail_if(e, "c->err");
	return emit_val_text(t, T_STRING, V_STABLE);
}

struct emit_val emit_val_named(struct emit *e, struct emit_val v)
{
	const char *t;

	if (!e->leaves_marks || v.type != T_STRING || v.hold == V_CONST)
		return v;
	t = emit_temp(e, TMP_STR);
	e->fn->heavy = true;
	emit_line(e, "%s = prt_named(%s, %s);", t, emit_temp(e, TMP_BUF), v.text);
	return emit_val_text(t, T_STRING, v.hold);
}

struct emit_val emit_val_once(struct emit *e, struct emit_val v)
{
	const char *t;

	if (v.hold == V_CONST || v.hold == V_STABLE)
		return v;
	t = emit_temp(e, v.type == T_STRING ? TMP_STR : TMP_LONG);
	emit_line(e, "%s = %s;", t, v.text);
	/* Now a long is a copy, but a string still refers to the same bytes. */
	return emit_val_text(t, v.type, v.type == T_STRING ? v.hold : V_STABLE);
}

struct emit_val emit_val_hold(struct emit *e, struct emit_val v)
{
	if (v.hold == V_CONST || v.hold == V_STABLE)
		return v;
	if (v.type != T_STRING)
		return emit_val_once(e, v);

	const char *t = emit_temp(e, TMP_STR);

	emit_line(e, "%s = prt_str_copy(%s, %s);", t, emit_temp(e, TMP_BUF),
		  emit_val_operand(e, v));
	return emit_val_text(t, T_STRING, V_STABLE);
}

static bool visit_effect(struct expr **x, void *data)
{
	bool *found = data;

	switch ((*x)->kind) {
	case EX_ASSIGN:
	case EX_INCDEC:
		*found = true;
		break;
	case EX_CALL:
		vec_each(f, &(*x)->u.call.targets)
			if ((*f)->body ? !(*f)->pure : false)
				*found = true;
		break;
	default:
		break;
	}
	return !*found;
}

bool emit_expr_effects(struct expr *x)
{
	bool found = false;
	struct visitor v = { .expr = visit_effect, .data = &found };

	if (x)
		walk_expr(&x, &v);
	return found;
}

void emit_expr_list(struct emit *e, struct expr **v, size_t n, struct expr *last,
		    struct emit_val *ret)
{
	bool effects = emit_expr_effects(last);
	size_t held = 0; /* number of operands with later effects that are held */

	if (effects)
		held = n;
	for (size_t i = n; i-- > 0 && !held;)
		if (emit_expr_effects(v[i]))
			held = i;
	for (size_t i = 0; i < n; i++) {
		if (!v[i])
			continue;
		ret[i] = emit_expr_value(e, v[i]);
		if (i < held)
			ret[i] = emit_val_hold(e, ret[i]);
	}
}
