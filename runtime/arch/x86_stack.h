/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walks of the kernel's stack, by the unwinder of the kernel (by ORC, or what it was built with),
 * from registers on. In any context in which RCU watches.
 *
 * The stack of another task may be freed at any moment, also while that task is looked at, and the
 * unwinder reads it as memory that is there. A reference to the stack would help, but modules can't
 * give it back. So the unwinder gets a copy: of the part that is in use, with each word that leads
 * into the stack made to lead into the copy, and of the few members of the task that it needs.
 */
#ifndef PRT_ARCH_X86_STACK_H
#define PRT_ARCH_X86_STACK_H

#include <linux/kernel.h>
#include <linux/llist.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/switch_to.h>
#include <asm/unwind.h>

#ifdef CONFIG_RETHOOK
#include <linux/rethook.h>
#endif

#include "compat/task.h"

enum {
	PRT_ARCH_REPLACED_MOST = 64,  /* return addresses of a task that kretprobes have replaced */
};

struct prt_arch_walk {
	struct unwind_state state;
};

/* A copy of another task's stack. */
struct prt_arch_stack_copy {
	u64 words[THREAD_SIZE / sizeof(u64)];
	struct task_struct task;
};

#define PRT_ARCH_STACK_COPY_SIZE sizeof(struct prt_arch_stack_copy)

/* The address by which the tracer of function graphs replaces return addresses; 0: it does not. */
static unsigned long prt_arch_graph_return;

/* SETUP, if the script takes stacks. @address_of: gives the address of a function of the kernel, or
 * 0. The kernel's unwinder knows return addresses that it has replaced, but not those in copies. */
static inline void prt_arch_walk_setup(unsigned long (*address_of)(const char *symbol))
{
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER))
		prt_arch_graph_return = address_of("return_to_handler");
}

/* Begins after the frame of @regs. @at_entry: these are at the entry of a function, which has not
 * changed them yet. */
static __always_inline void prt_arch_walk_begin(struct prt_arch_walk *w, struct pt_regs *regs,
						bool at_entry)
{
	unwind_start(&w->state, current, regs, NULL);
}

/* Writes the return addresses that kretprobes have replaced back to the copy of @task's stack,
 * which began at @start. The task may be changing its list. */
static inline void prt_arch_restore_returns(struct prt_arch_stack_copy *copy,
					    const struct task_struct *task, u64 start)
{
#ifdef CONFIG_RETHOOK
	struct llist_node *it = READ_ONCE(task->rethooks.first);
	struct rethook_node node;
	u32 i;

	for (i = 0; it && i < PRT_ARCH_REPLACED_MOST; i++) {
		if (copy_from_kernel_nofault(&node, container_of(it, struct rethook_node, llist),
					     sizeof(node)))
			return;
		if (node.frame >= start && node.frame - start < THREAD_SIZE)
			copy->words[(node.frame - start) / sizeof(u64)] = node.ret_addr;
		it = node.llist.next;
	}
#endif
}

/* Begins with the frame in which @task, another one, left the processor. The task itself stays,
 * which is the caller's affair; its stack need not. Returns the number of bytes that were copied;
 * 0: it has no stack. */
static inline u32 prt_arch_walk_begin_task(struct prt_arch_walk *w,
					   struct prt_arch_stack_copy *copy,
					   const struct task_struct *task)
{
	u64 start = (u64)READ_ONCE(task->stack), sp = READ_ONCE(task->thread.sp);
	u64 used = sp - start, moved = (u64)copy->words - start, i;

	if (!start || used > THREAD_SIZE - sizeof(struct inactive_task_frame) ||
	    used % sizeof(u64) ||
	    copy_from_kernel_nofault((char *)copy->words + used, (const void *)sp,
				     THREAD_SIZE - used))
		return 0;
	prt_arch_restore_returns(copy, task, start);
	for (i = used / sizeof(u64); i < ARRAY_SIZE(copy->words); i++) {
		u64 *word = &copy->words[i];

		if (*word - start <= THREAD_SIZE)
			*word += moved;
		else if (*word == prt_arch_graph_return)
			*word = 0;
	}
	copy->task.PRT_COMPAT_STATE = TASK_UNINTERRUPTIBLE;
	copy->task.stack = copy->words;
	copy->task.thread.sp = (u64)copy->words + used;
	unwind_start(&w->state, &copy->task, NULL, NULL);
	return THREAD_SIZE - used;
}

static __always_inline bool prt_arch_walk_done(struct prt_arch_walk *w)
{
	return unwind_done(&w->state);
}

/* The return address of the frame. 0: it is not known, or the frame has none. */
static __always_inline unsigned long prt_arch_walk_address(struct prt_arch_walk *w)
{
	return unwind_get_return_address(&w->state);
}

static __always_inline void prt_arch_walk_next(struct prt_arch_walk *w)
{
	unwind_next_frame(&w->state);
}

/* Whether the frame is the one in user space from which the kernel was entered. */
static __always_inline bool prt_arch_walk_at_user(struct prt_arch_walk *w)
{
	const struct pt_regs *regs = unwind_get_entry_regs(&w->state, NULL);

	return regs && user_mode((struct pt_regs *)regs);
}

/* Whether a walk that is done has ended before the outermost frame. */
static __always_inline bool prt_arch_walk_failed(struct prt_arch_walk *w)
{
	return unwind_error(&w->state);
}

#endif
