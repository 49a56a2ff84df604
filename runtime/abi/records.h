/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface between the runtime and the loader: the device, the rings, the records, and the
 * self-description of a module. Kernel and user space share nothing else.
 *
 * A session as the device sees it (one node, /dev/MODULE-NAME, mode 0600, opened once)
 *
 *   open one opener; a second one gets -EBUSY. While the device is open, the module cannot be
 *               removed
 *   HELLO       versions and counts; the loader compares them with the self-description
 *   SETUP       sizes, target process, number of threads; allocates rings and tables. If it fails,
 *               nothing stays allocated
 *   REFUSAL     after a SETUP that failed: what was too large, and by how much
 *   GLOBAL      one value of -G or NAME=VALUE, any number of times before START
 *   SITES addresses of sites, which the loader found in /proc/kallsyms, before START. Addresses in
 *               modules must be read after SETUP: from then on the runtime watches modules, and its
 *               own observations override what the loader says
 *   mmap        after SETUP: ring r is at page offset r * PRT_RING_MMAP_PAGES; see "Rings"
 *   START       makes the session thread run begin probes, arm, and set PRT_STATE_RUNNING; returns
 *               at once
 *   STATUS      the state, the counters of the session, and the session clock. It reads a few words
 *               for each CPU, however many sites and probes there are, so it can be called at any
 *               rate. PROBES and SITE_STATUS read every probe and site: call them once a second
 *   STACKS      counts of stacks; SYMBOL: the name of an address in a stack. Both after SETUP
 *   SITE_STATUS for each site, whether it is armed, and its losses
 *   RUN         makes the session thread run handlers of timers once, besides their periods
 *   SWITCH      switches a probe off or on, while the session runs
 *   ARRAY       an array that had no room for new elements, if STATUS has counted such
 *   INPUT       a line or a character of standard input, after SETUP, by a thread of its own: waits
 *               until its handlers have run
 *   STOP        orderly end: disarms, runs end probes, and flushes the output; then the state is
 *               PRT_STATE_DONE
 *   poll        POLLIN: a ring is half full or the state has changed; the loader polls every 50 ms
 *               anyway
 *   close at any moment: a flag stops all handlers at once, and a work item disarms and frees; the
 *               module can be unloaded when that is done
 *
 * Rings
 *   There is one ring for each CPU that has been online in the session (hot probes), by its number,
 *   and one for the session thread, numbered prt_hello.nrings - 1. Those of CPUs that are online at
 *   SETUP exist from then on; that of another one is made before it executes its first instruction.
 *   mmap of one that does not exist fails with -ENXIO. A ring is a header page followed by `size`
 *   bytes of data (a power of two). The data is mapped TWICE, one copy after the other, so that no
 *   group wraps: a group at offset head % size can be read linearly. The header page is mapped
 *   writable, because the loader writes `tail`; the data is read-only.
 *
 *   A ring that grows is written to in its new memory from a store to `size` on, which precedes the
 *   next store to `head`. A reader that finds another `size` after it has read `head` maps the data
 *   anew, which shows what is unread as the former mapping does, at other places: those of the new
 *   size. It reads `size` once more after that, and begins again if it has changed.
 *
 *   Producer (interrupts off, one at a time): writes data, then `head` (release). Consumer: reads
 *   `head` (acquire), data, then writes `tail` (release). Both count bytes from 0 and never wrap in
 *   practice (64 bits).
 *
 *   `open` is the time of the group that is being written; 0: none is; 1: the clock is about to be
 *   read. It is set to 1, which others see before the clock is read, and to 0 (release) after
 *   `head` was published. A reader (1) takes NOW by STATUS, and maps the rings that are new if
 *   prt_status.rings has grown, (2) then reads `open` of every ring, again later if it is 1, and
 *   (3) then reads every `head`. It may then print, in the order of their times, all groups whose
 *   time is less than NOW and than all open times, and must keep the others for the next turn.
 *
 * Groups and records
 *   A group is everything that one hit printed: struct prt_group, then records, each struct prt_rec
 *   and its arguments; everything is a multiple of 8 bytes. A record's arguments are laid out by
 *   the types string of its print statement:
 *     l  8 bytes, signed
 *     d  8 bytes, a number of type double
 *     s  u32 length, then the bytes, zero-padded to 8 (so an empty string is 8 bytes)
 *     H  struct prt_hist_data, then `n` counts of 8 bytes
 *     k  a stack: struct prt_stack_data, then `len` bytes of parts, each struct prt_stack_part and
 *        its `n` frames of 8 bytes, innermost first
 */
