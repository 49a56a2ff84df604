/* SPDX-License-Identifier: GPL-2.0 */
/* Names of registers, as register() takes them: x86_names.h. */
#ifndef PRT_ARCH_ARM64_NAMES_H
#define PRT_ARCH_ARM64_NAMES_H

#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include "abi/script.h"

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

#endif
