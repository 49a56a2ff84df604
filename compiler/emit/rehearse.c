/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rehearsals: how a handler in a program reads memory that is not resident.
 *
 * A handler runs with interrupts off, so it cannot wait for a page that was never touched or was
 * swapped out. The place in a program where it was hit may wait: it is the process itself, in the
 * process's own context. It must do so before the handler has had any effect, because half a hit
 * can be neither undone nor done again.
 *
 * For each handler that reads the memory of its process there is therefore a second function,
 * rehearse_N: the same statements without their effects. It changes no global and no array, prints
 * nothing, calls no function that has effects, but evaluates all operands, follows the same
 * branches and fills the same local variables. runtime/attach/rehearse.c runs it first; as long as
 * a read fails it brings that page in and runs it again; then, with interrupts still off, so that
 * no page of the process can be taken away (the processor that unmaps one waits until all others
 * have answered), it runs the handler.
 *
 * A rehearsal and its handler part where a branch depends on an effect of the same hit
 * (`if (n++ == 0) ... if (n == 1) ...`). What the handler alone reads then is read as in the
 * kernel: where the page is resident.
 *
 * A script's own function that has effects and reads such memory has its rehearsal as well.
 *
 * Most handlers need no rehearsal where the pages are resident, because they read before they have
 * any effect, and a read that fails ends them (emit_rehearse_reads_first). The fast path of
 * breakpoints runs such a handler at once, as an attempt: if a read failed, nothing was done, and
 * the hit goes the slow way, as if the handler had not run. A handler has to be proved to be one of
 * these; in doubt it is not.
 */
#include "emit/embedded.h"
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/graph.h"
#include "emit/rehearse.h"
#include "emit/value.h"
#include "program/access.h"

struct read_walk {
	struct emit *e;
	bool found;
};

static bool reads_memory(const struct access *ac)
{
	if (ac->result != AR_VALUE || ac->base == AB_STACK_ARG ||
	    ac->base == AB_STACK_ARG_32 || ac->base == AB_STACK_PAIR_32 || ac->base == AB_LOCATION)
		return true;
	for (size_t i = 0; i < ac->steps.n; i++)
		if (ac->steps.v[i].kind == AS_DEREF)
			return true;
	return false;
}

static bool visit_read(struct expr **x, void *data)
{
	struct read_walk *w = data;

	if ((*x)->kind == EX_CONTEXT && (*x)->u.context.access)
		w->found |= (*x)->u.context.access->of_user &&
			    reads_memory((*x)->u.context.access);
	if ((*x)->kind == EX_CALL)
		vec_each(f, &(*x)->u.call.targets)
			w->found |= emit_func_info(w->e, *f)->reads_user;
	return !w->found;
}

bool emit_rehearse_reads(struct emit *e, struct stmt *s, struct expr *x)
{
	struct read_walk w = { .e = e };
	struct visitor v = { .expr = visit_read, .data = &w };

	walk_stmt(&s, &v);
	walk_expr(&x, &v);
	return w.found;
}

bool emit_rehearse_wanted(struct emit *e, const struct probe *p)
{
	/* The exception of a watchpoint can't bring memory in. */
	if (!probe_is_user(p) || p->kind == PK_WATCH)
		return false;
	return emit_rehearse_reads(e, p->body, p->cond) || emit_rehearse_reads(e, p->entry, NULL);
}

/* Looks at a handler in the order in which it is evaluated. */
struct order_walk {
	struct emit *e;
	bool effect;     /* what follows may come after an effect */
	bool fails;      /* a read may come after an effect, or its error may be caught */
	unsigned left;   /* statements and expressions that are still looked at */
};

enum { ORDER_MOST = 1000 };

static void order_read(struct order_walk *w)
{
	w->fails |= w->effect;
}

static void order_function(struct order_walk *w, const struct function *f);

static void order_call(struct order_walk *w, const struct expr *x)
{
	vec_each(f, &x->u.call.targets)
		order_function(w, *f);
}

static void order_target(struct order_walk *w, const struct expr *left)
{
	if (left->kind == EX_CONTEXT)
		w->fails = true;
	else
		w->effect |= ast_base_symbol(left)->kind == SYM_GLOBAL ||
			     ast_base_symbol(left)->kind == SYM_ENTRY;
}