#ifndef PRT_RECORDS_H
#define PRT_RECORDS_H

#ifdef PRT_SCRIPT_UNIT
typedef unsigned char prt_u8;
typedef unsigned short prt_u16;
typedef unsigned int prt_u32;
typedef unsigned long long prt_u64;
typedef signed int prt_s32;
typedef signed long long prt_s64;
#elif defined(__KERNEL__)
#include <linux/ioctl.h>
#include <linux/types.h>
typedef __u8 prt_u8;
typedef __u16 prt_u16;
typedef __u32 prt_u32;
typedef __u64 prt_u64;
typedef __s32 prt_s32;
typedef __s64 prt_s64;
#else
#include <stdint.h>
#include <sys/ioctl.h>
typedef uint8_t prt_u8;
typedef uint16_t prt_u16;
typedef uint32_t prt_u32;
typedef uint64_t prt_u64;
typedef int32_t prt_s32;
typedef int64_t prt_s64;
#endif

#define PRT_ABI_VERSION 14
#define PRT_MAGIC 0x50524f42u /* "PROB" */

/* The module name that kbuild compiles into the runtime, of exactly 55 characters
 * (MODULE_NAME_LEN - 1). The loader and -m overwrite it with the final name, padded with NULs. */
#define PRT_PLACEHOLDER "probec_0123456789abcdef0123456789abcdef0123456789abcdef"
#define PRT_NAME_LEN 55

/* Bytes of the longest source line that is shown with a message. */
#define PRT_EXCERPT_MAX 400

/* ---- records ---- */

enum prt_group_kind {
	PRT_GROUP_OUTPUT = 1,
};

struct prt_group {
	prt_u32 len;      /* bytes, this header included, a multiple of 8 */
	prt_u16 kind;     /* enum prt_group_kind; unknown: skip by len */
	prt_u16 probe;    /* number of the probe in the script */
	prt_u64 time;     /* of the session clock, in ticks */
};

/* Ids below it are print statements; above it, messages of the runtime. */
#define PRT_REC_PRINT_MAX 0x10000u
enum prt_rec_id {
	/* l: code (enum prt_err), l: source location, s: text, such as that of error() */
	PRT_REC_ERROR = 0x10000,
	PRT_REC_WARN,            /* s: the argument of warn() */
	PRT_REC_EXIT,            /* exit() was called: no arguments */
	PRT_REC_SYSTEM,          /* s: a command that the loader is to run: system() */
	PRT_REC_NEXT_FILE,       /* switch_file() was called: no arguments */
	PRT_REC_DEBUG,           /* s: a line of _stp_dbug() */
	PRT_REC_CALLED,          /* l: source location of a call that the next error has left */
};
struct prt_rec {
	prt_u32 id;
	prt_u32 len;      /* bytes, this header included, a multiple of 8 */
};

#include "arrays.h"
#include "hist.h" /* struct prt_hist_data */
#include "rings.h"

/*
 * Stacks. A stack is a sequence of parts; an empty stack has no parts. Each frame is a word.
 *
 * A frame of a process is the number of a file and an address in it (PRT_FRAME_...), so that the
 * stacks of processes that run the same code are equal, wherever it is mapped, and names can be
 * found when the process has ended. The loader numbers the files (struct prt_code_file_set).
 */
enum prt_stack_kind {
	PRT_STACK_KERNEL = 1, /* frames: addresses of the kernel */
	PRT_STACK_RETURNING,  /* one frame: the function that returns to the frames after it */
	PRT_STACK_LOST,       /* no frames: the table of stacks was full */
	PRT_STACK_USER,       /* frames of the process */
};
enum prt_stack_flags {
	PRT_STACK_DEEPER = 1, /* there are more frames than PRT_STACK_FRAMES */
	PRT_STACK_BROKEN = 2, /* the unwinder did not reach the end */
	PRT_STACK_EARLY = 4,  /* user: the loader did not know the process's code yet */
	PRT_STACK_ABSENT = 8, /* user: a part of the process's stack was not resident */
	PRT_STACK_GUESSED = 16, /* user: frame pointers were followed through such code */
	PRT_STACK_NATIVE = 32,  /* user: frames of scripts are missing (script_frames.h) */
};
struct prt_stack_part {
	prt_u16 kind;         /* enum prt_stack_kind; unknown: skip by n */
	prt_u16 flags;        /* enum prt_stack_flags */
	prt_u32 n;            /* frames that follow */
};
/* Frames of PRT_STACK_USER. */
#define PRT_FRAME_ADDRESS ((1ull << 47) - 1) /* as in the file's program headers; without a file,
					      * in the process */
