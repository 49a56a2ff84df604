/* SPDX-License-Identifier: GPL-2.0 */
/* Where a program's probes are: what locate finds, and emit and build write down. */
#ifndef PROGRAM_SITE_H
#define PROGRAM_SITE_H

#include "kinds.h"
#include "program/access.h"

struct program_file; /* object/object.h: a program or library */
struct object_mark;
struct object_exits;
struct dwarf_place; /* dwarf/dwarf.h: a place that debug information knows */
struct prototype;   /* locate/values/prototype.h */

/* The mechanism family a probe belongs to; for the runtime's attach layer. */
enum probe_kind {
#define PROBE_KIND(NAME, word, type, site, runs, values, mechanism) PK_##NAME,
	PRT_KINDS(PROBE_KIND)
#undef PROBE_KIND
};

/* The columns of runtime/abi/kinds.h for one kind. */
struct site_kind {
	const char *word, *mechanism;
	enum prt_site_is site;
	enum prt_runs runs;
	enum prt_values values;
};

/** site_kind - the row of a kind. */
const struct site_kind *site_kind(enum probe_kind kind);

/** site_kind_is_hot - whether handlers interrupt other code. Others run in the session's thread:
 *  they may wait, and read per-CPU globals. */
static inline bool site_kind_is_hot(enum probe_kind kind)
{
	return site_kind(kind)->runs == PRT_RUNS_HOT;
}

/** site_kind_is_alone - whether no other handler runs at the same time. */
static inline bool site_kind_is_alone(enum probe_kind kind)
{
	return site_kind(kind)->runs == PRT_RUNS_ALONE;
}

/** site_kind_is_return - whether $return and entry values are available. */
static inline bool site_kind_is_return(enum probe_kind kind)
{
	return site_kind(kind)->values == PRT_VALUES_RETURN;
}

/** site_kind_is_trace - whether $-expressions name arguments of a tracepoint. */
static inline bool site_kind_is_trace(enum probe_kind kind)
{
	return site_kind(kind)->values == PRT_VALUES_TRACE;
}

/* A call in the code that a chain of calls has: .callees(N), .callee("A").callee("B"); or, of one
 * whose return is probed, the entry of the function that is called. */
struct code_call {
	uint64_t at;             /* its address; this and the next: as debug information counts
				  * them, so what lies between two of a chain is what it will be */
	uint64_t after;          /* where it returns to; 0: an inlined copy, a jump, or an entry */
	unsigned calls;          /* that it counts for: more than 1 where it is in inlined copies;
				  * an entry: none */
	/* The calls by which the function that it is in may have been entered; NULL: it lies in the
	 * function that chains begin in, whoever called that. */
	const struct callers *callers;
};
struct callers { VEC(const struct code_call *) v; };

/* A place in a program or a library, and whose processes it is for. */
struct user_scope {
	const struct program_file *file;   /* that has the place */
	const char *program;     /* of processes that run this file alone, an absolute path; NULL:
				  * any */
	/* The file of that program, or of the process; NULL: not known, or the same as `file`. */
	const struct program_file *runs;
	int64_t pid;             /* of this process alone; 0: any */
	bool is_target;          /* of target() and what comes from it alone */
};

/* An event of a process, which happens at a place of the kernel (locate/points/process_event.c). */
enum process_event {
	PROCESS_NO_EVENT, PROCESS_BEGIN, PROCESS_END, PROCESS_THREAD_BEGIN, PROCESS_THREAD_END,
	PROCESS_SYSCALL, PROCESS_SYSCALL_RETURN,
};

/* One place. It has no absolute address: the loader finds it (doc/architecture.md). */
struct site {
	const char *object;      /* "kernel" or a module's name, with _ */
	const char *build_id;    /* of the module, lower-case hex; NULL: not known, or the kernel */
	const char *symbol;      /* as in kallsyms; "": the offset is the address */
	const char *function;    /* whose name probefunc() says; NULL: the symbol's */
	int namesake;            /* which of the symbols of that name, from 0 in kallsyms order,
				  * those in __init code of a module last: a name of n functions
				  * makes n sites */
	uint64_t offset;         /* bytes from the symbol */
	const char *pp;          /* what pp() returns: "kernel.function(\"vfs_read\")" */
	struct prototype *prototype; /* what locate_prototype() asks; NULL: none is known */
	const char *system;      /* of a tracepoint; "": not known. NULL if it is not one */
	const struct dwarf_place *place; /* NULL: it was found without debug information */
	const struct code_call *call; /* that it is, or is entered by, of a chain; NULL: none */
	const struct user_scope *user; /* in a program or library, whose path is `object`; symbol
				  * and offset are for people then. NULL: in the kernel */
	uint64_t file_offset;    /* user: where in the file it is */
	/* user, a return: how calls of the function end; NULL: it is no function, but an entry of
	 * the procedure linkage table */
	const struct object_exits *exits;
	const struct object_mark *mark; /* user: the SDT marker that it is; NULL: none */
	enum process_event event; /* in the kernel: what its hits mean */
	int index;               /* number in program.sites; filled by resolve */
};

/* The event that perf counts or samples, or the access that a watchpoint stops at. */
struct event {
	const char *text;        /* as -p2 shows it */
	uint32_t type;           /* PK_PERF */
	uint64_t config;         /* PK_PERF */
	uint64_t sample;         /* PK_PERF: events, or hits a second; 0: none, it is read */
	const char *counter;     /* PK_PERF: the name by which handlers read it; NULL: none does */
	/* PK_PERF: the path of a program, hits of its processes only; "": of target() and of what
	 * comes from it; NULL: of all. */
	const char *program;
	bool is_frequency;
	uint32_t length;         /* PK_WATCH: bytes */
	bool is_access;          /* PK_WATCH: also where it is read */
};

/* The low bytes of the result register that a function sets. `size` 0: all of them, or not
 * known. */
struct result_part { uint8_t size; bool is_signed; };

#endif