static bool order_enter(struct expr **x, void *data)
{
	struct order_walk *w = data;

	(void)x;
	w->fails |= !w->left;
	w->left -= !w->fails;
	return !w->fails;
}

static void order_leave(struct expr **px, void *data)
{
	struct order_walk *w = data;
	struct expr *x = *px;

	switch (x->kind) {
	case EX_ASSIGN:
		order_target(w, x->u.assign.left);
		break;
	case EX_INCDEC:
		order_target(w, x->u.incdec.a);
		break;
	case EX_CALL:
		order_call(w, x);
		break;
	case EX_PRINT:
		w->effect |= !PRINT_IS_SPRINT(x->u.print.kind);
		break;
	case EX_CONTEXT:
		if (!x->u.context.access || !x->u.context.access->of_user)
			break;
		/* Shown memory that can't be read is part of the text. */
		w->fails |= x->u.context.access->result != AR_VALUE;
		if (reads_memory(x->u.context.access))
			order_read(w);
		break;
	case EX_AT: case EX_DEREF: case EX_EMBEDDED:
		w->fails = true;
		break;
	default:
		break;
	}
}

static bool order_stmt(struct stmt **s, void *data)
{
	struct order_walk *w = data;

	switch ((*s)->kind) {
	case ST_WHILE: case ST_FOR: case ST_FOREACH:
		/* The effects of a loop precede the reads of its next round. */
	case ST_DELETE:
		w->effect = true;
		break;
	case ST_TRY:
		w->fails = true;
		break;
	default:
		break;
	}
	w->fails |= !w->left;
	w->left -= !w->fails;
	return !w->fails;
}

static void order_walk(struct order_walk *w, struct expr *x, struct stmt *s)
{
	struct visitor v = { .expr = order_enter, .expr_post = order_leave, .stmt = order_stmt,
			     .data = w };

	walk_expr(&x, &v);
	walk_stmt(&s, &v);
}

static void order_function(struct order_walk *w, const struct function *f)
{
	const struct emit_finfo *fi = emit_func_info(w->e, f);

	if (f->recursive || (!f->body && !emit_embedded_native(f))) {
		w->fails = true;
		return;
	}
	w->effect |= !f->pure;
	if (f->body)
		order_walk(w, NULL, f->body);
	else if (fi->reads_user || ast_mentions(f, "prt_argument"))
		order_read(w);
}

bool emit_rehearse_reads_first(struct emit *e, const struct probe *p)
{
	struct order_walk w = { .e = e, .left = ORDER_MOST };

	if (site_kind_is_return(p->kind) || !emit_rehearse_wanted(e, p))
		return false;
	order_walk(&w, p->cond, NULL);
	order_walk(&w, NULL, p->body);
	return !w.fails;
}

bool emit_rehearse_function(const struct emit_finfo *fi)
{
	return fi->func->body && !fi->func->pure && fi->reads_user;
}

bool emit_rehearse_left(const struct emit_fn *fn, const struct emit_finfo *fi)
{
	return fn->rehearses && !fi->func->pure && !emit_rehearse_function(fi);
}

bool emit_rehearse_keeps(const struct emit_fn *fn, const struct symbol *sym)
{
	return !fn->rehearses || (sym->kind != SYM_GLOBAL && sym->kind != SYM_ENTRY);
}

void emit_rehearse_drop(struct emit *e, struct emit_val v)
{
	/* Keeps gcc quiet about an unused temporary. */
	if (v.hold != V_CONST)
		emit_line(e, "(void)%s;", emit_val_operand(e, v));
}

void emit_rehearse_operand(struct emit *e, struct expr *x)
{
	struct emit_marks m = emit_mark(e);

	if (x && (ast_is_word(x->type) || x->type == T_STRING))
		emit_rehearse_drop(e, emit_expr_value(e, x));
	emit_release(e, m);
}

struct emit_val emit_rehearse_assigned(struct emit *e, struct expr *left, struct expr *right,
				       bool want)
{
	if (want)
		return emit_expr_value(e, right ? right : left);
	emit_rehearse_operand(e, right);
	return emit_val_num(e, 0);
}

struct emit_val emit_rehearse_nothing(struct emit *e, enum type type)
{
	if (type == T_STRING)
		return emit_val_str(e, "", 0);
	return type == T_STACK ? emit_val_text("0", T_STACK, V_STABLE) : emit_val_num(e, 0);
}
