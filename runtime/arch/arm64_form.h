/* SPDX-License-Identifier: GPL-2.0 */
/* Instructions that kprobes handle wrongly: x86_form.h. On arm64 the kernel itself refuses those
 * that it can neither simulate nor execute elsewhere (arch/arm64/kernel/probes/decode-insn.c). */
#ifndef PRT_ARCH_ARM64_FORM_H
#define PRT_ARCH_ARM64_FORM_H

#include <linux/kprobes.h>
#include <linux/types.h>

enum {
	PRT_ARCH_FORM_MAX = 4,
	PRT_ARCH_JUMP = 1,      /* a kprobe never becomes a jump */
	PRT_ARCH_GOES_ON = 1,
};

static inline bool prt_arch_form_goes_wrong(const u8 *code)
{
	return false;
}

/* A simulated branch goes on elsewhere, which a sample then does not know. */
static inline void prt_arch_goes_on(const struct kprobe *kp, unsigned long to[PRT_ARCH_GOES_ON])
{
	to[0] = (unsigned long)kp->addr + sizeof(kprobe_opcode_t);
}

static inline const void *prt_arch_copy_of(const struct kprobe *kp)
{
	return &kp->opcode;
}

/* Static calls have none whose code is overwritten. */
static inline bool prt_arch_is_trampoline(const u8 *code)
{
	return false;
}

#endif
