/* SPDX-License-Identifier: GPL-2.0 */
/* The facts about the processor that the runtime needs: registers at a function's entry, the clock,
 * the stack. */
#ifndef PRT_ARCH_X86_H
#define PRT_ARCH_X86_H

#include <linux/kernel.h>
#include <linux/mm_types.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <asm/cpufeature.h>
#include <asm/ftrace.h>
#include <asm/processor.h>
#include <asm/processor-flags.h>
#include <asm/tsc.h>
#include <asm/vsyscall.h>

#include "limits.h"
#include "abi/script.h"

#define PRT_ARCH_NARGS 6 /* integer arguments in registers */
/* The most bytes between a function's beginning and its call to ftrace: an endbr64. */
#define PRT_ARCH_FENTRY_MAX 4

/* Bytes between a breakpoint in a program and the instruction pointer of its exception. */
#define PRT_ARCH_TRAP_SIZE 1
/* Before a kprobe is registered, the kernel decodes its whole function: attach/tail.c. */
#define PRT_ARCH_DECODES_FUNCTIONS 1

/* The instruction pointer and the stack pointer of the kernel or of a program. The kernel's own
 * functions want registers that may be changed. */
static __always_inline unsigned long prt_arch_ip(const struct pt_regs *regs)
{
	return regs->ip;
}

static __always_inline void prt_arch_set_ip(struct pt_regs *regs, unsigned long ip)
{
	regs->ip = ip;
}

static __always_inline unsigned long prt_arch_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

/* Argument @n (0..5) at a function's entry; @regs as struct prt_ctx.regs says. */
static __always_inline u64 prt_arch_arg(const struct pt_regs *regs, unsigned int n)
{
	switch (n) {
	case 0: return regs->di;
	case 1: return regs->si;
	case 2: return regs->dx;
	case 3: return regs->cx;
	case 4: return regs->r8;
	default: return regs->r9;
	}
}

/* Address of stack slot @n at a function's entry; the return address lies below slot 0. */
static __always_inline const void *prt_arch_slot(const struct pt_regs *regs, unsigned int n)
{
	return (const void *)(regs->sp + 8 * (n + 1ul));
}

static __always_inline s64 prt_arch_retval(const struct pt_regs *regs)
{
	return (s64)regs->ax;
}

/* In a program of 32 bits, the address of slot @n of its stack, and a result of 8 bytes. */
static inline u64 prt_arch_slot_32(const struct pt_regs *regs, unsigned int n)
{
	return (u32)(regs->sp + 4 * (n + 1ul));
}

static inline s64 prt_arch_retval_pair(const struct pt_regs *regs)
{
	return (s64)((u64)(u32)regs->dx << 32 | (u32)regs->ax);
}

/* Argument @n (1..6) of a system call; @regs are those that the program had. Its instruction
 * overwrites rcx, so the fourth argument is in r10. */
static __always_inline u64 prt_arch_syscall_arg(const struct pt_regs *regs, s64 n)
{
	return n == 4 ? regs->r10 : prt_arch_arg(regs, n - 1);
}

/* The same by the 32-bit interface. A 64-bit program may have something in the upper halves. */
static __always_inline u32 prt_arch_syscall32_arg(const struct pt_regs *regs, s64 n)
{
	switch (n) {
	case 1: return regs->bx;
	case 2: return regs->cx;
	case 3: return regs->dx;
	case 4: return regs->si;
	case 5: return regs->di;
	default: return regs->bp;
	}
}

/* Whether the current process is in a system call of the 32-bit interface. */
static __always_inline bool prt_arch_is_32bit_call(void)
{
	return in_ia32_syscall();
}

/* The register with DWARF number @n. NULL: there is none, or it is the stack pointer, which
 * assignments must not change. */
static inline unsigned long *prt_arch_register(struct pt_regs *regs, s64 n)
{
	unsigned long *const all[] = {
		&regs->ax, &regs->dx, &regs->cx, &regs->bx, &regs->si, &regs->di, &regs->bp, NULL,
		&regs->r8, &regs->r9, &regs->r10, &regs->r11, &regs->r12, &regs->r13, &regs->r14,
		&regs->r15,
	};

	return n >= 0 && n < ARRAY_SIZE(all) ? all[n] : NULL;
}

/* Returns the value of the register with the DWARF number @n, which may be the stack pointer or the
 * instruction pointer; 0 if there is none. */
static inline unsigned long prt_arch_register_value(struct pt_regs *regs, s64 n)
{
	const unsigned long *reg = prt_arch_register(regs, n);

	if (n == 7)
		return regs->sp;
	if (n == 16)
		return regs->ip;
	return reg ? *reg : 0;
}

/* Makes the function that is being entered return @v at once, through a function that does nothing.
 * That one is the kernel's own, because a task may be interrupted in it for longer than our module
 * is loaded. */
static __always_inline void prt_arch_override(struct pt_regs *regs, s64 v)
{
	regs->ax = v;
	regs->ip = (unsigned long)__fentry__;
}

/* Whether this runs in the exception of a breakpoint in the kernel's code, or in an NMI. The kernel
 * enters both in the same way. */
