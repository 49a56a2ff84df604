/* SPDX-License-Identifier: GPL-2.0 */
/* Types of expressions; a function for each kind that needs more than a line. */
#include <string.h>

#include "ast/operators.h"
#include "ast/print.h"
#include "analyse/check/formats.h"
#include "analyse/check/types.h"

static struct want for_operator(enum type t, const char *name)
{
	return (struct want){ .t = t, .kind = W_OPERATOR, .name = name };
}

/* Decides that everything open in @e has type @t. */
static void push(struct types *x, struct expr *e, enum type t)
{
	if (t == T_UNKNOWN || t == T_VOID || t == T_STATS)
		return;
	switch (e->kind) {
	case EX_NAME:
	case EX_INDEX:
		if (ast_base_symbol(e))
			types_decide(x, ast_base_symbol(e), t, e->range);
		break;
	case EX_CALL:
		vec_each(f, &e->u.call.targets)
			types_decide_result(x, *f, t, e->range);
		break;
	case EX_COND:
		push(x, e->u.cond.a, t);
		push(x, e->u.cond.b, t);
		break;
	case EX_ASSIGN:
		push(x, e->u.assign.left, t);
		push(x, e->u.assign.right, t);
		break;
	default:
		break;
	}
}

/* A function that never returns a value counts as 0 where only truth matters: a && f(). */
static bool counts_as_false(struct types *x, const struct expr *e, const struct want *w)
{
	bool logical = w->kind == W_CONDITION;

	if (w->kind == W_OPERATOR)
		logical = strcmp(w->name, "&&") == 0 || strcmp(w->name, "||") == 0 ||
			  strcmp(w->name, "!") == 0;
	if (e->kind != EX_CALL || !logical || !e->u.call.targets.n)
		return false;
	vec_each(f, &e->u.call.targets)
		if (!(*f)->body)
			return false;
	vec_each(f, &e->u.call.targets) {
		if ((*f)->ret != T_VOID)
			continue;
		(*f)->ret = T_LONG;
		x->changed = true;
	}
	return true;
}

/* Makes @e the operand of a conversion that replaces it. */
static void wrap(struct types *x, struct expr *e, enum unary_op op)
{
	struct expr *a = NEW(x->s->arena, struct expr);

	*a = *e;
	e->kind = EX_UNARY;
	e->type = op == OP_TEXT ? T_STRING : T_STACK;
	e->u.unary.op = op;
	e->u.unary.a = a;
}

static bool soften(struct types *x, enum type *t)
{
	if (*t != T_STACK)
		return false;
	*t = T_STRING;
	x->changed = true;
	return true;
}

void types_soften(struct types *x, struct expr *e)
{
	struct symbol *sym = ast_base_symbol(e);

	if (sym && !sym->declared)
		soften(x, &sym->type);
}

/* A variable, key or result that was inferred to be a stack becomes a string if it is assigned a
 * string as well, unless its type is declared. */
static bool soften_want(struct types *x, const struct want *w)
{
	switch (w->kind) {
	case W_VARIABLE:
	case W_PARAM:
		return !w->sym->declared && soften(x, &w->sym->type);
	case W_KEY:
		return soften(x, &w->sym->key_type[w->n - 1]);
	case W_RESULT:
		return w->fn->declared == T_UNKNOWN && soften(x, &w->fn->ret);
	default:
		return false;
	}
}

static bool are_text(enum type a, enum type b)
{
	return (a == T_STACK && b == T_STRING) || (a == T_STRING && b == T_STACK);
}

/* A stack is used where a string is wanted, or the other way round. */
static void match_text(struct types *x, struct expr *e, enum type t, const struct want *w)
{
	if (t == T_STRING && soften_want(x, w))
		return;
	if (x->convert && e->type == t)
		wrap(x, e, t == T_STACK ? OP_TEXT : OP_STACK);
}

