/* SPDX-License-Identifier: GPL-2.0 */
/* The storage of variables in C: longs in locals, strings in the workspace, globals in the bank or
 * as variables of their own. */
#include "emit/agg.h"
#include "emit/function.h"
#include "emit/rehearse.h"
#include "emit/value.h"

struct assigned {
	const struct symbol *sym;
	bool found;
};

static bool is_name_of(const struct expr *x, const struct symbol *sym)
{
	return x && x->kind == EX_NAME && x->u.name.sym == sym;
}

static bool visit_expr(struct expr **e, void *data)
{
	struct assigned *as = data;

	if ((*e)->kind == EX_ASSIGN)
		as->found |= is_name_of((*e)->u.assign.left, as->sym);
	if ((*e)->kind == EX_INCDEC)
		as->found |= is_name_of((*e)->u.incdec.a, as->sym);
	return true;
}

static bool visit_stmt(struct stmt **s, void *data)
{
	struct assigned *as = data;

	if ((*s)->kind == ST_FOREACH) {
		as->found |= is_name_of((*s)->u.foreach.value, as->sym);
		vec_each(k, &(*s)->u.foreach.keys)
			as->found |= is_name_of(*k, as->sym);
	}
	if ((*s)->kind == ST_TRY)
		as->found |= is_name_of((*s)->u.try_.var, as->sym);
	if ((*s)->kind == ST_DELETE)
		as->found |= is_name_of((*s)->u.expr, as->sym);
	return true;
}

bool emit_name_in_workspace(const struct emit_fn *fn, const struct symbol *sym)
{
	if (sym->type != T_STRING || sym->kind == SYM_GLOBAL || sym->kind == SYM_ENTRY)
		return false;
	if (sym->kind == SYM_LOCAL)
		return true;
	if (!fn->func || !fn->func->body)
		return false;

	struct assigned as = { .sym = sym };
	struct visitor v = { .expr = visit_expr, .stmt = visit_stmt, .data = &as };
	struct stmt *body = fn->func->body;

	walk_stmt(&body, &v);
	return as.found;
}

const char *emit_name_lvalue(struct emit *e, const struct symbol *sym)
{
	const char *member = sym->is_array ? "" : sym->type == T_STRING ? ".b" :
			     sym->type == T_STATS ? ".s" : "";

	if (sym->kind == SYM_GLOBAL)
		return arena_printf(e->a, "%sg_%s%s", sym->storage == STORE_PERCPU ? "BANK->" : "",
				    sym->cname, member);
	if (sym->kind == SYM_ENTRY) {
		e->fn->uses_context = true;
		return arena_printf(e->a, "((struct saved_%d *)c->saved)->e_%s%s",
				    e->fn->probe->index, sym->cname, member);
	}
	if (emit_name_in_workspace(e->fn, sym)) {
		e->fn->needs_workspace = true;
		return arena_printf(e->a, "f->l_%s.b", sym->cname);
	}
	return arena_printf(e->a, "%c_%s", sym->kind == SYM_PARAM ? 'p' : 'l', sym->cname);
}

struct emit_val emit_name_read(struct emit *e, struct symbol *sym)
{
	const char *text = emit_name_lvalue(e, sym);
	enum emit_hold hold = sym->kind == SYM_GLOBAL ? V_SHARED : V_LOCAL;

	if (sym->kind != SYM_GLOBAL && sym->kind != SYM_ENTRY)
		map_set(&e->fn->reads, sym->cname, sym);
	if (sym->object_size)
		return emit_val_text(arena_printf(e->a, "(s64)%s", text), T_LONG, V_STABLE);
	if (sym->kind == SYM_ENTRY && sym->type != T_STRING)
		return emit_val_text(arena_printf(e->a, "(s64)%s", text), sym->type, V_STABLE);
	if (sym->type != T_STRING)
		return emit_val_text(text, sym->type, hold);
	if (sym->kind == SYM_PARAM && !emit_name_in_workspace(e->fn, sym))
		return emit_val_text(text, T_STRING, V_STABLE);
	return emit_val_text(arena_printf(e->a, "prt_str_get(&%s)", text), T_STRING, hold);
}

void emit_name_store(struct emit *e, const struct symbol *sym, struct emit_val v)
{
	const char *to;

	if (!emit_rehearse_keeps(e->fn, sym)) {
		emit_rehearse_drop(e, v);
		return;
	}
	to = emit_name_lvalue(e, sym);
	if (sym->type == T_STRING)
		emit_line(e, "prt_str_set(&%s, %s);", to, emit_val_operand(e, v));
	else
		emit_line(e, "%s = %s;", to, sym->kind == SYM_LOCAL ? v.text :
			  emit_val_lasting(e, v).text);
}

static void declare(struct emit *e, const struct symbol *sym, const char *pre)
{
	buf_puts(e->out, pre);
	if (sym->is_array)
		buf_printf(e->out, "struct prt_map_ref g_%s;\n", sym->cname);
	else if (sym->type == T_STRING)
		buf_printf(e->out, "PRT_STRBUF(g_%s, PRT_MAXSTRINGLEN);\n", sym->cname);
	else if (sym->type == T_STATS)
		buf_printf(e->out,
			   "union { struct prt_stat s; "
			   "u64 room[sizeof(struct prt_stat) / 8 + %s]; } g_%s;\n",
			   emit_agg_room(e, sym), sym->cname);
	else
		buf_printf(e->out, "s64 g_%s;\n", sym->cname);
}

void emit_name_globals(struct emit *e)
{
	bool any = false;

	vec_each(it, &e->p->globals) {
		if ((*it)->storage != STORE_PERCPU)
			continue;
		if (!any)
			buf_puts(e->out, "/* Globals of which every CPU has its own; the session's "
				 "totals have the same shape. */\nstruct bank {\n");
		any = true;
		declare(e, *it, "\t");
	}
	if (any)
		buf_puts(e->out, "};\n#define BANK ((struct bank *)c->bank)\n\n");
	any = false;
	vec_each(it, &e->p->globals) {
		if ((*it)->storage == STORE_PERCPU)
			continue;
		any = true;
		declare(e, *it, "static ");
	}
	if (any)
		buf_putc(e->out, '\n');
	if (e->p->globals.n)
		buf_printf(e->out, "static const struct prt_global globals[%zu];\n\n",
			   e->p->globals.n);
}
