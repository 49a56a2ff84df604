/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walks of the kernel's stack by frame records, which each function of the kernel has: a word that
 * leads to the caller's record, and the return address (AAPCS64, 6.4.6). x86_stack.h describes the
 * functions. The last record has neither; where an interrupt came from the kernel, the record that
 * the entry code makes leads to the interrupted function. Each word is read as memory that may be
 * missing, and the caller bounds the number of steps.
 */
#ifndef PRT_ARCH_ARM64_STACK_H
#define PRT_ARCH_ARM64_STACK_H

#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "arch/arm64.h"

/* Where modules see no calls of a task (compat/rethook.h), the address of the trampoline stays. */
#if defined(CONFIG_KRETPROBES) && !defined(CONFIG_KRETPROBE_ON_RETHOOK) && \
	defined(PRT_HAVE_TASK_CALLS)
#define PRT_ARCH_KRETPROBES 1
#endif

struct prt_arch_walk {
	unsigned long frame;     /* the record that is read next */
	unsigned long address;
#ifdef PRT_ARCH_KRETPROBES
	struct llist_node *calls; /* their return addresses are replaced; innermost first */
#endif
	bool done, failed;
};

#ifdef PRT_ARCH_KRETPROBES
/* The address by which kretprobes replace return addresses. */
static unsigned long prt_arch_walk_trampoline;

static inline void prt_arch_walk_setup(unsigned long (*address_of)(const char *symbol))
{
	prt_arch_walk_trampoline = address_of("__kretprobe_trampoline");
}

/* Several kretprobes may have replaced the address of one call, one after the other. The list is
 * the current task's, which may have been interrupted while it changes it. */
static __always_inline unsigned long prt_arch_replaced(struct prt_arch_walk *w,
						       unsigned long address)
{
	struct kretprobe_instance call PRT_UNCLEARED;

	while (unlikely(address == prt_arch_walk_trampoline) && address && w->calls) {
		if (copy_from_kernel_nofault(&call, container_of(w->calls,
				struct kretprobe_instance, llist), sizeof(call)))
			break;
		address = (unsigned long)call.ret_addr;
		w->calls = call.llist.next;
	}
	return address;
}
#else
static inline void prt_arch_walk_setup(unsigned long (*address_of)(const char *symbol))
{
}

static __always_inline unsigned long prt_arch_replaced(struct prt_arch_walk *w,
						       unsigned long address)
{
	return address;
}
#endif

static __always_inline void prt_arch_walk_next(struct prt_arch_walk *w)
{
	unsigned long record[2];

	w->address = 0;
	if (!w->frame || w->frame % sizeof(long) ||
	    copy_from_kernel_nofault(record, (const void *)w->frame, sizeof(record))) {
		w->done = true;
		w->failed = w->frame;
		return;
	}
	w->frame = record[0];
	w->address = prt_arch_replaced(w, prt_arch_unsigned_address(record[1]));
	w->done = !record[0] && !record[1];
}

/* Each word of a stack is read as memory that may be missing, so nothing is copied. */
struct prt_arch_stack_copy;

#define PRT_ARCH_STACK_COPY_SIZE 0

/* Begins with the frame in which @task, another one, left the processor. The task itself stays,
 * which is the caller's affair; its stack need not. Returns the number of bytes that were copied,
 * at least 1; 0: it has no stack. */
static __always_inline u32 prt_arch_walk_begin_task(struct prt_arch_walk *w,
						    struct prt_arch_stack_copy *copy,
						    const struct task_struct *task)
{
	*w = (struct prt_arch_walk){
		.frame = READ_ONCE(task->thread.cpu_context.fp),
		.address = READ_ONCE(task->thread.cpu_context.pc),
	};
#ifdef PRT_ARCH_KRETPROBES
	w->calls = READ_ONCE(task->kretprobe_instances.first);
#endif
	return READ_ONCE(task->stack) ? 1 : 0;
}

/* Begins with the register of the return address at the entry of a function, which has no record
 * yet. In the middle of one, that register means nothing. */
static __always_inline void prt_arch_walk_begin(struct prt_arch_walk *w, struct pt_regs *regs,
						bool at_entry)
{
	*w = (struct prt_arch_walk){ .frame = regs->regs[PRT_ARCH_FP] };
#ifdef PRT_ARCH_KRETPROBES
	w->calls = READ_ONCE(current->kretprobe_instances.first);
#endif
	if (at_entry)
		w->address = prt_arch_replaced(w, prt_arch_unsigned_address(
			regs->regs[PRT_ARCH_LR]));
	else
		prt_arch_walk_next(w);
}

static __always_inline bool prt_arch_walk_done(struct prt_arch_walk *w)
{
	return w->done;
}

static __always_inline unsigned long prt_arch_walk_address(struct prt_arch_walk *w)
{
	return w->address;
}

static __always_inline bool prt_arch_walk_at_user(struct prt_arch_walk *w)
{
	return false;
}

static __always_inline bool prt_arch_walk_failed(struct prt_arch_walk *w)
{
	return w->failed;
}

#endif