static __always_inline bool prt_arch_in_breakpoint(void)
{
	return in_nmi();
}

/* The return address in the kernel's entry code of the exception, interrupt or system call by which
 * @task left its program; it tells these apart. @task must still be in the kernel: at any other
 * time the value means nothing, but reading it does no harm. */
static __always_inline unsigned long prt_arch_user_entry(struct task_struct *task)
{
	return READ_ONCE_NOCHECK(((const unsigned long *)task_pt_regs(task))[-1]);
}

/* Whether an exception, rather than an interrupt or a system call, interrupted the program whose
 * registers are @user. */
static __always_inline bool prt_arch_in_exception(const struct pt_regs *user)
{
	return (long)user->orig_ax == -1;
}

/* Whether that program is in a system call. One with a negative number is not recognised. */
static __always_inline bool prt_arch_in_call(const struct pt_regs *user)
{
	return (long)user->orig_ax >= 0;
}

/* Whether that program, in a system call, has no result of it yet: a thread or process that a call
 * makes begins with one, in the same registers but for its own stack. */
static __always_inline bool prt_arch_before_result(const struct pt_regs *user)
{
	return (long)user->ax == -ENOSYS;
}

enum { PRT_ARCH_CALL_BYTES = 2 }; /* of the instruction of a system call */

/* Sets @regs to the registers of the caller of the function whose __builtin_frame_address(0) @frame
 * is: ip, sp, bp and cs, which an unwinder needs. The others are 0. */
static __always_inline void prt_arch_caller(struct pt_regs *regs, const unsigned long *frame)
{
	memset(regs, 0, sizeof(*regs));
	regs->bp = frame[0];
	regs->ip = frame[1];
	regs->sp = (unsigned long)(frame + 2);
	regs->cs = __KERNEL_CS;
}

/* Corrects the registers of a perf event. Where perf counts what the kernel itself does
 * (perf_arch_fetch_caller_regs()), sp is the frame of the function that returns to ip; it becomes
 * the value that sp has right after that return. */
static __always_inline void prt_arch_of_perf(struct pt_regs *regs)
{
	const unsigned long *frame = (const unsigned long *)regs->sp;

	if (regs->flags & X86_EFLAGS_FIXED)
		return;
	regs->bp = frame[0];
	regs->sp = (unsigned long)(frame + 2);
}

/* Whether the rate of prt_arch_ticks() is known and the kernel considers it stable. */
static inline bool prt_arch_ticks_stable(void)
{
	return !check_tsc_unstable() && tsc_khz;
}

/* Whether it counts at a constant rate and never stops, according to the processor. */
static inline bool prt_arch_ticks_constant(void)
{
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) && boot_cpu_has(X86_FEATURE_NONSTOP_TSC);
}

/* The clock, read after the loads and stores before it: others must see `open` of the ring before
 * the time is taken (PRT_ANNOUNCE()). */
static __always_inline u64 prt_arch_ticks(void)
{
	return rdtsc_ordered();
}

/* Adds to a counter of this processor, to which a hit in an NMI may add as well. No other processor
 * writes it. */
static __always_inline void prt_arch_add_here(u64 *to, u64 n)
{
	asm volatile("addq %1, %0" : "+m"(*to) : "er"(n));
}

static inline u64 prt_arch_ticks_khz(void)
{
	return tsc_khz;
}

/* Returns the bytes of the kernel's stack that are free below @sp. Of an interrupt's stack, only
 * @start is known, where the handler began: PRT_STACK_FOREIGN bytes below that are assumed. Any
 * context. */
static inline long prt_arch_stack_left(unsigned long sp, unsigned long start)
{
	unsigned long base = (unsigned long)task_stack_page(current);

	if (sp - base < THREAD_SIZE)
		return sp - base - PRT_STACK_ROOM;
	return PRT_STACK_FOREIGN - (long)(start - sp);
}

/* Whether the page tables of the current process are in use. They are not while the kernel switches
 * tasks, nor while it temporarily uses others (text_poke()). The same as nmi_uaccess_okay() of
 * arch/x86/mm/tlb.c, which modules cannot call. Any context. */
static __always_inline bool prt_arch_user_mapped(void)
{
	const struct mm_struct *mm = current->mm;

	return mm && mm->pgd == __va(read_cr3_pa());
}

/* Whether __get_kernel_nofault() may read up to 8 bytes at @addr: it lies where the kernel maps its
 * own memory, so that a fault is never waited for. copy_from_kernel_nofault() asks
 * copy_from_kernel_nofault_allowed(), which modules cannot call and which allows more: addresses
 * below the map of all memory, and on some kernels the page of vsyscalls. */
static __always_inline bool prt_arch_plain_address(u64 addr)
{
	return addr >= PAGE_OFFSET && addr <= VSYSCALL_ADDR - 8;
}

