/* SPDX-License-Identifier: GPL-2.0 */
/* calls.h for x86-64: registers as in the x86-64 ABI, A.2.1. */
#ifdef __x86_64__
#include "target/arch/calls.h"

#include <linux/audit.h>

const unsigned arch_calls_audit = AUDIT_ARCH_X86_64;

unsigned long arch_calls_argument(const ucontext_t *saved, unsigned n)
{
	static const unsigned char registers[] = {
		REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9,
	};

	return (unsigned long)saved->uc_mcontext.gregs[registers[n]];
}

void arch_calls_answer(ucontext_t *saved, long result)
{
	saved->uc_mcontext.gregs[REG_RAX] = result;
}

#endif
