/* SPDX-License-Identifier: GPL-2.0 */
/* Vector registers of programs. */
#ifndef PRT_ARCH_X86_SIMD_H
#define PRT_ARCH_X86_SIMD_H

#include <linux/sched.h>
#include <linux/thread_info.h>
#include <asm/cpufeature.h>
#include <asm/fpu/types.h>
#include <asm/processor.h>

#include "compat/fpu.h"

enum { PRT_ARCH_XMM = 16 }; /* bytes */

/* Returns the low 8 bytes of register @n (0..15) of the current task, as the kernel last saved
 * them. Registers that have their initial value, 0, are not saved. */
static inline u64 prt_arch_simd_saved(u32 n)
{
	const union fpregs_state *saved = PRT_COMPAT_FPU_SAVED(PRT_COMPAT_FPU(current));
	u64 v;

	if (boot_cpu_has(X86_FEATURE_XSAVE) &&
	    !(saved->xsave.header.xfeatures & XFEATURE_MASK_SSE))
		return 0;
	memcpy(&v, (const char *)saved->fxsave.xmm_space + n * PRT_ARCH_XMM, sizeof(v));
	return v;
}

/* Returns the low 8 bytes of register @n as the program has them now: the kernel uses no vector
 * register between the program's breakpoint and this call. Interrupts are off, and the current task
 * is at a breakpoint in its program. */
static inline u64 prt_arch_simd(u32 n)
{
	u64 v = 0;

	if (test_thread_flag(TIF_NEED_FPU_LOAD))
		return prt_arch_simd_saved(n);
#define PRT_ARCH_SIMD(i) case i: asm volatile("movq %%xmm" #i ", %0" : "=r"(v)); break
	switch (n) {
	PRT_ARCH_SIMD(0); PRT_ARCH_SIMD(1); PRT_ARCH_SIMD(2); PRT_ARCH_SIMD(3);
	PRT_ARCH_SIMD(4); PRT_ARCH_SIMD(5); PRT_ARCH_SIMD(6); PRT_ARCH_SIMD(7);
	PRT_ARCH_SIMD(8); PRT_ARCH_SIMD(9); PRT_ARCH_SIMD(10); PRT_ARCH_SIMD(11);
	PRT_ARCH_SIMD(12); PRT_ARCH_SIMD(13); PRT_ARCH_SIMD(14); PRT_ARCH_SIMD(15);
	}
#undef PRT_ARCH_SIMD
	return v;
}

#endif
