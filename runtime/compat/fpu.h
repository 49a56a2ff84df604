/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The vector registers of a task in memory: a member of its struct thread_struct, after the task
 * since "x86/fpu: Make task_struct::thread constant size" (cb7ca40a3882). Kbuild looks for
 * x86_task_fpu(), which has come with that change. It is not used: with CONFIG_X86_DEBUG_FPU it is
 * a function that is not exported to modules, and otherwise it is this sum.
 *
 * What was saved has stood in a struct fpstate since "x86/fpu: Provide struct fpstate"
 * (87d0e5be0fac), and in the member `state` before. Kbuild looks for the structure.
 *
 * On arm64, whether all bytes of long vectors are saved is said by a member of struct thread_struct
 * since "arm64/fpsimd: Track the saved FPSIMD state type separately to TIF_SVE" (baa8515281b3), and
 * by a flag of the thread before. Their length is in an array since "arm64/sve: Track vector
 * lengths for tasks in an array" (5838a1557984). Kbuild looks for the type of the former, and for
 * the array.
 */
#ifndef PRT_COMPAT_FPU_H
#define PRT_COMPAT_FPU_H

#include <linux/sched.h>
#include <linux/thread_info.h>

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

#ifdef CONFIG_ARM64_SVE
/* Whether long vectors of the current task are saved with all their bytes, and how many these
 * are. */
static inline bool prt_compat_sve_saved(void)
{
#ifdef PRT_HAVE_FP_TYPE
	return current->thread.fp_type == FP_STATE_SVE;
#else
	return test_thread_flag(TIF_SVE);
#endif
}

static inline u32 prt_compat_sve_bytes(void)
{
#ifdef PRT_HAVE_VECTOR_LENGTHS
	return current->thread.vl[ARM64_VEC_SVE];
#else
	return current->thread.sve_vl;
#endif
}
#endif

#endif
