/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of a script: its probes, its globals, and its options. They are constant, emitted into
 * the script unit, and read by the runtime alone; script.h includes it.
 */
#ifndef PRT_TABLES_H
#define PRT_TABLES_H

#include "kinds.h"

enum prt_probe_kind {
#define PRT_KIND(NAME, word, type, site, runs, values, mechanism) PRT_##NAME,
	PRT_KINDS(PRT_KIND)
#undef PRT_KIND
};

/* A function that ftrace calls: runs the probe at a hit of its only site, or of any site if no
 * handler needs to know which. Made by PRT_HIT. */
typedef void prt_ftrace_hit(unsigned long ip, unsigned long parent_ip, void *ops, void *regs);
/* The same for a kprobe: PRT_HIT_PLACE. */
typedef int prt_kprobe_hit(void *kprobe, void *regs);
/* The same for a place of a program, whose hit takes the fast path: with interrupts off. */
typedef void prt_user_hit(void *regs);
/* All that a return probe does when its function is entered and when it returns: by a kretprobe,
 * PRT_CALL and PRT_RETURN_HIT, by a direct call (direct/direct.h), with interrupts off. */
typedef int prt_call_hit(void *kprobe, void *regs);
typedef int prt_return_hit(void *instance, void *regs);
typedef bool prt_direct_enter(void *user, void *regs, u64 *saved);
typedef void prt_direct_leave(void *user, void *regs, u64 *saved, s64 value);

enum { /* prt_probe.flags */
	PRT_NEED_REGS = 1,       /* all registers; else the argument registers are enough */
	PRT_READS_PERCPU = 2,    /* process context: collect the banks before it runs */
	PRT_NEED_SITE = 4,       /* reads c->site */
	PRT_WILDCARD = 8,        /* sites that can't be armed are skipped */
	PRT_NEED_SPACE = 8192,   /* takes stacks of the process */
	PRT_SETS_REGS = 16,      /* changes registers, with which the probed code continues */
	PRT_OVERRIDES = 32,      /* entry: may leave the function without running it */
	/* return probes */
	PRT_ENTRY_TIME = 64,     /* needs the time since the entry */
	PRT_ENTRY_FULL = 128,    /* `entry` needs a context; else it is given `regs` and `saved`
				  * and no more of struct prt_ctx, and calls nothing that needs
				  * it */
	PRT_BARE = 1024,         /* the handler looks at nothing of its context but the bank */
	/* end and error probes */
	PRT_ALWAYS = 2048,       /* end: prints the results, also after an error */
	PRT_END_TOO = 4096,      /* error: the same body is that of an end probe */
	/* timers and clocks */
	PRT_IN_JIFFIES = 256,    /* period_ns and randomize_ns are jiffies */
	PRT_EACH_CPU = 512,      /* clock: each processor has one */
};

/* An event to request from perf. */
struct prt_event {
	u64 config, sample;      /* perf: sample is events, or hits a second; 0: no hits */
	u32 type;                /* perf */
	u32 counter;             /* perf: its number from 1 for prt_perf(); 0: it is not read */
	u32 length;              /* watch: bytes */
	u8 is_frequency;         /* perf */
	u8 is_access;            /* watch: where it is read, too */
	/* perf: the absolute path of the program whose processes have hits or are counted; "":
	 * target() and its descendants; NULL: all. NUL-terminated. */
	const char *program;
};

struct prt_probe {
	void (*handler)(struct prt_ctx *c);
	/* the same with all that is done at a hit, or NULL */
	prt_ftrace_hit *hit;     /* PRT_ENTRY */
	prt_kprobe_hit *hit_place; /* PRT_PLACE */
	prt_user_hit *hit_user;  /* PRT_USER */
	prt_call_hit *call;      /* PRT_RETURN */
	prt_return_hit *hit_return;
	prt_direct_enter *enter;
	prt_direct_leave *leave;
	/* Return probes, at the function's entry; either may be NULL. false: the call is not
	 * wanted. `cond` gets `regs` only, and may be called twice; `entry` fills in `saved`. */
	bool (*cond)(struct prt_ctx *c);
	bool (*entry)(struct prt_ctx *c);
	/* Probes in programs: the rehearsal of the handler, for its reads of the process's memory;
	 * NULL: it reads none. */
	void (*rehearse)(struct prt_ctx *c);
	/* The part of the condition that reads globals only, for the session's thread: while it is
	 * false, the probe need not be armed. NULL: there is no such part. */
	bool (*gate)(struct prt_ctx *c);
	const char *pp;          /* NUL-terminated */
	const char *pn;          /* the alias that the script names; NULL: no alias, or not read */
	s64 order;
	s64 period_ns, randomize_ns;
	s64 maxactive;           /* 0: by the number of threads */
	u32 data_size;           /* bytes of entry values, a multiple of 8 */
	u32 nargs;               /* tracepoint: so many of its arguments are read */
	u16 kind;                /* enum prt_probe_kind */
	u8 result_size;          /* return: bytes of the result register that are set; 0: all */
	u8 result_signed;        /* return: the result is signed */
	u16 flags;
	struct prt_event event;  /* perf, watch */
};

/* A module of the kernel that sites are in. */
struct prt_module {
	const char *name;        /* as the kernel has it: with _, never - */
	const char *build_id;    /* lower-case hex; NULL: not known */
};

