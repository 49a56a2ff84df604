/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return probes in functions of the script unit, as hit.h has them for entries: all that is done
 * when the probed function is entered and when it returns. There are two functions for a
 * kretprobe, of which the runtime has the first if it does nothing for the script, and two for a
 * direct call. attach/returns.h does the same for points with several probes, and for probes whose
 * work at the entry can fail or turn the call away.
 */
#ifndef PRT_CALL_H
#define PRT_CALL_H

/* Precedes the kprobe that is hit, in memory. */
struct prt_call_head {
	void *newest;            /* kprobe of the pool that takes the calls */
};

/* The entry that this CPU handles; the kernel handles no other kprobe meanwhile. It is a per-CPU
 * variable of the runtime, so that the common path keeps nothing in registers. */
struct prt_call_now {
	void *kprobe, *regs;
	const char *last;        /* the task's last pending call before this one */
	s32 until;               /* calls on this CPU until the pool's use is checked again */
};

/* Calls a function of the script for the entry that needs no context of its own: these are the two
 * fields that it may read (PRT_ENTRY_FULL of tables.h). Interrupts may be on. */
PRT_INLINE bool prt_call_light(bool (*fn)(struct prt_ctx *c), const void *regs, u64 *saved)
{
	struct prt_ctx c PRT_UNCLEARED;

	c.regs = regs;
	c.saved = saved;
	return fn(&c);
}

/* Offsets, as absolute symbols that the runtime defines (kretprobe.c): of the list of pending
 * calls, in a task; of a call's entry values, from that list's element and from the instance; of
 * the word before them, from the element. A pending call is one that the kernel will see return. */
extern const char prt_at_calls[], prt_at_saved[], prt_at_saved_of_instance[], prt_at_mark[];

/* The kernel's own handler for the kprobe of a kretprobe: takes an instance. */
extern int (*prt_call_take)(void *kprobe, void *regs);

#ifdef PRT_MAXACTION /* In a script. */
extern struct prt_call_now prt_call_now;
#endif

/* The rare parts of an entry. An entry function ends with a jump to one of them. */
/** prt_call_older - the newest pool had no instance: tries all, or counts the call as missed. */
int __attribute__((cold)) prt_call_older(void);
/** prt_call_look - checks how many instances are in use; @call: list element of the newest call. */
int prt_call_look(const char *call);

#define PRT_CALL_SET(member, value) PRT_CPU_WRITE(prt_call_now.member, value)

/* Makes @call the task's last pending call. */
#define PRT_CALL_LAST(call)                                                                    \
	do {                                                                                   \
		const char *task;                                                              \
											       \
		PRT_TASK_HERE(task);                                                           \
		call = *(const char *const volatile *)(task + (u64)prt_at_calls);              \
	} while (0)

/* Saves the entry values of a call. @time: the first of them is the time of the entry. */
#define PRT_CALL_SAVE(regs, saved, time, entry)                                                 \
	do {                                                                                   \
		if (entry)                                                                     \
			prt_call_light(entry, regs, (saved) + (time));                          \
		if (time)                                                                      \
			(saved)[0] = prt_clock_read();                                          \
	} while (0)

/* @now: whether this call has to check how many instances are in use: compat/rethook.h. */
#ifdef PRT_HAVE_OBJPOOL
#define PRT_CALL_LOOKS(call, now) PRT_CPU_COUNT_DOWN(prt_call_now.until, now)
#else
#define PRT_CALL_LOOKS(call, now) /* at its first use */                                       \
	(now = !*(const u64 *)((call) + (u64)prt_at_mark))
#endif

/** PRT_CALL_FUNCTION - defines @name, which a kretprobe's kprobe calls. @cond, @entry: functions of
 *  the script, or NULL. The instance is filled after the kernel has taken it: its call can't return
 *  meanwhile. */
#define PRT_CALL_FUNCTION(name, time, cond, entry)                                             \
	int name(void *kprobe, void *regs)                                                     \
	{                                                                                      \
		const char *call;                                                              \
		bool none, now;                                                                \
											       \
		if ((cond) && !prt_call_light(cond, regs, NULL))                               \
			return 0;                                                              \
		PRT_CALL_SET(kprobe, kprobe);                                                  \
		PRT_CALL_SET(regs, regs);                                                      \
		PRT_CALL_LAST(call);                                                           \
		PRT_CALL_SET(last, call);                                                      \
		prt_call_take(((struct prt_call_head *)kprobe)[-1].newest, regs);              \
		PRT_CALL_LAST(call);                                                           \
		PRT_CPU_COMPARE(none, prt_call_now.last, call);                                \
		if (unlikely(none))                                                            \
			return prt_call_older();                                               \
		PRT_CALL_SAVE(regs, (u64 *)(call + (u64)prt_at_saved), time, entry);            \
		PRT_CALL_LOOKS(call, now);                                                     \
		if (likely(!now))                                                              \
			return 0;                                                              \
		return prt_call_look(call);                                                    \
	}

/** PRT_CALL - defines call_N of a script. */
#define PRT_CALL(nr, time, cond, entry) static PRT_CALL_FUNCTION(call_##nr, time, cond, entry)
/** prt_call_plain, prt_call_timed - the same without @cond and @entry, and with or without @time.
 *  The runtime has them, so that they need not be compiled with each script. */
int prt_call_plain(void *kprobe, void *regs);
int prt_call_timed(void *kprobe, void *regs);

/** PRT_RETURN_HIT - defines return_N, the kretprobe's handler; else as PRT_HIT. */
#define PRT_RETURN_HIT(nr, time, site_, bare, leaves)                                          \
	static int return_##nr(void *instance, void *regs)                                     \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_END_INT, nr, site_, bare, leaves, 0, regs, 1,               \
			    (u64 *)((char *)instance + (u64)prt_at_saved_of_instance) + (time), \
			    *(s64 *)((char *)regs + PRT_REG_OFF_AX));                          \
		return 0;                                                                      \
	}

/** PRT_DIRECT_CALL - defines enter_N of a direct call, which returns whether the call is wanted. */
#define PRT_DIRECT_CALL(nr, time, cond, entry)                                                 \
	static bool enter_##nr(void *user, void *regs, u64 *saved)                              \
	{                                                                                      \
		if ((cond) && !prt_call_light(cond, regs, NULL))                               \
			return false;                                                          \
		PRT_CALL_SAVE(regs, saved, time, entry);                                        \
		return true;                                                                   \
	}

/** PRT_DIRECT_HIT - defines leave_N of a direct call. If the handler is bare and there is no
 *  enter_N, its parameters other than @value are not valid. */
#define PRT_DIRECT_HIT(nr, time, site_, bare, leaves)                                          \
	static void leave_##nr(void *user, void *regs, u64 *saved, s64 value)                   \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_END_VOID, nr, site_, bare, leaves, 1,                       \
			    ((bare) ? NULL : regs), 1, saved + (time), value);                  \
	}

#endif
