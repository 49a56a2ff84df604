/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Emits what a return probe does at the entry of its function: at most two functions of type bool,
 * which return false if this call is not wanted.
 *
 *   cond_N    the condition, if it needs no context: runs before the call takes an instance
 *   entry_N   fills struct saved_N, which is stored with the call, and tests conditions on it
 *
 * Conditions are that of the probe point, `if (...) next` at the beginning of the body, and an `if`
 * that is the whole body. A condition is decided at the entry only if it would have the same value
 * at the return: if it consists of entry values, constants, globals that nothing writes while
 * probes run, and functions that are `fixed`. Otherwise it stays in the handler.
 *
 * Whether a call belongs to a chain of calls (.callee().return) is tested at the entry as well,
 * because after the return the stack does not show it.
 *
 * Most of these functions only read registers. They get no context, only the registers and the
 * memory for the values (PRT_ENTRY_FULL is not set): they can't fail, and call only functions that
 * are `light`.
 */
#include <string.h>

#include "emit/access.h"
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/graph.h"
#include "emit/probe.h"
#include "emit/stmt.h"
#include "emit/value.h"

struct decision {
	struct expr *e;
	bool negate;
};

struct decisions {
	VEC(struct decision) v;
};

void emit_entry_callees(struct emit *e, const struct probe *p,
			void (*visit)(struct emit_finfo *fi, void *data), void *data)
{
	emit_func_callees(e, p->body, p->cond, visit, data);
	emit_func_callees(e, p->entry, NULL, visit, data);
}

/* ---- code that needs no context ---- */

static bool visit_plain(struct expr **px, void *data)
{
	const struct expr *x = *px;
	bool *plain = data;

	switch (x->kind) {
	case EX_NUM: case EX_UNARY: case EX_BINARY: case EX_COND: case EX_CALL:
		break;
	case EX_NAME:
		*plain &= x->u.name.sym->kind == SYM_PARAM;
		break;
	default:
		*plain = false;
	}
	return *plain;
}

bool emit_entry_plain(const struct function *f)
{
	const struct stmt *s = f->body;
	bool plain = true;
	struct visitor v = { .expr = visit_plain, .data = &plain };
	struct expr *x;

	while (s && s->kind == ST_BLOCK && s->u.block.n == 1)
		s = s->u.block.v[0];
	if (!s || s->kind != ST_RETURN || !s->u.expr)
		return false;
	x = s->u.expr;
	walk_expr(&x, &v);
	return plain;
}

/* ---- decisions at the entry ---- */

struct decision_look {
	struct emit *e;
	bool fixed;      /* all of it is fixed */
	bool any;        /* it has something other than literals */
	bool values;     /* it uses values of @entry() */
};

static bool is_fixed_call(struct emit *e, const struct expr *x)
{
	vec_each(f, &x->u.call.targets)
		if (!emit_func_info(e, *f)->fixed)
			return false;
	return true;
}

static bool look_at(struct expr **px, void *data)
{
	struct decision_look *l = data;
	const struct expr *x = *px;
	const struct access *ac = x->kind == EX_CONTEXT ? x->u.context.access : NULL;
	const struct symbol *sym = x->kind == EX_NAME ? x->u.name.sym : NULL;

	switch (x->kind) {
	case EX_NUM: case EX_STR: case EX_UNARY: case EX_BINARY: case EX_COND:
		break;
	case EX_NAME:
		l->values |= sym->kind == SYM_ENTRY;
		l->fixed &= sym->kind == SYM_ENTRY ||
			    (sym->kind == SYM_GLOBAL && sym->storage == STORE_UNLOCKED);
		l->any = true;
		break;
	case EX_CALL:
		l->fixed &= is_fixed_call(l->e, x);
		l->any = true;
		break;
	case EX_CONTEXT:
		l->fixed &= ac && ac->at_entry_saved && ac->result == AR_VALUE && !ac->steps.n;
		l->any = true;
		break;
	default:
		l->fixed = false;
	}
	return l->fixed;
}

static bool is_fixed(struct emit *e, struct expr *x, bool *values)
{
	struct decision_look l = { .e = e, .fixed = true };
	struct visitor v = { .expr = look_at, .data = &l };

	walk_expr(&x, &v);
	*values |= l.fixed && l.values;
	return l.fixed && l.any;
}

