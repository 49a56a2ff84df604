/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every cap of the runtime on one screen. What a script may set (-D) is in struct prt_script and
 * comes with the script: maxstringlen, maxmapentries, maxaction, maxnesting, maxerrors,
 * maxload, maxstacks, iter_depth.
 */
#ifndef PRT_LIMITS_H
#define PRT_LIMITS_H

#include <linux/gfp.h>

/* The flags for a session's memory: a script that wants too much gets -ENOMEM, and the kernel kills
 * no process for it. */
#define PRT_GFP (GFP_KERNEL | __GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

enum prt_limits {
	/* parts of the machine's memory that a session may take: demand.c */
	PRT_TABLES_SHARE     = 4,
	PRT_MEMORY_SHARE     = 2,        /* with its rings */

	/* rings, bytes */
	PRT_RING_MIN         = 64 << 10,
	PRT_RING_MAX         = 1 << 30,
	PRT_RING_RESERVE     = 8 << 10,  /* of each ring: for error, warn and exit records alone */
	PRT_STAGE_SIZE       = 1 << 20,  /* output of the thread until it is handed over */
	PRT_STAGE_POLL_MS    = 2,        /* between two looks at a full session ring */

	/* handlers */
	PRT_PROCESS_STEPS    = 100,      /* times maxaction: steps of a process-context handler */
	PRT_STEPS_AT_ONCE    = 10000,    /* without time limits: steps from look to look */
	PRT_HOT_SECONDS      = 2,        /* without time limits: one hit; watchdogs bark at 10 */
	PRT_WORK_AT_ONCE     = 4096,     /* entries merged or sorted before others may run */
	PRT_STACK_ROOM       = 2048,     /* bytes of kernel stack that a call must leave */
	PRT_STACK_FOREIGN    = 1536,     /* bytes used at most where its end is unknown */
	PRT_SIGNALS          = 16,       /* of raise() that are on their way at once */
	PRT_LOCK_MS          = 20,       /* time that a hit waits for one taken lock: longer than a
					  * virtual processor that holds it is stopped */
	PRT_LOCK_SPINS       = 256,      /* looks at it between two looks at the clock */
	PRT_LOCK_TRIES       = 2000,     /* the same in process context, each a millisecond apart */

	/* time: budget.c */
	PRT_TIMED_FIRST      = 16,       /* hits of a probe on a CPU that are all timed */
	PRT_TIMED_EVERY      = 127,      /* then one of so many, */
	PRT_TIMED_ALWAYS_US  = 16,       /* each after one that took so long, and between by time */
	PRT_OVERLOAD_SECONDS = 2,        /* in a row above maxload */
	PRT_FULL_PERCENT     = 80,       /* of every processor: no option allows it */
	PRT_FULL_SECONDS     = 10,       /* on average over so long */
	PRT_FULL_SHOWN       = 20,       /* by the clock: then what was not sampled counts */
	PRT_FULL_STALE       = 3,        /* seconds after which a processor's share is old */
	PRT_SAMPLE_PERCENT   = 1,        /* of a processor by the clock: then samples are taken, */
	PRT_SAMPLE_PART      = 3000,     /* also when breakpoints take this part of it, */
	PRT_SAMPLE_SECONDS   = 3,        /* for so long */
	PRT_SAMPLE_NS        = 9700000,  /* between two; no whole number of the kernel's ticks */
	PRT_SAMPLE_OTHERS    = 1024,     /* functions whose breakpoints samples recognise */
	PRT_BREAKPOINT_NS    = 200,      /* the least that the kernel takes to handle one */
	PRT_BREAKPOINT_USER_NS = 300,    /* the same in a program */

	/* arrays */
	PRT_KEYS_MAX         = 9,
	PRT_KEY_INLINE       = 32,       /* bytes of a key in its element; else in the keymem */
	PRT_KEY_BLOCK        = 64,       /* smallest block of the keymem; then twice, ... */
	PRT_KEY_CLASSES      = 11,       /* sizes of blocks: 64 bytes to 64 KiB */
	PRT_KEY_MEAN         = 128,      /* keymem bytes an element, unless no key is so long */
	PRT_CLEAR_SPARSE     = 16,       /* heads that are zeroed in the time of one at random */
	PRT_KEY_DROPS        = 64,       /* oldest entries dropped for one key; then all */
	PRT_HOT_ITER_MAX     = 2048,     /* entries a foreach in a hot probe can hold */
	PRT_SORT_STEPS       = 16,       /* comparisons that cost one step */

	/* stacks */
	PRT_STACK_MEAN       = 40,       /* words of the table for each of the script's maxstacks */
	PRT_TABLES_MEMORY_SHARE = 16,    /* this part of the memory is for unwind tables, at most */
	PRT_STACK_PROBES     = 64,       /* words of the index that are searched for a stack */

	/* attaching */
	PRT_FTRACE_ALONE     = 8,        /* lists of probes with an ftrace_ops each; others share */
	PRT_JUMPS_HELD       = 32,       /* kprobes armed together before one may become a jump */
	PRT_JUMPS_MS         = 1000,     /* that the kernel may take to make jumps in one go */
	PRT_JUMPS_TURNS      = 8,        /* kprobes by which it is seen how long one takes */
	PRT_POOL_BUDGET      = 64 << 20, /* bytes of return instances, all functions together */
	PRT_POOL_SHARE       = 8,        /* .maxactive(N): this part of the memory at most */
	PRT_POOL_MIN         = 16,       /* instances a function, whatever the budget says */
	PRT_POOL_MARGIN      = 64,       /* instances beyond the number of threads */
	PRT_POOL_WATCH_MS    = 10,       /* between two looks at how many are in use */
	PRT_POOL_WATCH_MANY  = 64,       /* one ms more for so many functions */
	PRT_POOL_LOOKS       = 16,       /* calls on a CPU, of which one looks how many are left */
	PRT_USER_CALLS       = 1024,     /* returns in programs: rows for calls beyond 4 a thread */
	PRT_USER_CALLS_GO    = 16384,    /* the same in a program in Go */
	PRT_USER_PAGES       = 64,       /* that are brought in for one hit */
	PRT_PROCESS_ANCESTORS = 64,      /* parents that are followed to target() */
	PRT_POOL_LOWS        = 16,       /* one in so many calls that saw few left counts them */
	PRT_POOL_TIMES       = 3,        /* new ones for each that there is, when half are in use */
	PRT_GATE_POLL_MS     = 20,       /* between two looks at whether hot handlers changed one */
	PRT_GATE_REST_MS     = 200,      /* a condition is false so long before its sites go */
};

/* minimum ns between two hits of a clock: faster ones would leave no time for anything else */
#define PRT_CLOCK_SHORTEST 10000

#endif
