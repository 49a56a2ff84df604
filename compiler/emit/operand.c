/* SPDX-License-Identifier: GPL-2.0 */
/* Operands: the C text of a value, and how it is kept from changing (theory in emit.h). */
#include <string.h>

#include "emit/private.h"

struct emit_val emit_val_text(const char *text, enum type type, enum emit_hold hold)
{
	return (struct emit_val){ .text = text, .type = type, .hold = hold };
}

struct emit_val emit_val_num(struct emit *e, int64_t n)
{
	struct emit_val v = { .type = T_LONG, .hold = V_CONST, .is_num = true, .num = n };

	if (n == INT64_MIN) {
		v.text = "(-9223372036854775807LL - 1)";
	} else if (n > INT32_MAX || n < -INT32_MAX) {
		v.text = arena_printf(e->a, n < 0 ? "(%lldLL)" : "%lldLL", (long long)n);
	} else {
		v.text = arena_printf(e->a, n < 0 ? "(%lld)" : "%lld", (long long)n);
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

/* Returns the parenthesis that closes the one at s[0]; literals are skipped. */
static const char *closing(const char *s)
{
	int depth = 0;

	for (char quote = 0; *s; s++) {
		if (quote) {
			if (*s == '\\' && s[1])
				s++;
			else if (*s == quote)
				quote = 0;
		} else if (*s == '"' || *s == '\'') {
			quote = *s;
		} else if (*s == '(') {
			depth++;
		} else if (*s == ')' && --depth == 0) {
			return s;
		}
	}
	return NULL;
}

const char *emit_bare(struct emit *e, const char *text)
{
	size_t n = strlen(text);

	if (text[0] != '(' || closing(text) != text + n - 1)
		return text;
	return arena_strndup(e->a, text + 1, n - 2);
}

const char *emit_negated(struct emit *e, const char *cond)
{
	if (cond[0] == '!' && cond[1] == '(' && closing(cond + 1) == cond + strlen(cond) - 1)
		return emit_bare(e, cond + 1);
	return arena_printf(e->a, "!(%s)", cond);
}

const char *emit_val_wide(struct emit *e, struct emit_val v)
{
	return v.narrow ? arena_printf(e->a, "(s64)%s", v.text) : v.text;
}

struct emit_val emit_val_kept(struct emit *e, struct emit_val v)
{
	if (v.type == T_STACK)
		v.text = arena_printf(e->a, "prt_stacks_kept(%s)", emit_bare(e, v.text));
	return v;
}

struct emit_val emit_val_as_text(struct emit *e, struct emit_val v, struct range r)
{
	const char *t = emit_temp(e, TMP_STR);

	e->fn->heavy = true;
	emit_line(e, "%s = prt_stacks_text(c, %s, %s, %u);", t, emit_temp(e, TMP_BUF),
		  emit_bare(e, v.text), emit_position(e, r));
	emit_fail_if(e, "c->err");
	return emit_val_text(t, T_STRING, V_STABLE);
}

struct emit_val emit_val_once(struct emit *e, struct emit_val v)
{
	const char *t;

	if (v.hold == V_CONST || v.hold == V_STABLE)
		return v;
	t = emit_temp(e, v.type == T_STRING ? TMP_STR : TMP_LONG);
	emit_line(e, "%s = %s;", t, emit_bare(e, v.text));
	/* A long is a copy now, a string still a reference to the same bytes. */
	return emit_val_text(t, v.type, v.type == T_STRING ? v.hold : V_STABLE);
}

struct emit_val emit_val_hold(struct emit *e, struct emit_val v)
{
	if (v.hold == V_CONST || v.hold == V_STABLE)
		return v;
	if (v.type != T_STRING)
		return emit_val_once(e, v);

	const char *t = emit_temp(e, TMP_STR);

	emit_line(e, "%s = prt_str_copy(%s, %s);", t, emit_temp(e, TMP_BUF), v.text);
	return emit_val_text(t, T_STRING, V_STABLE);
}

static bool see_effect(struct expr **x, void *data)
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
	struct visitor v = { .expr = see_effect, .data = &found };

	if (x)
		walk_expr(&x, &v);
	return found;
}

void emit_expr_list(struct emit *e, struct expr **v, size_t n, struct expr *last,
		    struct emit_val *ret)
{
	bool effects = emit_expr_effects(last);
	size_t held = 0; /* operands before this one have effects behind them */

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
