/* SPDX-License-Identifier: GPL-2.0 */
/* Checks that depend on the probe kind. */
#include <string.h>

#include "ast/walk.h"
#include "analyse/check/rules.h"

/* Functions that describe the interrupted process. The session's thread interrupts none. */
static bool is_about_process(const char *name)
{
	static const char *const names[] = {
		"pid", "tid", "ppid", "uid", "gid", "euid", "egid", "execname", "pexecname",
		"backtrace", "print_backtrace", "ubacktrace", "print_ubacktrace",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static void process_in_thread(struct check *c, const struct rule *r, const struct rule_at *at,
			      struct expr *e)
{
	const struct body *b = at->body;

	if (e->kind != EX_CALL || !b->process || b->hot || !e->range.src ||
	    e->range.src->in_tapset || !is_about_process(e->u.call.name))
		return;
	diag_warn(c->s->diag, e->range, r->id, "%s() in a probe of kind %s refers to the session's "
		  "own thread", e->u.call.name, site_kind(b->process->kind)->word);
	if (b->fn)
		diag_note(c->s->diag, b->process->range, "'%s' is called from this probe",
			  b->fn->name);
}

static void elapsed_of_call(struct check *c, const struct rule *r, const struct rule_at *at,
			    struct expr *e)
{
	const struct probe *p = at->body->probe;

	if (e->kind != EX_CALL || !p || site_kind_is_return(p->kind) || !e->u.call.targets.n ||
	    !e->u.call.targets.v[0]->src->in_tapset ||
	    (strcmp(e->u.call.name, "elapsed_ns") != 0 &&
	     strcmp(e->u.call.name, "elapsed_us") != 0))
		return;
	diag_error(c->s->diag, e->range, r->id, "%s() needs a call that returns, but "
		   "'%s' is not a return probe", e->u.call.name, p->pp);
	diag_hint(c->s->diag, "probe the function's return: .return");
}

static void effect_in_condition(struct check *c, const struct rule *r, const struct rule_at *at,
				struct expr *e)
{
	if (!at->condition || (e->kind != EX_ASSIGN && e->kind != EX_INCDEC && e->kind != EX_PRINT))
		return;
	if (e->kind == EX_PRINT && PRINT_IS_SPRINT(e->u.print.kind))
		return;
	diag_error(c->s->diag, e->range, r->id, "the condition of a probe point can't %s anything",
		   e->kind == EX_PRINT ? "print" : "change");
	diag_hint(c->s->diag, "use an if statement in the probe");
}

static bool is_guru(const struct function *f)
{
	return f && ast_mentions(f, "/* guru */");
}

/* Functions of the library that change the kernel, and functions that call them. */
static void guru_function(struct check *c, const struct rule *r, const struct rule_at *at,
			  struct expr *e)
{
	struct body_list reached = { 0 };
	bool needs = false;

	(void)at;
	if (e->kind != EX_CALL || c->s->opt.guru || !e->range.src || e->range.src->in_tapset)
		return;
	vec_each(f, &e->u.call.targets) {
		needs |= is_guru(*f);
		if ((*f)->src->in_tapset && map_get(&c->by_fn, (*f)->cname))
			facts_reach(c, map_get(&c->by_fn, (*f)->cname), &reached);
	}
	vec_each(b, &reached.v)
		needs |= is_guru((*b)->fn);
	if (!needs)
		return;
	diag_error(c->s->diag, e->u.call.name_range, r->id, "%s() needs guru mode",
		   e->u.call.name);
	diag_hint(c->s->diag, "give -g; it changes what the kernel does");
}

/* If several probes call the function, the runtime reports it. */
static void override_place(struct check *c, const struct rule *r, const struct rule_at *at,
			   struct expr *e)
{
	const struct probe *p = at->body->probe;

	if (e->kind != EX_CALL || strcmp(e->u.call.name, "override_return") != 0 || !p ||
	    p->kind == PK_ENTRY || !e->u.call.targets.n ||
	    !e->u.call.targets.v[0]->src->in_tapset)
		return;
	diag_error(c->s->diag, e->range, r->id, "override_return() works at the entry of a "
		   "function, not in '%s'", p->pp);
	diag_hint(c->s->diag, "probe kernel.function(\"NAME\"); once a function has run, $return = "
		  "value changes its result");
}

const struct rule rules_probe[] = {
	{ "guru-function", E_GURU, .expr = guru_function },
	{ "override-place", E_CONTEXT, .expr = override_place },
	{ "process-in-thread", E_CONTEXT, .expr = process_in_thread },
	{ "elapsed-of-call", E_CONTEXT, .expr = elapsed_of_call },
	{ "effect-in-condition", E_CONTEXT, .expr = effect_in_condition },
	{ 0 },
};
