/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All that is done at a hit, as a function of the script unit that ftrace calls itself, or a kprobe where
 * the place is in mid-function: number and table of the probe are constants, the handler is inlined where it is small, and
 * what it does not use is not prepared. prt_context_hit of the runtime's context.h does the same for
 * all other ways to be hit, and says what the steps are for; the two must agree.
 *
 * The only part of what emitted C sees that depends on the processor: x86-64. Interrupts are switched
 * by the processor's own instructions, so the runtime does not use these functions where the kernel
 * has others (Xen's paravirtual guests).
 */
#ifndef PRT_HIT_H
#define PRT_HIT_H

/* This CPU's context, a per-CPU variable of the runtime. */
extern struct prt_ctx *prt_contexts;

/* The first words of what the runtime counts for a probe on a CPU. */
struct prt_tally_head {
	u32 until;               /* hits until one that is timed */
};

/* The parts of a hit that are rare, to its end: interrupts are as @flags says when they return 0. To be
 * jumped to, so that the usual way keeps no register over a call. @c is this CPU's context. */
/** prt_hit_refuse - busy or shut: counts the hit of probe @nr. */
int __attribute__((cold)) prt_hit_refuse(struct prt_ctx *c, u32 nr, u64 flags);
/** prt_hit_time - busy: all of a hit, with a look at the clock. */
int __attribute__((cold)) prt_hit_time(struct prt_ctx *c, const struct prt_probe *probe,
				       const struct prt_site *site, const void *regs, u64 flags);

PRT_INLINE struct prt_ctx *prt_context_here(void)
{
	struct prt_ctx *c;

	__asm__ volatile("movq %%gs:%P1, %0" : "=r"(c) : "m"(prt_contexts));
	return c;
}

PRT_INLINE u64 prt_interrupts_off(void)
{
	u64 flags;

	__asm__ volatile("pushfq\n\tpopq %0\n\tcli" : "=rm"(flags) : : "memory");
	return flags;
}

PRT_INLINE void prt_interrupts_restore(u64 flags)
{
	if (flags & 0x200)
		__asm__ volatile("sti" : : : "memory");
}

#define PRT_BARRIER() __asm__ volatile("" : : : "memory")

/* How a handler is hit, of its probe's constants. */
struct prt_hit_kind {
	u32 nr;                  /* the probe */
	u32 before;              /* its tally lies so many of them before the context */
	const struct prt_site *site; /* the only one, when the handler asks for it, else NULL */
	bool bare;               /* of its context it looks at the bank alone */
	u32 leaves;              /* 1: it can fail, 2: it prints */
	bool is_return;          /* it is given what was kept and the value returned */
	bool interrupts_off;     /* they are, already */
};

PRT_INLINE int prt_hit(const struct prt_hit_kind k, const struct prt_probe *probe,
		       const void *regs, void *saved, s64 retval, void (*handler)(struct prt_ctx *c))
{
	u64 flags = k.interrupts_off ? 0 : prt_interrupts_off();
	struct prt_ctx *c = prt_context_here();
	struct prt_tally_head *tally;

	if (unlikely(*(u16 *)&c->busy))
		return prt_hit_refuse(c, k.nr, flags);
	c->busy = 1;
	PRT_BARRIER();
	if (k.is_return && !k.bare) {
		c->saved = saved;
		c->retval = retval;
	}
	tally = (struct prt_tally_head *)((char *)c - k.before * PRT_TALLY_SIZE);
	if (unlikely(!--tally->until))
		return prt_hit_time(c, probe, k.site, regs, flags);
	if (!k.bare) {
		c->probe = probe;
		if (k.site)
			c->site = k.site;
		c->regs = regs;
		c->steps = PRT_MAXACTION;
	}
	handler(c);
	if (k.leaves > 1)
		prt_fast_left(c, k.nr);
	else if (k.leaves && c->left)
		prt_hit_left(c);
	PRT_BARRIER();
	c->busy = 0;
	if (!k.interrupts_off)
		prt_interrupts_restore(flags);
	return 0;
}

#define PRT_KIND(nr, ...) \
	((struct prt_hit_kind){ (nr), sizeof(probes) / sizeof(*probes) - (nr), __VA_ARGS__ })

/** PRT_HIT - defines hit_N, the prt_ftrace_hit of probe @nr; behind it `site`, `bare` and `leaves` of
 *  struct prt_hit_kind. */
#define PRT_HIT(nr, ...)                                                                       \
	static void hit_##nr(unsigned long ip, unsigned long parent_ip, void *ops, void *regs) \
	{                                                                                      \
		prt_hit(PRT_KIND(nr, __VA_ARGS__), &probes[nr], regs, NULL, 0, probe_##nr);    \
	}

/** PRT_HIT_PLACE - the same as a prt_kprobe_hit. */
#define PRT_HIT_PLACE(nr, ...)                                                                 \
	static int hit_##nr(void *kprobe, void *regs)                                          \
	{                                                                                      \
		return prt_hit(PRT_KIND(nr, __VA_ARGS__), &probes[nr], regs, NULL, 0,          \
			       probe_##nr);                                                    \
	}

#endif
