/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the runtime that are inlined in scripts, because they take fewer instructions than a
 * call. Each name stands for the function of that name in script.h, which does the same. Inlining
 * anything longer would cost more compile time, in each handler that uses it, than the call costs a
 * hit.
 *
 * The offsets of the task's fields differ from kernel to kernel, so they are absolute symbols that
 * the runtime defines (task.c) and the linker puts into the instructions. Kbuild has found out
 * where `current` is.
 */
#ifndef PRT_FAST_H
#define PRT_FAST_H

#include "group.h"

/** prt_hit_left - reports the error that a handler left, publishes its output. */
void prt_hit_left(struct prt_ctx *c);

/* ---- the task ---- */

extern const char prt_at_tgid[], prt_at_pid[];

/* Makes @task the current task. */
#ifdef PRT_SCRIPT_UNIT
#ifdef PRT_HAVE_PCPU_HOT
extern const char *pcpu_hot;
#define PRT_CURRENT_TASK pcpu_hot
#else
extern const char *current_task;
#define PRT_CURRENT_TASK current_task
#endif
#define PRT_TASK_HERE(task) PRT_CPU_CONSTANT(task, PRT_CURRENT_TASK)
#else
/* A script with the kernel's headers. */
#define PRT_TASK_HERE(task) (task = (const char *)current)
#endif

PRT_INLINE s64 prt_fast_pid(struct prt_ctx *c)
{
	const char *task;

	PRT_TASK_HERE(task);
	return *(const volatile s32 *)(task + (u64)prt_at_tgid);
}

PRT_INLINE s64 prt_fast_tid(struct prt_ctx *c)
{
	const char *task;

	PRT_TASK_HERE(task);
	return *(const volatile s32 *)(task + (u64)prt_at_pid);
}

#define prt_pid prt_fast_pid
#define prt_tid prt_fast_tid

/* ---- time ---- */

u64 ktime_get_real_fast_ns(void); /* the kernel's */

PRT_INLINE s64 prt_fast_time_ns(struct prt_ctx *c)
{
	return ktime_get_real_fast_ns();
}
#define prt_time_ns prt_fast_time_ns

/* ---- output ---- */

/** prt_clock_read - the session's clock: the TSC, or the kernel's clock in its place. */
u64 prt_clock_read(void);

/* prt_out_begin() for a hot handler's first record. A print is long enough to make two calls less
 * worth it. */
PRT_INLINE char *prt_fast_out_begin(struct prt_ctx *c, u32 id, u32 len)
{
	struct prt_ring *r = c->ring;
	struct prt_group *g;

	if (unlikely(!prt_brief_fits(c, r, len)))
		return prt_out_begin(c, id, len);
	g = prt_ring_at(r);
	return prt_brief_begin(c, g, id, len, PRT_RING_OPEN(r, prt_clock_read()));
}

/* prt_hit_left() after it. @probe is the number of the hit's probe. */
PRT_INLINE void prt_fast_left(struct prt_ctx *c, u32 probe)
{
	if (likely(c->left == PRT_LEFT_BRIEF))
		prt_brief_publish(c, probe);
	else if (c->left)
		prt_hit_left(c);
}

#endif
