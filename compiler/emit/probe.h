/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Handlers of probes (probe.c), and what is decided before they run: at the entry of return probes
 * (entry.c), which processes they are for (processes.c), after which calls (chain.c), the
 * switches that disarm them (switch.c), and the functions that tracepoints call (receiver.c).
 */
#ifndef EMIT_PROBE_H
#define EMIT_PROBE_H

#include "emit/unit.h"

struct emit_finfo;
struct emit_label;

/* The processes in which a handler in a program does something. */
struct emit_processes {
	bool only_target;
	const char *pid_namespace; /* C text, the address of its number; NULL: any */
};

/* Facts that are decided before the handler runs: the processes, and the functions that a return
 * probe has at the entry of its function. */
struct emit_entry {
	struct emit_processes processes;
	bool cond, entry; /* the functions cond_N and entry_N exist */
	bool full;        /* entry_N needs a context */
	bool tests;       /* entry_N may reject the call */
	bool data;        /* struct saved_N exists */
	unsigned workspace; /* bytes for entry_N */
};

struct emit_stmts {
	VEC(struct stmt *) v;
};

/** emit_chain_asked - whether a place of @p counts only after certain calls. */
bool emit_chain_asked(const struct probe *p);
/** emit_chain_tables - write the calls that chains of calls require; emit_chain_test - leave the
 *  current handler unless they led to the hit. */
void emit_chain_tables(struct emit *e, const struct probe *p);
void emit_chain_test(struct emit *e, const struct probe *p);

/** emit_probe_all - write the handlers of all probes. */
void emit_probe_all(struct emit *e);
/** emit_probe_has_hit - whether a function of the script can do everything at a hit of @p. */
bool emit_probe_has_hit(const struct probe *p);
/** emit_probe_statements - write the condition @cond (or NULL) and @list, in the locked span that
 *  they need; @locks: the name of the array of locks. */
void emit_probe_statements(struct emit *e, struct probe *p, struct expr *cond,
			   const struct emit_stmts *list, const char *locks,
			   struct emit_label *out);
/** emit_entry - write the functions that run at the entry of return probe @p. Conditions that they
 *  decide are removed from *@cond and @list. */
void emit_entry(struct emit *e, struct probe *p, struct expr **cond, struct emit_stmts *list);
/** emit_processes_of - the processes to which @p is limited by its condition and the beginning of
 *  @list, the statements of its handler. */
struct emit_processes emit_processes_of(struct emit *e, const struct probe *p,
					const struct emit_stmts *list);
/** emit_entry_plain - whether a function only returns a value computed from its parameters and from
 *  other functions. */
bool emit_entry_plain(const struct function *f);
/** emit_entry_callees - emit_func_callees() for all code of a probe. */
void emit_entry_callees(struct emit *e, const struct probe *p,
			void (*visit)(struct emit_finfo *fi, void *data), void *data);

/** emit_switch_has - whether @p can be switched off and on; emit_switch_any - whether any can. */
bool emit_switch_has(const struct emit *e, const struct probe *p);
bool emit_switch_any(const struct emit *e);
/** emit_switch_table - write the table of switches, if there is any. */
void emit_switch_table(struct emit *e);
/** emit_switch_put_entry - write what tests the switch at the entry of return probe @p, if that is
 *  needed, after its entry function; emit_switch_entry - the name of the function to call there. */
void emit_switch_put_entry(struct emit *e, const struct probe *p);
const char *emit_switch_entry(const struct emit *e, const struct probe *p);

/** emit_receivers - write the functions that tracepoints call, where a script needs its own;
 *  emit_receiver - name the one for a site of @p in the table of sites, if there is one. */
void emit_receivers(struct emit *e);
void emit_receiver(struct emit *e, const struct probe *p, const struct site *it);

#endif
