/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return probes as functions of the script unit, as hit.h defines them for entries. Each return
 * probe has a function for the entry of the probed function and one for its return: either a pair
 * that a kretprobe calls or a pair that a direct call uses. If the script needs nothing at the
 * entry, the runtime supplies the entry function. attach/returns.h does the same for points with
 * several probes, and for probes whose entry function can fail or refuse the call.
 *
 * Any context with preemption off.
 */
#ifndef PRT_CALL_H
#define PRT_CALL_H

/* Stands right before the struct kprobe in memory. */
struct prt_call_head {
	/* The kprobe of the newest instance pool, which takes the calls. A new one is stored by a
	 * release; a call that reads it needs no acquire, as it reaches the pool by this address
	 * alone. */
	void *newest;
};

/* The entry that this CPU is handling; the kernel handles no other kprobe at the same time. It is a
 * per-CPU variable of the runtime, so that the common path needs no callee-saved registers. */
struct prt_call_now {
	void *kprobe, *regs;
	const char *last;        /* the task's last call before this one, or PRT_CALL_TAKE's */
	s32 until;               /* calls on this CPU until the pool's use is checked again */
};

/* Calls an entry function of the script that needs no full context: it may only read the two fields
 * that are set here (see PRT_ENTRY_FULL in tables.h). Interrupts may be on. */
PRT_INLINE bool prt_call_light(bool (*fn)(struct prt_ctx *c), const void *regs, u64 *saved)
{
	struct prt_ctx c PRT_UNCLEARED;

	c.regs = regs;
	c.saved = saved;
	return fn(&c);
}

/* Offsets as absolute symbols, which the runtime defines (kretprobe.c). A pending call is one whose
 * return the kernel will see. prt_at_calls: the list of pending calls in a task_struct, where
 * modules see it; prt_at_saved: a call's entry values, relative to its list element;
 * prt_at_saved_of_instance: the same, relative to the instance; prt_at_mark: the word before the
 * entry values, relative to the list element. */
extern const char prt_at_calls[], prt_at_saved[], prt_at_saved_of_instance[], prt_at_mark[];

/* The kernel's own pre-handler of a kretprobe (pre_handler_kretprobe()): takes an instance. */
extern int (*prt_call_take)(struct kprobe *kprobe, struct pt_regs *regs);

#ifdef PRT_MAXACTION /* In a script. */
extern struct prt_call_now prt_call_now;
#endif

/* The rare parts of an entry. An entry function ends with a jump to one of them. */
/** prt_call_older - the newest pool had no free instance: tries the older pools, and counts the
 *  call as missed if they have none either. Returns 0. */
int __attribute__((cold)) prt_call_older(void);
/** prt_call_look - checks how many instances of the pool are in use, so that it can grow in time.
 *  @call: list element of the newest call. Returns 0. */
int prt_call_look(const char *call);

#define PRT_CALL_SET(member, value) PRT_CPU_WRITE(prt_call_now.member, value)

/* PRT_CALL_TAKE lets the kernel take an instance of @pool for a call, and sets @call to its list
 * element, or @none if there was no instance. The task's last pending call is another one then; or,
 * where modules don't see them (compat/rethook.h), an entry handler has stored it in
 * prt_call_now.last. */
#ifdef PRT_HAVE_TASK_CALLS
/* Sets @call to the task's last pending call. */
#define PRT_CALL_LAST(call)                                                                    \
	do {                                                                                   \
		const char *task;                                                              \
											       \
		PRT_TASK_HERE(task);                                                           \
		call = *(const char *const volatile *)(task + PRT_OFFSET(prt_at_calls));       \
	} while (0)

#define PRT_CALL_TAKE(pool, regs, call, none)                                                  \
	do {                                                                                   \
		PRT_CALL_LAST(call);                                                           \
		PRT_CALL_SET(last, call);                                                      \
		prt_call_take(pool, regs);                                                     \
		PRT_CALL_LAST(call);                                                           \
		PRT_CPU_COMPARE(none, prt_call_now.last, call);                                \
	} while (0)
#else
#define PRT_CALL_TAKE(pool, regs, call, none)                                                  \
	do {                                                                                   \
		PRT_CALL_SET(last, NULL);                                                      \
		prt_call_take(pool, regs);                                                     \
		PRT_CPU_READ(call, prt_call_now.last);                                         \
		none = !call;                                                                  \
	} while (0)
#endif

/* Whether the first word of the entry values is the time of the entry. */
enum prt_timed { PRT_UNTIMED, PRT_TIMED };

