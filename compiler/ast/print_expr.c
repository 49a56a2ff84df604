/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints expressions as text that can be parsed again to the same tree. Parentheses follow the
 * precedences of grammar/script.y: an operand that binds less tightly than its context requires
 * gets them.
 */
#include "ast/print.h"

#include <inttypes.h>

#include "ast/operators.h"

/* How tightly an expression binds, as in grammar/README.md. */
enum level {
	L_ASSIGN = 1, L_COND, L_LOR, L_LAND, L_OR, L_XOR, L_AND, L_IN, L_COMPARE, L_SHIFT, L_CONCAT,
	L_ADD, L_MUL, L_UNARY, L_INCDEC, L_VALUE,
};

static const enum level levels[] = {
#define OPERATOR(op, text, level, sort, function) [op] = level,
#include "ast/operators.def"
};

static const char *const agg_names[] = {
#define AGG_WORD(op, text) [op] = text,
#include "ast/words.def"
};

static const char *const print_names[] = {
#define PRINT_WORD(kind, text) [kind] = text,
#include "ast/words.def"
};

const char *print_assign_operator(int op)
{
	switch (op) {
#define ASSIGN_OPERATOR(name, text) case name: return text;
#include "ast/operators.def"
	default: return operators_row((enum binary_op)op)->assign;
	}
}

const char *print_agg_name(enum agg_op op)
{
	return agg_names[op];
}

static enum level level_of(const struct expr *e)
{
	switch (e->kind) {
	case EX_ASSIGN: return L_ASSIGN;
	case EX_COND: return L_COND;
	case EX_BINARY: return levels[e->u.binary.op];
	case EX_IN: return L_IN;
	case EX_REGEX: return L_COMPARE;
	case EX_UNARY: return L_UNARY;
	case EX_INCDEC: return L_INCDEC;
	default: return L_VALUE;
	}
}

static void bracketed(struct buf *b, const struct expr *e, bool parens)
{
	if (parens)
		buf_putc(b, '(');
	print_expr(b, e);
	if (parens)
		buf_putc(b, ')');
}

/* Prints @e, in parentheses if it binds less tightly than @least. */
static void expr_at(struct buf *b, const struct expr *e, enum level least)
{
	bracketed(b, e, level_of(e) < least);
}

static void list(struct buf *b, struct expr *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_puts(b, ", ");
		if (v[i])
			print_expr(b, v[i]);
		else
			buf_putc(b, '*');
	}
}

static void path(struct buf *b, const struct accessor *v, size_t n, int pretty)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].member) {
			buf_printf(b, "->%s", v[i].member);
			continue;
		}
		buf_putc(b, '[');
		print_expr(b, v[i].index);
		buf_putc(b, ']');
	}
	while (pretty-- > 0)
		buf_putc(b, '$');
}

/* Separates two operators that would be read as one ("--a", "!~a"). */
static void unary(struct buf *b, const struct expr *e)
{
	const struct expr *a = e->u.unary.a;

	buf_puts(b, operators_unary(e->u.unary.op));
	if (a->kind == EX_UNARY || (a->kind == EX_INCDEC && a->u.incdec.prefix))
		buf_putc(b, ' ');
	expr_at(b, a, L_UNARY);
}

static void assign(struct buf *b, const struct expr *e)
{
	/* Without parentheses, the last branch of a ?: on the left would take the assignment. */
	expr_at(b, e->u.assign.left, L_LOR);
	buf_printf(b, " %s ", print_assign_operator(e->u.assign.op));
	expr_at(b, e->u.assign.right, L_ASSIGN);
}

static void in(struct buf *b, const struct expr *e)
{
	if (e->u.in.keys.n == 1 && e->u.in.keys.v[0]) {
		expr_at(b, e->u.in.keys.v[0], L_COMPARE);
	} else {
		buf_putc(b, '[');
		list(b, e->u.in.keys.v, e->u.in.keys.n);
		buf_putc(b, ']');
	}
	buf_puts(b, " in ");
	print_expr(b, e->u.in.array);
}

/* A base to which the path would belong gets parentheses: "($x)->y" is not "$x->y". */
static void deref(struct buf *b, const struct expr *e)
{
	const struct expr *base = e->u.deref.base;
	bool member_first = e->u.deref.path.n && e->u.deref.path.v[0].member;
	bool takes_path = base->kind == EX_CONTEXT || base->kind == EX_AT ||
			  base->kind == EX_DEREF ||
			  ((base->kind == EX_NAME || base->kind == EX_AGG) && !member_first);

	buf_puts(b, e->u.deref.address ? "&" : "");
	bracketed(b, base, takes_path || level_of(base) < L_VALUE);
	path(b, e->u.deref.path.v, e->u.deref.path.n, e->u.deref.pretty);
}

