/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints the tree as text that can be parsed again to the same tree. So an "if" gets braces if
 * another "if" would take its "else", and every statement that could continue with the next one
 * ends with ";".
 */
#include "ast/print.h"

#include <inttypes.h>
#include <string.h>

const char *print_type_name(enum type t)
{
	switch (t) {
	case T_LONG: return "long";
	case T_DOUBLE: return "double";
	case T_STRING: return "string";
	case T_STACK: return "stack";
	case T_STATS: return "stats";
	case T_VOID: return "void";
	case T_UNKNOWN: break;
	}
	return "unknown";
}

/* ---- statements ---- */

static void indent(struct buf *b, int depth)
{
	while (depth-- > 0)
		buf_putc(b, '\t');
}

/* Prints a block from its "{" to its "}", without a newline at the end. */
static void block(struct buf *b, const struct stmt *s, int depth)
{
	buf_puts(b, "{\n");
	vec_each(it, &s->u.block)
		print_stmt(b, *it, depth + 1);
	indent(b, depth);
	buf_putc(b, '}');
}

/* Prints the statement that follows a head: a block on the same line, anything else on its own
 * line. Returns true after a block, whose last line is left open. */
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

/* Whether an "else" after @s would belong to an "if" in it. */
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
		buf_printf(b, " %s", print_agg_name(fe->sort_agg));
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
	if (sym->order_dir)
		buf_printf(b, " %s%c", print_agg_name(sym->order_agg),
			   sym->order_dir > 0 ? '+' : '-');
	buf_putc(b, '\n');
}

/* Prints the type of a declaration. An inferred type is not a part of the text. */
static void declared(struct buf *b, enum type t, struct range where)
{
	if (where.src && (ast_is_word(t) || t == T_STRING))
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

static void print_printer(struct buf *b, const struct printer_decl *d)
{
	static const char *const names[] = {
#define PRINTER(kind, text, least, most) [kind] = text,
#include "ast/printers.def"
	};

	buf_puts(b, "printer ");
	vec_each(t, &d->types) {
		buf_printf(b, "%s%s(", t == d->types.v ? "" : ", ", t->language);
		buf_put_quoted(b, t->pattern, strlen(t->pattern));
		buf_putc(b, ')');
	}
	buf_printf(b, " = %s(", names[d->kind]);
	vec_each(arg, &d->args) {
		buf_puts(b, arg == d->args.v ? "" : ", ");
		print_expr(b, *arg);
	}
	buf_puts(b, ")\n");
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
		case DECL_PRINTER:
			print_printer(b, d->node);
			break;
		}
	}
}
