/* SPDX-License-Identifier: GPL-2.0 */
/* The call graph, and the facts about functions and probes that follow from it. */
#include <string.h>

#include "emit/embedded.h"
#include "emit/graph.h"
#include "emit/rehearse.h"

struct emit_finfo *emit_func_info(struct emit *e, const struct function *f)
{
	return map_get(&e->funcs, f->cname);
}

struct callee_walk {
	struct emit *e;
	void (*visit)(struct emit_finfo *fi, void *data);
	void *data;
};

static bool visit_call(struct expr **x, void *data)
{
	struct callee_walk *w = data;

	if ((*x)->kind != EX_CALL)
		return true;
	vec_each(f, &(*x)->u.call.targets) {
		struct emit_finfo *fi = emit_func_info(w->e, *f);

		if (fi)
			w->visit(fi, w->data);
	}
	return true;
}

void emit_func_callees(struct emit *e, struct stmt *s, struct expr *cond,
		       void (*visit)(struct emit_finfo *fi, void *data), void *data)
{
	struct callee_walk w = { .e = e, .visit = visit, .data = data };
	struct visitor v = { .expr = visit_call, .data = &w };

	walk_stmt(&s, &v);
	walk_expr(&cond, &v);
}

struct lock_walk {
	struct emit *e;
	bool found;
};

static bool visit_name(struct expr **x, void *data)
{
	struct lock_walk *w = data;

	if ((*x)->kind == EX_NAME && (*x)->u.name.sym && (*x)->u.name.sym->storage == STORE_LOCKED)
		w->found = true;
	if ((*x)->kind == EX_CALL) {
		vec_each(f, &(*x)->u.call.targets) {
			struct emit_finfo *fi = emit_func_info(w->e, *f);

			w->found |= fi && fi->touches_locked;
		}
	}
	return !w->found;
}

bool emit_func_touches_locked(struct emit *e, struct stmt *s, struct expr *x)
{
	struct lock_walk w = { .e = e };
	struct visitor v = { .expr = visit_name, .data = &w };

	walk_stmt(&s, &v);
	walk_expr(&x, &v);
	return w.found;
}

struct step_walk {
	struct emit *e;
	unsigned n;
};

static bool count_stmt(struct stmt **s, void *data)
{
	struct step_walk *w = data;

	switch ((*s)->kind) {
	case ST_BLOCK: case ST_EMPTY:
		return true;
	case ST_WHILE: case ST_FOR: case ST_FOREACH:
		/* These count their steps in each iteration. */
		w->n++;
		return false;
	default:
		w->n++;
		return true;
	}
}

static bool count_call(struct expr **x, void *data)
{
	struct step_walk *w = data;

	if ((*x)->kind == EX_CALL) {
		vec_each(f, &(*x)->u.call.targets) {
			struct emit_finfo *fi = emit_func_info(w->e, *f);

			w->n += fi && !(*f)->recursive ? fi->steps : 0;
		}
	}
	return true;
}

unsigned emit_func_steps(struct emit *e, struct stmt *s)
{
	struct step_walk w = { .e = e };
	struct visitor v = { .expr = count_call, .stmt = count_stmt, .data = &w };

	if (s)
		walk_stmt(&s, &v);
	return w.n ? w.n : 1;
}

static bool visit_set(struct expr **x, void *data)
{
	const struct expr *left = (*x)->kind == EX_ASSIGN ? (*x)->u.assign.left :
				  (*x)->kind == EX_INCDEC ? (*x)->u.incdec.a : NULL;
	bool *found = data;

	*found |= left && left->kind == EX_CONTEXT && left->u.context.access &&
		  left->u.context.access->result == AR_VALUE;
	return !*found;
}

bool emit_func_sets_regs(struct stmt *s)
{
	bool found = false;
	struct visitor v = { .expr = visit_set, .data = &found };

	if (s)
		walk_stmt(&s, &v);
	return found;
}

static bool visit_next(struct stmt **s, void *data)
{
	bool *found = data;

	*found |= (*s)->kind == ST_NEXT;
	return !*found;
}

static void add_callee(struct emit_finfo *fi, void *data)
{
	struct { struct arena *a; struct emit_finfo *caller; } *to = data;

	vec_each(it, &to->caller->callees)
		if (*it == fi)
			return;
	vec_push(to->a, &to->caller->callees, fi);
}

