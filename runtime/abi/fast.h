/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What of the runtime is inlined in scripts: what takes fewer instructions than a call. Each name stands
 * for the function of that name in script.h, which does the same. Whatever is longer costs more to
 * compile, in each handler that has it, than the call costs a hit.
 *
 * The task: where its fields lie differs from kernel to kernel, so they are absolute symbols that the
 * runtime defines (task.c) and the linker puts into the instructions. `current` is where Kbuild found
 * it.
 */
#ifndef PRT_FAST_H
#define PRT_FAST_H

extern const char prt_at_tgid[], prt_at_pid[];

#ifdef PRT_SCRIPT_UNIT
#ifdef PRT_HAVE_PCPU_HOT
extern const char *pcpu_hot;
#define PRT_CURRENT_TASK pcpu_hot
#else
extern const char *current_task;
#define PRT_CURRENT_TASK current_task
#endif

PRT_INLINE const char *prt_fast_task(void)
{
	const char *task;

	__asm__("movq %%gs:%P1, %0" : "=r"(task) : "m"(PRT_CURRENT_TASK));
	return task;
}
#else
/* A script with the kernel's headers. */
PRT_INLINE const char *prt_fast_task(void)
{
	return (const char *)current;
}
#endif

PRT_INLINE s64 prt_fast_pid(struct prt_ctx *c)
{
	return *(const volatile s32 *)(prt_fast_task() + (u64)prt_at_tgid);
}

PRT_INLINE s64 prt_fast_tid(struct prt_ctx *c)
{
	return *(const volatile s32 *)(prt_fast_task() + (u64)prt_at_pid);
}

#define prt_pid prt_fast_pid
#define prt_tid prt_fast_tid

#endif