#define PRT_FRAME_CALL    (1ull << 47)       /* a return address: it follows a call instruction */
#define PRT_FRAME_FILE    48                 /* shift of the file's number; 0: there is no file */
#define PRT_CODE_FILES    8191               /* the highest number of a file */
enum prt_stack_style {
	PRT_STACK_PLAIN,      /* "0xADDRESS 0xADDRESS" */
	PRT_STACK_WITH_NAMES, /* one line for each frame */
	PRT_STACK_WITH_LINES, /* the same with source lines, and functions that are inlined */
	PRT_STACK_FILE_LINE,  /* of the first frame, "FILE:LINE" */
	PRT_STACK_FILE,       /* ... "FILE" */
	PRT_STACK_LINE,       /* ... "LINE" */
	PRT_STACK_BRIEF,      /* one line for each frame: its name and offset alone */
	PRT_STACK_FUNCTION,   /* of the first frame, its name */
};
struct prt_stack_data {
	prt_u32 len;          /* bytes that follow */
	prt_u32 style;        /* enum prt_stack_style */
};
#define PRT_STACK_FRAMES 256

/* Elements of the largest array. */
#define PRT_MAP_MAX (1 << 24)

/* Run-time errors; the loader adds the source location and the id. The order is part of the ABI. */
enum prt_err {
	PRT_OK = 0,
	PRT_E_DIV_ZERO,
	PRT_E_BAD_ADDRESS,    /* text: the address in hex */
	PRT_E_ARRAY_FULL,     /* text: name and size */
	PRT_E_EMPTY_AGGREGATE,
	PRT_E_STEPS,
	PRT_E_NESTING,
	PRT_E_SCRIPT,         /* error(): text is its argument */
	PRT_E_BAD_VALUE,      /* text names the value */
	PRT_E_ABORT,          /* abort(): ends the handler and the session; no message */
	PRT_E_OVERLOAD,       /* handlers took more than MAXLOAD percent of a processor, or a single
			       * hit without a step budget ran for seconds: the session ends. text:
			       * the share in percent, the processor, and the limit; the group's
			       * probe is the costliest one; the source location is 0xffffffff */
	PRT_E_STARVED,        /* probes took nearly all of every processor: the session ends,
			       * whatever its options allow. The rest as for PRT_E_OVERLOAD */
	PRT_E_STACK,          /* as PRT_E_NESTING, but the kernel's stack is full before
			       * MAXNESTING */
	PRT_E_OTHER_PROGRAM,  /* text: the path of the program, which the process does not run */
	PRT_E_OTHER_RIGHTS,   /* PRT_SETUP_USERS_TARGET: ends the session, as exit() does; there is
			       * no record */
	PRT_E_PROCESSOR,      /* there is no memory for a processor that has come online: ends the
			       * session; there is no record */
	PRT_E_THREAD_LOCAL,   /* text: why there is no thread-local memory of a file */
};

/* ---- device ---- */

enum prt_state {
	PRT_STATE_NEW, PRT_STATE_READY, PRT_STATE_BEGIN, PRT_STATE_ARMING, PRT_STATE_RUNNING,
	PRT_STATE_ENDING, PRT_STATE_DONE,
};

/* States in the kernel's hotplug of processors that modules share (include/linux/cpuhotplug.h,
 * CPUHP_..._DYN): the numbers of the first and the last one, and how many the session takes. */
struct prt_hotplug {
	prt_u32 first, last, takes;
};

