/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of loop.c that are x86-64's: the code of its functions, with the call frame information
 * that belongs to it; where a marker has its argument; the clock. */
#ifndef BENCH_LOOP_X86_H
#define BENCH_LOOP_X86_H

#include <stdint.h>

#define CODE_PUSH "push %rbx\n.cfi_adjust_cfa_offset 8\npop %rbx\n.cfi_adjust_cfa_offset -8"
#define CODE_MOV "mov %rdi, %rax"
#define CODE_SUB                                                                               \
	"sub $8, %rsp\n.cfi_adjust_cfa_offset 8\n"                                             \
	"add $8, %rsp\n.cfi_adjust_cfa_offset -8"
#define CODE_TEST "test %rdi, %rdi"
#define CODE_FRAMED "push %rbp\n.cfi_adjust_cfa_offset 8\npop %rbp\n.cfi_adjust_cfa_offset -8"
#define CODE_MULTIPLY "imul %rdi, %rax"
#define MARK_ARGUMENT "8@%rdi"

static inline uint64_t ticks(void)
{
	uint32_t lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return (uint64_t)hi << 32 | lo;
}

#endif
