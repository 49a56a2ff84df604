/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The steps of a hit, from taking the context of this CPU to releasing it. PRT_HIT_BODY is their
 * only source. Three kinds of code use it:
 *
 * - The functions of a script that ftrace, a kprobe or a return probe calls directly (PRT_HIT and
 *   the macros after it). The probe is a constant there, a small handler is inlined, and fields of
 *   the context that the handler does not use are not set.
 * - prt_context_hit() of context.h, for every other way to reach a handler.
 * - prt_returns_enter_full() of attach/returns.c, for the entry of a return probe.
 *
 * The script's own functions switch interrupts by instructions of the processor, so the runtime
 * does not use them where the kernel replaces these instructions (prt_arch_own_interrupts()).
 *
 * These are macros for the same reason as PRT_STAT_ADD of stat.h: the compiler drops branches on
 * constants while it parses them. With inline functions, cc1 took 8 % longer for a small script.
 */
#ifndef PRT_HIT_H
#define PRT_HIT_H

/* Ends a hit on context @c. Only an NMI on this CPU can intervene, so a compiler barrier is
 * enough. */
#define PRT_CONTEXT_RELEASE(c)                                                                 \
	do {                                                                                   \
		PRT_BARRIER();                                                                 \
		(c)->busy = 0;                                                                 \
	} while (0)

/*
 * One hit on context @c, with interrupts off. Parameters other than @c and the two conditions are
 * statements:
 *   unavailable  condition: the context is busy or shut
 *   refuse       replaces all other statements if the context is unavailable
 *   prepare      sets the fields of the context, for timed hits as well
 *   timed        condition: the hit is to be timed
 *   time         replaces @run if the hit is timed
 *   run          runs the handler, reports its error, and publishes its output
 */
#define PRT_HIT_BODY(c, unavailable, refuse, prepare, timed, time, run)                        \
	do {                                                                                   \
		if (unlikely(unavailable)) {                                                   \
			refuse;                                                                \
			break;                                                                 \
		}                                                                              \
		(c)->busy = 1;                                                                 \
		PRT_BARRIER();                                                                 \
		prepare;                                                                       \
		if (unlikely(timed)) {                                                         \
			time;                                                                  \
		} else {                                                                       \
			run;                                                                   \
		}                                                                              \
		PRT_CONTEXT_RELEASE(c);                                                        \
	} while (0)

#ifdef PRT_MAXACTION /* In a script. */

/* This CPU's context, a per-CPU variable of the runtime. */
extern struct prt_ctx *prt_contexts;

/* The first words of struct prt_tally (context.h), the counts of a probe on a CPU. */
struct prt_tally_head {
	u32 until;               /* hits until the next one that is timed */
};

/*
 * The rare parts of a hit. A hit function ends with a jump to one of them, so that the common path
 * does not have to save registers for a call. They restore interrupts by @flags and return 0. @c is
 * this CPU's context.
 */
/** prt_hit_refuse - the context is busy or shut: counts the hit of probe @nr as refused. */
int __attribute__((cold)) prt_hit_refuse(struct prt_ctx *c, u32 nr, u64 flags);
/** prt_hit_time - the context has been set busy: runs the handler and measures its time. */
int __attribute__((cold)) prt_hit_time(struct prt_ctx *c, const struct prt_probe *probe,
				       const struct prt_site *site, const void *regs, u64 flags);

/*
 * The same for a handler with PRT_READS_FIRST. They return what the hit function returns: false if
 * the handler could not read everything, and the hit is to be handled in another way.
 */
/** prt_attempt_refuse - as prt_hit_refuse(). */
bool __attribute__((cold)) prt_attempt_refuse(struct prt_ctx *c, u32 nr);
/** prt_attempt_time - as prt_hit_time(). */
bool __attribute__((cold)) prt_attempt_time(struct prt_ctx *c, const struct prt_probe *probe,
					    const struct prt_site *site, const void *regs);
/** prt_attempt_left - the handler has left an error, or output that is no brief group. */
bool __attribute__((cold)) prt_attempt_left(struct prt_ctx *c);