struct prt_hello {
	prt_u32 abi, nsites, nprobes;
	prt_u32 nrings;       /* rings that there can be */
	prt_u32 parts;        /* processors that are online, which get a ring at SETUP */
	prt_u32 output;       /* 1: hot probes may print, so their rings need room */
	prt_u64 memory;       /* bytes that SETUP will allocate, without rings and later growth */
	prt_u64 text;         /* the most bytes of a string of the script */
	prt_u64 calls;        /* bytes that return probes need for calls at least */
	struct prt_hotplug prepare, online;
};

struct prt_setup {
	prt_u32 ring_size;    /* bytes of data of each CPU's ring; power of two, 64 KiB to 1 GiB */
	prt_u32 session_ring_size;
	/* The sizes up to which they grow; 0, and always in a session that records: they do not. */
	prt_u32 ring_most, session_ring_most;
	prt_u32 threads;      /* threads on the system: for the size of the first instance pools */
	prt_s64 target;       /* process of -x or -c, numbered as in the caller's namespace; or 0 */
	prt_u64 flags;        /* enum prt_setup_flags */
	/* The most bytes of the room for calls of return probes, all of it together, which is
	 * allocated when they are armed and later: prt_hello.calls at least. 0: PRT_POOL_BUDGET
	 * for functions of the kernel, and as much for each return probe of a program. */
	prt_u64 calls;
	/* The most bytes by which arrays and rings may grow beyond what SETUP allocates, all of
	 * them together. 0: up to the share of the machine's memory that tables may take. */
	prt_u64 growth;
};
enum prt_setup_flags {
	/* Neither the step budget nor the overload breaker ends a handler or the session. A handler
	 * that still runs when the session is to end gets an ordinary step budget, and ends without
	 * an error when that is spent. */
	PRT_SETUP_NO_TIME_LIMITS  = 1,
	/* A run-time error ends its handler only. All errors are counted (prt_probe_counts.errors);
	 * at most PRT_FORGIVEN_A_SECOND of them in a second become records. */
	PRT_SETUP_FORGIVE_ERRORS  = 2,
	/* All hits in programs go through the kernel's uprobes. */
	PRT_SETUP_NO_FAST_USER    = 4,
	/* The target belongs to a user who is not root and is to see nothing else: the session ends
	 * when it executes a program that gives it other rights, or another process gets its
	 * number. target() is -1 from then on. SETUP fails with -ESRCH if there is no such
	 * process. */
	PRT_SETUP_USERS_TARGET    = 8,
	/* With it: the same for descendants of the target. SETUP fails with -EPERM if one has other
	 * rights. Implied if probes are for descendants. */
	PRT_SETUP_DESCENDANTS     = 16,
	PRT_SETUP_FLIGHT          = 32, /* rings keep the newest output: snapshot.h */
	PRT_SETUP_NATIVE_FRAMES   = 64, /* stacks have frames of interpreters beside scripts' */
	PRT_SETUP_COST            = 128, /* prt_site_status.cost is measured */
	PRT_SETUP_SUBTRACT_COST   = 256, /* the same, and it is subtracted from elapsed times */
};
#define PRT_FORGIVEN_A_SECOND 20
/* The reason why the last SETUP failed. Sums include what was requested and not allocated. */
enum prt_refused {
	PRT_REFUSED_NOT,
	PRT_REFUSED_LIMIT,    /* more than `limit`, which is a fraction of the machine's memory */
	PRT_REFUSED_TOO_LARGE,/* an array would have 2 GiB or more */
	PRT_REFUSED_MEMORY,   /* an allocation failed */
};
struct prt_refusal {
	prt_u32 why;          /* enum prt_refused */
	prt_u32 copies;       /* of the largest array: 1, or several for each CPU */
	prt_u64 limit;        /* bytes, with PRT_REFUSED_LIMIT; else 0 */
	prt_u64 rings;        /* bytes of all rings, whose size -s sets */
	prt_u64 arrays;       /* bytes of all arrays and other globals */
	prt_u64 other;        /* bytes of the handlers' own memory, and of the tables of
			       * stacks and sites */
	prt_u64 largest;      /* bytes of the largest array with all its copies; 0: no array */
	prt_u64 elements;     /* that it is to hold */
	char name[128];       /* its name in the script */
};

struct prt_global_set {
	char name[128];       /* as in the script */
	char value[512];      /* decimal number or string */
};                            /* -ENOENT no such global, -EINVAL not a number */

