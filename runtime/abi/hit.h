/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A hit, from the moment that the context of this CPU is known to the moment that it is free again.
 * PRT_HIT_BODY is the only source of these steps. Three kinds of code use it:
 *
 * - The functions of a script that ftrace, a kprobe or a return probe calls directly (PRT_HIT and
 *   the macros after it). Number and tables of the probe are constants there, the handler is
 *   inlined where it is small, and what the handler does not use is not prepared.
 * - prt_context_hit() of context.h, for every other way to reach a handler.
 * - prt_returns_enter_full() of attach/returns.c, for the entry of a return probe.
 *
 * The script's own functions switch interrupts by the processor's instructions, so the runtime does
 * not use them where the kernel has others (prt_arch_own_interrupts()).
 *
 * All of this consists of macros, for the reason that PRT_STAT_ADD of stat.h is one: the compiler
 * drops what a probe's constants leave out as it reads it. With inlined functions, cc1 took 8 %
 * longer for a small script.
 */
#ifndef PRT_HIT_H
#define PRT_HIT_H

/* Ends a hit on context @c. Only an NMI can run here, so the order of the compiler's stores is
 * enough. */
#define PRT_CONTEXT_RELEASE(c)                                                                 \
	do {                                                                                   \
		PRT_BARRIER();                                                                 \
		(c)->busy = 0;                                                                 \
	} while (0)

/*
 * One hit on context @c, with interrupts off. All but @c and the two conditions are statements:
 *   unavailable  condition: the context is busy or shut
 *   refuse       instead of everything else, if the context is unavailable
 *   prepare      sets the fields of the context that a timed hit needs as well
 *   timed        condition: the hit is to be timed
 *   time         instead of @run, if the hit is timed
 *   run          runs the handler, and deals with what it has left
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
	u32 until;               /* hits until one that is timed */
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

/* Sets @c to this CPU's context. */
#define PRT_CONTEXT_HERE(c) PRT_CPU_READ(c, prt_contexts)

/* A CPU's tallies lie before its context, that of the last probe next to it. */
#define PRT_HIT_TALLY(c, nr)                                                                   \
	((struct prt_tally_head *)((char *)(c) -                                               \
		(sizeof(probes) / sizeof(*probes) - (nr)) * PRT_TALLY_SIZE))

/* How a hit function that returns nothing, or an int, ends with @rest. */
#define PRT_HIT_END_VOID(rest) rest; return
#define PRT_HIT_END_INT(rest) return rest

/* A handler can leave nothing, an error, or an error or a record. */
#define PRT_HIT_LEFT_0(c, nr)
#define PRT_HIT_LEFT_1(c, nr)                                                                  \
	if (c->left)                                                                           \
		prt_hit_left(c)
#define PRT_HIT_LEFT_2(c, nr) prt_fast_left(c, nr)

/* Return probes alone give these to the handler. A bare handler reads none of them. */
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
	PRT_HIT_LEFT_##leaves(c, nr)

/*
 * The hit of probe @nr, with all registers in @registers:
 *   end        PRT_HIT_END_: how the function returns
 *   site_      the only site, when the handler asks for it, else NULL
 *   bare       of its context, the handler reads the bank alone
 *   leaves     0, 1 or 2: PRT_HIT_LEFT_
 *   off        interrupts are off already
 *   is_return  the handler is given the entry values, @saved_, and the result, @value
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
	static void hit_##nr(unsigned long ip, unsigned long parent_ip, void *ops, void *regs) \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_END_VOID, nr, site_, bare, leaves, 0, regs, 0, NULL, 0);    \
	}

/** PRT_HIT_PLACE - the same as a prt_kprobe_hit. */
#define PRT_HIT_PLACE(nr, site_, bare, leaves)                                                 \
	static int hit_##nr(void *kprobe, void *regs)                                          \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_END_INT, nr, site_, bare, leaves, 0, regs, 0, NULL, 0);     \
		return 0;                                                                      \
	}

/** PRT_HIT_USER - the same as a prt_user_hit. */
#define PRT_HIT_USER(nr, site_, bare, leaves)                                                  \
	static void hit_##nr(void *regs)                                                       \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_END_VOID, nr, site_, bare, leaves, 1, regs, 0, NULL, 0);    \
	}

#endif

#endif
