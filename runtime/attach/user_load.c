/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Breakpoints in programs, for the overload breaker and its samples.
 *
 * The kernel handles such a breakpoint on the process's way back to its program, with interrupts on
 * and in many functions, so the address that a sample interrupted says nothing. The process's own
 * registers do: they lie at the end of its kernel stack, and during the exception their ip is the
 * place, or the byte after it until the kernel has found out whose breakpoint it is. The addresses
 * of the last hits are kept in a table for this. A page fault or a system call may leave the same
 * ip, and take long. The kernel's entry code calls one function for each exception, and
 * leaves the address to which that returns just below those registers: each hit shows which one is
 * that of breakpoints.
 *
 * An instruction that the kernel cannot emulate is executed out of line, and a second exception
 * follows it. Until that is over, the process is marked as such (active_uprobe). Page faults of the
 * instruction itself come in between, and system calls if it is one; neither is the probe's fault.
 *
 * A uretprobe's return comes from a page that the kernel maps into the process: from a breakpoint
 * at its beginning or, from 6.11 on, by a system call near it. Before any handler is called, the
 * kernel sets the ip to where the function returns to. Until then, a breakpoint at the beginning of
 * a page in a task that has such returns before it is taken for one: the exception begins with
 * interrupts off, so that much of what it takes is sampled there. Samples do not see the beginning
 * of the system call, which is short. No system call of the program's own goes on after a call
 * instruction.
 */
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/uprobes.h>

#include "arch/arch.h"
#include "attach.h"
#include "budget.h"
#include "memory.h"
#include "user_load.h"

enum { USER_PLACES_BITS = 12 };

bool prt_user_load_watched;

static unsigned long *user_seen; /* where hits were: address spaces and addresses, by their hash */
/* The values of prt_arch_user_entry() in hits, and in returns by uretprobe. */
static unsigned long user_entry, user_return_entry;

u64 prt_user_load_memory(void)
{
	return prt_script.nfiles ? sizeof(*user_seen) << USER_PLACES_BITS : 0;
}

int prt_user_load_setup(void)
{
	user_seen = prt_alloc(1ul << USER_PLACES_BITS, sizeof(*user_seen), NUMA_NO_NODE);
	return user_seen ? 0 : -ENOMEM;
}

void prt_user_load_free(void)
{
	prt_user_load_watched = false;
	kvfree(user_seen);
	user_seen = NULL;
}

void prt_user_load_expect(const struct prt_point *p)
{
	u32 i;

	for (i = 0; i < p->n; i++)
		prt_budget_by_breakpoint(p->pairs[i].probe, p->n);
}

void prt_user_load_watch(void)
{
	if (user_seen)
		WRITE_ONCE(prt_user_load_watched, true);
}
NOKPROBE_SYMBOL(prt_user_load_watch);

/* Unequal for any two places in processes that exist at the same time, but for accidents. */
static unsigned long user_place(unsigned long at)
{
	return at ^ (unsigned long)current->mm;
}
NOKPROBE_SYMBOL(user_place);

/* The address that a function returned to, which is no place by itself. */
static unsigned long user_returned(unsigned long to)
{
	return ~user_place(to);
}
NOKPROBE_SYMBOL(user_returned);

static unsigned long *user_seen_at(unsigned long place)
{
	return &user_seen[hash_long(place, USER_PLACES_BITS)];
}
NOKPROBE_SYMBOL(user_seen_at);

static void user_note(unsigned long place, unsigned long *entry)
{
	unsigned long *seen = user_seen_at(place);

	if (READ_ONCE(*seen) != place)
		WRITE_ONCE(*seen, place);
	if (!READ_ONCE(*entry))
		WRITE_ONCE(*entry, prt_arch_user_entry(current));
}
NOKPROBE_SYMBOL(user_note);

void prt_user_load_note(unsigned long at)
{
	user_note(user_place(at), &user_entry);
}
NOKPROBE_SYMBOL(prt_user_load_note);

void prt_user_load_note_return(unsigned long to)
{
	user_note(user_returned(to), &user_return_entry);
}

void prt_user_load_alone(const struct prt_point *p)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	prt_user_load_alone_now(p, 1);
	raw_local_irq_restore(flags);
}
NOKPROBE_SYMBOL(prt_user_load_alone);

static bool user_has_seen(unsigned long place)
{
	return READ_ONCE(*user_seen_at(place)) == place;
}
NOKPROBE_SYMBOL(user_has_seen);

static bool user_was_seen(unsigned long at)
{
	return user_has_seen(user_place(at));
}
NOKPROBE_SYMBOL(user_was_seen);

/* The instruction of a breakpoint is being executed out of line, or the exception after it is
 * handled. */
static bool user_is_stepping(const struct uprobe_task *step, const struct pt_regs *regs,
			     const struct pt_regs *user)
{
	return user_was_seen(step->vaddr) &&
	       (user_mode((struct pt_regs *)regs) ||
		prt_arch_user_entry(current) == READ_ONCE(user_entry) ||
		(prt_arch_in_exception(user) && prt_arch_ip(user) != step->xol_vaddr));
}
NOKPROBE_SYMBOL(user_is_stepping);

/* The task has just returned from a function with a uretprobe, ours or another tool's. */
static bool user_is_returning(const struct uprobe_task *task, unsigned long ip)
{
	return task && READ_ONCE(task->return_instances) && PAGE_ALIGNED(ip - PRT_ARCH_TRAP_SIZE);
}
NOKPROBE_SYMBOL(user_is_returning);

bool prt_user_load_found(const struct pt_regs *regs)
{
	const struct pt_regs *user = task_pt_regs(current);
	const struct uprobe_task *step;
	unsigned long entry, ip = prt_arch_ip(user);

	/* A task that ends or executes another program frees what says that it steps. */
	if (!READ_ONCE(prt_user_load_watched) || !current->mm || current->in_execve ||
	    current->flags & (PF_KTHREAD | PF_IO_WORKER | PF_EXITING))
		return false;
	step = current->utask;
	if (step && READ_ONCE(step->active_uprobe))
		return user_is_stepping(step, regs, user);
	if (user_mode((struct pt_regs *)regs))
		return user_was_seen(ip) || user_has_seen(user_returned(ip));
	entry = prt_arch_user_entry(current);
	if (entry == READ_ONCE(user_return_entry) &&
	    (user_has_seen(user_returned(ip)) || user_is_returning(step, ip)))
		return true;
	return entry == READ_ONCE(user_entry) &&
	       (user_was_seen(ip) || user_was_seen(ip - PRT_ARCH_TRAP_SIZE));
}
NOKPROBE_SYMBOL(prt_user_load_found);
