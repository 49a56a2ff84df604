/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Emulates the instruction that a breakpoint in a program replaces: x86_emulate.h. The effect is
 * that of the processor, with which live/user-random compares it: registers, flags, memory, and the
 * mark of an indirect branch (BTYPE), which each instruction clears. A breakpoint is a permitted
 * target of any branch, and so is the instruction behind it; the kernel's own uprobes do the same.
 */
#ifndef PRT_ARCH_ARM64_EMULATE_H
#define PRT_ARCH_ARM64_EMULATE_H

#include <linux/bitops.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <asm/cpufeature.h>
#include <asm/sysreg.h>

#include "arch/arm64.h"
#include "compat/uaccess.h"

enum prt_arch_op {
	PRT_ARCH_NONE,           /* not emulated */
	PRT_ARCH_NOP,
	PRT_ARCH_PUSH,           /* stores one or two registers and moves sp: stp, str */
	PRT_ARCH_RET,
	PRT_ARCH_SIGN_A, PRT_ARCH_SIGN_B, /* paciasp, pacibsp */
	PRT_ARCH_MOV,            /* of a constant */
	PRT_ARCH_MOVK,
	PRT_ARCH_ADR, PRT_ARCH_ADRP,
	PRT_ARCH_ADD_IMMEDIATE,  /* and sub; with flags: cmp, cmn */
	PRT_ARCH_ADD,            /* of two registers, the second one shifted */
	PRT_ARCH_LOGIC,          /* the same for and, orr, eor, which may invert the second one */
	PRT_ARCH_FIELD,          /* sbfm, ubfm: lsl, lsr, asr, sxtw, uxtb ... */
	PRT_ARCH_B, PRT_ARCH_BL, PRT_ARCH_B_COND, PRT_ARCH_CBZ, PRT_ARCH_TBZ,
};

struct prt_arch_insn {
	u8 op;                   /* enum prt_arch_op */
	u8 first, second;        /* registers that a push stores, or PRT_ARCH_NO_REG */
	u32 code;
	s64 value;               /* a constant, a distance, what a push adds to sp */
};

enum { PRT_ARCH_NO_REG = 0xff };

/* ---- decoding ---- */

/* Bits @low to @low + @n - 1 of @code, with a sign. */
static __always_inline s64 prt_arch_signed(u32 code, u32 low, u32 n)
{
	return (s64)((u64)code << (64 - low - n)) >> (64 - n);
}

static inline void prt_arch_decode_hint(struct prt_arch_insn *in, u32 code)
{
	/* nop; bti of all kinds */
	if (code == 0xd503201f || (code & 0xffffff3f) == 0xd503241f)
		in->op = PRT_ARCH_NOP;
	if (code != 0xd503233f && code != 0xd503237f)
		return;
	if (!system_supports_address_auth())
		in->op = PRT_ARCH_NOP;
#ifdef CONFIG_ARM64_PTR_AUTH_KERNEL
	else
		in->op = code & 0x40 ? PRT_ARCH_SIGN_B : PRT_ARCH_SIGN_A;
#endif
}

/* Stores below sp that move it first: of registers of 64 bits, not of zero. */
static inline void prt_arch_decode_push(struct prt_arch_insn *in, u32 code)
{
	in->first = code & 31;
	in->second = code >> 10 & 31;
	if ((code >> 5 & 31) != PRT_ARCH_SP || in->first == 31)
		return;
	if ((code & 0xffc00000) == 0xa9800000 && in->second != 31) {
		in->op = PRT_ARCH_PUSH;
		in->value = prt_arch_signed(code, 15, 7) * 8;
	} else if ((code & 0xffe00c00) == 0xf8000c00) {
		in->op = PRT_ARCH_PUSH;
		in->second = PRT_ARCH_NO_REG;
		in->value = prt_arch_signed(code, 12, 9);
	}
}

static inline void prt_arch_decode_wide(struct prt_arch_insn *in, u32 code)
{
	u32 kind = code >> 29 & 3, shift = (code >> 21 & 3) * 16;
	bool wide = code >> 31;
	u64 value = (u64)(code >> 5 & 0xffff) << shift;

	if (kind == 1 || (!wide && shift > 16))
		return;
	if (kind == 0)
		value = ~value;
	in->op = kind == 3 ? PRT_ARCH_MOVK : PRT_ARCH_MOV;
	in->value = wide ? value : (u32)value;
}

/* Operations of two registers, of which the second one is shifted. */
static inline void prt_arch_decode_registers(struct prt_arch_insn *in, u32 code)
{
	if (!(code >> 31) && code & BIT(15))
		return;
	if ((code & 0x1f000000) == 0x0a000000)
		in->op = PRT_ARCH_LOGIC;
	else if ((code & 0x1f200000) == 0x0b000000 && (code >> 22 & 3) != 3)
		in->op = PRT_ARCH_ADD;
}

