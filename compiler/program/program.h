/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The analysed program: what pass 2 gives to pass 3. Resolve makes it, check completes it, emit and
 * -p2 read it. Everything unused is already gone.
 */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "ast/ast.h"
#include "program/site.h"
#include "regex/regex.h"

/* Source name of the prints that show globals when the session ends. */
#define PROGRAM_AUTO_PRINT "<auto-print>"

/* One entry value that a return probe keeps. Deduplicated by (base, n). */
struct saved_value {
	enum access_base base; /* AB_REG_ARG or AB_STACK_ARG */
	unsigned n;
	bool in_function; /* a function asks for it */
};

/* One handler: a body and the sites that run it. */
struct probe {
	int index;                        /* number in program.probes */
	enum probe_kind kind;
	const char *pp;                   /* text of the probe point as derived */
	const char *written;              /* as the user wrote it: ppname for messages */
	const char *alias;                /* its name, wildcards expanded; NULL: not needed */
	struct range range;               /* the probe point in the script */
	int64_t order, period_ns, randomize_ns, maxactive;
	bool in_jiffies, each_cpu;        /* this and the next: as struct located has them */
	unsigned most_calls;
	const struct event *event;        /* PK_PERF, PK_WATCH */
	int counter;                      /* where event->counter is set: its number, from 0 */
	bool from_wildcard;
	bool always;                      /* PK_END: shows globals that no handler reads */
	/* the body as the user wrote it, the same for all points of a declaration; or NULL */
	const struct stmt *own;
	bool optional;                    /* ? or !: do not wait for a module that is not loaded */
	/* alias prologue, user's body, alias epilogue: one block */
	struct stmt *body;
	struct expr *cond;                /* if (...): tested first, or NULL */
	struct stmt *entry;               /* return probes: assigns `entries` when the function is
					   * entered; NULL if there are none */
	VEC(struct symbol *) entries;     /* of @entry(): SYM_ENTRY each, cname its number */
	VEC(struct symbol *) locals;
	VEC(struct site *) sites;
	VEC(const struct user_scope *) owners; /* of a process's event: whose; none: any's */
	VEC(struct saved_value) saved;
	/* PK_RETURN: that returnval() reads, the same at all sites; determined only where the
	 * probe may call it */
	struct result_part result;
	unsigned nargs;                   /* PK_TRACE: so many of the arguments are read */
	bool reads_regs;                  /* registers that debug information names */
	/* filled by check */
	VEC(struct symbol *) locks;       /* STORE_LOCKED globals it touches, by lock number */
	bool reads_percpu;                /* process context: must collect before it runs */
	struct expr *gate;                /* what of cond reads globals only: while it is false the
					   * probe need not be armed; NULL: tested at each hit */
	bool changes_gates;               /* writes what a gate reads */
	/* no loop, no recursion: steps are known at compile time */
	bool bounded;
	unsigned steps;                   /* statements at most, where bounded */
};

/* Whether a probe is at places in programs; then all of its sites are. */
static inline bool probe_is_user(const struct probe *p)
{
	return p->sites.n && p->sites.v[0]->user;
}

/* Its kind for the runtime and for people: PK_USER and PK_USER_RETURN stand for the entries, places
 * and returns of programs, which all passes before treat as those of the kernel. */
static inline enum probe_kind probe_kind_emitted(const struct probe *p)
{
	if (!probe_is_user(p))
		return p->kind;
	return site_kind_is_return(p->kind) ? PK_USER_RETURN : PK_USER;
}

static inline const char *probe_kind_word(const struct probe *p)
{
	return site_kind(probe_kind_emitted(p))->word;
}

/* A print statement: what the loader needs to format its records. */
struct print_statement {
	int id;
	struct range range;
	const char *format;               /* printf format, normalised (see runtime/abi/format.h) */
	size_t format_len;
	/* one letter an argument: l long, s string, k stack, H histogram */
	const char *types;
	VEC(struct expr *) args;
};

struct program {
	VEC(struct symbol *) globals;     /* used ones, program order; symbol.index counts here */
	VEC(struct function *) functions; /* used ones; callees first where not recursive */
	VEC(struct probe *) probes;
	VEC(struct site *) sites;
	VEC(const struct user_scope *) programs; /* that LO_PROGRAM names */
	VEC(struct print_statement *) prints;
	/* the sprint family: numbered apart, not for the loader */
	VEC(struct print_statement *) sprints;
	VEC(struct regex *) regexes;      /* each text once */
	bool groups_used;                 /* a handler reads what their groups matched */
	bool kernel_headers;              /* has embedded C of a user: set by emit for build */
	int embedded_print;               /* print site of its STAP_PRINTF; -1: none */
	int nlocks;
	bool has_stacks;                  /* the session needs a table of them */
	unsigned iter_depth;              /* nested foreach loops at most, process context */
	unsigned hot_iter_depth;          /* the same in hot probes */
	bool has_hot;
};

#endif
