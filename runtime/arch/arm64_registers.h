/* SPDX-License-Identifier: GPL-2.0 */
/* Registers that a script names: x86_registers.h. */
#ifndef PRT_ARCH_ARM64_REGISTERS_H
#define PRT_ARCH_ARM64_REGISTERS_H

#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/thread_info.h>
#include <linux/types.h>
#include <asm/processor.h>

#include "abi/script.h"
#include "compat/fpu.h"

/* ---- names ---- */

#define PRT_ARCH_IP_OFFSET offsetof(struct pt_regs, pc)

/* x0 to x30, and their lower halves w0 to w30. */
static __always_inline s32 prt_arch_numbered(struct prt_str name)
{
	u32 nr = 0, i;

	if (name.len < 2 || name.len > 3 || (name.s[0] != 'x' && name.s[0] != 'w') ||
	    (name.s[1] == '0' && name.len > 2))
		return -1;
	for (i = 1; i < name.len; i++) {
		if (name.s[i] < '0' || name.s[i] > '9')
			return -1;
		nr = 10 * nr + name.s[i] - '0';
	}
	return nr < 31 ? (s32)offsetof(struct pt_regs, regs) + 8 * (s32)nr : -1;
}

static __always_inline s32 prt_arch_named(struct prt_str name, u32 *size)
{
	*size = name.len && name.s[0] == 'w' ? 4 : 8;
	if (prt_str_eq(name, PRT_LIT("sp")))
		return offsetof(struct pt_regs, sp);
	if (prt_str_eq(name, PRT_LIT("pc")))
		return offsetof(struct pt_regs, pc);
	if (prt_str_eq(name, PRT_LIT("lr")))
		return offsetof(struct pt_regs, regs[30]);
	if (prt_str_eq(name, PRT_LIT("fp")))
		return offsetof(struct pt_regs, regs[29]);
	if (prt_str_eq(name, PRT_LIT("pstate")))
		return offsetof(struct pt_regs, pstate);
	if (prt_str_eq(name, PRT_LIT("orig_x0")))
		return offsetof(struct pt_regs, orig_x0);
	return prt_arch_numbered(name);
}

/* ---- vector registers ---- */

/* Returns the low 8 bytes of register @n (0..31) of the current task, as the kernel last saved
 * them: with all bytes of long vectors, if the program has used these, or the first 16 alone. */
static inline u64 prt_arch_simd_saved(u32 n)
{
	struct thread_struct *thread = &current->thread;

#ifdef CONFIG_ARM64_SVE
	if (prt_compat_sve_saved() && thread->sve_state)
		return *(const u64 *)((const char *)thread->sve_state +
				      n * prt_compat_sve_bytes());
#endif
	return (u64)thread->uw.fpsimd_state.vregs[n];
}

/* Interrupts are off, and the current task is at a breakpoint in its program. The kernel uses no
 * vector register meanwhile; where it has, the flag says that those of the program are saved. */
static inline u64 prt_arch_simd(u32 n)
{
	u64 v = 0;

	if (test_thread_flag(TIF_FOREIGN_FPSTATE))
		return prt_arch_simd_saved(n % 32);
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
