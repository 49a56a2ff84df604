/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The facts about the processor, x86-64, that the headers for emitted C need: registers, per-CPU
 * variables, interrupts. No kernel header is included; prt_arch_check() of x86.h compares the
 * values with the kernel's headers.
 */
#ifndef PRT_ARCH_X86_SCRIPT_H
#define PRT_ARCH_X86_SCRIPT_H

/* Offsets in struct pt_regs (arch/x86/include/asm/ptrace.h, fixed by the entry code). */
#define PRT_REG_OFF_DI 112
#define PRT_REG_OFF_SI 104
#define PRT_REG_OFF_DX 96
#define PRT_REG_OFF_CX 88
#define PRT_REG_OFF_R8 72
#define PRT_REG_OFF_R9 64
#define PRT_REG_OFF_AX 80
#define PRT_REG_OFF_SP 152
#define PRT_REG_OFF_IP 128
#define PRT_REG_OFF_BX 40
#define PRT_REG_OFF_BP 32
#define PRT_REG_OFF_R10 56
#define PRT_REG_OFF_R11 48
#define PRT_REG_OFF_R12 24
#define PRT_REG_OFF_R13 16
#define PRT_REG_OFF_R14 8
#define PRT_REG_OFF_R15 0

#define PRT_REG_OFF_RETVAL PRT_REG_OFF_AX

/* The registers of arguments 0 to 5 at a function's entry. */
#define PRT_REG_OFF_ARG_0 PRT_REG_OFF_DI
#define PRT_REG_OFF_ARG_1 PRT_REG_OFF_SI
#define PRT_REG_OFF_ARG_2 PRT_REG_OFF_DX
#define PRT_REG_OFF_ARG_3 PRT_REG_OFF_CX
#define PRT_REG_OFF_ARG_4 PRT_REG_OFF_R8
#define PRT_REG_OFF_ARG_5 PRT_REG_OFF_R9

/* ---- per-CPU variables of 64 bits ---- */

/* Sets @to to the value of @var on this CPU; the compiler may drop or merge reads of a constant. */
#define PRT_CPU_CONSTANT(to, var) __asm__("movq %%gs:%P1, %0" : "=r"(to) : "m"(var))
#define PRT_CPU_READ(to, var) __asm__ volatile("movq %%gs:%P1, %0" : "=r"(to) : "m"(var))
/* The address is an immediate operand: for an operand in memory, the compiler would load the
 * address once for several writes, which takes one instruction more. */
#define PRT_CPU_WRITE(var, value)                                                              \
	__asm__ volatile("movq %0, %%gs:%c1" : : "r"(value), "i"(&(var)) : "memory")
/* Sets @same to whether @var on this CPU is @value. */
#define PRT_CPU_COMPARE(same, var, value)                                                      \
	__asm__ volatile("cmpq %%gs:%P1, %2" : "=@cce"(same) : "m"(var), "r"(value))
/* Decrements a variable of 32 bits on this CPU; sets @negative if the result is negative. */
#define PRT_CPU_COUNT_DOWN(var, negative)                                                      \
	__asm__ volatile("decl %%gs:%P1" : "=@ccs"(negative) : "m"(var) : "memory")

/* Sets @task to the current task. A feature test in runtime/Kbuild finds the variable that has
 * it. */
#define PRT_CURRENT_TASK(task) PRT_CPU_CONSTANT(task, PRT_CURRENT_TASK_VARIABLE)
#ifdef PRT_SCRIPT_UNIT
#ifdef PRT_HAVE_PCPU_HOT
extern const char *pcpu_hot;
#define PRT_CURRENT_TASK_VARIABLE pcpu_hot
#else
extern const char *current_task;
#define PRT_CURRENT_TASK_VARIABLE current_task
#endif
#endif

/* The value of an absolute symbol, which is declared as an array of char. */
#define PRT_OFFSET(symbol) ((u64)(symbol))

/* ---- interrupts ---- */

/* Switches interrupts off; PRT_INTERRUPTS_RESTORE() restores the state that @flags then has. */
#define PRT_INTERRUPTS_OFF(flags)                                                              \
	__asm__ volatile("pushfq\n\tpopq %0\n\tcli" : "=rm"(flags) : : "memory")
#define PRT_INTERRUPTS_RESTORE(flags)                                                          \
	do {                                                                                   \
		if ((flags) & 0x200)                                                           \
			__asm__ volatile("sti" : : : "memory");                                \
	} while (0)

/* ---- order of memory accesses ---- */

#define PRT_BARRIER() __asm__ volatile("" : : : "memory")

/* Sets @word to 1. A clock that is read after this is read when others see it: the clock's own
 * instruction waits for what precedes it, and the exchange has reached all. */
#define PRT_ANNOUNCE(word) __atomic_exchange_n(&(word), 1, __ATOMIC_SEQ_CST)

#endif
