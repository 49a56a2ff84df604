/* SPDX-License-Identifier: GPL-2.0 */
/* Vector registers of programs: x86_simd.h. */
#ifndef PRT_ARCH_ARM64_SIMD_H
#define PRT_ARCH_ARM64_SIMD_H

#include <linux/sched.h>
#include <linux/thread_info.h>
#include <asm/processor.h>

/* Interrupts are off, and the current task is at a breakpoint in its program. The kernel uses no
 * vector register meanwhile; where it has, the flag says that those of the program are saved. */
static inline u64 prt_arch_simd(u32 n)
{
	u64 v = 0;

	if (test_thread_flag(TIF_FOREIGN_FPSTATE))
		return (u64)current->thread.uw.fpsimd_state.vregs[n % 32];
#define PRT_ARCH_SIMD(i)                                                                       \
		case i: asm volatile(".arch_extension fp\n\tfmov %0, d" #i : "=r"(v));  \
			 break
	switch (n) {
	PRT_ARCH_SIMD(0); PRT_ARCH_SIMD(1); PRT_ARCH_SIMD(2); PRT_ARCH_SIMD(3);
	PRT_ARCH_SIMD(4); PRT_ARCH_SIMD(5); PRT_ARCH_SIMD(6); PRT_ARCH_SIMD(7);
	PRT_ARCH_SIMD(8); PRT_ARCH_SIMD(9); PRT_ARCH_SIMD(10); PRT_ARCH_SIMD(11);
	PRT_ARCH_SIMD(12); PRT_ARCH_SIMD(13); PRT_ARCH_SIMD(14); PRT_ARCH_SIMD(15);
	PRT_ARCH_SIMD(16); PRT_ARCH_SIMD(17); PRT_ARCH_SIMD(18); PRT_ARCH_SIMD(19);
	PRT_ARCH_SIMD(20); PRT_ARCH_SIMD(21); PRT_ARCH_SIMD(22); PRT_ARCH_SIMD(23);
	PRT_ARCH_SIMD(24); PRT_ARCH_SIMD(25); PRT_ARCH_SIMD(26); PRT_ARCH_SIMD(27);
	PRT_ARCH_SIMD(28); PRT_ARCH_SIMD(29); PRT_ARCH_SIMD(30); PRT_ARCH_SIMD(31);
	}
#undef PRT_ARCH_SIMD
	return v;
}

#endif
