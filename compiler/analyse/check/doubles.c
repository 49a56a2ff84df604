/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of type double in type inference.
 *
 * Two doubles, or a double and a literal integer, make a double; an integer that is not a literal
 * is converted by to_double() alone, because a number may also be the bits of a double, as
 * arguments of markers are. While types are open, an operator decides nothing about an operand that
 * is not known yet, if the script has doubles at all. When everything is decided, the operators of
 * doubles are replaced by those that call the runtime, so that later passes see integers of 64
 * bits.
 */
#include <string.h>

#include "ast/operators.h"
#include "ast/walk.h"
#include "analyse/check/facts.h"
#include "analyse/check/types.h"

static bool visit_double(struct expr **e, void *data)
{
	bool *found = data;

	*found |= (*e)->kind == EX_REAL || (*e)->type == T_DOUBLE;
	return !*found;
}

bool doubles_are_used(const struct program *p)
{
	bool found = false;
	struct visitor v = { .expr = visit_double, .data = &found };

	vec_each(g, &p->globals)
		found |= (*g)->init && (*g)->init->type == T_DOUBLE;
	vec_each(f, &p->functions) {
		found |= (*f)->declared == T_DOUBLE;
		vec_each(param, &(*f)->params)
			found |= (*param)->type == T_DOUBLE;
	}
	if (!found)
		program_walk((struct program *)p, &v);
	return found;
}

/* The operator for doubles, or the same one if there is none. */
static enum binary_op double_op(enum binary_op op)
{
	switch (op) {
	case OP_ADD: return OP_DOUBLE_ADD;
	case OP_SUB: return OP_DOUBLE_SUB;
	case OP_MUL: return OP_DOUBLE_MUL;
	case OP_DIV: return OP_DOUBLE_DIV;
	case OP_LT: return OP_DOUBLE_LT;
	case OP_LE: return OP_DOUBLE_LE;
	case OP_GT: return OP_DOUBLE_GT;
	case OP_GE: return OP_DOUBLE_GE;
	case OP_EQ: return OP_DOUBLE_EQ;
	case OP_NE: return OP_DOUBLE_NE;
	default: return op;
	}
}

enum type doubles_type(const struct types *x, enum binary_op op, enum type a, enum type b)
{
	if (double_op(op) == op)
		return T_LONG;
	if (a == T_DOUBLE || b == T_DOUBLE)
		return T_DOUBLE;
	return x->open_numbers && (a == T_UNKNOWN || b == T_UNKNOWN) ? T_UNKNOWN : T_LONG;
}

bool doubles_compare(struct types *x, struct expr *e, enum type a, enum type b)
{
	const char *name = operators_row(e->u.binary.op)->text;
	struct want w = { .t = T_DOUBLE, .kind = W_OPERATOR, .name = name };

	if (a != T_DOUBLE && b != T_DOUBLE)
		return x->open_numbers && (a == T_UNKNOWN || b == T_UNKNOWN);
	types_match(x, e->u.binary.a, a, w);
	types_match(x, e->u.binary.b, b, w);
	return true;
}

bool doubles_convert(struct types *x, struct expr *e)
{
	int64_t n;
	double v;

	if (!facts_constant(e, &n))
		return false;
	v = (double)n;
	e->kind = EX_REAL;
	e->type = T_DOUBLE;
	e->u.real.text = arena_printf(x->s->arena, "%lld.0", (long long)n);
	memcpy(&e->u.real.bits, &v, sizeof(v));
	return true;
}

static void lower(struct expr **it, void *data)
{
	struct arena *a = data;
	struct expr *e = *it, *of;

	if (e->kind == EX_BINARY && e->u.binary.a->type == T_DOUBLE)
		e->u.binary.op = double_op(e->u.binary.op);
	if (e->kind == EX_ASSIGN && e->u.assign.left->type == T_DOUBLE && e->u.assign.op != OP_SET)
		e->u.assign.op = (int)double_op((enum binary_op)e->u.assign.op);
	if (e->kind != EX_UNARY || e->u.unary.op != OP_NEG || e->u.unary.a->type != T_DOUBLE)
		return;
	of = e->u.unary.a;
	e->u.unary.op = OP_DOUBLE_NEG;
	if (of->kind != EX_REAL || *of->u.real.text == '-')
		return;
	e->kind = EX_REAL;
	e->u.real.bits = (int64_t)((uint64_t)of->u.real.bits ^ 1ULL << 63);
	e->u.real.text = arena_printf(a, "-%s", of->u.real.text);
}

void doubles_lower(struct state *s, struct program *p)
{
	struct visitor v = { .expr_post = lower, .data = s->arena };

	program_walk(p, &v);
}

void doubles_report_key(struct types *x, const struct expr *key)
{
	if (!x->report)
		return;
	diag_error(x->s->diag, key->range, E_TYPE_MISMATCH, "a double can't be the key of "
		   "an array");
	diag_hint(x->s->diag, "convert it to an integer: to_long(x * 1000) keeps three digits");
}

void doubles_report_sort(struct types *x, const struct foreach *f)
{
	if (!x->report)
		return;
	diag_error(x->s->diag, f->array->range, E_TYPE_MISMATCH, "an array can't be sorted by "
								 "values that are doubles");
	diag_hint(x->s->diag, "store integers: to_long(x * 1000) keeps three digits");
}

void doubles_hint(struct types *x, enum type t, const struct want *w)
{
	struct diag *d = x->s->diag;

	if (t == T_LONG)
		diag_hint(d, "to_double(n) is the number n as a double; bits_to_double(n) is the "
			  "one with the bits n, as arguments of markers are");
	else if (t == T_STRING)
		diag_hint(d, "string_to_double(text) reads a number");
	else if (w->kind == W_OPERATOR && strcmp(w->name, "<<<") == 0)
		diag_hint(d, "an aggregate collects integers: <<< to_long(x * 1000) keeps three "
			  "digits");
	else if (w->kind == W_OPERATOR && (strcmp(w->name, "++") == 0 ||
					   strcmp(w->name, "--") == 0))
		diag_hint(d, "x %c= 1 does the same", *w->name);
	else if (w->kind == W_FORMAT && w->n != '*' && w->t == T_LONG)
		diag_hint(d, "%%f, %%e and %%g print a double; to_long(x) is the integer without "
			  "its fraction");
	else if (w->kind == W_CONDITION)
		diag_hint(d, "compare it: x != 0");
	else if (w->kind == W_VARIABLE && !w->sym->declared)
		diag_hint(d, "assign 0.0 instead of 0 to make '%s' a double; to_long(x) is the "
			  "integer without its fraction", w->sym->name);
	else if (w->t == T_STRING)
		diag_hint(d, "sprintf(\"%%f\", x) makes a string of it");
	else
		diag_hint(d, "to_long(x) is the integer without its fraction");
}