/** prt_hit_off - probe @nr is switched off: takes its hit back. */
void __attribute__((cold)) prt_hit_off(struct prt_ctx *c, u32 nr);

#define PRT_SWITCHED_OFF(nr) unlikely(__atomic_load_n(&switches[nr], __ATOMIC_RELAXED))

/** PRT_SWITCHED - defines probe_N, the handler of a probe with a switch, which runs handle_N if the
 *  probe is on. Several probes may share one handle_N. */
#define PRT_SWITCHED(nr)                                                                       \
	PRT_INLINE void probe_##nr(struct prt_ctx *c)                                          \
	{                                                                                      \
		if (PRT_SWITCHED_OFF(nr))                                                      \
			prt_hit_off(c, nr);                                                    \
		else                                                                           \
			handle_##nr(c);                                                        \
	}

/** PRT_SWITCHED_ENTRY - the same for entry_N with PRT_ENTRY_FULL: if the probe is off, it does not
 *  want the call. */
#define PRT_SWITCHED_ENTRY(nr)                                                                 \
	static bool switched_entry_##nr(struct prt_ctx *c)                                     \
	{                                                                                      \
		return !PRT_SWITCHED_OFF(nr) && entry_##nr(c);                                 \
	}

/* Sets @c to this CPU's context. */
#define PRT_CONTEXT_HERE(c) PRT_CPU_READ(c, prt_contexts)

/* The tally of probe @nr on the CPU of @c. Tallies precede the context in memory; that of the last
 * probe is next to it. */
#define PRT_HIT_TALLY(c, nr)                                                                   \
	((struct prt_tally_head *)((char *)(c) -                                               \
		(sizeof(probes) / sizeof(*probes) - (nr)) * PRT_TALLY_SIZE))

/* The end of a hit function that returns void or an int. @rest is a tail call. */
#define PRT_HIT_END_VOID(rest) rest; return
#define PRT_HIT_END_INT(rest) return rest

/* Whether a handler reads its context, or nothing of it but the bank. */
enum prt_bare { PRT_HIT_FULL, PRT_HIT_BARE };

/* After a handler that can leave nothing, an error, or an error or a record. */
#define PRT_HIT_LEAVES_NOTHING(c, nr)
#define PRT_HIT_LEAVES_ERROR(c, nr)                                                            \
	if (c->left)                                                                           \
		prt_hit_left(c)
#define PRT_HIT_LEAVES_RECORD(c, nr) prt_fast_left(c, nr)

/* Sets the entry values and the result for the handler of a return probe. A bare handler reads
 * neither. */
#define PRT_HIT_PREPARE(is_return, bare, saved_, value)                                        \
	if ((is_return) && !(bare)) {                                                          \
		c->saved = saved_;                                                             \
		c->retval = value;                                                             \
	}

#define PRT_HIT_HANDLE(nr, site_, bare, leaves, registers)                                     \
	if (!(bare)) {                                                                         \
		c->probe = &probes[nr];                                                        \
		if (site_)                                                                     \
			c->site = site_;                                                       \
		c->regs = registers;                                                           \
		c->steps = PRT_MAXACTION;                                                      \
	}                                                                                      \
	probe_##nr(c);                                                                         \
	PRT_HIT_##leaves(c, nr)

/*
 * The body of a hit function of probe @nr, with the registers in @registers:
 *   end        PRT_HIT_END_VOID or PRT_HIT_END_INT
 *   site_      the site, if the handler reads it, else NULL
 *   bare       enum prt_bare
 *   leaves     LEAVES_NOTHING, LEAVES_ERROR or LEAVES_RECORD: PRT_HIT_LEAVES_*
 *   off        interrupts are already off
 *   is_return  the handler gets the entry values @saved_ and the result @value
 */
