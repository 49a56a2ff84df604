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
 */
#include "emit/private.h"
#include "program/access.h"

struct read_walk {
	struct emit *e;
	bool found;
};

static bool reads_memory(const struct access *ac)
{
	if (ac->result != AR_VALUE || ac->base == AB_STACK_ARG || ac->base == AB_LOCATION)
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
	if (!probe_is_user(p))
		return false;
	return emit_rehearse_reads(e, p->body, p->cond) || emit_rehearse_reads(e, p->entry, NULL);
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

	if (x && (x->type == T_LONG || x->type == T_STRING || x->type == T_STACK))
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