void types_match(struct types *x, struct expr *e, enum type t, struct want w)
{
	if (t == T_UNKNOWN && w.t == T_STRING && x->open)
		return;
	if (are_text(t, w.t)) {
		match_text(x, e, t, &w);
		return;
	}
	if (t == T_LONG && w.t == T_DOUBLE && doubles_convert(x, e))
		return;
	if (t == T_VOID && !counts_as_false(x, e, &w))
		types_report_void(x, e);
	else if (t == T_UNKNOWN && w.t == T_UNKNOWN)
		types_report_embedded(x, e);
	else if (t == T_UNKNOWN)
		push(x, e, w.t);
	else if (t != T_VOID && w.t != T_UNKNOWN && w.t != t && t != T_STATS)
		types_report_mismatch(x, e, t, &w);
}

void types_expect(struct types *x, struct expr *e, struct want w)
{
	types_match(x, e, types_expr(x, e), w);
}

void types_key(struct types *x, struct symbol *sym, struct expr *key, int i)
{
	enum type t = types_expr(x, key);

	if (t == T_DOUBLE) {
		doubles_report_key(x, key);
		return;
	}
	types_match(x, key, t, (struct want){ .t = sym->key_type[i], .kind = W_KEY, .n = i + 1,
					      .sym = sym });
	if (sym->key_type[i] != T_UNKNOWN || (t != T_LONG && t != T_STRING && t != T_STACK))
		return;
	sym->key_type[i] = t;
	sym->key_range[i] = key->range;
	x->changed = true;
}

void types_keys(struct types *x, struct symbol *sym, struct expr **keys, size_t n)
{
	for (size_t i = 0; i < n && i < 9; i++)
		if (keys[i])
			types_key(x, sym, keys[i], (int)i);
}

/* The type of a variable that is used as a value. */
static enum type value_of(struct types *x, struct expr *e, struct symbol *sym)
{
	if (sym->type == T_STATS)
		types_report_aggregate(x, e, sym);
	return sym->type;
}

static enum type name_type(struct types *x, struct expr *e)
{
	struct symbol *sym = e->u.name.sym;

	if (!sym)
		return T_UNKNOWN;
	return value_of(x, e, sym);
}

static enum type index_type(struct types *x, struct expr *e)
{
	struct expr *a = e->u.index.array;

	if (a->kind == EX_AGG) {
		types_histogram(x, a);
		vec_each(k, &e->u.index.keys)
			if (*k)
				types_expect(x, *k, WANT_LONG_FOR("the number of a bucket"));
		return T_LONG;
	}
	if (a->kind != EX_NAME || !a->u.name.sym)
		return T_UNKNOWN;
	types_keys(x, a->u.name.sym, e->u.index.keys.v, e->u.index.keys.n);
	a->type = a->u.name.sym->type;
	return value_of(x, e, a->u.name.sym);
}

/* Makes the variable in @e an aggregate, for <<< and the extractors. */
static void aggregate(struct types *x, struct expr *e)
{
	struct expr *name = e->kind == EX_INDEX ? e->u.index.array : e;
	struct symbol *sym = name->kind == EX_NAME ? name->u.name.sym : NULL;

	if (name->kind == EX_NAME && !sym)
		return;
	if (!sym) {
		types_report_not_aggregate(x, e, NULL);
		return;
	}
	if (e->kind == EX_INDEX)
		types_keys(x, sym, e->u.index.keys.v, e->u.index.keys.n);
	if (sym->kind == SYM_GLOBAL)
		types_decide(x, sym, T_STATS, e->range);
	if (sym->type != T_STATS)
		types_report_not_aggregate(x, e, sym);
	e->type = name->type = sym->type;
}

void types_histogram(struct types *x, struct expr *e)
{
	aggregate(x, e->u.agg.a);
	e->type = T_LONG;
}

static enum type agg_type(struct types *x, struct expr *e)
{
	aggregate(x, e->u.agg.a);
	if (x->report && formats_is_histogram(e)) {
		diag_error(x->s->diag, e->range, E_AGGREGATE, "a histogram is not a value");
		diag_hint(x->s->diag, "print() it, or take a bucket with [number]");
	}
	return T_LONG;
}

/* The type of the operands and of the result; T_UNKNOWN: it is not known yet. */
static enum type of_operands(const struct types *x, enum binary_op op, enum type a, enum type b)
{
	return operators_row(op)->sort == OPERATOR_STRINGS ? T_STRING : doubles_type(x, op, a, b);
}

static enum type binary_type(struct types *x, struct expr *e)
{
	enum binary_op op = e->u.binary.op;
	struct expr *a = e->u.binary.a, *b = e->u.binary.b;

