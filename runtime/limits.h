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
	/* a session may take 1/N of the machine's memory: demand.c */
	PRT_TABLES_SHARE     = 4,
	PRT_MEMORY_SHARE     = 2,        /* 1/N, including its rings */

	/* rings, bytes */
	PRT_RING_MIN         = 64 << 10,
	PRT_RING_MAX         = 1 << 30,
	PRT_RING_RESERVE     = 8 << 10,  /* of each ring, for records of error(), warn() and exit()
					  * only */
	PRT_RING_TIMES       = 4,        /* by which a ring grows, */
	PRT_RING_GROW_AT     = 16,       /* when 1/N of it is unread */
	PRT_RING_TRIES       = 8,        /* to do so while the reader goes on */
	PRT_STAGE_SIZE       = 1 << 20,  /* bytes of output that the session thread collects, */
	PRT_STAGE_FIRST      = 128 << 10, /* at first: all once it holds locks, or for a long
					   * record */
	PRT_STAGE_POLL_MS    = 2,        /* between two checks of a full session ring */

	/* handlers */
	PRT_PROCESS_STEPS    = 100,      /* steps of a process-context handler, times maxaction */
	PRT_STEPS_AT_ONCE    = 10000,    /* without time limits: steps between two checks */
	PRT_HOT_SECONDS      = 2,        /* without time limits: one hit; the watchdog reports after
					  * 10 */
	PRT_WORK_AT_ONCE     = 4096,     /* elements merged or sorted before other tasks may run */
	PRT_STACK_ROOM       = 2048,     /* bytes of kernel stack that a call must leave */
	PRT_STACK_FOREIGN    = 1536,     /* the most bytes used if the end of the stack is
					  * unknown */
	PRT_SIGNALS          = 16,       /* of raise() that are not delivered yet, at once */
	PRT_LOCK_MS          = 20,       /* that a hit waits for a lock: longer than a virtual
					  * processor that holds it is stopped */
	PRT_LOCK_SPINS       = 256,      /* checks of the lock between two readings of the clock */
	PRT_LOCK_TRIES       = 2000,     /* the same in process context, each a millisecond apart */

	/* time: budget.c */
	PRT_TIMED_FIRST      = 16,       /* hits of a probe on a CPU that are all timed */
	PRT_TIMED_EVERY      = 127,      /* then one in so many is timed, */
	PRT_TIMED_ALWAYS_US  = 16,       /* each one after a hit of that length; sooner after
					  * shorter ones */
	PRT_OVERLOAD_SECONDS = 2,        /* successive seconds above maxload */
	PRT_FULL_PERCENT     = 80,       /* of every processor: no option allows more */
	PRT_FULL_SECONDS     = 10,       /* over which that is averaged */
	PRT_FULL_SHOWN       = 20,       /* by the clock: then missing samples count as hits */
	PRT_FULL_STALE       = 3,        /* seconds after which a processor's share is outdated */
	PRT_SAMPLE_PERCENT   = 1,        /* of a processor by the clock: samples are taken, */
	PRT_SAMPLE_PART      = 3000,     /* also if breakpoints take 1/N of it, */
	PRT_SAMPLE_SECONDS   = 3,        /* for so long */
	PRT_SAMPLE_NS        = 9700000,  /* between two samples; not a multiple of the kernel's
					  * ticks */
	PRT_SAMPLE_OTHERS    = 1024,     /* functions whose breakpoints are recognised by samples */
	PRT_BREAKPOINT_NS    = 200,      /* the least that the kernel takes to handle one */
	PRT_BREAKPOINT_USER_NS = 300,    /* the same in a program */

	/* arrays */
	PRT_KEYS_MAX         = 9,
	PRT_EXP_PER_ELEMENT  = 8,        /* blocks of cells for each element of an array, */
	PRT_EXP_POOL         = 64,       /* and more, for all of them */
	PRT_EXP_PIECE        = 4,        /* blocks that a scalar takes at once */
	PRT_KEY_INLINE       = 32,       /* bytes of a key in its element; else in the keymem */
	PRT_KEY_BLOCK        = 64,       /* smallest block of the keymem; the others are 2, 4, ...
					  * times as large */
	PRT_KEY_CLASSES      = 11,       /* sizes of blocks: 64 bytes to 64 KiB */
	PRT_KEY_MEAN         = 128,      /* keymem bytes for each element, unless all keys are
					  * shorter */
	/* arrays that grow (grow.h), elements of each copy */
	PRT_GROW_SPARE       = 2000,     /* that there is room for: 20 ms at 100,000 a second */
	PRT_GROW_FIRST       = 2304,     /* at the beginning: some of it is no spare room */
	PRT_GROW_LEAST       = 64 << 10, /* bytes that must be saved, or it does not grow */
	PRT_HISTS_COPY       = 64,       /* histograms that are spare for each copy, beside
					  * PRT_GROW_SPARE for all of them */
	PRT_HISTS_CHUNK      = 64 << 10, /* bytes of the histograms that are made at once */
	PRT_CELLS_SPARE      = 16,       /* pieces of blocks that are spare for scalars: one hit can
					  * add all positive numbers, */
	PRT_CELLS_COPY       = 2,        /* and for each copy of a scalar, */
	PRT_CELLS_CHUNK      = 4 << 10,  /* and the bytes that are made at once */
	PRT_CLEAR_SPARSE     = 16,       /* heads that are zeroed in the time of one at random */
	PRT_KEY_DROPS        = 64,       /* oldest elements dropped to make room for a key; then all
					  * are */
	PRT_HOT_ITER_MAX     = 2048,     /* elements that a foreach in a hot probe can hold */
	PRT_SORT_STEPS       = 16,       /* comparisons that cost one step */

	/* stacks */
	PRT_STACK_MEAN       = 40,       /* words of the table for each stack of maxstacks */
	PRT_STACK_RUN        = 1 << 10,  /* words of a stack at most */
	PRT_WORDS_CHUNK      = 32 << 10, /* words that are added to the table at once, */
	PRT_STACK_SPARE      = 80000,    /* when fewer are left: 2000 stacks of the mean length */
	PRT_SCRIPT_RUN       = 4096 + 1, /* words of the description of a script's function */
	PRT_SCRIPT_MEAN      = 128,      /* words for each of them */
	PRT_SCRIPT_SPARE     = 16384,    /* words that are to be spare for them */
	PRT_SCRIPT_SEEN      = 4096,     /* frames of scripts that are kept: a power of 2 */
	PRT_SCRIPT_KNOWN     = 8192,     /* functions of processes that are recognised at once */
	PRT_TABLES_MEMORY_SHARE = 16,    /* unwind tables take at most 1/N of the memory */
	PRT_STACK_PROBES     = 64,       /* words of the index that are searched for a stack */

	/* attaching */
	PRT_FTRACE_ALONE     = 8,        /* so many lists of probes have an ftrace_ops each; more
					  * share one */
	PRT_JUMPS_HELD       = 32,       /* so many kprobes are armed before jumps are allowed */
	PRT_JUMPS_MS         = 1000,     /* that the kernel may take to make jumps without a
					  * pause */
	PRT_JUMPS_TURNS      = 8,        /* kprobes by which the time for a jump is measured */
	PRT_RETURNS_ROUND    = 128,      /* kretprobes that are disarmed by one call */
	PRT_POOL_BUDGET      = 64 << 20, /* bytes of return instances, all functions together */
	PRT_POOL_SHARE       = 8,        /* .maxactive(N): at most 1/N of the memory */
	PRT_POOL_MIN         = 16,       /* instances of a function, even beyond the budget */
	PRT_POOL_MARGIN      = 64,       /* instances beyond the number of threads */
	PRT_POOL_WATCH_MS    = 10,       /* between two checks of how many are in use */
	PRT_POOL_WATCH_MANY  = 64,       /* one ms is added for so many functions */
	PRT_POOL_LOOKS       = 16,       /* one in so many calls on a CPU checks how many are
					  * left */
	PRT_USER_CALLS       = 1024,     /* returns in programs: rows for calls, in addition to 4
					  * for each thread */
	PRT_USER_CALLS_GO    = 16384,    /* the same in a program in Go */
	PRT_USER_PAGES       = 64,       /* pages that are brought in for one hit */
	PRT_WATCH_WALKS      = 16,       /* over all threads, until each has its watchpoints */
	PRT_WATCH_MARGIN     = 64,       /* threads that may come during a walk */
	PRT_WATCH_CREATION_MS = 2,       /* that the kernel takes to create a thread */
	PRT_PROCESS_ANCESTORS = 64,      /* parents that are searched for the target process */
	PRT_POOL_LOWS        = 16,       /* one in so many calls that saw few left counts all */
	PRT_POOL_TIMES       = 3,        /* new instances for each existing one, when half are in
					  * use */
	PRT_GATE_POLL_MS     = 20,       /* between two checks whether hot handlers changed a
					  * gate */
	PRT_GATE_REST_MS     = 200,      /* a gate is false so long before its probe is disarmed */
};

/* The minimum ns between two hits of a clock: faster ones would leave no time for anything else. */
#define PRT_CLOCK_SHORTEST 10000

#endif