#define PRT_HIT_RUN(end, nr, site_, bare, leaves, off, registers, is_return, saved_, value)    \
	u64 flags = 0;                                                                         \
	struct prt_ctx *c;                                                                     \
											       \
	if (!(off))                                                                            \
		PRT_INTERRUPTS_OFF(flags);                                                     \
	PRT_CONTEXT_HERE(c);                                                                   \
	PRT_HIT_BODY(c, c->unavailable, end(prt_hit_refuse(c, nr, flags)),                     \
		     PRT_HIT_PREPARE(is_return, bare, saved_, value),                          \
		     !--PRT_HIT_TALLY(c, nr)->until,                                           \
		     end(prt_hit_time(c, &probes[nr], site_, registers, flags)),               \
		     PRT_HIT_HANDLE(nr, site_, bare, leaves, registers));                      \
	if (!(off))                                                                            \
		PRT_INTERRUPTS_RESTORE(flags)

/** PRT_HIT - defines hit_N, the prt_ftrace_hit of probe @nr. */
#define PRT_HIT(nr, site_, bare, leaves)                                                       \
	static void hit_##nr(unsigned long ip, unsigned long parent_ip,                        \
			     struct ftrace_ops *ops, prt_ftrace_regs *regs)                    \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_END_VOID, nr, site_, bare, leaves, 0, regs, 0, NULL, 0);    \
	}

/** PRT_HIT_AT - defines hit_N as a prt_ftrace_hit_at; @site_ is "site", its parameter. */
#define PRT_HIT_AT(nr, site_, bare, leaves)                                                    \
	static void hit_##nr(const struct prt_site *site, void *regs)                          \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_END_VOID, nr, site_, bare, leaves, 0, regs, 0, NULL, 0);    \
	}

/** PRT_HIT_PLACE - defines hit_N as a prt_kprobe_hit. */
#define PRT_HIT_PLACE(nr, site_, bare, leaves)                                                 \
	static int hit_##nr(struct kprobe *kprobe, struct pt_regs *regs)                       \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_END_INT, nr, site_, bare, leaves, 0, regs, 0, NULL, 0);     \
		return 0;                                                                      \
	}

/** PRT_HIT_USER - defines hit_N as a prt_user_hit, which is called with interrupts off. */
#define PRT_HIT_USER(nr, site_, bare, leaves)                                                  \
	static void hit_##nr(void *regs)                                                       \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_END_VOID, nr, site_, bare, leaves, 1, regs, 0, NULL, 0);    \
	}

/* After the handler of an attempt: PRT_HIT_LEAVES_*. Where it can fail is known already. One that
 * reads only registers may leave nothing. */
#define PRT_TRIED_LEAVES_NOTHING(c, nr)
#define PRT_TRIED_LEAVES_ERROR(c, nr)                                                          \
	if (unlikely(c->left))                                                                 \
		return prt_attempt_left(c)
#define PRT_TRIED_LEAVES_RECORD(c, nr)                                                         \
	if (likely(c->left == PRT_LEFT_BRIEF))                                                 \
		prt_brief_publish(c, nr);                                                      \
	else if (c->left)                                                                      \
		return prt_attempt_left(c)

#define PRT_HIT_TRY(nr, site_, leaves, registers)                                              \
	c->probe = &probes[nr];                                                                \
	if (site_)                                                                             \
		c->site = site_;                                                               \
	c->regs = registers;                                                                   \
	c->steps = PRT_MAXACTION;                                                              \
	c->absent_size = 0;                                                                    \
	probe_##nr(c);                                                                         \
	PRT_TRIED_##leaves(c, nr)

/** PRT_HIT_ATTEMPT - defines hit_N as a prt_user_attempt, which is called with interrupts off. The
 *  handler is never bare. */
#define PRT_HIT_ATTEMPT(nr, site_, bare, leaves)                                               \
	static bool hit_##nr(void *regs)                                                       \
	{                                                                                      \
		struct prt_ctx *c;                                                             \
											       \
		PRT_CONTEXT_HERE(c);                                                           \
		PRT_HIT_BODY(c, c->unavailable, return prt_attempt_refuse(c, nr), ,            \
			     !--PRT_HIT_TALLY(c, nr)->until,                                   \
			     return prt_attempt_time(c, &probes[nr], site_, regs),             \
			     PRT_HIT_TRY(nr, site_, leaves, regs));                            \
		return true;                                                                   \
	}

#endif

#endif
