/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The probe kinds, one row each. PRT_KINDS(ROW) expands to a sequence of
 *
 *   ROW(NAME, word, type, site, runs, values, mechanism)
 *
 * NAME       PRT_NAME in the runtime, PK_NAME in the compiler
 * word       its name in the section .probec, in the output of -p2 and in messages
 * type       what probe_type() returns, by SystemTap's names
 * site       PRT_SITE_...: how the address of a site is found
 * runs       PRT_RUNS_...: where handlers run
 * values     PRT_VALUES_...: what $-expressions can name
 * mechanism  what calls the handler, as --explain shows it
 *
 * The order is part of the ABI: the session thread runs the handlers of the first nine kinds.
 */
#ifndef PRT_KINDS_H
#define PRT_KINDS_H

#define PRT_KINDS(ROW) \
	ROW(BEGIN,  "begin",  "begin_end",         NONE, ALONE,  NONE, "the session's thread") \
	ROW(END,    "end",    "begin_end",         NONE, ALONE,  NONE, "the session's thread") \
	ROW(ERROR,  "error",  "begin_end",         NONE, ALONE,  NONE, "the session's thread") \
	ROW(NEVER,  "never",  "never",             NONE, ALONE,  NONE, "the session's thread") \
	/* a timer of the session's thread, with its period in ns */ \
	ROW(TIMER,  "timer",  "hrtimer",           NONE, THREAD, NONE, "the session's thread") \
	/* a process reads or writes a file of the session in /proc */ \
	ROW(PROCFS_READ, "procfs_read", "procfs",  NONE, THREAD, TEXT, "the session's thread") \
	ROW(PROCFS_WRITE, "procfs_write", "procfs", NONE, THREAD, TEXT, "the session's thread") \
	/* proberun's standard input has a line, or a character */ \
	ROW(INPUT,  "input",  "procfs",            NONE, THREAD, TEXT, "the session's thread") \
	/* a snapshot of the flight recorder was taken */ \
	ROW(SNAPSHOT, "snapshot", "begin_end",     NONE, THREAD, NONE, "the session's thread") \
	ROW(ENTRY,  "entry",  "kprobe",            CODE, HOT, ENTRY,   "ftrace") \
	ROW(RETURN, "return", "kretprobe",         CODE, HOT, RETURN,  "a kretprobe") \
	/* an instruction; the handler gets all registers. At a function's beginning: as ENTRY */ \
	ROW(PLACE,  "place",  "kprobe",            CODE, HOT, PLACE, \
	    "a kprobe, which the kernel makes a jump where it can") \
	ROW(TRACE,  "trace",  "kernel_tracepoint", SELF, HOT, TRACE,   "the kernel's tracepoint") \
	/* a timer that interrupts: one for each CPU, or with a period below a millisecond */ \
	ROW(CLOCK,  "clock",  "profile_timer",     EVENT, HOT, NONE,    "a high-resolution timer") \
	ROW(PERF,   "perf",   "perf_event",        EVENT, HOT, NONE,    "a counter of perf") \
	ROW(WATCH,  "watch",  "hardware_data_breakpoint", DATA, HOT, NONE, \
	    "a hardware breakpoint") \
	ROW(USER_WATCH, "user_watch", "hardware_data_breakpoint", SELF, HOT, NONE, \
	    "a hardware breakpoint of each thread") \
	/* a packet at a hook of netfilter */ \
	ROW(NETFILTER, "netfilter", "netfilter", EVENT, HOT, HOOK, "a hook of netfilter") \
	/* an instruction of a program or library, and the return of one of its functions */ \
	ROW(USER,   "user",   "uprobe",            SELF, HOT, PLACE,   "a uprobe") \
	ROW(USER_RETURN, "user_return", "uretprobe", SELF, HOT, RETURN, "a uretprobe")

/* How the address of a site is found. */
enum prt_site_is {
	PRT_SITE_NONE, /* the probe has no sites */
	PRT_SITE_CODE, /* an instruction */
	PRT_SITE_SELF, /* nothing: the mechanism finds its event by name, or in a file */
	PRT_SITE_EVENT, /* nothing: the site defines an event, such as a timer */
	PRT_SITE_DATA, /* a variable */
};

enum prt_runs {
	PRT_RUNS_ALONE,  /* in the session's thread, before or after all others */
	PRT_RUNS_THREAD, /* in the session's thread, beside hot handlers */
	PRT_RUNS_HOT,    /* where the event is, with interrupts off */
};

enum prt_values {
	PRT_VALUES_NONE,
	PRT_VALUES_TEXT,   /* $value, the text that a process reads or writes */
	PRT_VALUES_ENTRY,  /* parameters of a function, as its caller passed them */
	PRT_VALUES_RETURN, /* the result, and the parameters as they were at the entry */
	PRT_VALUES_PLACE,  /* variables in scope */
	PRT_VALUES_TRACE,  /* arguments of a tracepoint */
	PRT_VALUES_HOOK,   /* a packet, where it is on its way, and what becomes of it */
};

#endif
