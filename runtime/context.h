/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Contexts, on which handlers run: one for each CPU that has been online in the session (hot
 * probes; part.h) and one for the session thread. A hot handler runs with interrupts off, so only
 * an NMI can interrupt it, and `busy` refuses the NMI's hits. So the tables and the ring of a CPU
 * have one writer.
 */
#ifndef PRT_CONTEXT_H
#define PRT_CONTEXT_H

#include <linux/irqflags.h>
#include <linux/percpu.h>

#include "abi/script.h"
#include "abi/hit.h"
#include "arch/arch.h"
#include "session.h"

/* Where a breakpoint is that is charged to a probe. */
enum prt_breakpoint { PRT_BREAKPOINT_KERNEL, PRT_BREAKPOINT_USER, PRT_NBREAKPOINTS };

/* The counts of one probe on one CPU. A hit writes `until` alone (abi/hit.h): counts.hits does not
 * include the hits since `until` was last set to `every`. */
struct prt_tally {
	u32 until;               /* hits until the next one that is timed; never 0 */
	u32 every;               /* hits that it will represent */
	u32 turn;                /* odd while `until`, `every` and counts.hits are inconsistent */
	u16 alone[PRT_NBREAKPOINTS]; /* breakpoints that led to no hit, not charged yet: few */
	struct prt_probe_counts counts;
	u64 last;                /* ticks of the last timed hit */
	u64 load;                /* ticks in second number `second` */
	u32 second;
	bool by_breakpoint;      /* breakpoints lead to some of its sites */
	u32 user_sharers;        /* probes at that of its places in programs which has most of
				  * them; 0: it has no such place */
} __aligned(PRT_TALLY_SIZE);

struct prt_frame_known;
struct prt_stack_room;

struct prt_cpu {
	struct prt_ctx ctx;
	bool made;               /* it has all of its memory: stored by a release, part.c */
	char *banks[2];          /* ctx.bank is one of them; the session thread has one, the
				  * totals */
	char *group;             /* start of the open group */
	char *out_limit;         /* end of the writable memory, reserve included */
	u64 time;                /* time of the open group */
	bool messages;           /* the open group has records that must not be dropped */
	struct prt_iter *iters;  /* free iterators */
	unsigned long stack_start; /* sp in the first call of a recursive function */
	unsigned long irq_flags; /* process context: state before prt_lock */
	char *token;             /* the input of tokenize() */
	u32 token_at, token_end; /* the part of the input that is left */
	u64 absent;              /* the address of the access of ctx.absent_size bytes */
	bool absent_written;     /* that access was a write */
	u64 *user_counts;        /* attach/user_fast.c: fast hits by place; NULL: there are none */
	u64 skipped;             /* skipped hits of all probes: prt_arch_add_here() */
	u64 not_stored;          /* new elements of all arrays that did not fit */
	/* budget.c: the second that is being summed up */
	u64 second_start, load;
	u64 breakpoints;         /* the part of `load` that the kernel took to handle them */
	u32 second;
	u8 percent, handlers;    /* the share of the last second, and the handlers' part of it */
	u32 overloaded;          /* seconds above maxload in a row */
	/* the same: samples */
	u64 sampled_start;       /* of the second in which these were taken */
	u32 samples, of_hits;
	u8 percents[PRT_FULL_SECONDS]; /* of the last seconds, one after the other */
	u8 with_missing[PRT_FULL_SECONDS]; /* the same for the last limit */
	u32 at;                  /* the oldest of them */
	bool full;               /* the mean of with_missing is above PRT_FULL_PERCENT */
	u64 long_hit, long_start; /* without time limits: the hit that was seen to run long */
	u32 long_probe;
	struct prt_stack_room *stack; /* the last stack taken; NULL: the script uses no stacks */
	struct prt_frame_known *frames; /* user_stack.c; NULL: no stacks of processes */
	struct prt_mapped *mapped; /* mapped.c; NULL as well */
	struct prt_arch_stack_copy *other; /* task_stack.c; NULL: no stacks of other tasks */
	char *memory;            /* one allocation: workspace, err_text, token, stack, iterators */
};

/* These are pointers because all modules share 8 KiB for their per-CPU variables
 * (PERCPU_MODULE_RESERVE). Each context is the first member of a struct prt_cpu. */
DECLARE_PER_CPU(struct prt_ctx *, prt_contexts);
extern struct prt_cpu prt_thread_cpu; /* of the session's thread */