/*
 * Whether copy_from_kernel_nofault() may be asked for @n bytes at @addr. It asks
 * copy_from_kernel_nofault_allowed(), which allows too much:
 *
 * - The page tables in use have to have entries for @addr. It asks whether those of the processor
 *   can have them (boot_cpu_data.x86_virt_bits): if it has a further level that the kernel does not
 *   use, the read causes a general protection fault, and the kernel warns of it.
 * - The page of vsyscalls must not be read. Until "x86/mm: Disallow vsyscall page read for
 *   copy_from_kernel_nofault()" (32019c659ecf), it was tried, and as that page belongs to
 *   processes, the kernel took the fault for an error of its own, and stopped.
 */
static __always_inline bool prt_arch_may_fetch(u64 addr, u32 n)
{
	const u32 unused = 64 - (__VIRTUAL_MASK_SHIFT + 1);

	return (u64)((s64)(addr << unused) >> unused) == addr &&
	       addr - VSYSCALL_ADDR >= PAGE_SIZE && VSYSCALL_ADDR - addr >= n;
}

/* Around reads of user memory at addresses that were compared with TASK_SIZE_MAX: the same as
 * user_read_access_begin() and _end(), which compare them again. */
static __always_inline void prt_arch_user_read_begin(void)
{
	__uaccess_begin_nospec();
}

static __always_inline void prt_arch_user_read_end(void)
{
	__uaccess_end();
}

/* Whether the processor's instructions, as in x86_script.h, switch interrupts on and off. */
static inline bool prt_arch_own_interrupts(void)
{
	return !boot_cpu_has(X86_FEATURE_XENPV);
}

/* The offsets in x86_script.h are those of the kernel's headers. */
static inline void prt_arch_check(void)
{
	BUILD_BUG_ON(offsetof(struct pt_regs, di) != PRT_REG_OFF_DI);
	BUILD_BUG_ON(offsetof(struct pt_regs, si) != PRT_REG_OFF_SI);
	BUILD_BUG_ON(offsetof(struct pt_regs, dx) != PRT_REG_OFF_DX);
	BUILD_BUG_ON(offsetof(struct pt_regs, cx) != PRT_REG_OFF_CX);
	BUILD_BUG_ON(offsetof(struct pt_regs, r8) != PRT_REG_OFF_R8);
	BUILD_BUG_ON(offsetof(struct pt_regs, r9) != PRT_REG_OFF_R9);
	BUILD_BUG_ON(offsetof(struct pt_regs, ax) != PRT_REG_OFF_AX);
	BUILD_BUG_ON(offsetof(struct pt_regs, sp) != PRT_REG_OFF_SP);
	BUILD_BUG_ON(offsetof(struct pt_regs, ip) != PRT_REG_OFF_IP);
	BUILD_BUG_ON(offsetof(struct pt_regs, bx) != PRT_REG_OFF_BX);
	BUILD_BUG_ON(offsetof(struct pt_regs, bp) != PRT_REG_OFF_BP);
	BUILD_BUG_ON(offsetof(struct pt_regs, r10) != PRT_REG_OFF_R10);
	BUILD_BUG_ON(offsetof(struct pt_regs, r11) != PRT_REG_OFF_R11);
	BUILD_BUG_ON(offsetof(struct pt_regs, r12) != PRT_REG_OFF_R12);
	BUILD_BUG_ON(offsetof(struct pt_regs, r13) != PRT_REG_OFF_R13);
	BUILD_BUG_ON(offsetof(struct pt_regs, r14) != PRT_REG_OFF_R14);
	BUILD_BUG_ON(offsetof(struct pt_regs, r15) != PRT_REG_OFF_R15);
#ifdef PRT_HAVE_PCPU_HOT
	BUILD_BUG_ON(offsetof(struct pcpu_hot, current_task));
#endif
}

/* The trampolines of `--direct` rely on these (x86_trampoline.S). */
static inline void prt_arch_check_direct(void)
{
	BUILD_BUG_ON(offsetof(struct pt_regs, di) != 112 || offsetof(struct pt_regs, si) != 104 ||
		     offsetof(struct pt_regs, dx) != 96 || offsetof(struct pt_regs, cx) != 88 ||
		     offsetof(struct pt_regs, r8) != 72 || offsetof(struct pt_regs, r9) != 64 ||
		     offsetof(struct pt_regs, ax) != 80 || offsetof(struct pt_regs, ip) != 128 ||
		     offsetof(struct pt_regs, sp) != 152 || sizeof(struct pt_regs) != 168);
}

/* An instruction without effect that the kernel's kprobes do not emulate. */
static __always_inline void prt_arch_not_emulated(void)
{
	asm volatile("movq %%rax, %%rax" : : : "memory");
}

/* The scheduler's clock of a processor. */
#define prt_arch_cpu_clock(cpu) sched_clock_cpu(cpu)

/* The current task, read anew at each use: across a call, a register that keeps it has to be saved,
 * which takes one instruction more. It was in a structure from "x86: Put hot per CPU variables into
 * a struct" (e57ef2ed97c1) to "x86/percpu: Move current_task to percpu hot section"
 * (a1e4cc0155ad). */
#ifdef PRT_HAVE_PCPU_HOT
#define prt_arch_current() this_cpu_read(pcpu_hot.current_task)
#else
#define prt_arch_current() this_cpu_read(current_task)
#endif

#endif