static inline void prt_arch_decode_field(struct prt_arch_insn *in, u32 code)
{
	bool wide = code >> 31;

	if ((code >> 22 & 1) != wide || code & BIT(29) || (!wide && code & (BIT(21) | BIT(15))))
		return;
	in->op = PRT_ARCH_FIELD;
}

static inline void prt_arch_decode_jump(struct prt_arch_insn *in, u32 code)
{
	if ((code & 0x7c000000) == 0x14000000) {
		in->op = code >> 31 ? PRT_ARCH_BL : PRT_ARCH_B;
		in->value = prt_arch_signed(code, 0, 26) * 4;
	} else if ((code & 0xff000010) == 0x54000000) {
		in->op = PRT_ARCH_B_COND;
		in->value = prt_arch_signed(code, 5, 19) * 4;
	} else if ((code & 0x7e000000) == 0x34000000) {
		in->op = PRT_ARCH_CBZ;
		in->value = prt_arch_signed(code, 5, 19) * 4;
	} else if ((code & 0x7e000000) == 0x36000000) {
		in->op = PRT_ARCH_TBZ;
		in->value = prt_arch_signed(code, 5, 14) * 4;
	}
}

/* Decodes the instruction @code. @in->op becomes PRT_ARCH_NONE if it is not emulated. Any
 * context. */
static inline void prt_arch_decode(struct prt_arch_insn *in, u32 code)
{
	*in = (struct prt_arch_insn){ .code = code };
	if (code == 0xd65f03c0) {
		in->op = PRT_ARCH_RET;
	} else if ((code & 0xfffff01f) == 0xd503201f) {
		prt_arch_decode_hint(in, code);
	} else if ((code & 0x1f800000) == 0x12800000) {
		prt_arch_decode_wide(in, code);
	} else if ((code & 0x1f000000) == 0x10000000) {
		in->op = code >> 31 ? PRT_ARCH_ADRP : PRT_ARCH_ADR;
		in->value = prt_arch_signed(code, 5, 19) * 4 | (code >> 29 & 3);
		if (code >> 31)
			in->value *= 4096;
	} else if ((code & 0x1f800000) == 0x11000000) {
		in->op = PRT_ARCH_ADD_IMMEDIATE;
		in->value = (u64)(code >> 10 & 0xfff) << (code & BIT(22) ? 12 : 0);
	} else if ((code & 0x1f800000) == 0x13000000) {
		prt_arch_decode_field(in, code);
	} else if ((code & 0x1e000000) == 0x0a000000) {
		prt_arch_decode_registers(in, code);
	} else if ((code & 0x1c000000) == 0x14000000) {
		prt_arch_decode_jump(in, code);
	} else {
		prt_arch_decode_push(in, code);
	}
}

/* ---- execution ---- */

/* Register @n as an operand that can't be sp. */
static __always_inline u64 prt_arch_operand(const struct pt_regs *regs, u32 n)
{
	return n == PRT_ARCH_SP ? 0 : regs->regs[n];
}

/* A result, of 32 bits unless @wide; for register 31: of sp if @sp, else of nothing. */
static inline void prt_arch_set(struct pt_regs *regs, u32 n, u64 value, bool wide, bool sp)
{
	if (!wide)
		value = (u32)value;
	if (n != PRT_ARCH_SP)
		regs->regs[n] = value;
	else if (sp)
		regs->sp = value;
}

static inline void prt_arch_set_flags(struct pt_regs *regs, bool n, bool z, bool c, bool v)
{
	regs->pstate &= ~(u64)(PSR_N_BIT | PSR_Z_BIT | PSR_C_BIT | PSR_V_BIT);
	regs->pstate |= (n ? PSR_N_BIT : 0) | (z ? PSR_Z_BIT : 0) | (c ? PSR_C_BIT : 0) |
			(v ? PSR_V_BIT : 0);
}

/* @a + @b, or @a - @b, as bits 31 to 29 of the instruction say. */
static inline u64 prt_arch_sum(struct pt_regs *regs, u32 code, u64 a, u64 b)
{
	bool wide = code >> 31, minus = code & BIT(30), carry;
	u64 sum;

	if (!wide) {
		a = (u64)(u32)a << 32;
		b = (u64)(u32)b << 32;
	}
	sum = minus ? a - b : a + b;
	carry = minus ? a >= b : sum < a;
	if (code & BIT(29))
		prt_arch_set_flags(regs, sum >> 63, !sum, carry,
				   ((minus ? a ^ b : ~(a ^ b)) & (a ^ sum)) >> 63);
	return wide ? sum : sum >> 32;
}