struct prt_sites_set {
	prt_u32 first, n;     /* sites first .. first + n - 1 */
	prt_u64 addresses;    /* user pointer to n u64; 0: not found, do not arm */
};

enum prt_site_state {
	PRT_SITE_OFF, PRT_SITE_ARMED, PRT_SITE_FAILED,
	PRT_SITE_ABSENT,      /* its module is not loaded: it is armed when the module is loaded,
			       * before the module's init function runs */
	PRT_SITE_GONE,        /* its module or __init code was removed: armed when it is back */
	PRT_SITE_GATED,       /* all probes of its point are off, by their conditions or by
			       * PRT_IOC_SWITCH: armed when one is on */
	PRT_SITE_SWITCHED,    /* the same, and its own probe is off by PRT_IOC_SWITCH */
};
enum prt_mechanism {
	PRT_MECH_NONE, PRT_MECH_FTRACE, PRT_MECH_KPROBE, PRT_MECH_KRETPROBE, PRT_MECH_TRACEPOINT,
	PRT_MECH_HRTIMER, PRT_MECH_PERF, PRT_MECH_WATCHPOINT, PRT_MECH_DIRECT,
	PRT_MECH_UPROBE, PRT_MECH_URETPROBE, PRT_MECH_NETFILTER,
};

/* Why hits of a breakpoint in a program go through the kernel's uprobes instead of the fast
 * path. */
enum prt_slow_why {
	PRT_SLOW_FIRST,       /* only the first hit in each process, and those not identified, do */
	PRT_SLOW_ASKED,       /* PRT_SETUP_NO_FAST_USER */
	PRT_SLOW_KERNEL,      /* the kernel lacks a function that the fast path needs */
	PRT_SLOW_CODE,        /* the runtime does not emulate the instruction there */
	PRT_SLOW_HANDLER,     /* the handler cannot run by the fast path */
	PRT_SLOW_OTHERS,      /* another consumer, or another point of ours, is at the same place */
	PRT_SLOW_TRACED,      /* the process is traced, or runs in single steps */
	PRT_SLOW_MEMORY,      /* memory of the process was not resident */
	PRT_SLOW_BUSY,        /* arm64: another session or a live patch has what it needs */
};

struct prt_site_status {
	prt_u8 state, mechanism;
	prt_u16 limited;      /* return probes: a limit prevents the pool from growing */
	prt_u32 slow_why;     /* enum prt_slow_why */
	prt_s64 error;        /* -errno of a failed registration, else 0; -ENOENT: the module has no
			       * such function; -ESTALE: the module is of another build, kept when
			       * it is removed; -ESHUTDOWN: kprobes are switched off */
	prt_u64 recursed;     /* the least number of hits that the kernel skipped because it was
			       * handling another kprobe (nmissed) */
	prt_u32 pool;         /* return probes: instances for the function, in all of its pools */
	prt_u32 grown;        /* return probes: how often a pool was added */
	prt_u64 fast, slow;   /* uprobe, uretprobe: hits by the fast path, and by uprobes */
	prt_s64 cost;         /* nanoseconds of elapsed times that are the runtime's own, at least;
			       * -1: not measured. 0: nobody asks, or there are no such times */
};
struct prt_sites_get {
	prt_u32 first, n;
	prt_u64 status;       /* user pointer to n struct prt_site_status */
};

/* The counts of a probe, exact, summed over all CPUs. */
struct prt_probe_counts {
	prt_u64 hits;         /* handlers that ran */
	prt_u64 busy;         /* skipped: this CPU was inside another handler (an NMI) */
	prt_u64 locked_out;   /* skipped: a lock was not free in time */
	prt_u64 errors;       /* handlers that ended with an error */
	prt_u64 overruns;     /* timers: periods that passed; user_return: inherited calls */
	prt_u64 missed;       /* return probes: calls without an instance; user_watch: threads */
	/* The number of handlers that were timed, the ticks of the session clock that they took,
	 * and the longest of them. In the session thread every handler is timed, including the time
	 * that it waited. Of a hot probe's hits on a CPU, the first ones and then every 127th are
	 * timed; after a long hit the next timed one comes sooner: the 16th after one of 1 us, the
	 * next one after one of 16 us. So `ticks / timed` is biased towards long hits; `estimate`
	 * is not. */
	prt_u64 timed;
	prt_u64 ticks;
	prt_u64 slowest;
	prt_u64 estimate;     /* ticks that all hits took, each timed hit standing for those before
			       * it */
};
struct prt_probes_get {
	prt_u32 first, n;
	prt_u64 counts;       /* user pointer to n struct prt_probe_counts */
};