	if (operators_row(op)->sort == OPERATOR_COMPARISON) {
		enum type ta = types_expr(x, a), tb = types_expr(x, b);

		if (are_text(ta, tb)) {
			types_match(x, a, ta, for_operator(T_STRING, operators_row(op)->text));
			types_match(x, b, tb, for_operator(T_STRING, operators_row(op)->text));
			return T_LONG;
		}
		if (doubles_compare(x, e, ta, tb))
			return T_LONG;
		types_match(x, a, ta, ta == T_UNKNOWN && tb != T_UNKNOWN ?
			    (struct want){ .t = tb, .kind = W_VALUE } : WANT_VALUE);
		types_match(x, b, tb, ta == T_VOID || ta == T_STATS ? WANT_VALUE : (struct want){
			    .t = ta, .kind = W_SAME, .name = operators_row(op)->text, .peer = a });
		return T_LONG;
	}

	enum type ta = types_expr(x, a), tb = types_expr(x, b);
	enum type t = of_operands(x, op, ta, tb);

	if (t == T_UNKNOWN)
		return t;
	types_match(x, a, ta, for_operator(t, operators_row(op)->text));
	/* Two operands that are wrong in the same way are one mistake. */
	if (ta != tb || ta == T_UNKNOWN || ta == T_STACK)
		types_match(x, b, tb, for_operator(t, operators_row(op)->text));
	return t;
}

static enum type set_type(struct types *x, struct expr *left, struct expr *right)
{
	enum type tl = types_expr(x, left), tr = types_expr(x, right);
	struct symbol *sym = ast_base_symbol(left);

	if (tl == T_UNKNOWN) {
		types_match(x, right, tr, WANT_VALUE);
		if (tr != T_VOID && tr != T_STATS)
			push(x, left, tr);
		return tr == T_VOID ? T_UNKNOWN : tr;
	}
	if (tl == T_STATS) /* reported already */
		return T_LONG;
	types_match(x, right, tr, sym ? (struct want){ .t = tl, .kind = W_VARIABLE, .sym = sym } :
		    (struct want){ .t = tl, .kind = W_OPERATOR, .name = "=" });
	return tl;
}

static enum type assign_type(struct types *x, struct expr *e)
{
	struct expr *left = e->u.assign.left, *right = e->u.assign.right;
	int op = e->u.assign.op;

	if (op == OP_SET)
		return set_type(x, left, right);
	if (op == OP_STAT) {
		aggregate(x, left);
		types_expect(x, right, for_operator(T_LONG, "<<<"));
		return T_LONG;
	}

	enum type tl = types_expr(x, left), tr = types_expr(x, right), t = T_LONG;

	/* A variable that is a long stays one. */
	if (tl != T_LONG)
		t = of_operands(x, (enum binary_op)op, tl, tr);
	if (t == T_UNKNOWN)
		return t;
	if (tl == T_STACK && t == T_STRING)
		types_soften(x, left);
	else
		types_match(x, left, tl, for_operator(t, print_assign_operator(op)));
	if (tr == T_DOUBLE && tl == T_LONG && ast_base_symbol(left))
		types_match(x, right, tr, (struct want){ .t = tl, .kind = W_VARIABLE,
							 .sym = ast_base_symbol(left) });
	else
		types_match(x, right, tr, for_operator(t, print_assign_operator(op)));
	return t;
}

static enum type cond_type(struct types *x, struct expr *e)
{
	struct expr *a = e->u.cond.a, *b = e->u.cond.b;
	enum type ta, tb;

	types_expect(x, e->u.cond.c, (struct want){ .t = T_LONG, .kind = W_CONDITION });
	ta = types_expr(x, a);
	tb = types_expr(x, b);
	/* one branch is a call without a value; using the value is an error */
	if (ta == T_VOID || tb == T_VOID)
		return T_VOID;
	if (are_text(ta, tb)) {
		types_match(x, a, ta, (struct want){ .t = T_STRING, .kind = W_VALUE });
		types_match(x, b, tb, (struct want){ .t = T_STRING, .kind = W_VALUE });
		return T_STRING;
	}
	if (ta == T_LONG && tb == T_DOUBLE) {
		types_match(x, a, ta, (struct want){ .t = tb, .kind = W_BRANCH, .peer = b });
		return T_DOUBLE;
	}
	if (ta == T_UNKNOWN)
		types_match(x, a, ta, (struct want){ .t = tb, .kind = W_VALUE });
	else
		types_match(x, b, tb, (struct want){ .t = ta, .kind = W_BRANCH, .peer = a });
	return ta == T_UNKNOWN ? tb : ta;
}