/* The second operand of two: shifted by bits 15 to 10 in the way of bits 23 and 22. */
static inline u64 prt_arch_shifted(const struct pt_regs *regs, u32 code)
{
	u64 value = prt_arch_operand(regs, code >> 16 & 31);
	u32 n = code >> 10 & 63;
	bool wide = code >> 31;

	if (!wide)
		value = (u32)value;
	switch (code >> 22 & 3) {
	case 0:
		return value << n;
	case 1:
		return value >> n;
	case 2:
		return wide ? (s64)value >> n : (s32)value >> n;
	default:
		return wide ? ror64(value, n) : ror32(value, n);
	}
}

static inline u64 prt_arch_logic(struct pt_regs *regs, u32 code)
{
	u64 a = prt_arch_operand(regs, code >> 5 & 31), b = prt_arch_shifted(regs, code), value;
	u32 kind = code >> 29 & 3;

	if (code & BIT(21))
		b = ~b;
	value = kind == 1 ? a | b : kind == 2 ? a ^ b : a & b;
	if (!(code >> 31))
		value = (u32)value;
	if (kind == 3)
		prt_arch_set_flags(regs, value >> (code >> 31 ? 63 : 31), !value, false, false);
	return value;
}

/* A field of the operand, moved to the right or to the left, with its sign or zeros above it. */
static inline u64 prt_arch_field(const struct pt_regs *regs, u32 code)
{
	u32 bits = code >> 31 ? 64 : 32, from = code >> 16 & 63, last = code >> 10 & 63, width;
	u64 value = prt_arch_operand(regs, code >> 5 & 31);
	bool is_signed = !(code & BIT(30));

	width = last >= from ? last - from + 1 : last + 1;
	value >>= last >= from ? from : 0;
	value <<= 64 - width;
	value = is_signed ? (u64)((s64)value >> (64 - width)) : value >> (64 - width);
	return last >= from ? value : value << (bits - from);
}

/* Whether the condition @cond holds: C1.2.4 of the architecture's manual. */
static inline bool prt_arch_holds(u64 pstate, u32 cond)
{
	bool n = pstate & PSR_N_BIT, z = pstate & PSR_Z_BIT, c = pstate & PSR_C_BIT,
	     v = pstate & PSR_V_BIT, holds;

	switch (cond >> 1) {
	case 0:
		holds = z;
		break;
	case 1:
		holds = c;
		break;
	case 2:
		holds = n;
		break;
	case 3:
		holds = v;
		break;
	case 4:
		holds = c && !z;
		break;
	case 5:
		holds = n == v;
		break;
	case 6:
		holds = n == v && !z;
		break;
	default:
		return true;
	}
	return holds != (cond & 1);
}

/* Whether a conditional jump is taken. */
static inline bool prt_arch_jumps(const struct prt_arch_insn *in, const struct pt_regs *regs)
{
	u32 code = in->code;
	u64 value;

	if (in->op == PRT_ARCH_B_COND)
		return prt_arch_holds(regs->pstate, code & 15);
	value = prt_arch_operand(regs, code & 31);
	if (in->op == PRT_ARCH_TBZ)
		value = value >> ((code >> 31) << 5 | (code >> 19 & 31)) & 1;
	else if (!(code >> 31))
		value = (u32)value;
	return !value != !!(code & BIT(24));
}

#ifdef CONFIG_ARM64_PTR_AUTH_KERNEL
/* Signs the return address as the program would. The kernel has a key A of its own in place of the
 * program's, for the returns of its functions, of which there are none meanwhile; interrupts are
 * off. The registers with keys are named by their numbers because assemblers need not know them. */
static inline void prt_arch_sign(struct pt_regs *regs, bool b)
{
	struct thread_struct *thread = &current->thread;
	u64 lr = regs->regs[PRT_ARCH_LR];

	if (!(thread->sctlr_user & (b ? SCTLR_ELx_ENIB : SCTLR_ELx_ENIA)))
		return;
	if (b)
		asm volatile("mov x16, %1\n\tmov x17, %0\n\thint #10\n\tmov %0, x17"
			     : "+r"(lr) : "r"(regs->sp) : "x16", "x17");
	else
		asm volatile("mov x16, %1\n\tmov x17, %0\n\t"
			     "msr s3_0_c2_c1_0, %2\n\tmsr s3_0_c2_c1_1, %3\n\tisb\n\t"
			     "hint #8\n\t"
			     "msr s3_0_c2_c1_0, %4\n\tmsr s3_0_c2_c1_1, %5\n\tisb\n\t"
			     "mov %0, x17"
			     : "+r"(lr)
			     : "r"(regs->sp), "r"(thread->keys_user.apia.lo),
			       "r"(thread->keys_user.apia.hi), "r"(thread->keys_kernel.apia.lo),
			       "r"(thread->keys_kernel.apia.hi) : "x16", "x17", "memory");
	regs->regs[PRT_ARCH_LR] = lr;
}
#endif

