/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What hit.h does for entries, for return probes: all that is done when the function is entered and
 * when it returns, as functions of the script unit, two for a kretprobe and two for a direct call.
 * attach/returns.h does the same where a point has several probes, and where what is done at the
 * entry can fail or turn the call away.
 */
#ifndef PRT_CALL_H
#define PRT_CALL_H

/* Lies before the kprobe that is hit. */
struct prt_call_head {
	void *newest;            /* kprobe of the pool that takes the calls */
};

/* The entry that is handled on this CPU, while no other kprobe is: a per-CPU variable of the
 * runtime, so that the usual way keeps nothing in registers. */
struct prt_call_now {
	void *kprobe, *regs;
	const char *last;        /* the call before it that the kernel will see return */
	s32 until;               /* calls on this CPU until one that looks how many are in use */
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

#ifdef PRT_MAXACTION /* In a script. */

/* Where things lie, absolute symbols that the runtime defines (kretprobe.c): in a task the list of
 * the calls that the kernel will see return; what a call keeps, from that list's element and from
 * the instance; the word before it, from the element. */
extern const char prt_at_calls[], prt_at_saved[], prt_at_saved_of_instance[], prt_at_mark[];

/* The kernel's own handler for the kprobe of a kretprobe: takes an instance. */
extern int (*prt_call_take)(void *kprobe, void *regs);

extern struct prt_call_now prt_call_now;

/* The rest of an entry, to its end. To be jumped to. */
/** prt_call_older - the newest pool had no instance: tries all, or counts the call as missed. */
int __attribute__((cold)) prt_call_older(void);
/** prt_call_look - looks how many instances are in use; @call: element of the one just taken. */
int prt_call_look(const char *call);

#define PRT_CALL_SET(member, value) PRT_CPU_WRITE(prt_call_now.member, value)

/* @call becomes the task's last call that the kernel will see return. */
#define PRT_CALL_LAST(call)                                                                    \
	do {                                                                                   \
		const char *task;                                                              \
											       \
		PRT_TASK_HERE(task);                                                           \
		call = *(const char *const volatile *)(task + (u64)prt_at_calls);              \
	} while (0)

/* Fills what the call keeps. @time: the time of the entry is the first of it. */
#define PRT_CALL_SAVE(regs, saved, time, entry)                                                 \
	do {                                                                                   \
		if (entry)                                                                     \
			prt_call_light(entry, regs, (saved) + (time));                          \
		if (time)                                                                      \
			(saved)[0] = prt_clock_read();                                          \
	} while (0)

/* @now: whether this call is one that looks how many instances are in use: compat/rethook.h. */
#ifdef PRT_HAVE_OBJPOOL
#define PRT_CALL_LOOKS(call, now) PRT_CPU_COUNT_DOWN(prt_call_now.until, now)
#else
#define PRT_CALL_LOOKS(call, now) /* at its first use */                                       \
	(now = !*(const u64 *)((call) + (u64)prt_at_mark))
#endif

/** PRT_CALL - defines call_N, which a kretprobe's kprobe calls. @cond, @entry: NULL or the
 *  script's. An instance is filled after the kernel has taken it: its call can't return
 *  meanwhile. */
#define PRT_CALL(nr, time, cond, entry)                                                        \
	static int call_##nr(void *kprobe, void *regs)                                         \
	{                                                                                      \
		const char *call, *before;                                                     \
		bool now;                                                                      \
											       \
		if ((cond) && !prt_call_light(cond, regs, NULL))                               \
			return 0;                                                              \
		PRT_CALL_SET(kprobe, kprobe);                                                  \
		PRT_CALL_SET(regs, regs);                                                      \
		PRT_CALL_LAST(call);                                                           \
		PRT_CALL_SET(last, call);                                                      \
		prt_call_take(((struct prt_call_head *)kprobe)[-1].newest, regs);              \
		PRT_CALL_LAST(call);                                                           \
		PRT_CPU_READ(before, prt_call_now.last);                                       \
		if (unlikely(call == before))                                                  \
			return prt_call_older();                                               \
		PRT_CALL_SAVE(regs, (u64 *)(call + (u64)prt_at_saved), time, entry);            \
		PRT_CALL_LOOKS(call, now);                                                     \
		if (likely(!now))                                                              \
			return 0;                                                              \
		return prt_call_look(call);                                                    \
	}

/** PRT_RETURN_HIT - defines return_N, the kretprobe's handler; behind @time as PRT_HIT. */
#define PRT_RETURN_HIT(nr, time, site_, bare, leaves)                                          \
	static int return_##nr(void *instance, void *regs)                                     \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_END_INT, nr, site_, bare, leaves, 0, regs, 1,               \
			    (u64 *)((char *)instance + (u64)prt_at_saved_of_instance) + (time), \
			    *(s64 *)((char *)regs + PRT_REG_OFF_AX));                          \
		return 0;                                                                      \
	}

/** PRT_DIRECT_CALL - defines enter_N of a direct call; true: the call is wanted. */
#define PRT_DIRECT_CALL(nr, time, cond, entry)                                                 \
	static bool enter_##nr(void *user, void *regs, u64 *saved)                              \
	{                                                                                      \
		if ((cond) && !prt_call_light(cond, regs, NULL))                               \
			return false;                                                          \
		PRT_CALL_SAVE(regs, saved, time, entry);                                        \
		return true;                                                                   \
	}

/** PRT_DIRECT_HIT - defines leave_N of one; where the handler is bare, without an enter_N, it is
 *  given nothing that holds. */
#define PRT_DIRECT_HIT(nr, time, site_, bare, leaves)                                          \
	static void leave_##nr(void *user, void *regs, u64 *saved, s64 value)                   \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_END_VOID, nr, site_, bare, leaves, 1,                       \
			    ((bare) ? NULL : regs), 1, saved + (time), value);                  \
	}

#endif

#endif
