/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measures the time that the kernel takes on this machine to handle a breakpoint that a kprobe has
 * set, apart from our handler: the exception, the way to the kprobe, and a second exception after
 * the copy of the instruction. The kprobe for it is on a function of our own. The shortest of
 * several runs is taken, as for the clock (budget.c), because anything that delays a run is not
 * part of the breakpoint.
 */
#include <linux/irqflags.h>
#include <linux/kprobes.h>

#include "arch/arch.h"
#include "attach.h"
#include "budget.h"
#include "clock.h"

enum { RUNS = 32 };

static noinline notrace void probed(void)
{
	prt_arch_not_emulated();
}

static int nothing_before(struct kprobe *kp, struct pt_regs *regs)
{
	return 0;
}
NOKPROBE_SYMBOL(nothing_before);

/* A kprobe with a post_handler does not become a jump. */
static void nothing_after(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}
NOKPROBE_SYMBOL(nothing_after);

static u64 shortest_run(void)
{
	u64 ret = U64_MAX, start;
	unsigned long flags;
	int i;

	for (i = 0; i < RUNS; i++) {
		local_irq_save(flags);
		start = prt_clock_now();
		probed();
		ret = min(ret, prt_clock_now() - start);
		local_irq_restore(flags);
	}
	return ret;
}

void prt_breakpoint_measure(void)
{
	static struct kprobe kp; /* prt_attach_lock */
	static bool done;
	u64 without, with = 0;

	if (done)
		return;
	done = true;
	without = shortest_run();
	kp = (struct kprobe){ .addr = (kprobe_opcode_t *)probed, .pre_handler = nothing_before,
			      .post_handler = nothing_after };
	/* A test can't make this registration fail: a session can do without it. */
	if (prt_tail_allows((unsigned long)probed) && !register_kprobe(&kp)) {
		with = shortest_run();
		unregister_kprobe(&kp);
	}
	prt_budget_breakpoints_cost(with - min(with, without));
}
