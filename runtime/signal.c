/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signals from handlers. The interrupted code may hold the lock that is needed to send a signal, so
 * an irq_work sends it as soon as interrupts are on again, which is before the process can return
 * to user space and act on the signal.
 */
#include <linux/kprobes.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "compat/irq_work.h"
#include "context.h"
#include "limits.h"
#include "signal.h"

struct prt_signal {
	struct irq_work work;
	struct task_struct *task; /* NULL: free */
	int number;
};

static void send(struct irq_work *work)
{
	struct prt_signal *s = container_of(work, struct prt_signal, work);
	struct task_struct *task = s->task;

	send_sig(s->number, task, 1);
	smp_store_release(&s->task, NULL);
	put_task_struct(task);
}

static struct prt_signal signals[PRT_SIGNALS] = {
	[0 ... PRT_SIGNALS - 1] = { .work = PRT_COMPAT_IRQ_WORK(send) },
};

void prt_raise(struct prt_ctx *c, s64 number, u32 srcloc)
{
	struct prt_signal *s;

	if (number < 1 || number > _NSIG) {
		prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("signals are 1 to 64"));
		return;
	}
	if (current->flags & PF_KTHREAD) {
		prt_error(c, PRT_E_BAD_VALUE, srcloc,
			  PRT_LIT("a thread of the kernel takes no signals"));
		return;
	}
	for (s = signals; s < signals + PRT_SIGNALS; s++) {
		if (cmpxchg(&s->task, NULL, current))
			continue;
		get_task_struct(current);
		s->number = number;
		if (!prt_context_later(PRT_LATER_SIGNALS))
			irq_work_queue(&s->work);
		return;
	}
	prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("too many signals are pending"));
}
NOKPROBE_SYMBOL(prt_raise);

/* Other CPUs take care of those of their tasks. */
void prt_signals_send(void)
{
	struct prt_signal *s;

	for (s = signals; s < signals + PRT_SIGNALS; s++)
		if (READ_ONCE(s->task) == current)
			irq_work_queue(&s->work);
}
NOKPROBE_SYMBOL(prt_signals_send);

void prt_signals_end(void)
{
	struct prt_signal *s;

	for (s = signals; s < signals + PRT_SIGNALS; s++)
		irq_work_sync(&s->work);
}
