/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_IRQFLAGS_H
#define TWIN_LINUX_IRQFLAGS_H

/* A mutex of the processor stands for interrupts off. on_each_cpu() takes it as well. */
unsigned long twin_irq_save(void);
void twin_irq_restore(unsigned long flags);
_Bool raw_irqs_disabled(void);

#define raw_local_irq_save(flags)    ((flags) = twin_irq_save())
#define raw_local_irq_restore(flags) twin_irq_restore(flags)

#endif
