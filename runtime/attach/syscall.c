/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Points by system calls. Kernels that call the functions of system calls by a switch let the
 * compiler inline them there, if all files are optimised together: a probe at such a function is
 * not hit. So the probes of system calls have their sites at the function with the switch instead
 * (compiler/analyse/resolve/switches.c), each with the number of its call. All of them are at one
 * point, which each system call of the machine reaches, and a hit is for the pairs of one number:
 *
 * - Pairs are in the order of their numbers, and a hit finds its own by a binary search, before it
 *   takes a context: a call that no probe is for is no hit, is not timed, takes no instance, and
 *   cannot be missed.
 * - The functions of the script for hits are for all hits of a function, so they are not used.
 * - At the return, registers no longer have the number: the memory of the call has the first pair.
 * - Probes of all hits of that function are at another point of the same address.
 */
#include <linux/kprobes.h>

#include "attach.h"

u32 prt_syscall_end(const struct prt_point *p, u32 from)
{
	u16 syscall = p->pairs[from].syscall;

	while (from < p->n && p->pairs[from].syscall == syscall)
		from++;
	return from;
}
NOKPROBE_SYMBOL(prt_syscall_end);

struct prt_span prt_syscall_span(const struct prt_point *p, u32 nr)
{
	struct prt_span span = { 0, p->n };
	u32 syscall = nr + 1;

	while (span.from < span.to) {
		u32 middle = (span.from + span.to) / 2;

		if (p->pairs[middle].syscall < syscall)
			span.from = middle + 1;
		else
			span.to = middle;
	}
	if (span.from < p->n && p->pairs[span.from].syscall == syscall)
		span.to = prt_syscall_end(p, span.from);
	return span;
}
NOKPROBE_SYMBOL(prt_syscall_span);