/* Executes an instruction that neither accesses memory nor returns, but for what is common to
 * all. */
static inline void prt_arch_compute(const struct prt_arch_insn *in, struct pt_regs *regs)
{
	u32 code = in->code, to = code & 31, from = code >> 5 & 31;
	bool wide = code >> 31;
	u64 value;

	switch (in->op) {
	case PRT_ARCH_MOV:
		prt_arch_set(regs, to, in->value, true, false);
		break;
	case PRT_ARCH_MOVK:
		value = prt_arch_operand(regs, to) & ~(0xffffull << (code >> 21 & 3) * 16);
		prt_arch_set(regs, to, value | in->value, wide, false);
		break;
	case PRT_ARCH_ADR:
		prt_arch_set(regs, to, regs->pc + in->value, true, false);
		break;
	case PRT_ARCH_ADRP:
		prt_arch_set(regs, to, (regs->pc & ~4095ull) + in->value, true, false);
		break;
	case PRT_ARCH_ADD_IMMEDIATE:
		value = from == PRT_ARCH_SP ? regs->sp : regs->regs[from];
		value = prt_arch_sum(regs, code, value, in->value);
		prt_arch_set(regs, to, value, wide, !(code & BIT(29)));
		break;
	case PRT_ARCH_ADD:
		value = prt_arch_sum(regs, code, prt_arch_operand(regs, from),
				     prt_arch_shifted(regs, code));
		prt_arch_set(regs, to, value, wide, false);
		break;
	case PRT_ARCH_LOGIC:
		prt_arch_set(regs, to, prt_arch_logic(regs, code), wide, false);
		break;
	case PRT_ARCH_FIELD:
		prt_arch_set(regs, to, prt_arch_field(regs, code), wide, false);
		break;
#ifdef CONFIG_ARM64_PTR_AUTH_KERNEL
	case PRT_ARCH_SIGN_A:
	case PRT_ARCH_SIGN_B:
		prt_arch_sign(regs, in->op == PRT_ARCH_SIGN_B);
		break;
#endif
	}
}

/* The instruction is over. */
static __always_inline void prt_arch_go_on(struct pt_regs *regs, u64 pc)
{
	regs->pstate &= ~(u64)PSR_BTYPE_MASK;
	regs->pc = pc;
}

/* Executes the part of a push that may fail, the write to memory. Returns false if it failed and
 * nothing was changed, but perhaps what the instruction will store when it is executed again. Page
 * faults are disabled, and access to user memory is enabled. */
static __always_inline bool prt_arch_emulate_push_memory(const struct prt_arch_insn *in,
							 const struct pt_regs *regs)
{
	unsigned long at = regs->sp + in->value;
	u64 __user *to = (u64 __user *)at;

	/* The processor wants sp to be aligned. Addresses with a tag are for the kernel. */
	if (unlikely(regs->sp & 15) || unlikely(at > PRT_COMPAT_TASK_SIZE_MAX - 2 * sizeof(at)))
		return false;
	unsafe_put_user(regs->regs[in->first], to, fault);
	if (likely(in->second != PRT_ARCH_NO_REG))
		unsafe_put_user(regs->regs[in->second], to + 1, fault);
	return true;
fault:
	return false;
}

/* Executes the rest of a push. */
static __always_inline void prt_arch_emulate_push(const struct prt_arch_insn *in,
						  struct pt_regs *regs)
{
	regs->sp += in->value;
	prt_arch_go_on(regs, regs->pc + AARCH64_INSN_SIZE);
}

/* Executes an instruction that neither accesses memory nor returns. */
static inline void prt_arch_emulate_computing(const struct prt_arch_insn *in,
					      struct pt_regs *regs)
{
	u64 next = regs->pc + AARCH64_INSN_SIZE;

	if (in->op >= PRT_ARCH_B) {
		if (in->op == PRT_ARCH_BL)
			regs->regs[PRT_ARCH_LR] = next;
		if (in->op <= PRT_ARCH_BL || prt_arch_jumps(in, regs))
			next = regs->pc + in->value;
	} else if (in->op != PRT_ARCH_NOP) {
		prt_arch_compute(in, regs);
	}
	prt_arch_go_on(regs, next);
}

/* Executes an instruction that returns, to an address of the program without a tag. */
static __always_inline bool prt_arch_emulate_return_memory(const struct pt_regs *regs,
							   unsigned long *back)
{
	*back = regs->regs[PRT_ARCH_LR];
	return *back < TASK_SIZE_64;
}

static __always_inline void prt_arch_emulate_return(struct pt_regs *regs, unsigned long back)
{
	prt_arch_go_on(regs, back);
}

/* Gives the program the registers that it had before an emulated return. */
static __always_inline void prt_arch_undo_return(struct pt_regs *regs, unsigned long ip,
						 unsigned long sp)
{
	regs->pc = ip;
}

#endif
