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

#ifdef PRT_MAXACTION /* In a script. */

/* Where things lie, absolute symbols that the runtime defines (kretprobe.c): in a task the list of
 * the calls that the kernel will see return; what a call keeps, from that list's element and from
 * the instance; the word before it, from the element. */
extern const char prt_at_calls[], prt_at_kept[], prt_at_kept_of_instance[], prt_at_mark[];

/* The kernel's own handler for the kprobe of a kretprobe: takes an instance. */
extern int (*prt_call_take)(void *kprobe, void *regs);

extern struct prt_call_now prt_call_now;

/* The rest of an entry, to its end. To be jumped to. */
/** prt_call_older - the newest pool had no instance: tries all, or counts the call as missed. */
int __attribute__((cold)) prt_call_older(void);
/** prt_call_look - looks how many instances are in use; @call: element of the one just taken. */
int prt_call_look(const char *call);

#define PRT_CALL_SET(member, value)                                                            \
	__asm__ volatile("movq %0, %%gs:%P1" : : "r"(value), "m"(prt_call_now.member))

PRT_INLINE const char *prt_call_last(void)
{
	return *(const char *const volatile *)(prt_fast_task() + (u64)prt_at_calls);
}

/* Of its context such a function is given these two (struct prt_probe). */
PRT_INLINE bool prt_call_light(bool (*fn)(struct prt_ctx *c), const void *regs, u64 *saved)
{
	struct prt_ctx c PRT_UNCLEARED;

	c.regs = regs;
	c.saved = saved;
	return fn(&c);
}

/* Fills what the call keeps. @time: the time of the entry is the first of it. */
PRT_INLINE void prt_call_keep(const void *regs, u64 *kept, bool time,
			      bool (*entry)(struct prt_ctx *c))
{
	if (entry)
		prt_call_light(entry, regs, kept + time);
	if (time)
		kept[0] = prt_clock_read();
}

/* Whether this call is one that looks how many instances are in use: compat/rethook.h. */
PRT_INLINE bool prt_call_looks(const char *call)
{
#ifdef PRT_HAVE_OBJPOOL
	bool now;

	__asm__ volatile("decl %%gs:%P1" : "=@ccs"(now) : "m"(prt_call_now.until) : "memory");
	return now;
#else
	return !*(const u64 *)(call + (u64)prt_at_mark); /* its first use */
#endif
}

/* @cond, @entry: NULL or the script's. An instance is filled after the kernel has taken it: its call
 * can't return meanwhile. */
PRT_INLINE int prt_call(void *kprobe, void *regs, bool time, bool (*cond)(struct prt_ctx *c),
			bool (*entry)(struct prt_ctx *c))
{
	const char *call, *before;

	if (cond && !prt_call_light(cond, regs, NULL))
		return 0;
	PRT_CALL_SET(kprobe, kprobe);
	PRT_CALL_SET(regs, regs);
	PRT_CALL_SET(last, prt_call_last());
	prt_call_take(((struct prt_call_head *)kprobe)[-1].newest, regs);
	call = prt_call_last();
	__asm__ volatile("movq %%gs:%P1, %0" : "=r"(before) : "m"(prt_call_now.last));
	if (unlikely(call == before))
		return prt_call_older();
	prt_call_keep(regs, (u64 *)(call + (u64)prt_at_kept), time, entry);
	if (likely(!prt_call_looks(call)))
		return 0;
	return prt_call_look(call);
}

/* true: the call is wanted. */
PRT_INLINE bool prt_call_enter(const void *regs, u64 *kept, bool time,
			       bool (*cond)(struct prt_ctx *c), bool (*entry)(struct prt_ctx *c))
{
	if (cond && !prt_call_light(cond, regs, NULL))
		return false;
	prt_call_keep(regs, kept, time, entry);
	return true;
}

/** PRT_CALL - defines call_N, which a kretprobe's kprobe calls. */
#define PRT_CALL(nr, time, cond, entry)                                                        \
	static int call_##nr(void *kprobe, void *regs)                                         \
	{                                                                                      \
		return prt_call(kprobe, regs, time, cond, entry);                              \
	}

/** PRT_RETURN_HIT - defines return_N, the kretprobe's handler; behind @time as PRT_HIT. */
#define PRT_RETURN_HIT(nr, time, ...)                                                          \
	static int return_##nr(void *instance, void *regs)                                     \
	{                                                                                      \
		u64 *kept = (u64 *)((char *)instance + (u64)prt_at_kept_of_instance);          \
											       \
		return prt_hit(PRT_KIND(nr, __VA_ARGS__, .is_return = true), &probes[nr], regs,\
			       kept + time, *(s64 *)((char *)regs + PRT_REG_OFF_AX),           \
			       probe_##nr);                                                    \
	}

/** PRT_DIRECT_CALL - defines enter_N of a direct call. */
#define PRT_DIRECT_CALL(nr, time, cond, entry)                                                 \
	static bool enter_##nr(void *user, void *regs, u64 *kept)                              \
	{                                                                                      \
		return prt_call_enter(regs, kept, time, cond, entry);                          \
	}

/** PRT_DIRECT_HIT - defines leave_N of one; where the handler is bare, without an enter_N, it is
 *  given nothing that holds. */
#define PRT_DIRECT_HIT(nr, time, ...)                                                          \
	static void leave_##nr(void *user, void *regs, u64 *kept, s64 value)                   \
	{                                                                                      \
		const struct prt_hit_kind kind = PRT_KIND(nr, __VA_ARGS__, .is_return = true,  \
							  .interrupts_off = true);             \
											       \
		prt_hit(kind, &probes[nr], kind.bare ? NULL : regs, kept + time, value,        \
			probe_##nr);                                                           \
	}

#endif

#endif
