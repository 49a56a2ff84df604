/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Handlers. A handler holds its locks from the first to the last statement of the body that uses a
 * locked global, directly or in a function, and releases them on every way out.
 *
 * A body belongs to several probes if it has several probe points, or one of a function that also
 * has copies. It is emitted for each probe, because each finds variables in other locations; equal
 * texts are written once.
 */
#include <stdlib.h>
#include <string.h>

#include "emit/embedded.h"
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/graph.h"
#include "emit/probe.h"
#include "emit/rehearse.h"
#include "emit/stmt.h"
#include "emit/tables.h"
#include "target/object/object.h"

/* The body is a nest of blocks: prologue, the user's block, epilogue. Only the sequence matters. */
static void flatten(struct emit *e, struct stmt *s, struct emit_stmts *to)
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

/* Writes the array of lock numbers, ascending, each once. Returns their number. */
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

static void condition(struct emit *e, struct expr *cond)
{
	struct emit_marks m = emit_mark(e);

	if (!cond)
		return;
	emit_comment(e, cond->range, cond->range.end);
	emit_line(e, "if (%s)", emit_expr_negated(e, emit_expr_cond(e, cond)));
	e->fn->depth++;
	emit_goto(e, e->fn->leave);
	e->fn->depth--;
	emit_release(e, m);
}

static void lock(struct emit *e, const char *locks, unsigned n, struct emit_label *unlock)
{
	emit_line(e, "if (unlikely(!prt_lock(c, %s, %u)))", locks, n);
	e->fn->depth++;
	emit_goto(e, e->fn->leave);
	e->fn->depth--;
	e->fn->fail = e->fn->leave = unlock;
	e->fn->locked = e->fn->uses_context = true;
}

/*
 * Statement 0 is the condition, i + 1 is statement i of the body. After the span the handler
 * continues, or goes to its end if a statement in it left. The two are told apart only if something
 * follows the span.
 */
void emit_probe_statements(struct emit *e, struct probe *p, struct expr *cond,
			   const struct emit_stmts *list, const char *locks, struct emit_label *out)
{
	const char *table;
	unsigned nlocks = lock_table(e, p, &table);
	struct emit_label unlock = { .name = "unlock" };
	size_t first = 0, last = 0;
	bool any = false;

	for (size_t i = 0; nlocks && i <= list->v.n; i++) {
		if (!emit_func_touches_locked(e, i ? list->v.v[i - 1] : NULL, i ? NULL : cond))
			continue;
		if (!any)
			first = i;
		last = i;
		any = true;
	}
	if (any)
		buf_printf(e->out, "static const u16 %s[] = { %s };\n\n", locks, table);
	for (size_t i = 0; i <= list->v.n; i++) {
		if (any && i == first)
			lock(e, locks, nlocks, &unlock);
		if (i == 0)
			condition(e, cond);
		else
			emit_stmt(e, list->v.v[i - 1]);
		if (!any || i != last)
			continue;
		e->fn->fail = e->fn->leave = out;
		e->fn->locked = false;
		if (last == list->v.n)
			emit_label_put(e, &unlock);
		emit_line(e, "prt_unlock(c, %s, %u);", locks, nlocks);
	}
	if (!any || last == list->v.n || !unlock.used)
		return;
	emit_goto(e, out);
	emit_label_put(e, &unlock);
	emit_line(e, "prt_unlock(c, %s, %u);", locks, nlocks);
}

/* Handlers of at most this many statements are inlined into the function that ftrace calls. */
#define INLINE_STEPS 8

struct calls {
	struct emit *e;
	bool script;  /* of functions with a body and of users' C, which may contain anything */
	bool leaves;
	bool effects; /* of some function other than its result: it may print */
};

static void visit_call(struct emit_finfo *fi, void *data)
{
	struct calls *calls = data;

	calls->script |= fi->func->body || !emit_embedded_native(fi->func);
	calls->leaves |= fi->can_fail || !fi->func->pure;
	calls->effects |= !fi->func->pure;
}