/* Overloads that continue with each other by "next" have one type of result. A function of the
 * script among them that never returns a value has that type, too, and is 0 or "". */
static enum type result_type(struct types *x, const struct expr *e)
{
	const struct function *first = NULL;

	vec_each(f, &e->u.call.targets)
		if (!first && (*f)->ret != T_UNKNOWN && (*f)->ret != T_VOID)
			first = *f;
	if (!first)
		return e->u.call.targets.n ? e->u.call.targets.v[0]->ret : T_UNKNOWN;
	vec_each(f, &e->u.call.targets) {
		if ((*f)->ret == T_VOID && (*f)->body) {
			(*f)->ret = first->ret;
			x->changed = true;
		} else if ((*f)->ret == T_UNKNOWN) {
			types_decide_result(x, *f, first->ret, e->range);
		} else if ((*f)->ret != first->ret) {
			types_report_overloads(x, e, first, *f);
		}
	}
	return first->ret;
}

static enum type call_type(struct types *x, struct expr *e)
{
	for (size_t i = 0; i < e->u.call.args.n; i++) {
		struct expr *arg = e->u.call.args.v[i];
		enum type ta = types_expr(x, arg);

		vec_each(f, &e->u.call.targets) {
			struct symbol *p = i < (*f)->params.n ? (*f)->params.v[i] : NULL;

			if (!p)
				continue;
			types_match(x, arg, ta, (struct want){ .t = p->type, .kind = W_PARAM,
							       .sym = p, .fn = *f });
			if (ta == T_STACK && (*f)->embedded)
				types_decide(x, p, T_STRING, arg->range);
			else if (ta != T_STATS)
				types_decide(x, p, ta, arg->range);
		}
	}
	return result_type(x, e);
}

/*
 * printf and sprintf: each conversion has its type. A format that does not parse was reported.
 */
static void format_types(struct types *x, struct expr *e)
{
	struct format_iter it = { .s = e->u.print.format, .len = e->u.print.format_len };
	struct format_conv conv;
	/* If an argument is missing, the others can't be paired with conversions. */
	bool paired = !formats_lacks_arguments(e);
	size_t arg = 0, n = e->u.print.args.n;

	while (paired && ast_format_next(&it, &conv)) {
		if (conv.conv == '%' || conv.bad)
			continue;
		for (int star = 0; star < conv.stars && arg < e->u.print.args.n; star++)
			types_expect(x, e->u.print.args.v[arg++], (struct want){
				.t = T_LONG, .kind = W_FORMAT, .n = '*' });
		if (arg >= e->u.print.args.n)
			break;

		struct expr *value = e->u.print.args.v[arg++];
		enum type t = types_expr(x, value);

		/* The loader shows a complete stack. */
		if (t == T_STACK && conv.conv == 's' && e->u.print.kind == PRINT_PRINTF)
			continue;
		types_match(x, value, t, (struct want){
			.t = conv.conv == 's' || conv.conv == 'M' ? T_STRING :
			     strchr("eEfFgG", conv.conv) ? T_DOUBLE : T_LONG,
			.kind = W_FORMAT, .n = conv.conv });
	}
	while (arg < n)
		types_expect(x, e->u.print.args.v[arg++], WANT_VALUE);
}

/* A histogram is passed to what draws it: the loader, or the handler for a string. The counts of
 * an exponential one have no room in a handler's memory. */
static void print_histogram(struct types *x, struct expr *e, enum print_kind k)
{
	types_histogram(x, e);
	if (!x->report || !PRINT_IS_SPRINT(k) || e->u.agg.op != AGG_HIST_EXP)
		return;
	diag_error(x->s->diag, e->range, E_NOT_SUPPORTED, "@hist_exp can't be converted to a "
							  "string");
	diag_hint(x->s->diag, "print() it, or make the string of @hist_log");
}