static void drop_first(struct emit_stmts *list)
{
	list->v.n--;
	memmove(list->v.v, list->v.v + 1, list->v.n * sizeof(*list->v.v));
}

/* Removes the conditions at the beginning of @list that are decided at the entry. */
static void decide(struct emit *e, struct expr **cond, struct emit_stmts *list,
		   struct decisions *ret, bool *values)
{
	if (*cond && is_fixed(e, *cond, values)) {
		struct decision d = { *cond, false };

		vec_push(e->a, &ret->v, d);
		*cond = NULL;
	}
	while (list->v.n) {
		struct stmt *s = list->v.v[0];

		if (s->kind == ST_EMPTY) {
			drop_first(list);
			continue;
		}
		if (s->kind != ST_IF || s->u.if_.els)
			return;

		struct decision d = { s->u.if_.c, emit_is_next(s->u.if_.then) };

		if ((!d.negate && list->v.n > 1) || !is_fixed(e, s->u.if_.c, values))
			return;
		vec_push(e->a, &ret->v, d);
		if (d.negate)
			drop_first(list);
		else
			list->v.v[0] = s->u.if_.then;
		if (!d.negate)
			return;
	}
}

/* ---- the functions ---- */

struct entry_fn {
	struct emit_fn fn;
	struct emit_label out;
	struct probe probe;  /* without its locals, which belong to the handler */
};

static void begin(struct emit *e, struct entry_fn *en, struct probe *p, const char *name)
{
	emit_func_begin(e, &en->fn, arena_printf(e->a, "%s_%d", name, p->index));
	en->probe = *p;
	en->probe.locals.n = 0;
	en->out = (struct emit_label){ .name = "out" };
	en->fn.probe = &en->probe;
	en->fn.fail = en->fn.leave = &en->out;
	en->fn.at_entry = true;
}

/* @small: worth inlining into its callers. */
static unsigned finish(struct emit *e, struct entry_fn *en, const char *name, bool small)
{
	emit_line(e, "r = true;");
	return emit_func_finish(e, arena_printf(e->a, "%s bool %s_%d(struct prt_ctx *c)",
						small ? "PRT_INLINE" : "static", name,
						en->probe.index), "bool r = false", &en->out);
}

static void test(struct emit *e, const struct decisions *all)
{
	vec_each(d, &all->v) {
		struct emit_marks m = emit_mark(e);
		struct emit_cond cond;

		emit_comment(e, d->e->range, d->e->range.end);
		cond = emit_expr_cond(e, d->e);
		emit_line(e, "if (%s)", d->negate ? cond.text : emit_expr_negated(e, cond));
		e->fn->depth++;
		emit_goto(e, e->fn->leave);
		e->fn->depth--;
		emit_release(e, m);
	}
}

static bool is_full(const struct emit_fn *fn)
{
	return fn->can_fail || fn->needs_workspace || fn->heavy || fn->makes_elements ||
	       fn->max[TMP_ITER] || fn->prints;
}

/* Writes cond_N. Returns false if it would need a context. */
static bool emit_cond(struct emit *e, struct probe *p, const struct decisions *all)
{
	struct entry_fn en;

	begin(e, &en, p, "cond");
	test(e, all);
	if (is_full(&en.fn)) {
		buf_deinit(&en.fn.body);
		e->fn = NULL;
		return false;
	}
	finish(e, &en, "cond", !e->compact);
	return true;
}

struct used {
	bool *indices, any;
};

static bool visit_saved(struct expr **px, void *data)
{
	const struct access *ac = (*px)->kind == EX_CONTEXT ? (*px)->u.context.access : NULL;
	struct used *u = data;

	if (ac && ac->at_entry_saved)
		u->indices[ac->saved_index] = u->any = true;
	return true;
}

/* Finds the parameters that the handler still uses. */
static void find_used(struct used *u, struct expr *cond, const struct emit_stmts *list)
{
	struct visitor v = { .expr = visit_saved, .data = u };

	walk_expr(&cond, &v);
	vec_each(s, &list->v)
		walk_stmt(s, &v);
}

static void save_values(struct emit *e, const struct probe *p, const struct used *used)
{
	for (size_t i = 0; i < p->saved.n; i++) {
		if (!used->indices[i])
			continue;
		if (p->saved.v[i].base == AB_REG_ARG) {
			emit_line(e, "c->saved[%zu] = prt_arg_reg(c, %u);", i, p->saved.v[i].n);
			continue;
		}
		emit_line(e, "c->saved[%zu] = %s;", i,
			  emit_access_slot(e, p->saved.v[i].base, p->saved.v[i].n,
					   probe_is_user(p), p->range));
		emit_fail_if(e, "c->err");
	}
}

