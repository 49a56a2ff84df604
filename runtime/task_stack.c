/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's stack of another thread, while that is off its processor. Any context.
 *
 * The script's address may be anything, so it is a task only if the task of its number is there.
 * RCU keeps that from being freed; nothing keeps it from running. So it is looked at twice whether
 * it is on a processor, and how often it has left one: if both are the same after the walk, it has
 * not run in between, and the stack is that of one moment. The count rises before a task is marked
 * as off its processor.
 */
#include <linux/cache.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "arch/stack.h"
#include "compat/task.h"
#include "context.h"
#include "stacks.h"

enum {
	OTHER_FRAME_STEPS = 2,       /* that one frame costs */
	COPIED_BYTES = 256,          /* of a stack that are copied in one step */
};

size_t prt_task_stack_room(void)
{
	return prt_script.task_stacks && PRT_ARCH_STACK_COPY_SIZE ?
		       ALIGN(PRT_ARCH_STACK_COPY_SIZE + L1_CACHE_BYTES, 8) : 0;
}

/* Members of a task are aligned to cache lines. */
struct prt_arch_stack_copy *prt_task_stack_place(char *room)
{
	return prt_task_stack_room() ? PTR_ALIGN((void *)room, L1_CACHE_BYTES) : NULL;
}

/* Why there is no stack. */
static s64 no_stack(struct prt_ctx *c, u32 srcloc, struct prt_str why)
{
	prt_error(c, PRT_E_BAD_VALUE, srcloc, why);
	return 0;
}
NOKPROBE_SYMBOL(no_stack);

/* Whether @task is one that exists. Preemption is off, and RCU watches. */
static bool is_task(struct prt_ctx *c, s64 task)
{
	const struct task_struct *it = (const struct task_struct *)task;
	pid_t pid;

	return !prt_fetch_kernel(&pid, (u64)&it->pid, sizeof(pid)) &&
	       prt_task_of_pid(c, pid) == task;
}
NOKPROBE_SYMBOL(is_task);

static u64 switches_of(const struct task_struct *task)
{
	return READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
}
NOKPROBE_SYMBOL(switches_of);

/* Writes the frames of @task to the context's stack. Returns the number of steps that this cost;
 * 0: it has no stack. */
static u32 walk_task(struct prt_cpu *cpu, const struct task_struct *task)
{
	struct prt_stack_part part = { .kind = PRT_STACK_KERNEL };
	struct prt_stack_room *room = cpu->stack;
	u64 *to = room->words + PRT_PART_WORDS;
	struct prt_arch_walk walk PRT_UNCLEARED;
	u32 copied = prt_arch_walk_begin_task(&walk, cpu->other, task);

	if (!copied)
		return 0;
	for (; !prt_arch_walk_done(&walk); prt_arch_walk_next(&walk)) {
		unsigned long addr = prt_arch_walk_address(&walk);

		if (!addr) {
			part.flags = prt_arch_walk_at_user(&walk) ? 0 : PRT_STACK_BROKEN;
			break;
		}
		if (part.n == PRT_STACK_FRAMES) {
			part.flags = PRT_STACK_DEEPER;
			break;
		}
		to[part.n++] = addr;
	}
	if (prt_arch_walk_done(&walk) && prt_arch_walk_failed(&walk))
		part.flags = PRT_STACK_BROKEN;
	memcpy(room->words, &part, sizeof(part));
	room->n = PRT_PART_WORDS + part.n;
	return copied / COPIED_BYTES + part.n * OTHER_FRAME_STEPS + 1;
}
NOKPROBE_SYMBOL(walk_task);

/* Preemption is off. */
static s64 take_stack(struct prt_ctx *c, s64 address, u32 srcloc)
{
	const struct task_struct *task = (const struct task_struct *)address;
	struct prt_stack_part part;
	u64 switches;
	u32 steps;

	if (!rcu_is_watching())
		return no_stack(c, srcloc, PRT_LIT("no stacks of other threads where RCU does not "
						   "watch"));
	if (!is_task(c, address))
		return no_stack(c, srcloc, PRT_LIT("no such thread, or it has ended"));
	if (prt_compat_on_cpu(task))
		return no_stack(c, srcloc, PRT_LIT("the thread is on a processor"));
	switches = switches_of(task);
	smp_rmb();
	steps = walk_task(prt_cpu_of(c), task);
	smp_rmb();
	if (prt_compat_on_cpu(task) || switches_of(task) != switches)
		return no_stack(c, srcloc, PRT_LIT("the thread went on to run meanwhile"));
	if (!steps)
		return no_stack(c, srcloc, PRT_LIT("the thread has ended"));
	PRT_STEPS(c, steps, srcloc, none);
	part = prt_stacks_part_at(prt_cpu_of(c)->stack->words);
	if (part.flags)
		prt_stacks_incomplete(PRT_STACK_KERNEL, part.flags);
	return part.n ? prt_stacks_enter(c) : 0;
none:
	return 0;
}
NOKPROBE_SYMBOL(take_stack);

s64 prt_task_stack_take(struct prt_ctx *c, s64 task, u32 srcloc)
{
	s64 stack;

	preempt_disable_notrace();
	stack = take_stack(c, task, srcloc);
	preempt_enable_notrace();
	return stack;
}
NOKPROBE_SYMBOL(prt_task_stack_take);
