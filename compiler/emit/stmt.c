/* SPDX-License-Identifier: GPL-2.0 */
/* Statements except foreach. */
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/graph.h"
#include "emit/map.h"
#include "emit/stmt.h"
#include "emit/value.h"

bool emit_is_next(const struct stmt *s)
{
	while (s->kind == ST_BLOCK && s->u.block.n == 1)
		s = s->u.block.v[0];
	return s->kind == ST_NEXT;
}

void emit_stmt_loop_head(struct emit *e, struct range r, struct stmt *body)
{
	struct emit_fn *fn = e->fn;

	emit_line(e, "PRT_STEPS(c, %u, %u, %s);", emit_func_steps(e, body), emit_srcloc(e, r),
		  fn->fail->name);
	fn->fail->used++;
	fn->can_fail = true;
	if (fn->probe && !site_kind_is_hot(fn->probe->kind) && !fn->locked)
		emit_line(e, "prt_breathe(c);");
	if (!fn->func)
		return;

	struct emit_finfo *fi = emit_func_info(e, fn->func);

	/* A function that uses locked globals is called only with the locks held. */
	if (fi->in_process && !fi->touches_locked) {
		emit_line(e, "if (!c->locked)");
		emit_line(e, "\tprt_breathe(c);");
	}
}

/*
 * From this depth on, the variables of the function are volatile: gcc splits the live range of each
 * variable at each loop across which it lives, and its time grows with the cube of the depth.
 */
#define DEEP_LOOPS 12

void emit_stmt_loop_body(struct emit *e, struct stmt *body, struct emit_label *on_continue)
{
	struct emit_loop loop = { .on_continue = on_continue, .outer = e->fn->loop };

	loop.depth = loop.outer ? loop.outer->depth + 1 : 1;
	e->fn->deep_loops |= loop.depth >= DEEP_LOOPS;
	e->fn->loop = &loop;
	emit_stmt(e, body);
	e->fn->loop = loop.outer;
}

/* Opens the loop, in one line if the condition is a plain expression. */
static void open_while(struct emit *e, struct expr *cond)
{
	size_t pos = e->fn->body.len;
	struct emit_cond c;
	const char *text;

	if (!cond) {
		emit_open(e, "for (;;)");
		return;
	}
	e->fn->depth++;
	c = emit_expr_cond(e, cond);
	text = emit_cut(e, pos);
	e->fn->depth--;
	if (!*text) {
		emit_open(e, "while (%s)", c.text);
		return;
	}
	emit_open(e, "for (;;)");
	buf_puts(&e->fn->body, text);
	emit_line(e, "if (%s)", emit_expr_negated(e, c));
	emit_line(e, "\tbreak;");
}

static void while_loop(struct emit *e, struct stmt *s)
{
	emit_comment(e, s->range, s->u.while_.body->range.start);
	open_while(e, s->u.while_.c);
	emit_stmt_loop_head(e, s->range, s->u.while_.body);
	emit_stmt_loop_body(e, s->u.while_.body, NULL);
	emit_close(e);
}

static void for_loop(struct emit *e, struct stmt *s)
{
	struct emit_label *step = NULL;

	emit_comment(e, s->range, s->u.for_.body->range.start);
	if (s->u.for_.init)
		emit_expr_discard(e, s->u.for_.init);
	if (s->u.for_.step)
		step = emit_label_new(e, "step");
	open_while(e, s->u.for_.c);
	emit_stmt_loop_head(e, s->range, s->u.for_.body);
	emit_stmt_loop_body(e, s->u.for_.body, step);
	if (step) {
		emit_label_put(e, step);

		size_t pos = e->fn->body.len;

		emit_expr_discard(e, s->u.for_.step);
		if (step->used && e->fn->body.len == pos)
			emit_line(e, ";");
	}
	emit_close(e);
}

static void if_else(struct emit *e, struct stmt *s)
{
	struct emit_marks m = emit_mark(e);
	bool shares;

	emit_comment(e, s->range, s->u.if_.then->range.start);
	shares = emit_map_share(e, &s->u.if_.c, 1);
	emit_open(e, "if (%s)", emit_expr_cond(e, s->u.if_.c).text);
	emit_map_share_end(e, shares);
	emit_release(e, m);
	emit_stmt(e, s->u.if_.then);
	if (s->u.if_.els) {
		e->fn->depth--;
		emit_line(e, "} else {");
		e->fn->depth++;
		emit_stmt(e, s->u.if_.els);
	}
	emit_close(e);
}

