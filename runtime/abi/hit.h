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

/* The parts of a hit that are rare. @c is this CPU's context. */
/** prt_hit_refused - busy or shut: counts the hit of probe @nr. */
void __attribute__((cold)) prt_hit_refused(struct prt_ctx *c, u32 nr);
/** prt_hit_timed - runs c->probe's handler, to its end, with a look at the clock. */
void __attribute__((cold)) prt_hit_timed(struct prt_ctx *c);

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

/* @nr, @probe, @site, @uses_bank, @leaves are constants. */
PRT_INLINE void prt_hit(u32 nr, const struct prt_probe *probe, const struct prt_site *site,
			const void *regs, bool uses_bank, bool leaves,
			void (*handler)(struct prt_ctx *c))
{
	u64 flags = prt_interrupts_off();
	struct prt_ctx *c = prt_context_here();
	struct prt_tally_head *tally;
	bool timed;

	if (unlikely(*(u16 *)&c->busy)) {
		prt_hit_refused(c, nr);
		goto out;
	}
	c->busy = 1;
	PRT_BARRIER();
	tally = (struct prt_tally_head *)((char *)c->tally + nr * PRT_TALLY_SIZE);
	timed = !--tally->until;
	c->probe = probe;
	if (site)
		c->site = site;
	c->regs = regs;
	c->steps = PRT_MAXACTION;
	if (uses_bank)
		c->bank = *(char *volatile *)&c->active;
	if (unlikely(timed)) {
		prt_hit_timed(c);
	} else {
		handler(c);
		if (leaves && c->left)
			prt_fast_left(c, nr);
	}
	PRT_BARRIER();
	c->busy = 0;
out:
	prt_interrupts_restore(flags);
}

/** PRT_HIT - defines hit_N, the prt_ftrace_hit of probe @nr; @site: the only one, when the handler
 *  asks for it, else NULL; @uses_bank: it touches per-CPU globals; @leaves: it can fail or print. */
#define PRT_HIT(nr, site, uses_bank, leaves)                                                   \
	static void hit_##nr(unsigned long ip, unsigned long parent_ip, void *ops, void *regs) \
	{                                                                                      \
		prt_hit(nr, &probes[nr], site, regs, uses_bank, leaves, probe_##nr);           \
	}

/** PRT_HIT_PLACE - the same as a prt_kprobe_hit. */
#define PRT_HIT_PLACE(nr, site, uses_bank, leaves)                                             \
	static int hit_##nr(void *kprobe, void *regs)                                          \
	{                                                                                      \
		prt_hit(nr, &probes[nr], site, regs, uses_bank, leaves, probe_##nr);           \
		return 0;                                                                      \
	}

#endif