struct prt_status {
	prt_u32 state;        /* enum prt_state */
	/* numbers of sites; absent: PRT_SITE_ABSENT, _GONE, _GATED and _SWITCHED */
	prt_u32 armed, failed, absent;
	prt_u32 tried;        /* sites tried so far; in PRT_STATE_ENDING, left to disarm */
	prt_u32 ran;          /* 1: the session has been in PRT_STATE_RUNNING */
	prt_u32 rings;        /* rings that exist: counted after `now` was read */
	prt_u32 pad;
	prt_u64 now;          /* the session clock */
	prt_u64 clock_khz;    /* ticks of that clock in a millisecond; 1000000 if it counts ns */
	prt_u64 epoch_ns;     /* CLOCK_REALTIME at clock value epoch_clock */
	prt_u64 epoch_clock;
	prt_u64 dropped;      /* groups dropped, all rings */
	prt_u64 not_stored;   /* new elements that did not fit into their arrays, all arrays */
	prt_s64 exit_error;   /* 0, or the enum prt_err that ended the session */
};

/* Added to the source location of a statement that adds an element, if a full array is an error
 * there. */
#define PRT_FULL_FAILS 0x80000000u

/* Timers to run once, in their order, with everything that a timer's handler has: locks, steps,
 * output. -EINVAL: one of them is no timer of the session thread; -EBUSY: the thread has not begun
 * with those of the last call; -ESHUTDOWN: the session is not armed. */
struct prt_run {
	prt_u32 first, n;     /* probes first .. first + n - 1 */
	prt_u32 at_end;       /* 1: not now, but when all probes are disarmed, before the end
			       * probes; -EINVAL after START */
	prt_u32 pad;
};

/* Switches a probe off or on. One that is off is not armed, unless its points have other probes;
 * its handler does not run, and what would have been its hits is counted nowhere. -EINVAL: there is
 * no such probe, or no such position; -EOPNOTSUPP: it has no line "switch" in the self-description;
 * -ESHUTDOWN: the session is not armed. */
struct prt_switch {
	prt_u32 probe;
	prt_u32 off;          /* 1: off, 0: on */
};

/* Numbers of stacks, and of those that a session could not store or show completely. */
struct prt_stack_counts {
	prt_u64 entries;      /* different stacks in the table */
	prt_u64 lost;         /* stacks that did not fit into the table */
	prt_u64 deeper;       /* stacks of more than PRT_STACK_FRAMES frames */
	prt_u64 broken;       /* of the kernel, whose end the kernel's unwinder did not reach */
	prt_u64 cut;          /* stacks that were converted to strings too short for them */
	/* stacks of processes: */
	prt_u64 early;        /* of which the loader did not know the code yet */
	prt_u64 user_broken;  /* whose end was not reached */
	prt_u64 absent;       /* of which a part was not resident */
	prt_u64 why;          /* enum prt_short, if the table had fewer words than it should */
};

/*
 * Unwind tables of processes. When the stack of a process is taken for the first time, or the
 * process has mapped other code since, it is marked as wanted, and PRT_IOC_SPACE_WANTED returns it.
 * The loader reads its mappings, passes the unwind tables of files that the runtime does not have
 * yet (PRT_IOC_CODE_FILE), and then the mappings (PRT_IOC_SPACE).
 */
struct prt_space_wanted {
	prt_u64 space;        /* the number of the address space */
	prt_u64 pages, turn;  /* its state when it was marked, which PRT_IOC_SPACE passes back */
	prt_u32 pid;          /* of a process that has it, in the caller's namespace */
	prt_u32 wait;         /* set by the caller: 1: wait until a process is wanted */
};
/* Adds a file with its unwind table and names. -EEXIST: the file has been added; -EINVAL: a table
 * is damaged; -ENOMEM, -ENOSPC: there is no room for it. */
