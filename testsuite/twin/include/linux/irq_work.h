/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_IRQ_WORK_H
#define TWIN_LINUX_IRQ_WORK_H

struct irq_work {
	void (*func)(struct irq_work *work);
};

/* Fails if a hit runs on this processor: the kernel may pass tracepoints here. */
void twin_begins_work(void);

#define init_irq_work(w, f) ((w)->func = (f))
#define irq_work_queue(w)   (twin_begins_work(), (w)->func(w))
#define irq_work_sync(w)    do { } while (0)

#endif
