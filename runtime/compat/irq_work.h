/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of a struct irq_work: with macros since "irq_work: Cleanup" (7a9f50a05843), which made the
 * flags a member of `node`. Kbuild looks for the macro.
 */
#ifndef PRT_COMPAT_IRQ_WORK_H
#define PRT_COMPAT_IRQ_WORK_H

#include <linux/irq_work.h>

#ifdef PRT_HAVE_IRQ_WORK_INIT
#define PRT_COMPAT_IRQ_WORK(f) IRQ_WORK_INIT(f)
#define PRT_COMPAT_IRQ_WORK_HARD(f) IRQ_WORK_INIT_HARD(f) /* in the interrupt on PREEMPT_RT, too */
#else
#define PRT_COMPAT_IRQ_WORK(f) ((struct irq_work){ .func = (f) })
#define PRT_COMPAT_IRQ_WORK_HARD(f)                                                            \
	((struct irq_work){ .flags = ATOMIC_INIT(IRQ_WORK_HARD_IRQ), .func = (f) })
#endif

#endif
