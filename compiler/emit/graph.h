/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of the script: the call graph and the facts that follow from it (graph.c), their C and
 * their calls (func.c).
 */
#ifndef EMIT_GRAPH_H
#define EMIT_GRAPH_H

#include "emit/unit.h"
#include "emit/value.h"

/* Bytes of the workspace that calls need. */
struct emit_deepest {
	unsigned plain;     /* sum for functions that don't recurse and call each other */
	unsigned recursive; /* the most that one recursive function needs */
};

/* Facts about a function that its syntax tree does not show. */
struct emit_finfo {
	struct function *func;
	VEC(struct emit_finfo *) callees;
	bool touches_locked; /* it or a callee uses a locked global */
	bool in_process;     /* called by handlers of the session's thread */
	bool wants_site, wants_regs, wants_target, wants_time;
	bool wants_space;    /* takes stacks of the process, or names its addresses */
	bool wants_tasks;    /* takes the kernel's stacks of other tasks */
	bool wants_names;    /* names addresses of the process */
	bool wants_lines;    /* its value is shown with source lines */
	bool sets_regs, overrides;
	bool reads_user;     /* memory of the process */
	bool fixed;          /* the same during a call of a function; needs no context */
	bool light;          /* needs no context */
	bool has_next;
	bool can_fail;
	unsigned steps;      /* statements in one call, without loops and recursion */
	unsigned workspace_size; /* bytes of the workspace that it needs itself */
	bool visiting, below_known;
	struct emit_deepest below; /* the same with its callees; valid if below_known */
};

/** emit_func_collect - fill e->funcs: the call graph and the facts that follow from it. */
void emit_func_collect(struct emit *e);
/** emit_func_info - the facts that emit_func_collect() found about @f. */
struct emit_finfo *emit_func_info(struct emit *e, const struct function *f);
/** emit_func_all - write prototypes and bodies. */
void emit_func_all(struct emit *e);
/** emit_func_call - a call; @want: as for emit_assign(). */
struct emit_val emit_func_call(struct emit *e, struct expr *x, bool want);
/** emit_func_steps - the most statements in one run of @s, without loops. */
unsigned emit_func_steps(struct emit *e, struct stmt *s);
/** emit_func_callees - call @visit for each function that @s calls directly. */
void emit_func_callees(struct emit *e, struct stmt *s, struct expr *cond,
		       void (*visit)(struct emit_finfo *fi, void *data), void *data);
/** emit_func_sets_regs - whether a statement itself assigns to a parameter or to the returned value
 *  of a probed function. */
bool emit_func_sets_regs(struct stmt *s);
/** emit_takes_user_stacks - whether the script takes stacks of processes. */
bool emit_takes_user_stacks(const struct emit *e);
/** emit_takes_task_stacks - whether the script takes the kernel's stacks of other tasks. */
bool emit_takes_task_stacks(const struct emit *e);
/** emit_names_user_addresses - whether the script names addresses of processes. */
bool emit_names_user_addresses(const struct emit *e);
/** emit_shows_lines - whether the script shows source lines. */
bool emit_shows_lines(const struct emit *e);
/** emit_func_touches_locked - whether a statement or expression uses a locked global, itself or in
 *  a function that it calls. */
bool emit_func_touches_locked(struct emit *e, struct stmt *s, struct expr *x);

#endif