static __always_inline struct prt_cpu *prt_cpu_of(struct prt_ctx *c)
{
	return container_of(c, struct prt_cpu, ctx);
}

/* The probe of the hit that runs, or ran last, on this context. */
static __always_inline u32 prt_probe_nr(const struct prt_ctx *c)
{
	return c->probe - prt_script.probes;
}

/* Returns the context of processor @nr; NULL: it has not been online in this session. Any
 * context. */
static inline struct prt_cpu *prt_cpu_nr(unsigned int nr)
{
	struct prt_ctx *c = READ_ONCE(per_cpu(prt_contexts, nr));

	return c && smp_load_acquire(&prt_cpu_of(c)->made) ? prt_cpu_of(c) : NULL;
}

/* Goes through the processors that have been online in this session, with @cpu as a struct prt_cpu
 * of each. Any context; one that comes online meanwhile may be left out. */
#define prt_for_each_cpu(nr, cpu)                                                              \
	for_each_possible_cpu(nr)                                                              \
		if (!((cpu) = prt_cpu_nr(nr))) {                                               \
		} else

/* Module init. */
void prt_context_init(void);
void prt_context_exit(void);
/* The number of bytes that prt_context_setup() allocates, and prt_context_make(). */
u64 prt_context_memory(void);
u64 prt_context_cpu_memory(void);
/* SETUP: allocates the memory of the session thread's context, without ring and bank. Process
 * context. -ENOMEM; prt_context_free() then frees the rest. */
int prt_context_setup(void);
void prt_context_free(void);
/* The context of processor @nr, which is made if it has none: without memory, and shut. Process
 * context. NULL: there is no memory. */
struct prt_cpu *prt_context_of(unsigned int nr);
/* Allocates its memory, without ring and banks. -ENOMEM; prt_context_unmake() frees it. Process
 * context. */
int prt_context_make(struct prt_cpu *cpu, int node);
void prt_context_unmake(struct prt_cpu *cpu);
/* Lets handlers begin on a processor that has got its memory, if they may on the others. */
void prt_context_publish(struct prt_cpu *cpu);
/* Calls @f for the context of each processor, in an interrupt there, which no hit spans; for those
 * that are offline, which have no hits, here. Process context. */
void prt_context_each(void (*f)(struct prt_cpu *cpu));
/* Sums up the counters of probe @nr over all contexts. Any context. */
void prt_context_counts(u32 nr, struct prt_probe_counts *ret);

/* Sets PRT_E_BAD_ADDRESS with that address as its detail. Any context. */
void prt_bad_address(struct prt_ctx *c, u64 addr, u32 srcloc);

/* Copies @n bytes from the memory of the kernel; 0 or -errno. @addr may be any number. Any
 * context. */
long prt_fetch_kernel(void *to, u64 addr, u32 n);
/* Copies @n bytes from the memory of the kernel or of the process (@user); 0 or -errno. Any
 * context. */
long prt_fetch(struct prt_ctx *c, void *to, u64 addr, u32 n, bool user);
/* Notes that memory of the process is not resident or not writable yet. A caller that may sleep
 * then brings it in (attach/rehearse.c). Any context. */
void prt_absent(struct prt_ctx *c, u64 addr, u32 size, bool written);

/* Stops (@shut) or allows handlers to begin on all CPUs, without waiting for those that run. Any
 * context. */
void prt_context_shut(bool shut);
/* The hits of a probe on one context; exact if no handler runs there. Any context. */
u64 prt_context_hits(const struct prt_tally *t);

/* Whether the hit functions of the script may be used: they switch interrupts by instructions of
 * the processor, and have the step budget as a constant. */
static inline bool prt_context_own_hits(void)
{
	return prt_arch_own_interrupts() &&
	       !(prt_session.setup.flags & PRT_SETUP_NO_TIME_LIMITS);
}

/* The parts of a hit that are not inline, which abi/hit.h describes. Interrupts off. */
int prt_hit_refuse(struct prt_ctx *c, u32 nr, unsigned long flags);
int prt_hit_time(struct prt_ctx *c, const struct prt_probe *probe, const struct prt_site *site,
		 const void *regs, unsigned long flags);
void prt_hit_left(struct prt_ctx *c);
/* The same without prt_context_finish(): the context is still needed. */
void prt_hit_publish(struct prt_ctx *c);
void prt_hit_off(struct prt_ctx *c, u32 nr);
/* The same without restoring interrupts. prt_hit_timed() runs the handler of c->probe. */
void prt_hit_refused(struct prt_ctx *c, u32 nr, const struct prt_site *site);
void prt_hit_timed(struct prt_ctx *c);
/* Turns the hit's error into a record, and counts it. Any context. */
void prt_context_report(struct prt_ctx *c);