/* ---- struct saved_N ---- */

/* The bytes that an entry value takes: 8, but a smaller scalar of the kernel keeps its size. */
static unsigned size_of(const struct emit *e, const struct symbol *sym, const struct stmt *st,
			bool *is_signed)
{
	const struct expr *x = st->u.expr->u.assign.right;
	const struct access *ac = x->kind == EX_CONTEXT ? x->u.context.access : NULL;

	*is_signed = true;
	if (sym->type == T_STRING)
		return 4 + (unsigned)e->maxstr;
	if (!ac || ac->is_floating || ac->bit_size || ac->is_pointer || ac->result == AR_SHOW ||
	    ac->size > 4)
		return 8;
	*is_signed = ac->is_signed;
	return ac->size;
}

static const char *c_type(unsigned size, bool is_signed)
{
	switch (size) {
	case 1: return is_signed ? "signed char" : "u8";
	case 2: return is_signed ? "short" : "u16";
	case 4: return is_signed ? "int" : "u32";
	default: return "s64";
	}
}

/* Members with large alignment come first, so that there is no padding. */
static void saved_struct(struct emit *e, const struct probe *p, bool any_value)
{
	static const unsigned turns[] = { 8, 4, 0, 2, 1 };

	buf_printf(e->out, "struct saved_%d {\n", p->index);
	if (any_value)
		buf_printf(e->out, "\tu64 values[%zu];\n", p->saved.n);
	for (size_t turn = 0; turn < sizeof(turns) / sizeof(*turns); turn++) {
		for (size_t i = 0; i < p->entries.n; i++) {
			const struct symbol *sym = p->entries.v[i];
			bool is_signed, text = sym->type == T_STRING;
			unsigned size = size_of(e, sym, p->entry->u.block.v[i], &is_signed);

			if (turns[turn] != (text ? 0 : size))
				continue;
			if (sym->object_size)
				buf_printf(e->out, "\tu64 e_%s[%u];\n", sym->cname,
					   (sym->object_size + 7) / 8);
			else if (text)
				buf_printf(e->out, "\tPRT_STRBUF(e_%s, PRT_MAXSTRINGLEN);\n",
					   sym->cname);
			else
				buf_printf(e->out, "\t%s e_%s;\n", c_type(size, is_signed),
					   sym->cname);
		}
	}
	buf_puts(e->out, "} __attribute__((aligned(8)));\n\n");
}

void emit_entry(struct emit *e, struct probe *p, struct expr **cond, struct emit_stmts *list)
{
	struct emit_entry *to = &e->entries[p->index];
	struct decisions all = { 0 };
	struct emit_stmts values = { 0 };
	struct used used = { 0 };
	bool wants_values = false, chain = emit_chain_asked(p);
	struct entry_fn en;

	decide(e, cond, list, &all, &wants_values);
	used.indices = arena_alloc(e->a, p->saved.n + 1);
	find_used(&used, *cond, list);
	for (size_t i = 0; i < p->saved.n; i++)
		if (p->saved.v[i].in_function)
			used.indices[i] = used.any = true;
	to->data = used.any || p->entries.n;
	if (to->data)
		saved_struct(e, p, used.any);
	if (all.v.n && !wants_values)
		to->cond = emit_cond(e, p, &all);
	if (to->cond)
		all.v.n = 0;
	to->entry = to->data || all.v.n || chain;
	if (!to->entry)
		return;
	begin(e, &en, p, "entry");
	en.fn.keeps_match = en.fn.needs_workspace = e->p->groups_used;
	if (chain) {
		emit_chain_tables(e, p);
		emit_chain_test(e, p);
	}
	save_values(e, p, &used);
	for (size_t i = 0; i < p->entries.n; i++)
		vec_push(e->a, &values.v, p->entry->u.block.v[i]);
	emit_probe_statements(e, p, NULL, &values, arena_printf(e->a, "locks_entry_%d", p->index),
			      &en.out);
	test(e, &all);
	to->tests = all.v.n || chain;
	to->full = chain || is_full(&en.fn);
	to->workspace = finish(e, &en, "entry", !e->compact && !to->full);
	emit_switch_put_entry(e, p);
}