/* Finds out what must be prepared for the handler, and what must be checked after it. */
static struct emit_pinfo info_of(struct emit *e, const struct emit_fn *fn, struct calls *calls)
{
	emit_func_callees(e, fn->probe->body, fn->probe->cond, visit_call, calls);

	bool leaves = calls->script || calls->leaves || fn->can_fail || fn->prints;

	return (struct emit_pinfo){
		.bare = !leaves && !fn->uses_context && !fn->heavy,
		.leaves = fn->prints ? 2 : leaves,
		.outputs = fn->prints || calls->effects,
		.reads_first = emit_rehearse_reads_first(e, fn->probe),
	};
}

/* The session's thread does not need the locks of the body, but takes them in ascending order, as
 * all code does. */
static unsigned gate(struct emit *e, struct probe *p)
{
	struct emit_label out = { .name = "out" }, unlock = { .name = "unlock" };
	bool locked = emit_func_touches_locked(e, NULL, p->gate);
	const char *table, *locks = arena_printf(e->a, "locks_gate_%d", p->index);
	unsigned nlocks = locked ? lock_table(e, p, &table) : 0;
	struct emit_marks m;
	struct probe bare = *p;
	struct emit_fn fn;

	bare.locals.n = 0;
	if (nlocks)
		buf_printf(e->out, "static const u16 %s[] = { %s };\n\n", locks, table);
	emit_func_begin(e, &fn, arena_printf(e->a, "gate_%d", p->index));
	fn.probe = &bare;
	fn.fail = fn.leave = &out;
	if (nlocks)
		lock(e, locks, nlocks, &unlock);
	m = emit_mark(e);
	emit_line(e, "r = %s;", emit_expr_cond(e, p->gate).text);
	emit_release(e, m);
	if (nlocks) {
		fn.fail = fn.leave = &out;
		fn.locked = false;
		emit_label_put(e, &unlock);
		emit_line(e, "prt_unlock(c, %s, %u);", locks, nlocks);
	}
	return emit_func_finish(e, arena_printf(e->a, "static bool gate_%d(struct prt_ctx *c)",
						p->index), "bool r = true", &out);
}

bool emit_probe_has_hit(const struct probe *p)
{
	if (p->sites.n && p->sites.v[0]->syscall)
		return false;
	if (!site_kind_is_return(p->kind) || !probe_is_user(p))
		return site_kind(p->kind)->site == PRT_SITE_CODE;
	return p->sites.n == 1 && p->sites.v[0]->exits && !p->sites.v[0]->exits->why;
}

/* Writes the function @name of @p with the text @own, or uses an equal one that exists. */
static void put_own(struct emit *e, const struct probe *p, const char *name, const struct buf *own)
{
	const struct probe *same = map_get(&e->handlers, own->s);

	if (same) {
		buf_printf(e->out, "#define %s_%d %s_%d\n\n", name, p->index, name, same->index);
		return;
	}
	map_set(&e->handlers, arena_strndup(e->a, own->s, own->len), (void *)p);
	emit_numbered(e->out, own->s, p->index);
}

/* Writes the statements of the handler as a rehearsal: rehearse.c. */
static unsigned rehearse(struct emit *e, struct probe *p, struct expr *cond,
			 const struct emit_stmts *list)
{
	struct emit_label out = { .name = "out" };
	struct buf own, *rest = e->out;
	struct emit_fn fn;
	unsigned workspace;

	buf_init(&own);
	e->out = &own;
	emit_func_begin(e, &fn, "rehearse_" EMIT_NUMBER);
	fn.probe = p;
	fn.fail = fn.leave = &out;
	fn.keeps_match = fn.needs_workspace = e->p->groups_used;
	fn.rehearses = true;
	emit_probe_statements(e, p, cond, list, "locks_rehearse_" EMIT_NUMBER, &out);
	workspace = emit_func_finish(e, "static void rehearse_" EMIT_NUMBER "(struct prt_ctx *c)",
				     NULL, &out);
	e->out = rest;
	put_own(e, p, "rehearse", &own);
	buf_deinit(&own);
	return workspace;
}

static void need_workspace(struct emit_pinfo *info, unsigned size)
{
	if (info->workspace_size < size)
		info->workspace_size = size;
}

