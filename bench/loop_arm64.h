/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of loop.c that are arm64's, as loop_x86.h describes them. Each function begins with the
 * instruction that does here what that of x86 does there. */
#ifndef BENCH_LOOP_ARM64_H
#define BENCH_LOOP_ARM64_H

#include <stdint.h>

#define CODE_PUSH                                                                              \
	"stp x29, x30, [sp, #-16]!\n.cfi_adjust_cfa_offset 16\n"                               \
	"ldp x29, x30, [sp], #16\n.cfi_adjust_cfa_offset -16"
#define CODE_MOV "mov x2, x0"
#define CODE_SUB                                                                               \
	"sub sp, sp, #16\n.cfi_adjust_cfa_offset 16\n"                                         \
	"add sp, sp, #16\n.cfi_adjust_cfa_offset -16"
#define CODE_TEST "tst x0, x0"
#define CODE_FRAMED CODE_PUSH
#define CODE_MULTIPLY "mul x0, x0, x1"
#define MARK_ARGUMENT "8@x0"

/* In nanoseconds, of which a guest that runs with -icount counts one for each instruction. The
 * counter itself has several of them between two of its values. */
static inline uint64_t ticks(void)
{
	uint64_t count, each_second;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tmrs %1, cntfrq_el0"
			 : "=r"(count), "=r"(each_second));
	return count / each_second * 1000000000 + count % each_second * 1000000000 / each_second;
}

#endif
