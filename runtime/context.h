/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Contexts: what a handler runs on. One for each possible CPU (hot probes) and one for the
 * session's thread. A hot handler runs with interrupts off, so that only an NMI can come between:
 * `busy` turns its hit away, and tables and rings of a CPU have one writer.
 */
#ifndef PRT_CONTEXT_H
#define PRT_CONTEXT_H

#include <linux/irqflags.h>
#include <linux/percpu.h>

#include "abi/script.h"
#include "session.h"

struct prt_ring;

/* Of one probe on one CPU. What every hit touches comes first. */
struct prt_tally {
	u32 until;               /* hits until the next one that is timed; never 0 */
	u32 every;               /* hits that it will stand for */
	struct prt_probe_counts counts;
	u64 last;                /* ticks of the last timed one */
	u64 load;                /* ticks in the second of that number */
	u32 second;
} __aligned(128);            /* a hit finds its own by a shift */

struct prt_cpu {
	struct prt_ctx ctx;
	char *bank;              /* the active one of banks[] */
	char *banks[2];          /* the thread's context has one, the totals */
	struct prt_tally *tally; /* of each probe */
	struct prt_ring *ring;
	char *group;             /* start of the open group */
	char *out_limit;         /* end of the room, reserve included */
	u64 time;                /* of the open group */
	bool messages;           /* the open group has records that must not be dropped */
	u32 probe_nr;
	char *frames;
	struct prt_iter *iters;  /* free ones */
	unsigned long stack_start; /* sp when the handler began */
	unsigned long irq_flags; /* process context: state before prt_lock */
	char *token;             /* tokenize(): its input */
	u32 token_at, token_end; /* what is left of it */
	u64 busy, locked_out, errors, missed; /* sums over the probes */
	/* budget.c: the second that is being summed up */
	u64 second_start, load;
	u32 second;
	u32 overloaded;          /* such seconds in a row */
	u64 long_hit, long_start; /* without time limits: the hit that was seen to run long */
	u32 long_probe;
	char *memory;            /* tally, frames, err_text, token, iterators: one allocation */
};

/* Pointers, because all modules of the machine share 8 KiB for what they define per CPU. */
DECLARE_PER_CPU(struct prt_cpu *, prt_cpus);
extern struct prt_cpu prt_thread_cpu; /* of the session's thread */

static __always_inline struct prt_cpu *prt_cpu_of(struct prt_ctx *c)
{
	return container_of(c, struct prt_cpu, ctx);
}

static inline struct prt_cpu *prt_cpu_nr(unsigned int nr)
{
	return per_cpu(prt_cpus, nr);
}

/* Module init. -ENOMEM; then exit frees the rest. */
int prt_context_init(void);
void prt_context_exit(void);
/* Bytes that prt_context_setup allocates in all. */
u64 prt_context_memory(void);
/* SETUP: all contexts, without rings and banks. Process context. -ENOMEM; then deinit frees the
 * rest. */
int prt_context_setup(void);
void prt_context_free(void);
/* Sum over all contexts of the counters of probe @nr. */
void prt_context_counts(u32 nr, struct prt_probe_counts *ret);
/* Adds the sums over all contexts and probes to @st. */
void prt_context_totals(struct prt_status *st);

/* c->err is PRT_E_BAD_ADDRESS with that address. Any context. */
void prt_bad_address(struct prt_ctx *c, u64 addr, u32 place);

/* The parts of a hit that are not inline: the end of one that left an error, or output. */
void prt_context_report(struct prt_ctx *c);
void prt_out_publish(struct prt_ctx *c);
void prt_budget_timed(struct prt_cpu *cpu, struct prt_tally *tally);

/* Makes @cpu's context that of a new hit. The first store sets `busy` and, in the same word,
 * level, no locks, no lost output and no error; an NMI after it leaves the context alone. What
 * only an error leaves behind (err_len, nesting) is put right by prt_context_report. */
static __always_inline void prt_context_begin(struct prt_cpu *cpu, u32 nr,
					      struct prt_tally *tally,
					      const struct prt_probe *probe,
					      const struct prt_site *site, const void *regs,
					      u8 level, s64 steps)
{
	struct prt_ctx *c = &cpu->ctx;

	BUILD_BUG_ON(offsetof(struct prt_ctx, busy) != 0 || offsetof(struct prt_ctx, level) != 1 ||
		     offsetof(struct prt_ctx, err) != 4 || PRT_OK != 0);
	WRITE_ONCE(*(u64 *)&c->busy, 1 | level << 8);
	barrier();
	c->steps = steps;
	c->bank = READ_ONCE(cpu->bank);
	c->frame = cpu->frames;
	c->probe = probe;
	c->site = site;
	c->regs = regs;
	cpu->probe_nr = nr;
	cpu->stack_start = current_stack_pointer;
}

/* What happens at every hit of a hot probe; the attach handlers inline it. @saved: NULL but for
 * return probes. Any context, NMI included. */
static __always_inline void prt_context_hit(u32 nr, const struct prt_site *site, const void *regs,
					    u64 *saved, s64 retval)
{
	const struct prt_probe *probe = &prt_script.probes[nr];
	struct prt_tally *tally;
	struct prt_cpu *cpu;
	unsigned long flags;

	raw_local_irq_save(flags);
	if (unlikely(!READ_ONCE(prt_session.running)))
		goto out;
	cpu = this_cpu_read(prt_cpus);
	tally = &cpu->tally[nr];
	if (unlikely(READ_ONCE(cpu->ctx.busy))) {
		tally->counts.busy++;
		cpu->busy++;
		goto out;
	}
	prt_context_begin(cpu, nr, tally, probe, site, regs, PRT_LEVEL_HOT,
			  prt_session.hot_steps);
	tally->counts.hits++;
	if (saved) {
		cpu->ctx.saved = saved;
		cpu->ctx.retval = retval;
	}
	barrier();
	if (unlikely(!--tally->until)) {
		prt_budget_timed(cpu, tally);
	} else {
		probe->handler(&cpu->ctx);
		if (unlikely(cpu->ctx.err))
			prt_context_report(&cpu->ctx);
		if (cpu->ctx.out)
			prt_out_publish(&cpu->ctx);
	}
	barrier();
	WRITE_ONCE(cpu->ctx.busy, 0);
out:
	raw_local_irq_restore(flags);
}

#endif