/* Saves the entry values of a call in @saved. @time: enum prt_timed. @entry: the script's entry
 * function or NULL. */
#define PRT_CALL_SAVE(regs, saved, time, entry)                                                 \
	do {                                                                                   \
		if (entry)                                                                     \
			prt_call_light(entry, regs, (saved) + (time));                          \
		if (time)                                                                      \
			(saved)[0] = prt_clock_read();                                          \
	} while (0)

/* Sets @now to whether this call has to check how many instances are in use: compat/rethook.h. */
#ifdef PRT_HAVE_OBJPOOL
#define PRT_CALL_LOOKS(call, now) PRT_CPU_COUNT_DOWN(prt_call_now.until, now)
#else
#define PRT_CALL_LOOKS(call, now) /* at its first use */                                       \
	(now = !*(const u64 *)((call) + PRT_OFFSET(prt_at_mark)))
#endif

/** PRT_CALL_FUNCTION - defines @name, the pre-handler of a kretprobe's kprobe. @cond, @entry:
 *  functions of the script, or NULL. Filling in the instance after the kernel has taken it is safe:
 *  its call cannot return before the pre-handler does. */
#define PRT_CALL_FUNCTION(name, time, cond, entry)                                             \
	int name(struct kprobe *kprobe, struct pt_regs *regs)                                  \
	{                                                                                      \
		const char *call;                                                              \
		bool none, now;                                                                \
											       \
		if ((cond) && !prt_call_light(cond, regs, NULL))                               \
			return 0;                                                              \
		PRT_CALL_SET(kprobe, kprobe);                                                  \
		PRT_CALL_SET(regs, regs);                                                      \
		PRT_CALL_TAKE(__atomic_load_n(&((struct prt_call_head *)kprobe)[-1].newest,    \
					      __ATOMIC_RELAXED), regs, call, none);            \
		if (unlikely(none))                                                            \
			return prt_call_older();                                               \
		PRT_CALL_SAVE(regs, (u64 *)(call + PRT_OFFSET(prt_at_saved)), time, entry);     \
		PRT_CALL_LOOKS(call, now);                                                     \
		if (likely(!now))                                                              \
			return 0;                                                              \
		return prt_call_look(call);                                                    \
	}

/** PRT_CALL - defines call_N, the prt_call_hit of probe @nr. */
#define PRT_CALL(nr, time, cond, entry) static PRT_CALL_FUNCTION(call_##nr, time, cond, entry)
/** prt_call_plain, prt_call_timed - the same without @cond and @entry; the second one saves the
 *  time of the entry. They are in the runtime, so that scripts need not compile them. */
int prt_call_plain(struct kprobe *kprobe, struct pt_regs *regs);
int prt_call_timed(struct kprobe *kprobe, struct pt_regs *regs);

/** PRT_RETURN_HIT - defines return_N, the kretprobe's handler; parameters as for PRT_HIT. */
#define PRT_RETURN_HIT(nr, time, site_, bare, leaves)                                          \
	static int return_##nr(struct kretprobe_instance *instance, struct pt_regs *regs)      \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_END_INT, nr, site_, bare, leaves, 0, regs, 1,               \
			    (u64 *)((char *)instance + PRT_OFFSET(prt_at_saved_of_instance)) +  \
				(time),                                                        \
			    *(s64 *)((char *)regs + PRT_REG_OFF_RETVAL));                          \
		return 0;                                                                      \
	}

/** PRT_DIRECT_CALL - defines enter_N, which a direct call's trampoline calls at the entry. It
 *  returns whether the probe wants this call. */
#define PRT_DIRECT_CALL(nr, time, cond, entry)                                                 \
	static bool enter_##nr(struct prt_direct_user *user, struct pt_regs *regs, u64 *saved) \
	{                                                                                      \
		if ((cond) && !prt_call_light(cond, regs, NULL))                               \
			return false;                                                          \
		PRT_CALL_SAVE(regs, saved, time, entry);                                        \
		return true;                                                                   \
	}

/** PRT_DIRECT_HIT - defines leave_N, which a direct call's trampoline calls at the return, or the
 *  fast path at an instruction of a program that returns. If the handler is bare and there is no
 *  enter_N, only @value is valid. */
#define PRT_DIRECT_HIT(nr, time, site_, bare, leaves)                                          \
	static void leave_##nr(struct prt_direct_user *user, struct pt_regs *regs, u64 *saved, \
			       s64 value)                                                      \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_END_VOID, nr, site_, bare, leaves, 1,                       \
			    ((bare) ? NULL : regs), 1, saved + (time), value);                  \
	}

#endif
