/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All that is done at a hit, as a function of the script unit that ftrace calls itself, or a kprobe
 * where the place is in mid-function: number and table of the probe are constants, the handler is
 * inlined where it is small, and what it does not use is not prepared. prt_context_hit of the
 * runtime's context.h does the same for all other ways to be hit, and says what the steps are for;
 * the two must agree.
 *
 * Interrupts are switched by the processor's own instructions, so the runtime does not use these
 * functions where the kernel has others (prt_arch_own_interrupts()).
 */
#ifndef PRT_HIT_H
#define PRT_HIT_H

/* This CPU's context, a per-CPU variable of the runtime. */
extern struct prt_ctx *prt_contexts;

/* The first words of what the runtime counts for a probe on a CPU. */
struct prt_tally_head {
	u32 until;               /* hits until one that is timed */
};

/* The parts of a hit that are rare, to its end: interrupts are as @flags says when they return 0.
 * To be jumped to, so that the usual way keeps no register over a call. @c is this CPU's
 * context. */
/** prt_hit_refuse - busy or shut: counts the hit of probe @nr. */
int __attribute__((cold)) prt_hit_refuse(struct prt_ctx *c, u32 nr, u64 flags);
/** prt_hit_time - busy: all of a hit, with a look at the clock. */
int __attribute__((cold)) prt_hit_time(struct prt_ctx *c, const struct prt_probe *probe,
				       const struct prt_site *site, const void *regs, u64 flags);

/*
 * The rest are macros, for the reason that PRT_STAT_ADD of stat.h is one: what a probe's constants
 * leave out the compiler drops where it reads it. Functions to be inlined took cc1 8 % more for a
 * small script.
 */

/* @c becomes this CPU's context. */
#define PRT_CONTEXT_HERE(c) PRT_CPU_READ(c, prt_contexts)

/* Tallies lie before the context, that of the last probe next to it. */
#define PRT_HIT_TALLY(c, nr)                                                                   \
	((struct prt_tally_head *)((char *)(c) -                                               \
		(sizeof(probes) / sizeof(*probes) - (nr)) * PRT_TALLY_SIZE))

/* By what the function that a hit stands in is left where something rare has done the rest. */
#define PRT_HIT_GO_VOID(rest) { rest; return; }
#define PRT_HIT_GO_INT(rest) return rest

/* What a handler may leave behind: nothing; an error; a record as well. */
#define PRT_HIT_LEFT_0(c, nr)
#define PRT_HIT_LEFT_1(c, nr)                                                                  \
	if (c->left)                                                                           \
		prt_hit_left(c)
#define PRT_HIT_LEFT_2(c, nr) prt_fast_left(c, nr)

/*
 * The hit of probe @nr, with all registers in @registers:
 *   site_      the only one, when the handler asks for it, else NULL
 *   bare       of its context the handler looks at the bank alone
 *   leaves     0, 1 or 2: PRT_HIT_LEFT_
 *   off        interrupts are off, already
 *   is_return  the handler is given what was kept, @saved_, and the value returned, @value
 */
#define PRT_HIT_RUN(go, nr, site_, bare, leaves, off, registers, is_return, saved_, value)    \
	u64 flags = 0;                                                                         \
	struct prt_ctx *c;                                                                     \
											       \
	if (!(off))                                                                            \
		PRT_INTERRUPTS_OFF(flags);                                                     \
	PRT_CONTEXT_HERE(c);                                                                   \
	if (unlikely(*(u16 *)&c->busy))                                                        \
		go(prt_hit_refuse(c, nr, flags));                                              \
	c->busy = 1;                                                                           \
	PRT_BARRIER();                                                                         \
	if ((is_return) && !(bare)) {                                                          \
		c->saved = saved_;                                                             \
		c->retval = value;                                                             \
	}                                                                                      \
	if (unlikely(!--PRT_HIT_TALLY(c, nr)->until))                                          \
		go(prt_hit_time(c, &probes[nr], site_, registers, flags));                     \
	if (!(bare)) {                                                                         \
		c->probe = &probes[nr];                                                        \
		if (site_)                                                                     \
			c->site = site_;                                                       \
		c->regs = registers;                                                           \
		c->steps = PRT_MAXACTION;                                                      \
	}                                                                                      \
	probe_##nr(c);                                                                         \
	PRT_HIT_LEFT_##leaves(c, nr);                                                          \
	PRT_BARRIER();                                                                         \
	c->busy = 0;                                                                           \
	if (!(off))                                                                            \
		PRT_INTERRUPTS_RESTORE(flags)

/** PRT_HIT - defines hit_N, the prt_ftrace_hit of probe @nr. */
#define PRT_HIT(nr, site_, bare, leaves)                                                       \
	static void hit_##nr(unsigned long ip, unsigned long parent_ip, void *ops, void *regs) \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_GO_VOID, nr, site_, bare, leaves, 0, regs, 0, NULL, 0);    \
	}

/** PRT_HIT_PLACE - the same as a prt_kprobe_hit. */
#define PRT_HIT_PLACE(nr, site_, bare, leaves)                                                 \
	static int hit_##nr(void *kprobe, void *regs)                                          \
	{                                                                                      \
		PRT_HIT_RUN(PRT_HIT_GO_INT, nr, site_, bare, leaves, 0, regs, 0, NULL, 0);     \
		return 0;                                                                      \
	}

#endif
