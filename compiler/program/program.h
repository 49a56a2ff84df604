/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The analysed program, which pass 2 gives to pass 3. resolve makes it without unused parts, check
 * completes it, emit and -p2 read it.
 */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "ast/walk.h"
#include "program/site.h"
#include "base/regex/regex.h"

/* Name of the source of prints that show globals when the session ends. */
#define PROGRAM_AUTO_PRINT "<auto-print>"

/* One entry value that a return probe saves. Unique by (base, n). */
struct saved_value {
	enum access_base base; /* of an argument */
	unsigned n;
	bool in_function; /* a function uses it */
};

/* The interface of a system call whose entry or return a probe is for, as its alias says. */
enum call_interface { CALL_NONE, CALL_64, CALL_32 };

/* One handler: a body and the sites that run it. */
struct probe {
	int index;                        /* number in program.probes */
	enum probe_kind kind;
	const char *pp;                   /* text of the probe point, as pp() returns it */
	const char *written;              /* the probe point in the script, for messages */
	/* name of its alias, with wildcards expanded; NULL: not needed */
	const char *alias;
	struct range range;               /* the probe point in the script */
	int64_t order, period_ns, randomize_ns, maxactive;
	bool in_jiffies, each_cpu;        /* these two as in struct located */
	unsigned most_calls;
	const struct event *event;        /* of the kinds PERF and WATCH; otherwise NULL */
	const struct channel *channel;    /* of files in /proc and of input; otherwise NULL */
	const struct hook *hook;          /* of netfilter; otherwise NULL */
	/* number of the counter, from 0, if event->counter is set */
	int counter;
	bool from_wildcard;
	/* an end probe: runs to show globals that no handler reads */
	bool always;
	/* the body as the user wrote it, the same for all points of a declaration; or NULL */
	const struct stmt *own;
	bool optional;                    /* ? or !: do not wait for a module that is not loaded */
	/* int_arg() and its kin read the arguments of the call, not of the kernel's function */
	enum call_interface interface;
	bool helper;                      /* the handlers of other probes need what it saves */
	/* alias prologue, user's body, alias epilogue: one block */
	struct stmt *body;
	struct expr *cond;                /* if (...): tested first; NULL: none */
	/* return probes: assigns `entries` at the entry of the function; NULL: none */
	struct stmt *entry;
	/* values of @entry(): each a SYM_ENTRY whose cname is its number */
	VEC(struct symbol *) entries;
	VEC(struct symbol *) locals;
	VEC(struct site *) sites;
	/* The processes whose events the probe is for; empty: all. */
	VEC(const struct user_scope *) owners;
	VEC(struct saved_value) saved;
	/* The part of the result that returnval() reads, the same at all sites; set only if a
	 * return probe may call it. */
	struct result_part result;
	/* at a tracepoint: number of the arguments that are needed */
	unsigned nargs;
	bool reads_regs;                  /* reads registers by their names in debug information */
	/* filled by check */
	VEC(struct symbol *) locks;       /* STORE_LOCKED globals it touches, by lock number */
	/* in the session's thread: needs the banks collected before it runs */
	bool reads_percpu;
	/* the part of `cond` that reads only globals: while it is false, the probe need not be
	 * armed; NULL: all of it is tested at each hit */
	struct expr *gate;
	bool changes_gates;               /* writes globals that a gate reads */
	/* no loop, no recursion: steps are known at compile time */
	bool bounded;
	unsigned steps;                   /* the most statements of a hit, if `bounded` */
};

/** probe_may_fail - whether its sites that cannot be armed are left out with a warning. */
static inline bool probe_may_fail(const struct probe *p)
{
	return p->from_wildcard || p->optional;
}

/* Whether the probe is in programs, as all of its sites then are. */
static inline bool probe_is_user(const struct probe *p)
{
	return p->sites.n && p->sites.v[0]->user;
}

/* The kind for the runtime and for users: USER, USER_RETURN and USER_WATCH stand for the entries,
 * places, returns and watchpoints of programs, which earlier passes treat as those of the
 * kernel. */
static inline enum probe_kind probe_kind_emitted(const struct probe *p)
{
	if (!probe_is_user(p))
		return p->kind;
	if (p->kind == PK_WATCH)
		return PK_USER_WATCH;
	return site_kind_is_return(p->kind) ? PK_USER_RETURN : PK_USER;
}

static inline const char *probe_kind_word(const struct probe *p)
{
	return site_kind(probe_kind_emitted(p))->word;
}

/* A print statement, as the loader needs it to format its records. */
struct print_statement {
	int id;
	struct range range;
	const char *format;               /* printf format, normalised (see runtime/abi/format.h) */
	size_t format_len;
	/* one letter an argument: l long, s string, k stack, H histogram */
	const char *types;
	VEC(struct expr *) args;
	/* as in struct expr */
	enum print_edge edge;
	int column, column_dir;
};

/* A global that is exported as a metric (resolve/metrics.c). */
struct metric {
	const struct symbol *global;
	const char *name;                 /* as Prometheus has it, without the suffix of its type */
	const char *type;                 /* gauge counter summary histogram info */
	const char *unit;                 /* "": none */
	const char *labels;               /* of the keys, with a newline between two */
	const char *help;
};

struct program {
	/* only those in use, in program order; symbol.index is the index here */
	VEC(struct symbol *) globals;
	/* only those in use; callees come first unless they recurse */
	VEC(struct function *) functions;
	VEC(struct probe *) probes;
	VEC(struct site *) sites;
	VEC(const struct user_scope *) programs; /* that LO_PROGRAM names */
	VEC(const struct thread_layout *) threads; /* of LO_THREAD_BLOCK */
	VEC(struct print_statement *) prints;
	/* The sprint family: has numbers of its own, which the loader does not know. */
	VEC(struct print_statement *) sprints;
	VEC(struct regex *) regexes;      /* each one once */
	VEC(struct metric *) metrics;
	/* where the probes that print them begin in the source PROGRAM_AUTO_PRINT */
	uint32_t metrics_at;
	bool groups_used;                 /* a handler reads what capture groups matched */
	bool kernel_headers;              /* has embedded C of a user; set by emit for build */
	/* number of the print statement of its STAP_PRINTF; -1: none */
	int embedded_print;
	int nlocks;
	bool has_stacks;                  /* the session needs a table of stacks */
	/* greatest depth of nested foreach loops in the session's thread */
	unsigned iter_depth;
	unsigned hot_iter_depth;          /* the same in hot probes */
	bool has_hot;
	/* some of its values and names could not be resolved: a list shows what is known of the
	 * others */
	bool is_partial;
};

/** program_walk - visit the functions, then each probe: what runs at an entry, the condition, the
 *  handler. */
void program_walk(struct program *p, const struct visitor *v);

#endif
