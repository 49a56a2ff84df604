/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of a script: its probes, globals and options. They are constants in the script unit,
 * and only the runtime reads them. script.h includes this file.
 */
#ifndef PRT_TABLES_H
#define PRT_TABLES_H

#include "kinds.h"

enum prt_probe_kind {
#define PRT_KIND(NAME, word, type, site, runs, values, mechanism) PRT_##NAME,
	PRT_KINDS(PRT_KIND)
#undef PRT_KIND
};

/* Where the kernel calls a function of the script, it has exactly the kernel's type: some kernels
 * check that at each indirect call (kCFI). A script knows these structures by their names alone. */
struct ftrace_ops;
struct kprobe;
struct kretprobe_instance;
struct prt_direct_user;
struct pt_regs;
/* Registers at a hit of ftrace: compat/ftrace.h. */
#ifdef PRT_HAVE_FTRACE_REGS
struct ftrace_regs;
typedef struct ftrace_regs prt_ftrace_regs;
#else
typedef struct pt_regs prt_ftrace_regs;
#endif

/* A function of the script that ftrace calls at a hit. PRT_HIT defines it for a probe with one
 * site, or whose handler does not read the site. */
typedef void prt_ftrace_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			    prt_ftrace_regs *regs);
/* The same for a probe whose handler reads which of several sites was hit: PRT_HIT_AT. The runtime
 * calls it. */
typedef void prt_ftrace_hit_at(const struct prt_site *site, void *regs);
/* The same for kprobes: PRT_HIT_PLACE. */
typedef int prt_kprobe_hit(struct kprobe *kprobe, struct pt_regs *regs);
/* The same for hits in programs by the fast path, with interrupts off: PRT_HIT_USER. */
typedef void prt_user_hit(void *regs);
/* The same for a handler with PRT_READS_FIRST: PRT_HIT_ATTEMPT. Returns false if it could not read
 * everything; then it has had no effect, and the hit is not counted. */
typedef bool prt_user_attempt(void *regs);
/* The functions of a return probe for the entry and the return of the probed function. A kretprobe
 * calls those that PRT_CALL and PRT_RETURN_HIT define; a direct call (direct/direct.h) calls those
 * of PRT_DIRECT_CALL and PRT_DIRECT_HIT, with interrupts off. */
typedef int prt_call_hit(struct kprobe *kprobe, struct pt_regs *regs);
typedef int prt_return_hit(struct kretprobe_instance *instance, struct pt_regs *regs);
typedef bool prt_direct_enter(struct prt_direct_user *user, struct pt_regs *regs, u64 *saved);
typedef void prt_direct_leave(struct prt_direct_user *user, struct pt_regs *regs, u64 *saved,
			      s64 value);

enum { /* prt_probe.flags */
	PRT_NEED_REGS = 1,       /* reads all registers, not only the argument registers */
	PRT_READS_PERCPU = 2,    /* process context: the banks are collected before it runs */
	PRT_NEED_SITE = 4,       /* reads c->site */
	PRT_WILDCARD = 8,        /* sites that cannot be armed are skipped */
	PRT_NEED_SPACE = 8192,   /* takes stacks of processes */
	PRT_ONLY_TARGET = 16384, /* PRT_USER, PRT_USER_RETURN: does nothing in other processes than
				  * the target */
	PRT_READS_FIRST = 32768, /* in programs: accesses memory of the process only before it has
				  * effects, and ends with an error where one fails */
	PRT_SETS_REGS = 16,      /* changes registers, with which the probed code continues */
	PRT_OVERRIDES = 32,      /* entry: may leave the function without running it */
	/* return probes */
	PRT_ENTRY_TIME = 64,     /* reads the time since the entry */
	PRT_ENTRY_FULL = 128,    /* `entry` needs a whole context; otherwise it gets a struct
				  * prt_ctx with `regs` and `saved` only, and calls nothing that
				  * reads other fields */
	PRT_BARE = 1024,         /* the handler reads nothing of its context but the bank */
	/* end and error probes */
	PRT_ALWAYS = 2048,       /* end: runs after an error as well, to print results */
	PRT_END_TOO = 4096,      /* error: an end probe has the same body */
	/* timers and clocks */
	PRT_IN_JIFFIES = 256,    /* period_ns and randomize_ns are in jiffies */
	PRT_EACH_CPU = 512,      /* clock: one timer on each processor */
};

