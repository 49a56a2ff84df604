/* SPDX-License-Identifier: GPL-2.0 */
/* Registers that a script names: those that register() takes, and vector registers of programs. */
#ifndef PRT_ARCH_X86_REGISTERS_H
#define PRT_ARCH_X86_REGISTERS_H

#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/thread_info.h>
#include <linux/types.h>
#include <asm/cpufeature.h>
#include <asm/fpu/types.h>
#include <asm/processor.h>

#include "abi/script.h"
#include "compat/fpu.h"

/* ---- names ---- */

#define PRT_ARCH_REGISTER(name) { { #name }, offsetof(struct pt_regs, name) }
static const struct prt_arch_name {
	union {
		char text[8];
		u64 word;        /* the same */
	} name;
	u32 offset;
} prt_arch_names[] = {
	PRT_ARCH_REGISTER(di), PRT_ARCH_REGISTER(si), PRT_ARCH_REGISTER(dx), PRT_ARCH_REGISTER(cx),
	PRT_ARCH_REGISTER(ax), PRT_ARCH_REGISTER(bx), PRT_ARCH_REGISTER(bp), PRT_ARCH_REGISTER(sp),
	PRT_ARCH_REGISTER(ip), PRT_ARCH_REGISTER(flags), PRT_ARCH_REGISTER(r8),
	PRT_ARCH_REGISTER(r9), PRT_ARCH_REGISTER(r10), PRT_ARCH_REGISTER(r11),
	PRT_ARCH_REGISTER(r12), PRT_ARCH_REGISTER(r13), PRT_ARCH_REGISTER(r14),
	PRT_ARCH_REGISTER(r15), PRT_ARCH_REGISTER(cs), PRT_ARCH_REGISTER(ss),
	PRT_ARCH_REGISTER(orig_ax),
};
#undef PRT_ARCH_REGISTER

static __always_inline s32 prt_arch_name_offset(struct prt_str name)
{
	u64 word = 0;
	u32 i;

	if (name.len > sizeof(word))
		return -1;
	for (i = 0; i < name.len; i++)
		word |= (u64)(u8)name.s[i] << 8 * i;
	for (i = 0; i < ARRAY_SIZE(prt_arch_names); i++)
		if (prt_arch_names[i].name.word == word)
			return prt_arch_names[i].offset;
	return -1;
}

/* Whether a register of that name also has names with the prefixes r and e. */
static __always_inline bool prt_arch_has_prefix(struct prt_str name)
{
	return name.len > 2 && (name.s[0] == 'r' || name.s[0] == 'e') && name.s[1] >= 'a';
}

/* Returns the offset in struct pt_regs of the register with that name, and in *@size the bytes that
 * the name means, or -1. Any context. */
static __always_inline s32 prt_arch_named(struct prt_str name, u32 *size)
{
	bool prefix = prt_arch_has_prefix(name);

	*size = prefix && name.s[0] == 'e' ? 4 : 8;
	if (prefix)
		return prt_arch_name_offset((struct prt_str){ name.s + 1, name.len - 1 });
	if (prt_str_eq(name, PRT_LIT("orig_rax")))
		return offsetof(struct pt_regs, orig_ax);
	return prt_arch_name_offset(name);
}

/* The offset of the instruction pointer. */
#define PRT_ARCH_IP_OFFSET offsetof(struct pt_regs, ip)

/* ---- vector registers ---- */

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
