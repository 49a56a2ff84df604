/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Handlers. The locks that a handler needs are known here; they are held from the first to the
 * last statement of the body that uses a locked global, directly or in a function, and dropped on
 * every way out.
 */
#include <stdlib.h>
#include <string.h>

#include "emit/emit.h"

struct stmt_list {
	VEC(struct stmt *) v;
};

/* The body is prologue, user's block and epilogue nested in blocks: what counts is the sequence. */
static void flatten(struct emit *e, struct stmt *s, struct stmt_list *to)
{
	if (!s)
		return;
	if (s->kind != ST_BLOCK) {
		vec_push(e->a, &to->v, s);
		return;
	}
	vec_each(it, &s->u.block)
		flatten(e, *it, to);
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* The text of the array of lock numbers, ascending, each once; returns how many. */
static unsigned lock_table(struct emit *e, const struct probe *p, const char **ret)
{
	int *v = arena_alloc(e->a, (p->locks.n + 1) * sizeof(*v));
	unsigned n = 0, kept = 0;

	vec_each(it, &p->locks)
		if ((*it)->lock >= 0)
			v[n++] = (*it)->lock;
	if (!n)
		return 0;
	qsort(v, n, sizeof(*v), by_number);
	*ret = "";
	for (unsigned i = 0; i < n; i++) {
		if (i && v[i] == v[i - 1])
			continue;
		*ret = arena_printf(e->a, "%s%s%d", *ret, kept++ ? ", " : "", v[i]);
	}
	return kept;
}

static void condition(struct emit *e, struct probe *p)
{
	struct emit_marks m = emit_mark(e);

	if (!p->cond)
		return;
	emit_comment(e, p->cond->range, p->cond->range.end);
	emit_line(e, "if (%s)", emit_negated(e, emit_expr_cond(e, p->cond)));
	e->fn->depth++;
	emit_goto(e, e->fn->leave);
	e->fn->depth--;
	emit_release(e, m);
}

static void lock(struct emit *e, struct probe *p, unsigned n, struct emit_label *unlock)
{
	emit_line(e, "if (unlikely(!prt_lock(c, locks_%d, %u)))", p->index, n);
	e->fn->depth++;
	emit_goto(e, e->fn->leave);
	e->fn->depth--;
	e->fn->fail = e->fn->leave = unlock;
	e->fn->locked = true;
}

/*
 * Statement 0 is the condition, i + 1 is statement i of the body. After the span the handler goes
 * on, or, when a statement in it went out, to the end: the second only needs telling apart where
 * something follows.
 */
static void body(struct emit *e, struct probe *p, struct emit_label *out)
{
	const char *locks;
	unsigned nlocks = lock_table(e, p, &locks);
	struct stmt_list list = { { NULL, 0, 0 } };
	struct emit_label unlock = { .name = "unlock" };
	size_t first = 0, last = 0;
	bool any = false;

	flatten(e, p->body, &list);
	for (size_t i = 0; nlocks && i <= list.v.n; i++) {
		if (!emit_func_touches_locked(e, i ? list.v.v[i - 1] : NULL, i ? NULL : p->cond))
			continue;
		if (!any)
			first = i;
		last = i;
		any = true;
	}
	if (any)
		buf_printf(e->out, "static const u16 locks_%d[] = { %s };\n\n", p->index, locks);
	for (size_t i = 0; i <= list.v.n; i++) {
		if (any && i == first)
			lock(e, p, nlocks, &unlock);
		if (i == 0)
			condition(e, p);
		else
			emit_stmt(e, list.v.v[i - 1]);
		if (!any || i != last)
			continue;
		e->fn->fail = e->fn->leave = out;
		e->fn->locked = false;
		if (last == list.v.n)
			emit_label_put(e, &unlock);
		emit_line(e, "prt_unlock(c, locks_%d, %u);", p->index, nlocks);
	}
	if (!any || last == list.v.n || !unlock.used)
		return;
	emit_goto(e, out);
	emit_label_put(e, &unlock);
	emit_line(e, "prt_unlock(c, locks_%d, %u);", p->index, nlocks);
}

static void one(struct emit *e, struct probe *p)
{
	struct emit_label out = { .name = "out" };
	struct emit_fn fn;

	emit_func_begin(e, &fn, arena_printf(e->a, "probe_%d", p->index));
	fn.probe = p;
	fn.fail = fn.leave = &out;
	fn.keeps_match = fn.needs_frame = e->p->groups_used;
	if (p->bounded && p->steps > e->s->opt.caps.maxaction) {
		emit_line(e, "PRT_STEPS(c, %u, %u, out);", p->steps, emit_place(e, p->range));
		out.used++;
	}
	body(e, p, &out);

	const char *head = arena_printf(e->a, "/* %s */\nstatic void probe_%d(struct prt_ctx *c)",
					emit_comment_text(e, p->pp, strlen(p->pp)), p->index);

	vec_push(e->a, &e->probe_frames, emit_func_finish(e, head, NULL, &out));
}

void emit_probe_all(struct emit *e)
{
	vec_each(it, &e->p->probes)
		one(e, *it);
}
