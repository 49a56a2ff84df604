/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples measure what part of a processor hits really take. The sums of budget.c know the least
 * that a breakpoint costs, by the clock: they are too low where caches are cold, and where a
 * hypervisor takes the processor away, for the clock goes on meanwhile. A processor with nothing
 * left for others may then look half free. A sample knows neither cost nor clock.
 *
 * A timer interrupts the processor. Handlers, and the kernel on its way to them and back, run with
 * interrupts off, so an interrupt that comes meanwhile is taken at the first instruction after
 * that: where the runtime switches them on, or where the probed code goes on after a breakpoint.
 * These addresses are known. So a sample that finds one of them is a hit's, and any other is not;
 * the short time in which a processor runs such an instruction itself does not matter. A function
 * that returns at a breakpoint goes on at an address that is not known. Breakpoints in programs are
 * handled with interrupts on: user_load.c tells when the current task is at one.
 *
 * The timer runs on a processor for as long as the sums there have anything to show.
 */
#include <linux/hash.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <asm/irq_regs.h>

#include "arch/arch.h"
#include "arch/form.h"
#include "attach.h"
#include "budget.h"
#include "compat/hrtimer.h"
#include "compat/irq_work.h"
#include "memory.h"
#include "user_load.h"

struct sampler {
	struct hrtimer timer;
	struct irq_work begin;
	u64 until;                /* ticks of the clock */
};

static struct sampler *samplers; /* by processor */

/* Open addressing; written under prt_attach_lock, read by samples. Entries are never removed. */
static unsigned long *places;
static u32 places_bits, places_n;

static unsigned long *place_of(unsigned long addr)
{
	u32 i = hash_long(addr, places_bits);

	while (READ_ONCE(places[i]) && READ_ONCE(places[i]) != addr)
		i = (i + 1) & ((1u << places_bits) - 1);
	return &places[i];
}
NOKPROBE_SYMBOL(place_of);

void prt_sample_expect(const struct kprobe *kp)
{
	unsigned long goes_on[PRT_ARCH_GOES_ON], *place;
	u32 i;

	if (!places || kp->flags & KPROBE_FLAG_FTRACE)
		return;
	prt_arch_goes_on(kp, goes_on);
	for (i = 0; i < PRT_ARCH_GOES_ON && places_n < 3u << places_bits >> 2; i++) {
		if (!goes_on[i])
			continue;
		place = place_of(goes_on[i]);
		places_n += !*place;
		WRITE_ONCE(*place, goes_on[i]);
	}
}

static bool is_of_hit(struct pt_regs *regs)
{
	if (!regs)
		return false;
	if (prt_user_load_found(regs))
		return true;
	if (user_mode(regs))
		return false;
	if (within_module(prt_arch_ip(regs), THIS_MODULE))
		return current != READ_ONCE(prt_session.thread);
	return places && *place_of(prt_arch_ip(regs));
}
NOKPROBE_SYMBOL(is_of_hit);

/* If a processor goes offline, its timer is moved to another one. */
static enum hrtimer_restart sample(struct hrtimer *timer)
{
	struct sampler *s = container_of(timer, struct sampler, timer);
	u64 now = prt_clock_now();

	if (s != &samplers[smp_processor_id()] || READ_ONCE(prt_session.stop) ||
	    (s64)(now - s->until) >= 0)
		return HRTIMER_NORESTART;
	prt_budget_sample(now, is_of_hit(get_irq_regs()));
	hrtimer_forward_now(timer, ns_to_ktime(PRT_SAMPLE_NS));
	return HRTIMER_RESTART;
}
NOKPROBE_SYMBOL(sample);

static void begin(struct irq_work *work)
{
	struct sampler *s = container_of(work, struct sampler, begin);

	if (!hrtimer_active(&s->timer))
		hrtimer_start(&s->timer, ns_to_ktime(PRT_SAMPLE_NS), HRTIMER_MODE_REL_PINNED_HARD);
}

void prt_sample_begin(void)
{
	irq_work_queue(&samplers[smp_processor_id()].begin);
}
NOKPROBE_SYMBOL(prt_sample_begin);

void prt_sample_watch(u64 until)
{
	struct sampler *s = &samplers[smp_processor_id()];

	prt_user_load_watch();
	s->until = until;
	if (!prt_context_later(PRT_LATER_SAMPLE))
		prt_sample_begin();
}
NOKPROBE_SYMBOL(prt_sample_watch);

/* The sites that may be breakpoints; ftrace takes most sites that are not places. */
static u32 n_breakpoints(void)
{
	u32 n = 0, others = 0, i;

	for (i = 0; i < prt_script.nsites; i++) {
		u16 kind = prt_script.probes[prt_script.sites[i].probe].kind;

		n += kind == PRT_PLACE;
		others += kind == PRT_ENTRY || kind == PRT_RETURN;
	}
	return n + min_t(u32, others, PRT_SAMPLE_OTHERS);
}

/* The size of `places`, as a power of two; 0: no site can become a breakpoint. */
static u32 bits_needed(void)
{
	u32 n = n_breakpoints();

	return n ? ilog2(roundup_pow_of_two(2 * PRT_ARCH_GOES_ON * n)) : 0;
}

u64 prt_sample_memory(void)
{
	u32 bits = bits_needed();

	return nr_cpu_ids * sizeof(*samplers) + (bits ? sizeof(*places) << bits : 0) +
	       prt_user_load_memory();
}

int prt_sample_setup(void)
{
	u32 i;

	samplers = prt_alloc(nr_cpu_ids, sizeof(*samplers), NUMA_NO_NODE);
	if (!samplers)
		return -ENOMEM;
	for (i = 0; i < nr_cpu_ids; i++) {
		prt_compat_hrtimer(&samplers[i].timer, sample, HRTIMER_MODE_REL_PINNED_HARD);
		samplers[i].begin = PRT_COMPAT_IRQ_WORK_HARD(begin);
	}
	places_bits = bits_needed();
	if (!places_bits)
		return 0;
	places = prt_alloc(1ul << places_bits, sizeof(*places), NUMA_NO_NODE);
	return places ? 0 : -ENOMEM;
}

void prt_sample_stop(void)
{
	u32 i;

	for (i = 0; i < nr_cpu_ids; i++) {
		irq_work_sync(&samplers[i].begin);
		hrtimer_cancel(&samplers[i].timer);
	}
}

void prt_sample_free(void)
{
	kvfree(samplers);
	kvfree(places);
	samplers = NULL;
	places = NULL;
}
