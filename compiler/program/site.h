/* SPDX-License-Identifier: GPL-2.0 */
/* The sites of a program's probes: found by locate, written by emit and build. */
#ifndef PROGRAM_SITE_H
#define PROGRAM_SITE_H

#include "kinds.h"
#include "program/access.h"

struct program_file; /* object/object.h: a program or library */
struct object_mark;
struct object_exits;
struct dwarf_place; /* dwarf/dwarf.h: a place that debug information knows */
struct prototype;   /* locate/values/prototype.h */

/* The kind of a probe: runtime/abi/kinds.h. */
enum probe_kind {
#define PROBE_KIND(NAME, word, type, site, runs, values, mechanism) PK_##NAME,
	PRT_KINDS(PROBE_KIND)
#undef PROBE_KIND
};

/* The kind for code that belongs to no probe: like "probe never", no event gives it values. */
#define PK_NO_PROBE PK_NEVER

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

/** site_kind_is_hook - whether $-expressions name a packet at a hook of netfilter. */
static inline bool site_kind_is_hook(enum probe_kind kind)
{
	return site_kind(kind)->values == PRT_VALUES_HOOK;
}

/* A call instruction in a chain of calls: .callees(N), .callee("A").callee("B"). If the return of a
 * call is probed, the entry of the called function. */
struct code_call {
	/* its address. This and `after` are addresses of debug information: the distance of two in
	 * a chain is the same at run time */
	uint64_t at;
	/* its return address; 0 for an inlined copy, a jump, or an entry */
	uint64_t after;
	/* number of calls that it counts for: more than 1 in inlined copies, 0 for an entry */
	unsigned calls;
	/* The calls that may have entered the function around it; NULL: chains begin in that
	 * function, whoever called it. */
	const struct callers *callers;
};
struct callers { VEC(const struct code_call *) v; };

/* A file of a program or a library, and the processes that are meant. */
struct user_scope {
	const struct program_file *file;   /* the file that contains the sites */
	/* only processes that run this file, an absolute path; NULL: any */
	const char *program;
	/* The file of that program, or of the process; NULL: not known, or the same as `file`. */
	const struct program_file *runs;
	int64_t pid;             /* only this process; 0: any */
	bool is_target;          /* only target() and its descendants */
};

/* An event of a process, at a place of the kernel (locate/points/process_event.c). */
enum process_event {
	PROCESS_NO_EVENT, PROCESS_BEGIN, PROCESS_END, PROCESS_THREAD_BEGIN, PROCESS_THREAD_END,
	PROCESS_SYSCALL, PROCESS_SYSCALL_RETURN,
};

/* A site. It has no absolute address: the loader finds it (doc/architecture.md). */
struct site {
	const char *object;      /* "kernel" or a module's name, with _ */
	const char *build_id;    /* of the module, lower-case hex; NULL: not known, or the kernel */
	const char *symbol;      /* as in kallsyms; "": the offset is the address */
	const char *function;    /* the name that probefunc() returns; NULL: the symbol's */
	/* its number among the symbols of that name, from 0, in the order of kallsyms, but those in
	 * __init code of a module last; a name of n functions has n sites */
	int namesake;
	uint64_t offset;         /* bytes from the symbol */
	const char *pp;          /* what pp() returns: "kernel.function(\"vfs_read\")" */
	struct prototype *prototype; /* for locate_prototype(); NULL: none is known */
	/* system of a tracepoint, "" if not known; NULL: not a tracepoint */
	const char *system;
	const struct dwarf_place *place; /* NULL: it was found without debug information */
	/* the call of a chain that it is, or that enters it; NULL: none */
	const struct code_call *call;
	/* In a program or library, whose path is `object`; symbol and offset are only for messages
	 * then. NULL: the site is in the kernel. */
	const struct user_scope *user;
	uint64_t file_offset;    /* user: offset in the file */
	/* user, at a return: how calls of the function end; NULL: the site is an entry of the
	 * procedure linkage table */
	const struct object_exits *exits;
	const struct object_mark *mark; /* user: its SDT marker; NULL: none */
	enum process_event event; /* in the kernel: the event of a process that a hit means */
	/* n: only hits for system call n - 1 are meant (inlined_calls.c); 0: all hits are */
	unsigned syscall;
	int index;               /* number in program.sites; filled by resolve */
};

/* The event that perf counts or samples, or the access that a watchpoint stops at. */
struct event {
	const char *text;        /* as -p2 shows it */
	uint32_t type;           /* as in struct perf_event_attr */
	uint64_t config;         /* likewise */
	/* number of events from one hit to the next, or hits in a second; 0: the counter is only
	 * read */
	uint64_t sample;
	const char *counter;     /* the name by which handlers read it; NULL: none */
	/* Count only in processes of this program, a path; "": in target() and its descendants;
	 * NULL: everywhere. */
	const char *program;
	bool is_frequency;
	uint32_t length;         /* of a watchpoint, in bytes */
	bool is_access;          /* of a watchpoint: stops at reads as well */
	/* watchpoint in a program: file offset of the first instruction */
	uint64_t entry;
	/* the file's address of its first code, if the site's address is one of the file; 0: the
	 * address is one of the process */
	uint64_t first_code;
};

/* A file in /proc, or standard input. */
struct channel {
	const char *name;        /* of the file; input: "line" or "char" */
	uint32_t size;           /* the most bytes of a text; 0: the length of a string */
	unsigned umask;
};

/* A hook of netfilter: struct prt_hook of runtime/abi/tables.h. */
struct hook {
	uint8_t pf, hook;
	int32_t priority;
};

/* The low bytes of the result register that a function sets. `size` 0: all of them, or not
 * known. */
struct result_part { uint8_t size; bool is_signed; };

#endif