/* process.begin and its like: leaves the handler unless the hit is the event that is probed, in a
 * process that is meant. */
static void test_owner(struct emit *e, const struct probe *p)
{
	static const char *const events[] = {
		[PROCESS_BEGIN] = "BEGIN", [PROCESS_END] = "END",
		[PROCESS_THREAD_BEGIN] = "THREAD_BEGIN", [PROCESS_THREAD_END] = "THREAD_END",
		[PROCESS_SYSCALL] = "SYSCALL", [PROCESS_SYSCALL_RETURN] = "SYSCALL_RETURN",
	};
	const char *text = "";

	if (!p->sites.n || !p->sites.v[0]->event)
		return;
	vec_each(it, &p->owners)
		text = arena_printf(e->a, "%s%sprt_process_owner(%u)", text, *text ? " || " : "",
				    emit_files_row(e, *it));
	emit_line(e, "if (!prt_process_event(PRT_PROCESS_%s))", events[p->sites.v[0]->event]);
	e->fn->depth++;
	emit_goto(e, e->fn->leave);
	e->fn->depth--;
	if (!*text)
		return;
	emit_line(e, "if (!(%s))", text);
	e->fn->depth++;
	emit_goto(e, e->fn->leave);
	e->fn->depth--;
}

static void write_probe(struct emit *e, struct probe *p)
{
	struct emit_label out = { .name = "out" };
	struct emit_stmts list = { 0 };
	struct expr *cond = p->cond;
	struct calls calls = { .e = e };
	struct emit_pinfo info;
	struct buf own, *rest = e->out;
	struct emit_fn fn;
	bool small, rehearsed = emit_rehearse_wanted(e, p), switched = emit_switch_has(e, p);
	const char *name = switched ? "handle" : "probe";

	flatten(e, p->body, &list);
	e->entries[p->index].processes = emit_processes_of(e, p, &list);
	if (site_kind_is_return(p->kind))
		emit_entry(e, p, &cond, &list);
	buf_printf(e->out, "/* %s */\n", emit_comment_text(e, p->pp, strlen(p->pp)));
	buf_init(&own);
	e->out = &own;
	emit_func_begin(e, &fn, "probe_" EMIT_NUMBER);
	fn.probe = p;
	fn.fail = fn.leave = &out;
	fn.keeps_match = fn.needs_workspace = e->p->groups_used;
	test_owner(e, p);
	if (!site_kind_is_return(p->kind) && emit_chain_asked(p)) {
		emit_chain_tables(e, p);
		emit_chain_test(e, p);
	}
	if (p->bounded && p->steps > e->s->opt.caps.maxaction) {
		emit_line(e, "PRT_STEPS(c, %u, %u, out);", p->steps, emit_srcloc(e, p->range));
		out.used++;
		fn.can_fail = true;
	}
	emit_probe_statements(e, p, cond, &list, "locks_" EMIT_NUMBER, &out);

	small = !e->compact && emit_probe_has_hit(p) && p->bounded && p->steps <= INLINE_STEPS;
	info = info_of(e, &fn, &calls);
	fn.calls = calls.script;

	const char *head = arena_printf(e->a, "%s void %s_" EMIT_NUMBER "(struct prt_ctx *c)",
					small ? "PRT_INLINE" : "static", name);

	info.workspace_size = emit_func_finish(e, head, NULL, &out);
	e->out = rest;
	put_own(e, p, name, &own);
	if (switched)
		buf_printf(e->out, "PRT_SWITCHED(%d)\n\n", p->index);
	buf_deinit(&own);
	need_workspace(&info, e->entries[p->index].workspace);
	info.rehearsed = rehearsed;
	if (rehearsed)
		need_workspace(&info, rehearse(e, p, cond, &list));
	if (p->gate)
		need_workspace(&info, gate(e, p));
	vec_push(e->a, &e->probes, info);
}

void emit_probe_all(struct emit *e)
{
	e->entries = arena_alloc(e->a, (e->p->probes.n + 1) * sizeof(*e->entries));
	map_init(&e->handlers, e->a);
	vec_each(it, &e->p->probes)
		write_probe(e, *it);
}
