/* SPDX-License-Identifier: GPL-2.0 */
/* A thread of the kernel's and a work item, of which there is one each. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include <linux/kthread.h>
#include <linux/workqueue.h>

#include "machine.h"

/* ---- the thread ---- */


static struct {
	pthread_t thread;
	int (*f)(void *);
	void *arg;
	bool started, stop;
} kthread;

static void *kthread_main(void *unused)
{
	machine_be_cpu(TWIN_CPUS);
	kthread.f(kthread.arg);
	return NULL;
}

struct task_struct *kthread_create(int (*f)(void *), void *arg, const char *fmt, ...)
{
	kthread.f = f;
	kthread.arg = arg;
	kthread.started = kthread.stop = false;
	return (struct task_struct *)&kthread;
}

int wake_up_process(struct task_struct *task)
{
	if (kthread.started)
		return 0;
	kthread.started = !pthread_create(&kthread.thread, NULL, kthread_main, NULL);
	if (!kthread.started)
		abort();
	return 1;
}

int kthread_stop(struct task_struct *task)
{
	WRITE_ONCE(kthread.stop, true);
	return kthread.started ? pthread_join(kthread.thread, NULL) : -EINTR;
}

bool kthread_should_stop(void)
{
	return READ_ONCE(kthread.stop);
}

/* ---- the work item ---- */

static struct work_struct *work;

void twin_queue_work(struct work_struct *w)
{
	__atomic_store_n(&w->pending, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&work, w, __ATOMIC_SEQ_CST);
}

bool machine_work(void)
{
	struct work_struct *w = __atomic_load_n(&work, __ATOMIC_SEQ_CST);

	if (!w || !__atomic_exchange_n(&w->pending, 0, __ATOMIC_SEQ_CST))
		return false;
	w->func(w);
	return true;
}