/* An event of the process in which the kernel was hit. */
enum prt_process_event {
	PRT_PROCESS_BEGIN = 1,   /* it is new, or has begun another program */
	PRT_PROCESS_END,         /* its last thread ends */
	PRT_PROCESS_THREAD_BEGIN, PRT_PROCESS_THREAD_END, /* not its first one */
	PRT_PROCESS_SYSCALL, PRT_PROCESS_SYSCALL_RETURN,
};
/** prt_process_event - whether the hit is that event, because the sites used for it have other hits
 * as well. Never for a kernel thread. Any context with preemption off. */
bool prt_process_event(enum prt_process_event event);
/** prt_process_owner - whether the current process is one that row @nr of prt_script.files is for.
 *  The same. */
bool prt_process_owner(u32 nr);
/** prt_program_code - where the current process has the first code of its program, which is to be
 *  that of row @nr of prt_script.files. PRT_E_OTHER_PROGRAM and 0: it runs another one, or
 *  none. Any context. */
u64 prt_program_code(struct prt_ctx *c, u32 nr, u32 srcloc);
/** prt_user_simd - the low 8 bytes of vector register @n (0..15) of the current process. At a place
 *  in a program, with interrupts off. */
u64 prt_user_simd(u32 n);

/* A program or a library that sites are in, and whose processes they are for. */
struct prt_file {
	const char *path;        /* absolute */
	const char *program;     /* of processes that run this file only, an absolute path; NULL:
				  * any */
	s64 pid;                 /* of this process only; 0: any */
	u8 is_target;            /* only for target() and its descendants */
	u8 is_go;                /* the compiler of Go has made the file */
};

struct prt_site {
	u32 probe;               /* its probe */
	u16 module;              /* 0: the kernel itself; n: modules[n - 1] */
	u16 namesake;            /* which function of that name; outside __init code first */
	u8 direct;               /* a direct call may replace it: parameters are in registers */
	u8 split;                /* place: code elsewhere may jump to around it */
	u16 file;                /* PRT_USER, PRT_USER_RETURN: n: files[n - 1], and `offset` is in
				  * it; else 0 */
	const char *symbol;      /* NUL-terminated; "": `offset` is the address */
	const char *function;    /* that probefunc() names; NULL: the symbol's */
	const char *pp;
	u64 offset;
	u64 counter;             /* PRT_USER: file offset of the marker's 16-bit counter of
				  * users; 0: it has no counter */
	/* PRT_USER_RETURN: where in the file the function returns, each call at one of them; NULL:
	 * not known, a uretprobe has to see it */
	const u64 *exits;
	u32 nexits;
};

/** prt_gates_changed - a global that a gate reads was written: at the end of the handler. */
extern u8 prt_gates_stale;
PRT_INLINE void prt_gates_changed(void) { __atomic_store_n(&prt_gates_stale, 1, __ATOMIC_RELEASE); }

enum prt_global_kind { PRT_G_LONG, PRT_G_STRING, PRT_G_STAT, PRT_G_MAP, PRT_G_STACK };

struct prt_global {
	const char *name;
	u8 kind;                 /* enum prt_global_kind */
	u8 percpu;               /* lives in the banks at `offset`; else at `where` */
	u8 value;                /* maps: kind of the value: PRT_G_LONG, _STRING, _STAT or _STACK */
	u8 wrap;                 /* maps: drop the oldest */
	u8 full_fails;           /* maps: a new element that does not fit is an error */
	u8 nkeys;                /* maps: 1..9 */
	u8 key_string[9];        /* maps: 1 where that key is a string */
	u8 key_stack[9];         /* maps: 1 if the key is a stack, which is stored as a long */
	u32 offset;              /* in a bank: s64, struct prt_stat or struct prt_map_ref */
	u32 size;                /* maps: entries */
	/* s64 *, struct prt_strbuf *, struct prt_stat *, struct prt_map_ref * */
	void *where;
	struct prt_stat_type stat;
	s64 init;                /* PRT_G_LONG: first value */
	struct prt_str init_str; /* PRT_G_STRING */
};

struct prt_script {
	u32 abi;                 /* PRT_ABI_VERSION */
	u32 nprobes, nsites, nglobals, nlocks;
	u32 bank_size;           /* bytes of per-CPU globals */
	/* bytes of the workspace that the deepest call chain needs, recursion included */
	u32 workspace_size;
	u32 iter_depth, hot_iter_depth;
	u32 maxstringlen, maxmapentries, maxnesting, maxerrors;
	u32 maxload;             /* percent of a CPU that its hot handlers may take; 0: no limit */
	u32 stacks;              /* different stacks that the session stores; 0: it uses none */
	u32 user_stacks;         /* it takes stacks of processes */
	u32 hot_gates;           /* hot handlers call prt_gates_changed() */
	s64 maxaction;
	const struct prt_probe *probes;
	const struct prt_site *sites;
	const struct prt_global *globals;
	const struct prt_module *modules;
	u32 nmodules;
	const struct prt_file *files;
	u32 nfiles;
	u32 direct;              /* return probes by direct call where they can (--direct) */
};

/* Defined once in the script unit; the runtime refers to it as an undefined weak symbol. */
extern const struct prt_script prt_script;

#endif