static void print_call(struct buf *b, const struct expr *e)
{
	const char *first = e->u.print.format ? e->u.print.format : e->u.print.delim;

	buf_printf(b, "%s(", print_names[e->u.print.kind]);
	if (first) {
		buf_put_quoted(b, first, e->u.print.format ? e->u.print.format_len :
			       e->u.print.delim_len);
		if (e->u.print.args.n)
			buf_puts(b, ", ");
	}
	list(b, e->u.print.args.v, e->u.print.args.n);
	buf_putc(b, ')');
}

static void aggregate(struct buf *b, const struct expr *e)
{
	buf_printf(b, "%s(", agg_names[e->u.agg.op]);
	print_expr(b, e->u.agg.a);
	vec_each(arg, &e->u.agg.args) {
		/* A number may have a sign here. */
		buf_printf(b, ", %" PRId64, (*arg)->u.num.v);
	}
	buf_putc(b, ')');
}

static void operators(struct buf *b, const struct expr *e)
{
	enum level level = level_of(e);

	switch (e->kind) {
	case EX_BINARY:
		expr_at(b, e->u.binary.a, level);
		buf_printf(b, " %s ", operators_row(e->u.binary.op)->text);
		expr_at(b, e->u.binary.b, level + 1);
		break;
	case EX_INCDEC:
		if (e->u.incdec.prefix)
			buf_puts(b, e->u.incdec.inc ? "++" : "--");
		expr_at(b, e->u.incdec.a, L_VALUE);
		if (!e->u.incdec.prefix)
			buf_puts(b, e->u.incdec.inc ? "++" : "--");
		break;
	case EX_COND:
		expr_at(b, e->u.cond.c, L_LOR);
		buf_puts(b, " ? ");
		print_expr(b, e->u.cond.a);
		buf_puts(b, " : ");
		print_expr(b, e->u.cond.b);
		break;
	default:
		expr_at(b, e->u.regex.a, L_COMPARE);
		buf_puts(b, e->u.regex.negate ? " !~ " : " =~ ");
		buf_put_quoted(b, e->u.regex.re, e->u.regex.re_len);
	}
}

static void context(struct buf *b, const struct expr *e)
{
	buf_puts(b, e->u.context.address ? "&" : "");
	if (e->u.context.base && *e->u.context.name != '$')
		bracketed(b, e->u.context.base, true);
	else
		buf_puts(b, e->u.context.name);
	path(b, e->u.context.path.v, e->u.context.path.n, e->u.context.pretty);
}

void print_expr(struct buf *b, const struct expr *e)
{
	switch (e->kind) {
	case EX_NUM:
		/* Prints a negative number without a minus, which would be an operator. */
		buf_printf(b, e->u.num.v < 0 ? "0x%" PRIx64 : "%" PRId64, e->u.num.v);
		break;
	case EX_REAL:
		buf_puts(b, e->u.real.text);
		break;
	case EX_STR:
		buf_put_quoted(b, e->u.str.s, e->u.str.len);
		break;
	case EX_NAME:
		buf_puts(b, e->u.name.name);
		break;
	case EX_INDEX:
		print_expr(b, e->u.index.array);
		buf_putc(b, '[');
		list(b, e->u.index.keys.v, e->u.index.keys.n);
		buf_putc(b, ']');
		break;
	case EX_UNARY:
		unary(b, e);
		break;
	case EX_ASSIGN:
		assign(b, e);
		break;
	case EX_BINARY:
	case EX_INCDEC:
	case EX_COND:
	case EX_REGEX:
		operators(b, e);
		break;
	case EX_IN:
		in(b, e);
		break;
	case EX_CALL:
		buf_printf(b, "%s(", e->u.call.name);
		list(b, e->u.call.args.v, e->u.call.args.n);
		buf_putc(b, ')');
		break;
	case EX_PRINT:
		print_call(b, e);
		break;
	case EX_AGG:
		aggregate(b, e);
		break;
	case EX_CONTEXT:
		context(b, e);
		break;
	case EX_AT:
		buf_printf(b, "%s%s(", e->u.at.address ? "&" : "", e->u.at.name);
		list(b, e->u.at.args.v, e->u.at.args.n);
		buf_putc(b, ')');
		path(b, e->u.at.path.v, e->u.at.path.n, e->u.at.pretty);
		break;
	case EX_DEREF:
		deref(b, e);
		break;
	case EX_EMBEDDED:
		buf_printf(b, "%%{%.*s%%}", (int)e->u.embedded.len, e->u.embedded.text);
		break;
	}
}