/* Finds the facts that the text of embedded C shows. */
static void look_at_embedded(struct emit *e, struct emit_finfo *fi)
{
	struct function *f = fi->func;

	fi->fixed = ast_mentions(f, "/* fixed */");
	fi->light = fi->fixed || ast_mentions(f, "/* light */");
	fi->wants_time = ast_mentions(f, "prt_elapsed");
	if (emit_embedded_native(f))
		fi->can_fail = ast_mentions(f, "PRT_SRCLOC") || ast_mentions(f, "err");
	fi->wants_site = ast_mentions(f, "prt_pp(") || ast_mentions(f, "prt_pn(") ||
			 ast_mentions(f, "prt_probefunc") || ast_mentions(f, "prt_stack_") ||
			 ast_mentions(f, "prt_user_stack_joined") ||
			 ast_mentions(f, "prt_named_register");
	e->wants_pn |= ast_mentions(f, "prt_pn(");
	fi->wants_regs = ast_mentions(f, "prt_user_mode") || ast_mentions(f, "prt_stack_") ||
			 ast_mentions(f, "prt_user_stack_joined") ||
			 ast_mentions(f, "prt_named_register") ||
			 ast_mentions(f, "prt_set_register");
	fi->wants_names = ast_mentions(f, "prt_user_symbol");
	/* Lines of scripts come with the stack. */
	fi->wants_lines = ast_mentions(f, "prt_stacks_as(") &&
			  !ast_mentions(f, "prt_user_stack_script");
	fi->wants_space = fi->wants_names || ast_mentions(f, "prt_user_stack_");
	fi->wants_tasks = ast_mentions(f, "prt_task_stack_take");
	fi->sets_regs = ast_mentions(f, "prt_set_register");
	fi->overrides = ast_mentions(f, "prt_override");
	fi->wants_target = ast_mentions(f, "prt_target");
	fi->reads_user = ast_mentions(f, "prt_read_user") ||
			 (ast_mentions(f, " true,") && (ast_mentions(f, "prt_read_bytes(") ||
							ast_mentions(f, "prt_read_str_n(")));
	fi->has_next = ast_mentions(f, "STAP_NEXT");
	vec_each(g, &f->globals)
		fi->touches_locked |= g->sym->storage == STORE_LOCKED;
	fi->steps = 1;
}

/* Finds the facts that the function's own text shows; can_fail stays true until its body is
 * emitted. */
static void look_at(struct emit *e, struct emit_finfo *fi)
{
	struct function *f = fi->func;
	struct { struct arena *a; struct emit_finfo *caller; } to = { e->a, fi };

	fi->can_fail = true;
	if (!f->body) {
		look_at_embedded(e, fi);
		return;
	}

	struct stmt *body = f->body;
	struct visitor next = { .stmt = visit_next, .data = &fi->has_next };

	walk_stmt(&body, &next);
	fi->sets_regs = emit_func_sets_regs(f->body);
	emit_func_callees(e, f->body, NULL, add_callee, &to);
}

bool emit_takes_user_stacks(const struct emit *e)
{
	vec_each(it, &e->finfos)
		if ((*it)->wants_space)
			return true;
	return false;
}

bool emit_takes_task_stacks(const struct emit *e)
{
	vec_each(it, &e->finfos)
		if ((*it)->wants_tasks)
			return true;
	return false;
}

bool emit_names_user_addresses(const struct emit *e)
{
	vec_each(it, &e->finfos)
		if ((*it)->wants_names)
			return true;
	return false;
}

bool emit_shows_lines(const struct emit *e)
{
	vec_each(it, &e->finfos)
		if ((*it)->wants_lines)
			return true;
	return false;
}

static void mark_process(struct emit_finfo *fi, void *data)
{
	(void)data;
	if (fi->in_process)
		return;
	fi->in_process = true;
	vec_each(it, &fi->callees)
		mark_process(*it, NULL);
}

/* Adds the facts that a caller inherits from its callees, until nothing changes; cycles are
 * allowed. */
static bool spread(struct emit *e, struct emit_finfo *fi)
{
	bool locked = fi->touches_locked, site = fi->wants_site, regs = fi->wants_regs;
	bool target = fi->wants_target, sets = fi->sets_regs, overrides = fi->overrides;
	bool time = fi->wants_time, reads = fi->reads_user, space = fi->wants_space;

	if (fi->func->body)
		fi->touches_locked |= emit_func_touches_locked(e, fi->func->body, NULL);
	if (fi->func->body)
		fi->reads_user |= emit_rehearse_reads(e, fi->func->body, NULL);
	vec_each(it, &fi->callees) {
		fi->wants_site |= (*it)->wants_site;
		fi->wants_regs |= (*it)->wants_regs;
		fi->wants_target |= (*it)->wants_target;
		fi->sets_regs |= (*it)->sets_regs;
		fi->overrides |= (*it)->overrides;
		fi->wants_time |= (*it)->wants_time;
		fi->wants_space |= (*it)->wants_space;
	}
	return locked != fi->touches_locked || site != fi->wants_site || regs != fi->wants_regs ||
	       target != fi->wants_target || sets != fi->sets_regs || overrides != fi->overrides ||
	       time != fi->wants_time || reads != fi->reads_user || space != fi->wants_space;
}

void emit_func_collect(struct emit *e)
{
	bool changed = true;

	vec_each(f, &e->p->functions) {
		struct emit_finfo *fi = NEW(e->a, struct emit_finfo);

		fi->func = *f;
		e->leaves_marks |= strcmp((*f)->name, "__name_when_shown") == 0;
		map_set(&e->funcs, (*f)->cname, fi);
		vec_push(e->a, &e->finfos, fi);
	}
	vec_each(it, &e->finfos)
		look_at(e, *it);
	/* Without recursion, callees come before their callers. */
	vec_each(it, &e->finfos)
		if ((*it)->func->body)
			(*it)->steps = emit_func_steps(e, (*it)->func->body);
	while (changed) {
		changed = false;
		vec_each(it, &e->finfos)
			changed |= spread(e, *it);
	}
	vec_each(it, &e->p->probes)
		if (!site_kind_is_hot((*it)->kind))
			emit_func_callees(e, (*it)->body, (*it)->cond, mark_process, NULL);
}
