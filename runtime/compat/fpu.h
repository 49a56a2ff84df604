/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The vector registers of a task in memory: a member of its struct thread_struct, after the task
 * since "x86/fpu: Make task_struct::thread constant size". Kbuild looks for x86_task_fpu(), which
 * has come with that change. It is not used: with CONFIG_X86_DEBUG_FPU it is a function that is not
 * exported to modules, and otherwise it is this sum.
 *
 * What was saved has stood in a struct fpstate since "x86/fpu: Provide struct fpstate"
 * (87d0e5be0fac), and in the member `state` before. Kbuild looks for the structure.
 */
#ifndef PRT_COMPAT_FPU_H
#define PRT_COMPAT_FPU_H

#include <linux/sched.h>

#ifdef PRT_HAVE_TASK_FPU
#define PRT_COMPAT_FPU(task) ((struct fpu *)((task) + 1))
#else
#define PRT_COMPAT_FPU(task) (&(task)->thread.fpu)
#endif

#ifdef PRT_HAVE_FPSTATE
#define PRT_COMPAT_FPU_SAVED(fpu) (&(fpu)->fpstate->regs)
#else
#define PRT_COMPAT_FPU_SAVED(fpu) (&(fpu)->state)
#endif

#endif