/* An event to request from perf. */
struct prt_event {
	u64 config, sample;      /* perf: a hit every `sample` events, or so many hits a second; 0:
				  * no hits, the event is only counted */
	u32 type;                /* perf */
	u32 counter;             /* perf: number from 1 for prt_perf(); 0: handlers do not read
				  * it */
	u32 length;              /* watch: bytes */
	u8 is_frequency;         /* perf */
	u8 is_access;            /* watch: reads are hits as well */
	/* user_watch: the file offset of the program's first instruction; the address in the file
	 * of its first code, if `offset` of the site is an address in the file, 0 if it is one in
	 * the process */
	u64 entry, first_code;
	/* perf: the processes for which the event counts: those that run the program with this
	 * absolute path; "": the target process and its descendants; NULL: all */
	const char *program;
};

/* A file in /proc, or standard input. */
struct prt_channel {
	const char *name;        /* of the file; input: "line" or "char" */
	u32 size;                /* the most bytes of a text; 0: MAXSTRINGLEN - 1 */
	u16 umask;
};

/* A hook of netfilter, by the kernel's numbers. */
struct prt_hook {
	u8 pf;                   /* NFPROTO_... */
	u8 hook;
	s32 priority;            /* hooks with lower ones are called first */
};

/* The meaning of an argument that a handler takes by its number. */
enum prt_interface {
	PRT_CALL_NONE,           /* an argument of the probed function */
	PRT_CALL_64, PRT_CALL_32,/* one of the system call that the process executes */
};

struct prt_probe {
	void (*handler)(struct prt_ctx *c);
	/* functions of the script that run the handler with all steps of a hit, or NULL */
	prt_ftrace_hit *hit;     /* PRT_ENTRY */
	prt_ftrace_hit_at *hit_at; /* PRT_ENTRY */
	prt_kprobe_hit *hit_place; /* PRT_PLACE */
	prt_user_hit *hit_user;  /* PRT_USER */
	prt_user_attempt *attempt; /* PRT_USER, with a rehearsal */
	prt_call_hit *call;      /* PRT_RETURN */
	prt_return_hit *hit_return;
	prt_direct_enter *enter;
	prt_direct_leave *leave; /* also PRT_USER_RETURN */
	/* Return probes: called at the function's entry unless NULL; false: the probe does not want
	 * this call. `cond` reads `regs` only, and may be called twice; `entry` fills in
	 * `saved`. */
	bool (*cond)(struct prt_ctx *c);
	bool (*entry)(struct prt_ctx *c);
	/* Probes in programs: the rehearsal of the handler; NULL: the handler does not access the
	 * memory of the process. */
	void (*rehearse)(struct prt_ctx *c);
	/* PRT_USER, PRT_USER_RETURN: the number of a pid namespace, which is known when probes are
	 * armed: the handler does nothing in processes outside of it. NULL: in any. */
	const s64 *pid_namespace;
	/* The gate, which the session thread evaluates: while it is false, the probe is not armed.
	 * NULL: there is no gate. */
	bool (*gate)(struct prt_ctx *c);
	const char *pp;          /* NUL-terminated */
	const char *pn;          /* the alias that the script names; NULL: none, or pn() is not
				  * used */
	s64 order;
	s64 period_ns, randomize_ns;
	s64 maxactive;           /* instances of a return probe; 0: by the number of threads */
	u32 data_size;           /* bytes of entry values, a multiple of 8 */
	u32 nargs;               /* tracepoint: the number of arguments that are read */
	u16 kind;                /* enum prt_probe_kind */
	u8 result_size;          /* return: bytes of the result register that the function sets; 0:
				  * all */
	u8 result_signed;        /* return: the result is signed */
	u16 flags;
	u8 interface;            /* enum prt_interface */
	u8 has_switch;           /* 1: prt_script.switches says whether it is on */
	u8 entry_tests;          /* return: 1: `entry` also tests whether the call is wanted */
	struct prt_event event;  /* perf, watch, user_watch */
	struct prt_channel channel; /* procfs_read, procfs_write, input */
	struct prt_hook hook;    /* netfilter */
};

/* A probed module of the kernel. */
struct prt_module {
	const char *name;        /* the kernel's name for it: with _ in place of - */
	const char *build_id;    /* in lower-case hexadecimal; NULL: not known */
};

