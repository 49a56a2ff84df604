/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the runtime that are inlined in scripts, because they take fewer instructions than a
 * call. Each replaces the function of script.h that has its name without `fast_`. Anything longer
 * would cost more compile time, in each handler that uses it, than it saves at each hit.
 *
 * The offsets of fields in task_struct differ between kernels, so they are absolute symbols that
 * the runtime defines (task.c) and the linker inserts into the instructions (PRT_OFFSET).
 */
#ifndef PRT_FAST_H
#define PRT_FAST_H

#include "group.h"

/** prt_hit_left - reports the error that a handler has set, and publishes its output. Any
 * context. */
void prt_hit_left(struct prt_ctx *c);

/* ---- the task ---- */

extern const char prt_at_tgid[], prt_at_pid[];

/* Sets @task to the current task. */
#ifdef PRT_SCRIPT_UNIT
#define PRT_TASK_HERE(task) PRT_CURRENT_TASK(task)
#else
/* A script with the kernel's headers. */
#define PRT_TASK_HERE(task) (task = (const char *)current)
#endif

PRT_INLINE s64 prt_fast_pid(struct prt_ctx *c)
{
	const char *task;

	PRT_TASK_HERE(task);
	return *(const volatile s32 *)(task + PRT_OFFSET(prt_at_tgid));
}

PRT_INLINE s64 prt_fast_tid(struct prt_ctx *c)
{
	const char *task;

	PRT_TASK_HERE(task);
	return *(const volatile s32 *)(task + PRT_OFFSET(prt_at_pid));
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

/* ---- strings ----
 *
 * A function that gets a string as one argument is compiled with a frame pointer and with copies of
 * its registers, so these two get it as two.
 */

void *prt_map_get_text(struct prt_ctx *c, struct prt_map *m, u32 srcloc, u32 len, const char *s);
char *prt_put_text(char *p, const char *s, u32 len);

PRT_INLINE void *prt_fast_map_get_s(struct prt_ctx *c, struct prt_map_ref *r, struct prt_str key,
				    u32 srcloc)
{
	return prt_map_get_text(c, r->m, srcloc, key.len, key.s);
}
#define prt_map_get_s prt_fast_map_get_s

PRT_INLINE char *prt_fast_put_str(char *p, struct prt_str s)
{
	return prt_put_text(p, s.s, s.len);
}
#define prt_put_str prt_fast_put_str

/* ---- memory ---- */

/* Emitted code has constants for @size and @is_signed. */
#define prt_read prt_read_sized

/* ---- output ---- */

/** prt_clock_read - the time by the session clock: runtime/clock.h. Any context. */
u64 prt_clock_read(void);

/* prt_out_begin() for the first record of a hot handler. Inlining it saves two calls, which pays
 * because every print needs it. */
PRT_INLINE char *prt_fast_out_begin(struct prt_ctx *c, u32 id, u32 len)
{
	struct prt_ring *r = c->ring;
	struct prt_group *g;

	if (unlikely(!prt_brief_fits(c, r, len)))
		return prt_out_begin(c, id, len);
	g = prt_ring_at(r);
	return prt_brief_begin(c, g, id, len, PRT_RING_OPEN(r, prt_clock_read()));
}

/* prt_hit_left() for a handler that may have opened a brief group. @probe is the number of the
 * hit's probe. */
PRT_INLINE void prt_fast_left(struct prt_ctx *c, u32 probe)
{
	if (likely(c->left == PRT_LEFT_BRIEF))
		prt_brief_publish(c, probe);
	else if (c->left)
		prt_hit_left(c);
}

#endif