struct prt_code_file_set {
	prt_u32 number;       /* consecutive, from 1 */
	prt_u32 keys;         /* of a C library: PRT_KEYS_... (script_frames.h); else 0 */
	prt_u64 table;        /* user pointer to a struct prt_unwind_table; 0: the file has none */
	prt_u64 size;
	prt_u64 names;        /* user pointer to a struct prt_name_table; 0: it is not needed */
	prt_u64 names_size;
	prt_u64 script;       /* user pointer to a struct prt_script_table; 0: there is none */
	prt_u64 script_size;
	char name[64];        /* the last component of its path, for stacks that the kernel
			       * formats */
};
/* Code that a process has mapped at [start, end). An address there minus `bias` is the address in
 * the file. */
struct prt_space_range {
	prt_u64 start, end, bias;
	prt_u32 file;         /* its number; 0: none is known */
	prt_u32 is_unread;    /* 1: of a file that the loader can't read, or has no number for */
};
/* The mappings of a wanted process in the order of their addresses, which were read after
 * PRT_IOC_SPACE_WANTED returned it. -ESRCH: the process has ended, or has another address space
 * now; -EINVAL: the ranges are not valid. */
struct prt_space_set {
	struct prt_space_wanted wanted;
	prt_u64 ranges;       /* user pointer to n of them */
	prt_u32 n, pad;
};
#define PRT_SPACE_RANGES 65536 /* at most */

/* The kernel's name of an address. */
struct prt_symbol_get {
	prt_u64 address;
	char text[512];       /* "vfs_read+0x10/0x140", and " [module]" after it; "0xADDRESS" */
};

/* PRT_IOC_INPUT. -EIO: the session is over. */
struct prt_input {
	prt_u64 text;         /* address of `len` bytes */
	prt_u32 len, by_char; /* by_char 1: a character */
};

#define PRT_IOC_HELLO       _IOR('p', 0, struct prt_hello)
#define PRT_IOC_SETUP       _IOW('p', 1, struct prt_setup)
#define PRT_IOC_GLOBAL      _IOW('p', 2, struct prt_global_set)
#define PRT_IOC_SITES       _IOW('p', 3, struct prt_sites_set)
#define PRT_IOC_START       _IO('p', 4)
#define PRT_IOC_STATUS      _IOR('p', 5, struct prt_status)
#define PRT_IOC_SITE_STATUS _IOW('p', 6, struct prt_sites_get)
#define PRT_IOC_PROBES      _IOW('p', 7, struct prt_probes_get)
#define PRT_IOC_STOP        _IO('p', 8)
#define PRT_IOC_REFUSAL     _IOR('p', 9, struct prt_refusal)
#define PRT_IOC_ARRAY       _IOWR('p', 10, struct prt_array_get)
#define PRT_IOC_STACKS      _IOR('p', 11, struct prt_stack_counts)
#define PRT_IOC_SYMBOL      _IOWR('p', 12, struct prt_symbol_get)
/* Returns a process that is wanted. While it waits, other calls proceed. -EAGAIN: no process is
 * wanted, but perhaps a file (PRT_IOC_FILE_WANTED); -ESHUTDOWN: the session has ended or takes no
 * stacks of processes; -EINTR: a signal. */
#define PRT_IOC_SPACE_WANTED _IOWR('p', 13, struct prt_space_wanted)
#define PRT_IOC_CODE_FILE   _IOW('p', 14, struct prt_code_file_set)
#define PRT_IOC_SPACE       _IOW('p', 15, struct prt_space_set)
#define PRT_IOC_INPUT       _IOW('p', 16, struct prt_input)
#define PRT_IOC_RUN         _IOW('p', 17, struct prt_run)
/* Before START: the descriptor of the directory of a control group of version 2, to which hits are
 * limited if the module's self-description has a line "cgroup". The session keeps the group.
 * -EBADF: it is none; -EBUSY: the session has begun, or has a group; -EOPNOTSUPP: the kernel has no
 * control groups. */
#define PRT_IOC_CGROUP      _IOW('p', 18, prt_u32)
#define PRT_IOC_SWITCH      _IOW('p', 19, struct prt_switch) /* 20 to 25: unwind.h, ... */