/* Events of the current process. */
enum prt_process_event {
	PRT_PROCESS_BEGIN = 1,   /* it was forked, or executes another program */
	PRT_PROCESS_END,         /* its last thread ends */
	PRT_PROCESS_THREAD_BEGIN, PRT_PROCESS_THREAD_END, /* a thread other than the first */
	PRT_PROCESS_SYSCALL, PRT_PROCESS_SYSCALL_RETURN,
};
/** prt_process_event - whether the hit is that event; the sites used for it have other hits as
 * well. false in a kernel thread. Any context with preemption off. */
bool prt_process_event(enum prt_process_event event);
/** prt_process_owner - whether row @nr of prt_script.files applies to the current process. Any
 *  context with preemption off. */
bool prt_process_owner(u32 nr);
/** prt_program_code - the address of the first code of the current process's program
 *  (mm->start_code). 0 and PRT_E_OTHER_PROGRAM if the process does not run the program of row @nr
 *  of prt_script.files. Any context. */
u64 prt_program_code(struct prt_ctx *c, u32 nr, u32 srcloc);

/*
 * The way from a thread to the thread-local memory that it has of a library, in the structures of
 * glibc's dynamic loader. Numbers of modules are positions in a list of pieces, each with an
 * array of slots; a slot has the module's struct link_map, which has its distance if that is the
 * same in all threads, and the generation in which the module got its number. A thread has a
 * vector of entries by such numbers, each with the address of the memory; the first has the
 * generation of which the vector is, the one before it the number of the last entry.
 */
enum {
	PRT_BUILD_ID_MOST = 64,
	PRT_MAP_DYNAMIC = 16,    /* of l_ld in struct link_map (<link.h>): its dynamic section */
};
struct prt_thread_layout {
	const char *library;     /* its path */
	const char *loader;      /* that of the dynamic loader of this layout */
	const char *build_id;    /* of the loader */
	u32 build_id_size;
	u64 build_id_at;         /* where the file has it; likewise: */
	u64 list;                /* the pointer to the first piece of the list */
	/* Offsets, and the sizes of a slot and an entry. */
	u32 list_len, list_next, list_slots, slot_size, slot_map, slot_generation;
	u32 map_distance;
	u32 vector;              /* of the pointer to it, from the thread's base address */
	u32 entry_size, entry_counter, entry_block;
};
/** prt_thread_base - the address from which the current thread's code finds its thread-local
 *  memory. 0 and PRT_E_THREAD_LOCAL if it has none yet. Any context. */
u64 prt_thread_base(struct prt_ctx *c, u32 srcloc);
/** prt_thread_block - the thread-local memory that the current thread has of the library whose
 *  dynamic section is at @dynamic, by row @nr of prt_script.threads. PRT_E_THREAD_LOCAL,
 *  PRT_E_BAD_ADDRESS. Any context. */
u64 prt_thread_block(struct prt_ctx *c, u32 nr, u64 dynamic, u32 srcloc);

/** prt_user_simd - the low 8 bytes of vector register @n (0..15) of the current process. At a place
 *  in a program, with interrupts off. */
u64 prt_user_simd(u32 n);

/* A program file with sites, and the processes in which they are probed. */
struct prt_file {
	const char *path;        /* absolute */
	const char *program;     /* only in processes that run this program, an absolute path; NULL:
				  * in all */
	s64 pid;                 /* only in this process, by its number in the loader's pid
				  * namespace; 0: in all */
	u8 is_target;            /* only in the target process and its descendants */
	u8 is_go;                /* the file was made by Go's compiler */
};

struct prt_site {
	u32 probe;               /* number of its probe */
	u16 module;              /* 0: the kernel itself; n: modules[n - 1] */
	u16 namesake;            /* number among the symbols of that name, those in __init code
				  * last */
	u8 direct;               /* a direct call is possible: all parameters are in registers */
	u8 split;                /* place: code in another section may jump to instructions near
				  * it */
	u16 file;                /* PRT_USER, PRT_USER_RETURN: n: files[n - 1], and `offset` is an
				  * offset in that file; PRT_USER_WATCH: the same, and `offset` is
				  * an address; else 0 */
	/* n: hits are those whose second argument is n - 1, the number of a system call
	 * (attach/syscall.c), and not those of all calls of the function; 0: all */
	u16 syscall;
	u32 function_len;        /* bytes of the result of probefunc() */
	const char *symbol;      /* NUL-terminated; "": `offset` is the address */
	const char *function;    /* the result of probefunc(); NULL: the symbol */
	const char *pp;
	u64 offset;              /* bytes */
	u64 counter;             /* PRT_USER: file offset of the marker's semaphore, a 16-bit
				  * counter of its users; 0: it has none */
	/* PRT_TRACE, on a kernel that checks the types of functions at tracepoints (kCFI): a
	 * function of this one's type, which calls prt_trace_hit(); NULL: there is none. */
	const void *receiver;
	/* PRT_USER_RETURN: file offsets of all instructions at which the function returns; NULL:
	 * not known, so a uretprobe is used */
	const u64 *exits;
	u32 nexits;
};

