/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tree as text. What is printed must parse again to the same tree, so parentheses follow the
 * precedences of grammar/script.y (a child that binds less than its place demands gets them), and
 * every statement that could run into the next one ends with ";".
 */
#include "ast/print.h"

#include <inttypes.h>
#include <string.h>

/* How tightly an expression binds, as in grammar/README.md. */
enum level {
	L_ASSIGN = 1, L_COND, L_LOR, L_LAND, L_OR, L_XOR, L_AND, L_IN, L_COMPARE, L_SHIFT, L_CONCAT,
	L_ADD, L_MUL, L_UNARY, L_INCDEC, L_VALUE,
};

static const struct { const char *text; enum level level; } binary[] = {
	[OP_ADD] = { "+", L_ADD }, [OP_SUB] = { "-", L_ADD },
	[OP_MUL] = { "*", L_MUL }, [OP_DIV] = { "/", L_MUL }, [OP_MOD] = { "%", L_MUL },
	[OP_SHL] = { "<<", L_SHIFT }, [OP_SHR] = { ">>", L_SHIFT }, [OP_USHR] = { ">>>", L_SHIFT },
	[OP_AND] = { "&", L_AND }, [OP_OR] = { "|", L_OR }, [OP_XOR] = { "^", L_XOR },
	[OP_LAND] = { "&&", L_LAND }, [OP_LOR] = { "||", L_LOR },
	[OP_LT] = { "<", L_COMPARE }, [OP_LE] = { "<=", L_COMPARE }, [OP_GT] = { ">", L_COMPARE },
	[OP_GE] = { ">=", L_COMPARE }, [OP_EQ] = { "==", L_COMPARE }, [OP_NE] = { "!=", L_COMPARE },
	[OP_CONCAT] = { ".", L_CONCAT },
};

static const char *const agg_names[] = {
#define AGG_WORD(op, text) [op] = text,
#include "grammar/keywords.def"
};

static const char *const print_names[] = {
#define PRINT_WORD(kind, text) [kind] = text,
#include "grammar/keywords.def"
};

const char *print_type_name(enum type t)
{
	switch (t) {
	case T_LONG: return "long";
	case T_STRING: return "string";
	case T_STATS: return "stats";
	case T_VOID: return "void";
	case T_UNKNOWN: break;
	}
	return "unknown";
}

