/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The facts about the processor, arm64, that the headers for emitted C need: registers, per-CPU
 * variables, interrupts. No kernel header is included; prt_arch_check() of arm64.h compares the
 * values with the kernel's headers.
 */
#ifndef PRT_ARCH_ARM64_SCRIPT_H
#define PRT_ARCH_ARM64_SCRIPT_H

/* Offsets in struct pt_regs, which begins with struct user_pt_regs
 * (arch/arm64/include/uapi/asm/ptrace.h). What ftrace passes has x0 to x8 at the same offsets. */
#define PRT_REG_OFF_X0 0
#define PRT_REG_OFF_X1 8
#define PRT_REG_OFF_X2 16
#define PRT_REG_OFF_X3 24
#define PRT_REG_OFF_X4 32
#define PRT_REG_OFF_X5 40
#define PRT_REG_OFF_X6 48
#define PRT_REG_OFF_X7 56
#define PRT_REG_OFF_X8 64
#define PRT_REG_OFF_X9 72
#define PRT_REG_OFF_X10 80
#define PRT_REG_OFF_X11 88
#define PRT_REG_OFF_X12 96
#define PRT_REG_OFF_X13 104
#define PRT_REG_OFF_X14 112
#define PRT_REG_OFF_X15 120
#define PRT_REG_OFF_X16 128
#define PRT_REG_OFF_X17 136
#define PRT_REG_OFF_X18 144
#define PRT_REG_OFF_X19 152
#define PRT_REG_OFF_X20 160
#define PRT_REG_OFF_X21 168
#define PRT_REG_OFF_X22 176
#define PRT_REG_OFF_X23 184
#define PRT_REG_OFF_X24 192
#define PRT_REG_OFF_X25 200
#define PRT_REG_OFF_X26 208
#define PRT_REG_OFF_X27 216
#define PRT_REG_OFF_X28 224
#define PRT_REG_OFF_X29 232
#define PRT_REG_OFF_X30 240
#define PRT_REG_OFF_SP 248
#define PRT_REG_OFF_PC 256
#define PRT_REG_OFF_RETVAL PRT_REG_OFF_X0

/* The registers of arguments 0 to 7 at a function's entry. */
#define PRT_REG_OFF_ARG_0 PRT_REG_OFF_X0
#define PRT_REG_OFF_ARG_1 PRT_REG_OFF_X1
#define PRT_REG_OFF_ARG_2 PRT_REG_OFF_X2
#define PRT_REG_OFF_ARG_3 PRT_REG_OFF_X3
#define PRT_REG_OFF_ARG_4 PRT_REG_OFF_X4
#define PRT_REG_OFF_ARG_5 PRT_REG_OFF_X5
#define PRT_REG_OFF_ARG_6 PRT_REG_OFF_X6
#define PRT_REG_OFF_ARG_7 PRT_REG_OFF_X7
#define PRT_REG_OFF_ARG_8 PRT_REG_OFF_X8 /* where a result in memory is to be */

/* ---- per-CPU variables ---- */

/*
 * The distance of this CPU's variables from where the linker has put them is in a register of the
 * exception level that the kernel runs at. Which one that is the kernel finds out when it boots; it
 * then replaces the instruction, in modules when it loads them, as section .altinstructions says
 * (ALTERNATIVE() of arch/arm64/include/asm/alternative-macros.h). runtime/Kbuild looks up
 * PRT_ARCH_VHE, the number of the feature ARM64_HAS_VIRT_HOST_EXTN.
 */
#define PRT_CPU_TEXT_(x) #x
#define PRT_CPU_TEXT(x) PRT_CPU_TEXT_(x)
#define PRT_CPU_OFFSET(offset)                                                                 \
	__asm__ volatile("661:\n\tmrs %0, tpidr_el1\n662:\n"                                   \
			 "\t.pushsection .altinstructions,\"a\"\n"                              \
			 "\t.word 661b - .\n\t.word 663f - .\n"                                \
			 "\t.hword " PRT_CPU_TEXT(PRT_ARCH_VHE) "\n"                            \
			 "\t.byte 662b - 661b\n\t.byte 664f - 663f\n"                          \
			 "\t.popsection\n\t.subsection 1\n"                                    \
			 "663:\n\tmrs %0, tpidr_el2\n664:\n\t.previous"                       \
			 : "=r"(offset))

/* The address of @var on this CPU. */
#define PRT_CPU_AT(var)                                                                        \
	({                                                                                     \
		u64 cpu_offset;                                                                \
											       \
		PRT_CPU_OFFSET(cpu_offset);                                                    \
		(volatile __typeof__(var) *)((char *)&(var) + cpu_offset);                     \
	})

/* Sets @to to the value of @var on this CPU. */
#define PRT_CPU_READ(to, var) ((to) = *PRT_CPU_AT(var))
#define PRT_CPU_WRITE(var, value) (*PRT_CPU_AT(var) = (value))
/* Sets @same to whether @var on this CPU is @value. */
#define PRT_CPU_COMPARE(same, var, value) ((same) = *PRT_CPU_AT(var) == (value))
/* Decrements a variable of 32 bits on this CPU; sets @negative if the result is negative. */
#define PRT_CPU_COUNT_DOWN(var, negative) ((negative) = --*PRT_CPU_AT(var) < 0)

/* Sets @task to the current task. The compiler may merge reads of it. */
#define PRT_CURRENT_TASK(task) __asm__("mrs %0, sp_el0" : "=r"(task))

/* The value of an absolute symbol, which is declared as an array of char: the address of a symbol
 * so far from the code cannot be computed from that of the instruction. */
#define PRT_OFFSET(symbol)                                                                     \
	({                                                                                     \
		u64 offset;                                                                    \
											       \
		__asm__("movz %0, #:abs_g1:" #symbol "\n\tmovk %0, #:abs_g0_nc:" #symbol       \
			: "=r"(offset));                                                       \
		offset;                                                                        \
	})

/* ---- interrupts ---- */

/* Switches interrupts off; PRT_INTERRUPTS_RESTORE() restores the state that @flags then has. */
#define PRT_INTERRUPTS_OFF(flags)                                                              \
	__asm__ volatile("mrs %0, daif\n\tmsr daifset, #3" : "=r"(flags) : : "memory")
#define PRT_INTERRUPTS_RESTORE(flags) __asm__ volatile("msr daif, %0" : : "r"(flags) : "memory")

/* ---- order of memory accesses ---- */

#define PRT_BARRIER() __asm__ volatile("" : : : "memory")

/* Sets @word to 1. A clock that is read after this is read when others see it. The kernel's readers
 * of the counter begin with an ISB, which waits for the DSB; neither an exchange nor a DMB would
 * do, as a counter is no memory. */
#define PRT_ANNOUNCE(word)                                                                     \
	do {                                                                                   \
		__atomic_store_n(&(word), 1, __ATOMIC_RELAXED);                                \
		__asm__ volatile("dsb ish" : : : "memory");                                    \
	} while (0)

#endif