/*
 * ---- The module describes itself: section ".probec" ----
 *
 * It is text, so that `readelf -p .probec MODULE.ko` shows it and a newer compiler can add lines.
 * Each line states one fact. Its fields are separated by single tabs, and the first field is the
 * kind of the line; the loader skips kinds that it does not know. In strings, \t \n \\ and \ooo are
 * escapes. The last line is "end", followed by a NUL. The first line is always
 *   probec  ABI-VERSION  COMPILER-VERSION
 * The others come in any order, but with ascending numbers within a kind:
 *   kernel  RELEASE  BUILD-ID|-          "-": not known when it was built: the loader checks the
 *                                        release
 *   script  NAME                         for messages
 *   file    NUMBER  NAME                 source files of the source locations below
 *   probe   NUMBER  KIND  PP  PLACE      KIND: begin end error never timer entry return place trace
 *                                        clock perf watch user user_return; PLACE as below
 *   site    NUMBER  PROBE  OBJECT  SYMBOL  NAMESAKE  OFFSET  WILDCARD  PP
 *                                        SYMBOL is empty where OFFSET is the address;
 *                                        NAMESAKE counts from 0 in kallsyms order; WILDCARD 1:
 *                                        may fail to arm; 2: optional (?), so it is not reported
 *                                        if its module is absent; 3: both; PP: the result of pp()
 *   module  NUMBER  NAME  BUILD-ID|-     modules that are OBJECT of sites (else it is "kernel")
 *   program NUMBER  PATH  BUILD-ID|-     programs and libraries that are OBJECT of sites of probes
 *                                        of KIND user and user_return; OFFSET of those sites is
 *                                        from the beginning of SYMBOL
 *   print   NUMBER  TYPES  FORMAT  PLACE  NAMES  GLOBAL  TABLE
 *                                        TYPES: "-" when there are none; NAMES: the script's text
 *                                        of each argument, with a newline between two. GLOBAL: the
 *                                        name of a global that is shown because nobody reads it;
 *                                        "": none; NAMES are then key1 ..., value or some of
 *                                        count min avg max sum histogram. TABLE: what a hit
 *                                        prints between "begin" (l: the most rows; negative: all)
 *                                        and "end" is sorted by the loader. "+N" or "-N" begins a
 *                                        row: by argument N, the least or the greatest first
 *   place   NUMBER  FILE  LINE  COL  ENDCOL  LINE-TEXT    a source location; PLACE above is such
 *                                                         a number; LINE-TEXT is left out if it
 *                                                         is longer than PRT_EXCERPT_MAX
 *   global  NUMBER  NAME  TYPE  [SYMBOL] scalars that NAME=VALUE may set: long or string; with a
 *                                        SYMBOL of the kernel, or MODULE:SYMBOL, its address is
 *                                        set by the loader
 *   cap     NAME  VALUE                  maxstringlen maxmapentries maperrors maxaction maxnesting
 *                                        maxerrors maxload maxstacks
 *   override  PROBE                      the handler of the probe, listed before, may make the
 *                                        function return without running: the loader refuses sites
 *                                        that the kernel's list (error injection) lacks
 *   guru    1                            it was built in guru mode
 *   tool    1                            the script describes itself
 *   switch  PROBE                        the probe, listed before, has a switch: PRT_IOC_SWITCH
 *   target  0|1                          1: the script needs a target process
 *   target_only  1                       it reads the process itself, not its descendants
 *   cgroup  1                            hits are limited to the group of PRT_IOC_CGROUP
 *   stacks  1                            it has a table of stacks
 *   user_stacks  1, user_names  1        it takes stacks of processes, names addresses of them
 *   snapshot  FIRST  N  BEGIN  END       timers that print the globals which are exported as
 *                                        metrics when PRT_IOC_RUN asks for it, and the print
 *                                        statements whose records begin and end what they print
 *   metric  PRINT  NAME  TYPE  UNIT  LABELS  HELP
 *                                        the metric whose values a print of these timers has. TYPE:
 *                                        gauge counter summary histogram info; UNIT may be empty;
 *                                        LABELS: names of the keys, with a newline between two
 *   direct  1                            return probes by direct call: the section .probec.direct
 *                                        has the module of their trampolines
 *   end
 */
#define PRT_META_SECTION ".probec"
#define PRT_DIRECT_SECTION ".probec.direct"
#define PRT_DIRECT_MODULE "probec_direct" /* its name */

#endif