static enum level level_of(const struct expr *e)
{
	switch (e->kind) {
	case EX_ASSIGN: return L_ASSIGN;
	case EX_COND: return L_COND;
	case EX_BINARY: return binary[e->u.binary.op].level;
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

/* @e where only what binds like @least or tighter may stand bare. */
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

/* Two operators that would be read as one ("--a", "!~a") are kept apart. */
static void unary(struct buf *b, const struct expr *e)
{
	const struct expr *a = e->u.unary.a;

	buf_putc(b, "-+!~"[e->u.unary.op]);
	if (a->kind == EX_UNARY || (a->kind == EX_INCDEC && a->u.incdec.prefix))
		buf_putc(b, ' ');
	expr_at(b, a, L_UNARY);
}

static void assign(struct buf *b, const struct expr *e)
{
	/* A bare ?: on the left would take the assignment into its last branch. */
	expr_at(b, e->u.assign.left, L_LOR);
	if (e->u.assign.op == OP_SET)
		buf_puts(b, " = ");
	else if (e->u.assign.op == OP_STAT)
		buf_puts(b, " <<< ");
	else
		buf_printf(b, " %s= ", binary[e->u.assign.op].text);
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

/* A base that would take the path for its own gets parentheses: "($x)->y" is not "$x->y". */
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
		/* Here a number may carry its sign. */
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
		buf_printf(b, " %s ", binary[e->u.binary.op].text);
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

void print_expr(struct buf *b, const struct expr *e)
{
	switch (e->kind) {
	case EX_NUM:
		/* A negative number without a minus, which would be an operator. */
		buf_printf(b, e->u.num.v < 0 ? "0x%" PRIx64 : "%" PRId64, e->u.num.v);
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
		buf_puts(b, e->u.context.address ? "&" : "");
		if (e->u.context.base)
			bracketed(b, e->u.context.base, true);
		else
			buf_puts(b, e->u.context.name);
		path(b, e->u.context.path.v, e->u.context.path.n, e->u.context.pretty);
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

/* ---- statements ---- */

static void indent(struct buf *b, int depth)
{
	while (depth-- > 0)
		buf_putc(b, '\t');
}

/* A block from its "{" to its "}", no newline at the end. */
static void block(struct buf *b, const struct stmt *s, int depth)
{
	buf_puts(b, "{\n");
	vec_each(it, &s->u.block)
		print_stmt(b, *it, depth + 1);
	indent(b, depth);
	buf_putc(b, '}');
}

/* What follows a head: a block on the same line, anything else on its own. Leaves the line open
 * when it is a block, and says so. */
static bool body(struct buf *b, const struct stmt *s, int depth)
{
	if (s->kind == ST_BLOCK) {
		buf_putc(b, ' ');
		block(b, s, depth);
		return true;
	}
	buf_putc(b, '\n');
	print_stmt(b, s, depth + 1);
	return false;
}

static void last_body(struct buf *b, const struct stmt *s, int depth)
{
	if (body(b, s, depth))
		buf_putc(b, '\n');
}

/* Would an "else" behind @s belong to an "if" inside of it? */
static bool takes_else(const struct stmt *s)
{
	switch (s->kind) {
	case ST_IF: return !s->u.if_.els || takes_else(s->u.if_.els);
	case ST_WHILE: return takes_else(s->u.while_.body);
	case ST_FOR: return takes_else(s->u.for_.body);
	case ST_FOREACH: return takes_else(s->u.foreach.body);
	default: return false;
	}
}

static void print_if(struct buf *b, const struct stmt *s, int depth)
{
	const struct stmt *then = s->u.if_.then, *els = s->u.if_.els;
	bool open;

	buf_puts(b, "if (");
	print_expr(b, s->u.if_.c);
	buf_putc(b, ')');
	if (!els) {
		last_body(b, then, depth);
		return;
	}
	if (takes_else(then)) {
		buf_puts(b, " {\n");
		print_stmt(b, then, depth + 1);
		indent(b, depth);
		buf_putc(b, '}');
		open = true;
	} else {
		open = body(b, then, depth);
	}
	if (open)
		buf_putc(b, ' ');
	else
		indent(b, depth);
	buf_puts(b, "else");
	if (els->kind == ST_IF) {
		buf_putc(b, ' ');
		print_if(b, els, depth);
	} else {
		last_body(b, els, depth);
	}
}

static void sorted(struct buf *b, const struct foreach *fe, int key)
{
	if (fe->sort_dir && fe->sort_key == key)
		buf_putc(b, fe->sort_dir > 0 ? '+' : '-');
}

static void print_foreach(struct buf *b, const struct foreach *fe, int depth)
{
	buf_puts(b, "foreach (");
	if (fe->value) {
		print_expr(b, fe->value);
		buf_puts(b, " = ");
	}
	if (fe->keys.n != 1)
		buf_putc(b, '[');
	for (size_t i = 0; i < fe->keys.n; i++) {
		if (i)
			buf_puts(b, ", ");
		print_expr(b, fe->keys.v[i]);
		sorted(b, fe, (int)i + 1);
	}
	if (fe->keys.n != 1)
		buf_putc(b, ']');
	buf_puts(b, " in ");
	print_expr(b, fe->array);
	if (fe->sort_dir && !fe->sort_key && fe->sort_has_agg)
		buf_printf(b, " %s", agg_names[fe->sort_agg]);
	sorted(b, fe, 0);
	if (fe->limit) {
		buf_puts(b, " limit ");
		print_expr(b, fe->limit);
	}
	buf_putc(b, ')');
	last_body(b, fe->body, depth);
}

static void with_space(struct buf *b, const struct expr *e)
{
	if (!e)
		return;
	buf_putc(b, ' ');
	print_expr(b, e);
}

static void print_for(struct buf *b, const struct stmt *s, int depth)
{
	buf_puts(b, "for (");
	if (s->u.for_.init)
		print_expr(b, s->u.for_.init);
	buf_putc(b, ';');
	with_space(b, s->u.for_.c);
	buf_putc(b, ';');
	with_space(b, s->u.for_.step);
	buf_putc(b, ')');
	last_body(b, s->u.for_.body, depth);
}

static void print_try(struct buf *b, const struct stmt *s, int depth)
{
	buf_puts(b, "try ");
	block(b, s->u.try_.body, depth);
	buf_puts(b, " catch");
	if (s->u.try_.var) {
		buf_puts(b, " (");
		print_expr(b, s->u.try_.var);
		buf_putc(b, ')');
	}
	last_body(b, s->u.try_.handler, depth);
}

static void with_value(struct buf *b, const char *word, const struct expr *e)
{
	buf_puts(b, word);
	if (*word && e)
		buf_putc(b, ' ');
	if (e)
		print_expr(b, e);
	buf_puts(b, ";\n");
}

void print_stmt(struct buf *b, const struct stmt *s, int depth)
{
	indent(b, depth);
	switch (s->kind) {
	case ST_BLOCK:
		block(b, s, depth);
		buf_putc(b, '\n');
		break;
	case ST_EMPTY:
		buf_puts(b, ";\n");
		break;
	case ST_EXPR:
		with_value(b, "", s->u.expr);
		break;
	case ST_IF:
		print_if(b, s, depth);
		break;
	case ST_WHILE:
		buf_puts(b, "while (");
		print_expr(b, s->u.while_.c);
		buf_putc(b, ')');
		last_body(b, s->u.while_.body, depth);
		break;
	case ST_FOR:
		print_for(b, s, depth);
		break;
	case ST_FOREACH:
		print_foreach(b, &s->u.foreach, depth);
		break;
	case ST_BREAK:
		buf_puts(b, "break;\n");
		break;
	case ST_CONTINUE:
		buf_puts(b, "continue;\n");
		break;
	case ST_RETURN:
		with_value(b, "return", s->u.expr);
		break;
	case ST_NEXT:
		buf_puts(b, "next;\n");
		break;
	case ST_DELETE:
		with_value(b, "delete", s->u.expr);
		break;
	case ST_TRY:
		print_try(b, s, depth);
		break;
	}
}

/* ---- declarations ---- */

static void literal(struct buf *b, const struct expr *e)
{
	if (e->kind == EX_NUM)
		buf_printf(b, "%" PRId64, e->u.num.v);
	else
		print_expr(b, e);
}

void print_probe_point(struct buf *b, const struct probe_point *pp)
{
	for (size_t i = 0; i < pp->parts.n; i++) {
		const struct pp_component *c = &pp->parts.v[i];

		buf_printf(b, "%s%s", i ? "." : "", c->name);
		if (!c->has_arg)
			continue;
		buf_putc(b, '(');
		if (c->arg)
			literal(b, c->arg);
		buf_putc(b, ')');
	}
	if (pp->optional || pp->sufficient)
		buf_putc(b, pp->optional ? '?' : '!');
	if (pp->cond) {
		buf_puts(b, " if (");
		print_expr(b, pp->cond);
		buf_putc(b, ')');
	}
}

static void print_global(struct buf *b, const struct symbol *sym)
{
	buf_printf(b, "%sglobal %s%s", sym->is_private ? "private " : "", sym->name,
		   sym->wrap ? "%" : "");
	if (sym->size)
		buf_printf(b, "[%" PRId64 "]", sym->size);
	if (sym->init) {
		buf_puts(b, " = ");
		literal(b, sym->init);
	}
	buf_putc(b, '\n');
}

/* The type a declaration was written with; inferred ones are not part of the text. */
static void declared(struct buf *b, enum type t, struct range where)
{
	if (where.src && (t == T_LONG || t == T_STRING))
		buf_printf(b, ":%s", print_type_name(t));
}

static void print_function(struct buf *b, const struct function *f)
{
	buf_printf(b, "%sfunction %s", f->is_private ? "private " : "", f->name);
	declared(b, f->declared, f->name_range);
	buf_puts(b, " (");
	for (size_t i = 0; i < f->params.n; i++) {
		buf_printf(b, "%s%s", i ? ", " : "", f->params.v[i]->name);
		declared(b, f->params.v[i]->type, f->params.v[i]->type_range);
	}
	buf_putc(b, ')');
	if (f->has_priority)
		buf_printf(b, " :%" PRId64, f->priority);
	buf_putc(b, ' ');
	if (f->body)
		block(b, f->body, 0);
	else
		buf_printf(b, "%%{%.*s%%}", (int)f->embedded_len, f->embedded);
	buf_putc(b, '\n');
}

static void print_probe(struct buf *b, const struct probe_decl *d)
{
	buf_printf(b, "%sprobe ", d->is_private ? "private " : "");
	for (size_t i = 0; i < d->names.n; i++) {
		print_probe_point(b, d->names.v[i]);
		buf_puts(b, i + 1 == d->names.n && d->epilogue_form ? " += " : " = ");
	}
	for (size_t i = 0; i < d->points.n; i++) {
		if (i)
			buf_puts(b, ",\n\t");
		print_probe_point(b, d->points.v[i]);
	}
	buf_putc(b, ' ');
	block(b, d->body, 0);
	if (d->epilogue) {
		buf_puts(b, ", ");
		block(b, d->epilogue, 0);
	}
	buf_putc(b, '\n');
}

void print_script(struct buf *b, const struct script *s)
{
	vec_each(d, &s->order) {
		switch (d->kind) {
		case DECL_GLOBAL:
			print_global(b, d->node);
			break;
		case DECL_FUNCTION:
			print_function(b, d->node);
			break;
		case DECL_PROBE:
		case DECL_ALIAS:
			print_probe(b, d->node);
			break;
		case DECL_EMBEDDED:
			print_expr(b, d->node);
			buf_putc(b, '\n');
			break;
		}
	}
}