/* An argument of a print function without a format. */
static void printed(struct types *x, struct expr *arg, enum print_kind k)
{
	enum type t = types_expr(x, arg);

	if (k == PRINT_CHAR)
		types_match(x, arg, t, WANT_LONG_FOR("print_char"));
	else if (t == T_STACK && PRINT_IS_SPRINT(k))
		types_match(x, arg, t, (struct want){ .t = T_STRING, .kind = W_VALUE });
	else
		types_match(x, arg, t, WANT_VALUE);
}

static enum type print_type(struct types *x, struct expr *e)
{
	enum print_kind k = e->u.print.kind;

	if (k == PRINT_PRINTF || k == PRINT_SPRINTF) {
		format_types(x, e);
	} else {
		vec_each(arg, &e->u.print.args) {
			if (k != PRINT_CHAR && formats_is_histogram(*arg))
				print_histogram(x, *arg, k);
			else
				printed(x, *arg, k);
		}
	}
	return PRINT_IS_SPRINT(k) ? T_STRING : T_LONG;
}

static void path_types(struct types *x, struct accessor *path, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (path[i].index)
			types_expect(x, path[i].index, WANT_LONG_FOR("an index"));
}

static enum type context_type(struct types *x, struct expr *e)
{
	if (e->u.context.base)
		types_expect(x, e->u.context.base, WANT_LONG_FOR("an address"));
	path_types(x, e->u.context.path.v, e->u.context.path.n);
	if (!e->u.context.access)
		return types_unresolved(e);
	return access_value_type(e->u.context.access);
}

static enum type in_type(struct types *x, struct expr *e)
{
	struct expr *a = e->u.in.array;

	if (a->kind == EX_NAME && a->u.name.sym) {
		types_keys(x, a->u.name.sym, e->u.in.keys.v, e->u.in.keys.n);
		a->type = a->u.name.sym->type;
	}
	return T_LONG;
}

static enum type unary_type(struct types *x, struct expr *e)
{
	enum unary_op op = e->u.unary.op;
	enum type t = types_expr(x, e->u.unary.a);

	if (op == OP_TEXT || op == OP_STACK)
		return e->type;
	if (op == OP_NEG || op == OP_PLUS) {
		enum type negative = doubles_type(x, OP_SUB, t, t);

		if (negative != T_LONG)
			return negative;
	}
	types_match(x, e->u.unary.a, t, for_operator(T_LONG, operators_unary(op)));
	return T_LONG;
}

enum type types_expr(struct types *x, struct expr *e)
{
	enum type t = T_LONG;

	switch (e->kind) {
	case EX_NUM:
		break;
	case EX_REAL:
		t = T_DOUBLE;
		break;
	case EX_STR:
		t = T_STRING;
		break;
	case EX_NAME:
		t = name_type(x, e);
		break;
	case EX_INDEX:
		t = index_type(x, e);
		break;
	case EX_UNARY:
		t = unary_type(x, e);
		break;
	case EX_BINARY:
		t = binary_type(x, e);
		break;
	case EX_ASSIGN:
		t = assign_type(x, e);
		break;
	case EX_INCDEC:
		types_expect(x, e->u.incdec.a, for_operator(T_LONG, e->u.incdec.inc ? "++" : "--"));
		break;
	case EX_COND:
		t = cond_type(x, e);
		break;
	case EX_IN:
		t = in_type(x, e);
		break;
	case EX_CALL:
		t = call_type(x, e);
		break;
	case EX_PRINT:
		t = print_type(x, e);
		break;
	case EX_AGG:
		t = agg_type(x, e);
		break;
	case EX_CONTEXT:
		t = context_type(x, e);
		break;
	case EX_REGEX:
		types_expect(x, e->u.regex.a,
			     for_operator(T_STRING, e->u.regex.negate ? "!~" : "=~"));
		t = T_LONG;
		break;
	case EX_AT:
	case EX_DEREF:
		t = types_unresolved(e);
		break;
	case EX_EMBEDDED:
		t = memmem(e->u.embedded.text, e->u.embedded.len, "/* string */", 12) ? T_STRING :
										       T_LONG;
		break;
	}
	return e->type = t;
}
