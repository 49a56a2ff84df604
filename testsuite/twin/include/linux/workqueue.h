/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_WORKQUEUE_H
#define TWIN_LINUX_WORKQUEUE_H

/* A work item runs when a test calls machine_work(): ../../machine.h. */
struct work_struct {
	void (*func)(struct work_struct *work);
	int pending;
};

#define DECLARE_WORK(name, f)    struct work_struct name = { (f), 0 }
#define system_unbound_wq        0
void twin_queue_work(struct work_struct *work);
#define queue_work(queue, work)  twin_queue_work(work)
#define cancel_work_sync(work)   ((void)__atomic_exchange_n(&(work)->pending, 0, __ATOMIC_SEQ_CST))

#endif
