/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instructions that the kernel's kprobes do not execute as the processor does. doc/safety.md has
 * the table of all forms, with what the kernel does and why it is wrong; testsuite/modules/forms
 * demonstrates it for each instruction.
 *
 * A kprobe handles the instruction that it replaces in one of three ways: it emulates the
 * instruction; it runs a copy elsewhere, with interrupts off and a second breakpoint after it; or,
 * once the kprobe has become a jump, it runs the copy without either.
 */
#ifndef PRT_ARCH_X86_FORM_H
#define PRT_ARCH_X86_FORM_H

#include <linux/kprobes.h>
#include <linux/types.h>

enum {
	PRT_ARCH_FORM_MAX = 16, /* bytes of code that are examined */
	PRT_ARCH_JUMP = 5,      /* bytes of the jump that a kprobe may become */
	PRT_ARCH_GOES_ON = 3,   /* addresses of prt_arch_goes_on() */
};

/*
 * Whether the kernel emulates an opcode of one byte. It ignores a VEX or EVEX prefix, after which
 * the byte means another instruction: it takes vmovdqu to memory for `jg`, and vpsubd for `cli`.
 */
static inline bool prt_arch_is_emulated(u8 op)
{
	return (op >= 0x70 && op <= 0x7f) || op == 0x9a || op == 0x9c || op == 0x9d ||
	       op == 0xc2 || op == 0xc3 || op == 0xca || op == 0xcb || op == 0xcc || op == 0xcf ||
	       (op >= 0xe0 && op <= 0xe3) || (op >= 0xe8 && op <= 0xeb) || op == 0xfa ||
	       op == 0xfb || op == 0xff;
}

static inline bool prt_arch_is_prefix(u8 byte)
{
	return byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e ||
	       (byte >= 0x64 && byte <= 0x67) || byte == 0xf0 || byte == 0xf2 || byte == 0xf3;
}

/* @modrm follows 0f 01; @last is the last of the prefixes f2 and f3. */
static inline bool prt_arch_system_goes_wrong(u8 modrm, u8 last)
{
	return modrm == 0xc9 || modrm == 0xfb ||       /* mwait, mwaitx: interrupts are off */
	       modrm == 0xf8 || modrm == 0xda ||       /* swapgs, vmload: per-CPU data are lost */
	       modrm == 0xd8 ||                        /* vmrun */
	       (modrm == 0xca && last);                /* erets, eretu */
}

/* @code is after the escape 0f. */
static inline bool prt_arch_escaped_goes_wrong(const u8 *code, u8 last, bool narrow)
{
	switch (code[0]) {
	case 0x01:
		return prt_arch_system_goes_wrong(code[1], last);
	case 0x05: case 0x07: case 0x34: case 0x35: case 0xaa: /* syscall ... sysexit, rsm */
	case 0x0b: case 0xb9: case 0xff:                       /* ud2, ud1, ud0 */
	case 0xa9: case 0xb2: case 0xb5:                       /* pop gs, lss, lgs */
		return true;
	case 0x80 ... 0x8f:
		return narrow;
	case 0xae: /* wrgsbase */
		return last == 0xf3 && (code[1] & 0xf8) == 0xd8;
	default:
		return false;
	}
}

/**
 * prt_arch_form_goes_wrong - whether the kernel, with a kprobe there, does something else than the
 * processor would.
 *
 * @code: the original instruction, as the kernel copied it; PRT_ARCH_FORM_MAX bytes.
 */
static inline bool prt_arch_form_goes_wrong(const u8 *code)
{
	u8 copy[2 * PRT_ARCH_FORM_MAX] = {}, last = 0, modrm;
	bool narrow = false, rex = false;
	u32 i;

	memcpy(copy, code, PRT_ARCH_FORM_MAX);
	for (i = 0; i < PRT_ARCH_FORM_MAX && prt_arch_is_prefix(copy[i]); i++) {
		narrow |= copy[i] == 0x66;
		if (copy[i] >= 0xf2)
			last = copy[i];
	}
	rex = (copy[i] & 0xf0) == 0x40;
	i += rex;
	modrm = copy[i + 1];
	switch (copy[i]) {
	case 0xc5: /* VEX */
	case 0xd5: /* REX2 */
		return prt_arch_is_emulated(copy[i + 2]);
	case 0xc4: /* VEX */
		return prt_arch_is_emulated(copy[i + 3]);
	case 0x62: /* EVEX */
		return prt_arch_is_emulated(copy[i + 4]);
	case 0x0f:
		return prt_arch_escaped_goes_wrong(&copy[i + 1], last, narrow);
	case 0xe8: /* The return address is taken to be 5 bytes further on. */
		return i > 0;
	case 0xe0: case 0xe1: case 0xe2: /* loop: the count is tested before it is decremented */
	case 0xca: case 0xcb:            /* far returns, as near ones */
	case 0xf4:                       /* hlt: interrupts are off */
	case 0xcd: case 0xf1:            /* int, int1 */
		return true;
	case 0xc2: /* ret n, as ret */
		return copy[i + 1] || copy[i + 2];
	case 0x9c: case 0x9d:                       /* pushfw, popfw, as 8 bytes */
	case 0xc3: case 0xe9: case 0xeb: case 0xe3: /* processors differ */
	case 0x70 ... 0x7f:
		return narrow;
	case 0x8e: /* mov to gs: per-CPU data are lost */
		return (modrm & 0x38) == 0x28;
	case 0x8f: /* XOP */
		return modrm & 0x38;
	case 0xc7: /* xbegin: jumps from where the copy is */
		return modrm == 0xf8;
	case 0xff: /* call *%rsp pushes first */
		return (modrm == 0xd4 && !(rex && copy[i - 1] & 1)) ||
		       (narrow && ((modrm & 0x38) == 0x10 || (modrm & 0x38) == 0x20));
	default:
		return false;
	}
}

/* Sets @to to the addresses at which the processor may continue after the breakpoint of @kp, which
 * is registered, with interrupts as the probed code has them: after the instruction, at the target
 * of an emulated jump or call, or at the copy, if that jumps back by itself. */
static inline void prt_arch_goes_on(const struct kprobe *kp, unsigned long to[PRT_ARCH_GOES_ON])
{
	unsigned long next = (unsigned long)kp->addr + kp->ainsn.size;

	to[0] = next;
	to[1] = kp->ainsn.emulate_op ? next + kp->ainsn.rel32 : next;
	to[2] = (unsigned long)kp->ainsn.insn;
}

/* The kernel's copy of the instruction of @kp, PRT_ARCH_FORM_MAX bytes. NULL: it has none. */
static inline const void *prt_arch_copy_of(const struct kprobe *kp)
{
	return kp->ainsn.insn;
}

/* Whether the 8 bytes at @code are the trampoline of a static call, which static_call_update()
 * overwrites. */
static inline bool prt_arch_is_trampoline(const u8 *code)
{
	return code[5] == 0x0f && code[6] == 0xb9 && code[7] == 0xcc;
}

#endif