/* Interrupt work that a hit begins. To do so, the kernel passes tracepoints on arm64 and on 6.12.
 * In the hit, their probes would find the context busy, so it is left for later. */
enum prt_later {
	PRT_LATER_KICK    = 1,   /* prt_session_kick() */
	PRT_LATER_SAMPLE  = 2,   /* prt_sample_watch() */
	PRT_LATER_SIGNALS = 4,   /* prt_raise() */
	PRT_LATER_UNLOCK  = 8,   /* prt_mapped_find() */
};

/* Notes that the hit which runs on this CPU has @what for later. false: there is no hit, and the
 * caller does it now. Any context, but within a hit only code of that hit. */
bool prt_context_later(enum prt_later what);
/* Releases @c, and then does what the hit has left for later: prt_context_finish(). */
void prt_context_do_later(struct prt_ctx *c);

/* The last step of a hit that may have something for later, after which its context is only
 * released (again). Interrupts off. */
static __always_inline void prt_context_finish(struct prt_ctx *c)
{
	if (unlikely(c->later))
		prt_context_do_later(c);
}

/* Prepares @c for a hit: sets the fields that a handler may read, except those of return probes.
 * Other fields are reset after each hit, by prt_hit_left() (error, output) and by the handler
 * itself (workspace). */
static __always_inline void prt_context_fill(struct prt_ctx *c, const struct prt_probe *probe,
					     const struct prt_site *site, const void *regs,
					     s64 steps)
{
	c->probe = probe;
	c->site = site;
	c->regs = regs;
	c->steps = steps;
}

/* The `prepare` step of PRT_HIT_BODY in abi/hit.h. @saved: the entry values of a return probe, or
 * NULL. */
static __always_inline void prt_context_prepare(struct prt_ctx *c, const struct prt_probe *probe,
						const struct prt_site *site, const void *regs,
						s64 steps, u64 *saved, s64 retval)
{
	prt_context_fill(c, probe, site, regs, steps);
	if (saved) {
		c->saved = saved;
		c->retval = retval;
	}
}

/* Whether probe @nr is switched off. Any context. */
static __always_inline bool prt_switched_off(u32 nr)
{
	return prt_script.switches && READ_ONCE(prt_script.switches[nr]);
}

/* Begins a hit in code that does not use PRT_HIT_BODY: sets the context busy and prepares it. */
static __always_inline void prt_context_begin(struct prt_ctx *c, const struct prt_probe *probe,
					      const struct prt_site *site, const void *regs,
					      s64 steps)
{
	WRITE_ONCE(c->busy, 1);
	barrier();
	prt_context_fill(c, probe, site, regs, steps);
}

/* Runs the handler of a hit that is not timed. */
static __always_inline void prt_context_handle(struct prt_ctx *c)
{
	c->probe->handler(c);
	if (unlikely(c->left))
		prt_hit_left(c);
}

/* The same as prt_context_hit() with interrupts off. @probe: that of number @nr. */
static __always_inline void prt_context_hit_now(const struct prt_probe *probe, u32 nr,
						const struct prt_site *site, const void *regs,
						u64 *saved, s64 retval)
{
	struct prt_ctx *c = this_cpu_read(prt_contexts);

	BUILD_BUG_ON(offsetof(struct prt_cpu, ctx) || offsetof(struct prt_tally, until) ||
		     sizeof(struct prt_tally) != PRT_TALLY_SIZE);
	PRT_HIT_BODY(c, READ_ONCE(c->unavailable), prt_hit_refused(c, nr, site),
		     prt_context_prepare(c, probe, site, regs, prt_session.hot_steps, saved,
					 retval),
		     !--c->tally[nr].until, prt_hit_timed(c), prt_context_handle(c));
}

/* Runs a hit of the hot probe @nr; the handlers in attach/ inline it. @saved: the entry values of a
 * return probe, or NULL. Any context, including NMIs. */
static __always_inline void prt_context_hit(u32 nr, const struct prt_site *site, const void *regs,
					    u64 *saved, s64 retval)
{
	const struct prt_probe *probe = &prt_script.probes[nr];
	unsigned long flags;

	raw_local_irq_save(flags);
	prt_context_hit_now(probe, nr, site, regs, saved, retval);
	raw_local_irq_restore(flags);
}

#endif
