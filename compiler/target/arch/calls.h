/* SPDX-License-Identifier: GPL-2.0 */
/* System calls that a seccomp filter stops by SIGSYS (SECCOMP_RET_TRAP, seccomp(2)): the handler
 * finds the arguments in the registers that the signal has saved, and answers there. */
#ifndef ARCH_CALLS_H
#define ARCH_CALLS_H

#include <ucontext.h>

/* The value of seccomp_data.arch for calls of this processor's own interface: linux/audit.h. */
extern const unsigned arch_calls_audit;

/** arch_calls_argument - argument @n, from 0 to 5, of the call. For signal handlers. */
unsigned long arch_calls_argument(const ucontext_t *saved, unsigned n);
/** arch_calls_answer - let the call return @result, which may be -errno, after the handler. */
void arch_calls_answer(ucontext_t *saved, long result);

#endif
