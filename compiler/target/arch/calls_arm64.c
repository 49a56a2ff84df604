/* SPDX-License-Identifier: GPL-2.0 */
/* calls.h for arm64: x0 to x5, and the result in x0 (syscall(2), "Architecture calling
 * conventions"). */
#ifdef __aarch64__
#include "target/arch/calls.h"

#include <linux/audit.h>

const unsigned arch_calls_audit = AUDIT_ARCH_AARCH64;

unsigned long arch_calls_argument(const ucontext_t *saved, unsigned n)
{
	return saved->uc_mcontext.regs[n];
}

void arch_calls_answer(ucontext_t *saved, long result)
{
	saved->uc_mcontext.regs[0] = (unsigned long)result;
}

#endif