/** prt_trace_hit - runs the probes of a tracepoint. @point: the receiver's first argument; @args:
 *  the others; @frame: its __builtin_frame_address(0). */
void prt_trace_hit(void *point, u64 *args, const void *frame);
/** prt_gates_changed - tell the session thread that a global which a gate reads was written. Called
 *  at the end of the handler; any context. */
extern u8 prt_gates_stale;
PRT_INLINE void prt_gates_changed(void) { __atomic_store_n(&prt_gates_stale, 1, __ATOMIC_RELEASE); }

enum prt_global_kind { PRT_G_LONG, PRT_G_STRING, PRT_G_STAT, PRT_G_MAP, PRT_G_STACK };

struct prt_global {
	const char *name;
	u8 kind;                 /* enum prt_global_kind */
	u8 percpu;               /* 1: stored in the banks at `offset`; 0: at `where` */
	u8 value;                /* maps: kind of the value: PRT_G_LONG, _STRING, _STAT or _STACK */
	u8 wrap;                 /* maps: a new element replaces the oldest one if the map is
				  * full */
	u8 full_fails;           /* maps: a new element that does not fit is an error */
	u8 whole;                /* maps: the session's thread may add elements while it holds
				  * locks, when it cannot get memory for them */
	u16 lock;                /* maps: the number of its lock, plus 1; 0: it has none */
	u8 nkeys;                /* maps: 1..9 */
	u8 key_string[9];        /* maps: 1 if the key is a string */
	u8 key_stack[9];         /* maps: 1 if the key is a stack, which is stored as a long */
	/* maps: the most bytes of the keys of a new element, as stored: a string that is the only
	 * key has no length before it; 0: nothing is known but maxstringlen */
	u32 key_bytes;
	u32 offset;              /* in a bank: s64, struct prt_stat or struct prt_map_ref */
	u32 size;                /* maps: the number of elements */
	/* s64 *, struct prt_strbuf *, struct prt_stat *, struct prt_map_ref * */
	void *where;
	struct prt_stat_type stat;
	s64 init;                /* PRT_G_LONG: initial value */
	struct prt_str init_str; /* PRT_G_STRING: initial value */
};

struct prt_script {
	u32 abi;                 /* PRT_ABI_VERSION */
	u32 nprobes, nsites, nglobals, nlocks;
	u32 bank_size;           /* bytes of per-CPU globals */
	/* bytes of the workspace that the deepest chain of function calls needs, with recursion */
	u32 workspace_size;
	u32 iter_depth, hot_iter_depth;
	u32 maxstringlen, maxmapentries, maxnesting, maxerrors;
	u32 maxload;             /* percent of a CPU that hot handlers may take; 0: no limit */
	u32 stacks;              /* capacity of the table of stacks; 0: the script uses no stacks */
	u32 user_stacks;         /* 1: the script takes stacks of processes */
	u32 task_stacks;         /* 1: the script takes kernel stacks of other tasks */
	u32 hot_gates;           /* 1: hot handlers call prt_gates_changed() */
	u32 hot_output;          /* 1: hot handlers may print; else they leave only errors */
	s64 maxaction;
	const struct prt_probe *probes;
	const struct prt_site *sites;
	const struct prt_global *globals;
	const struct prt_module *modules;
	u32 nmodules;
	const struct prt_file *files;
	u32 nfiles;
	const struct prt_thread_layout *threads;
	u32 direct;              /* 1: return probes use direct calls if possible (--direct) */
	/* By probe: 1: switched off by PRT_IOC_SWITCH. NULL: none can be switched. */
	u8 *switches;
};

/* Defined in the script unit; an undefined weak symbol in the runtime. */
extern const struct prt_script prt_script;

#endif