static void leave(struct emit *e, struct stmt *s)
{
	struct function *f = e->fn->func;

	if (s->kind == ST_NEXT && f)
		emit_line(e, "*next = true;");
	if (s->kind == ST_RETURN && s->u.expr && f) {
		struct emit_val v;

		emit_comment(e, s->range, s->range.end);
		e->fn->returned = s->u.expr;
		v = emit_expr_whole(e, s->u.expr);
		e->fn->returned = NULL;
		if (f->ret == T_STRING)
			emit_line(e, "r = prt_str_returned(ret, %s);", emit_val_operand(e, v));
		else if (ast_is_word(f->ret))
			emit_line(e, "r = %s;", v.text);
	}
	emit_goto(e, e->fn->leave);
}

/*
 * Errors in the body go to the label of the catch, those in the catch block where they went before.
 * The catch closes what was opened in the body (iterators); callees have closed their own.
 */
static void try_catch(struct emit *e, struct stmt *s)
{
	struct emit_fn *fn = e->fn;
	struct emit_label *caught = emit_label_new(e, "catch"), *done = emit_label_new(e, "tried");
	struct emit_label *outer = fn->fail;
	unsigned open = fn->now[TMP_ITER], inner = fn->max[TMP_ITER];
	bool could_fail = fn->can_fail;

	emit_comment(e, s->range, s->u.try_.body->range.start);
	fn->fail = caught;
	fn->max[TMP_ITER] = open;
	fn->tries++;
	emit_stmt(e, s->u.try_.body);
	fn->tries--;
	fn->fail = outer;
	fn->can_fail = could_fail;
	emit_line(e, "if (likely(!c->err))");
	fn->depth++;
	emit_goto(e, done);
	fn->depth--;
	emit_label_put(e, caught);
	emit_fail_if(e, "c->err == PRT_E_ABORT");
	for (unsigned i = fn->max[TMP_ITER]; i-- > open;) {
		emit_line(e, "prt_iter_end(c, it%u);", i);
		emit_line(e, "it%u = NULL;", i);
	}
	if (fn->max[TMP_ITER] < inner)
		fn->max[TMP_ITER] = inner;
	if (s->u.try_.var) {
		struct emit_marks m = emit_mark(e);
		const char *t = emit_temp(e, TMP_STR);

		emit_line(e, "%s = prt_error_text(c, %s);", t, emit_temp(e, TMP_BUF));
		emit_name_store(e, s->u.try_.var->u.name.sym, emit_val_text(t, T_STRING, V_STABLE));
		emit_release(e, m);
	}
	emit_line(e, "prt_error_clear(c);");
	if (s->u.try_.handler)
		emit_stmt(e, s->u.try_.handler);
	emit_label_put(e, done);
	emit_line(e, ";");
}

void emit_stmt(struct emit *e, struct stmt *s)
{
	struct emit_marks m = emit_mark(e);

	switch (s->kind) {
	case ST_BLOCK:
		vec_each(it, &s->u.block)
			emit_stmt(e, *it);
		break;
	case ST_EMPTY:
		break;
	case ST_EXPR:
		emit_comment(e, s->range, s->range.end);
		emit_expr_discard(e, s->u.expr);
		break;
	case ST_IF:
		if_else(e, s);
		break;
	case ST_WHILE:
		while_loop(e, s);
		break;
	case ST_FOR:
		for_loop(e, s);
		break;
	case ST_FOREACH:
		emit_stmt_foreach(e, s);
		break;
	case ST_BREAK:
		emit_line(e, "break;");
		break;
	case ST_CONTINUE:
		if (e->fn->loop && e->fn->loop->on_continue)
			emit_goto(e, e->fn->loop->on_continue);
		else
			emit_line(e, "continue;");
		break;
	case ST_RETURN:
	case ST_NEXT:
		leave(e, s);
		break;
	case ST_DELETE:
		emit_comment(e, s->range, s->range.end);
		emit_map_delete(e, s->u.expr);
		break;
	case ST_TRY:
		try_catch(e, s);
		break;
	}
	emit_release(e, m);
}
