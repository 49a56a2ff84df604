/* SPDX-License-Identifier: GPL-2.0 */
/* Places in programs and libraries: attach/user.c; returns of their functions: user_return.c. */
#ifndef PRT_ATTACH_USER_H
#define PRT_ATTACH_USER_H

#include <linux/sched.h>
#include <linux/types.h>

#include "arch/user.h"
#include "attach.h"
#include "compat/kernel.h"
#include "compat/uprobes.h"
#include "context.h"
#include "process.h"
#include "session.h"
#include "spaces.h"
#include "user_calls.h"

struct prt_user_place;

/*
 * The handlers of a hit by the fast path: user_fast.c. They do what the consumer's handler does,
 * with interrupts off.
 */
/* 0; else it has done nothing, and the kernel is to call that handler. */
typedef int prt_user_fast_hit(struct prt_user_place *place, struct pt_regs *regs);
/* The same, if it always does something. */
typedef void prt_user_sure_hit(void *regs);
/* At an instruction that returns, which it carries out. @back: where to. */
typedef void prt_user_fast_return(struct prt_user_place *place, struct pt_regs *regs,
				  unsigned long back);

/* The work of the fast path at a place. */
enum prt_user_way {
	PRT_USER_SLOW,               /* nothing: the place is not ready for it */
	PRT_USER_PUSHES,             /* the instruction is `push`; there is a `sure_hit` */
	PRT_USER_COMPUTES,           /* it accesses no memory; there is a `sure_hit` */
	PRT_USER_DESCRIBED,          /* any but `ret`, of a process that has to be described */
	PRT_USER_ATTEMPTS,           /* any but `ret`; there is an `attempt` */
	PRT_USER_ANY,                /* any but `ret`; there is only a `hit` */
	PRT_USER_RETURNS,
	PRT_USER_KEEPS_TIME,         /* any but `ret`, at an entry: `keeps_time` */
	PRT_USER_LEAVES,             /* `ret`; there is a `leave` */
};

/* A uprobe of a point. Zeroed, but for the consumer's handlers and `hit`, before it is
 * registered. */
struct prt_user_place {
	struct prt_compat_uprobe uprobe;
	const struct prt_point *point;
	struct inode *inode;
	u64 offset;                  /* in the file of the point */
	bool registered;
	/* the fast path */
	bool wanted;                 /* `insn` and `uprobe` may be found out */
	bool needs_space;            /* a handler takes stacks: the process has to be described */
	u8 way;                      /* enum prt_user_way */
	u8 slow_why;                 /* enum prt_slow_why */
	u32 nr;                      /* from 1, of its counts; 0: none yet */
	struct prt_arch_insn insn;   /* that the breakpoint replaces */
	/* one of them, or all NULL: no hit may take it */
	prt_user_fast_hit *hit;
	prt_user_sure_hit *sure_hit;
	prt_user_attempt *attempt;   /* beside `hit`, which does the same; needs no description */
	prt_user_fast_return *hit_return; /* and the instruction must be one that returns */
	/* Return probes that are alone, have no condition and are for all processes: */
	bool keeps_time;             /* beside `hit`: an entry where the TSC alone is kept */
	prt_direct_leave *leave;     /* beside `hit_return`: the function of the script */
	struct prt_user_calls calls; /* of the point; rows NULL: nothing is kept */
	atomic64_t slow;             /* hits that did not */
};

static __always_inline struct prt_user_place *prt_user_place_of(struct uprobe_consumer *consumer)
{
	return container_of(consumer, struct prt_user_place, uprobe.consumer);
}

/* The row of prt_script.files that the sites of a point share. */
static __always_inline const struct prt_file *prt_user_file_of(const struct prt_point *p)
{
	return &prt_script.files[p->pairs[0].site->file - 1];
}

/* The filter of all of our consumers. */
PRT_COMPAT_UPROBE_FILTER(prt_user_filter, mm);

/* By row of prt_script.files, from SETUP on: the process that it is for, by its number in the first
 * pid namespace; 0: any; -1: one that there is not. */
extern s64 *prt_user_processes;

/* The number of the process that @scope is for; 0: it is for others as well. */
static __always_inline s64 prt_user_process_of(const struct prt_file *scope)
{
	return prt_user_processes[scope - prt_script.files];
}

/* Whether @task is one of the processes that the row is for. Preemption is off, or rcu_read_lock()
 * in force. */
static __always_inline bool prt_user_wants_task(const struct prt_file *scope,
						const struct task_struct *task)
{
	if (scope->pid && task->tgid != prt_user_process_of(scope))
		return false;
	return !scope->is_target || prt_process_comes_from(task, prt_session.setup.target);
}

/* Whether a process with @mm was started from the file that the row is for. Preemption is off, or
 * rcu_read_lock() in force, and @mm stays. */
bool prt_user_executes(const struct prt_file *scope, const struct mm_struct *mm);
/* The inode of the file that the sites of @p are in. */
struct inode *prt_user_inode_of(const struct prt_point *p);

/* SETUP, in the loader's own context: looks the files of sites up as the loader sees them, and
 * gives each site its key in place of an address. A file that is missing is the site's error
 * (-ESRCH). -ENOMEM. */
int prt_user_setup(void);
/* Lets go of the files. Nothing is armed any more. */
void prt_user_free(void);

/* Registers @place at @offset of the file of @p. Under prt_attach_lock; -errno. */
int prt_user_place_arm(struct prt_user_place *place, const struct prt_point *p, u64 offset);
/* Removes it, if it is registered, after prt_user_fast_end(); its handler may still run until
 * prt_user_settle(), which waits once for all that were removed. The same. */
void prt_user_place_disarm(struct prt_user_place *place);
/* Calls @f for each place of a point's @probe. */
typedef void prt_user_each_place(void *probe, void (*f)(struct prt_user_place *place));
/* Disarms @n neighbouring points of a set, whose places @each knows: ends the fast path at all of
 * them, waits once for the hits that take it, and removes the places. Under prt_attach_lock. */
void prt_user_disarm(struct prt_point *points, u32 n, prt_user_each_place *each);
void prt_user_settle(void);
/* Whether the current process is one that @p is for. The process's context. */
bool prt_user_wanted_here(const struct prt_point *p);
/* Whether all processes are. Any context. */
bool prt_user_wanted_everywhere(const struct prt_point *p);
/* Runs the probe of @pair for a hit. The process's context; may sleep. */
void prt_user_run(const struct prt_pair *pair, struct pt_regs *regs, u64 *saved, s64 retval);
/* Adds the hits of @place, and why not all of them take the fast path. */
void prt_user_place_status(const struct prt_user_place *place, struct prt_site_status *ret);

/* user_owner.c */

/* SETUP, by prt_user_setup(). Returns 0 or -ENOMEM. */
int prt_user_owner_setup(void);
/* Nothing is armed any more. */
void prt_user_owner_free(void);
/* Whether a process that has @mm, now or later, may have a hit at @p that the conditions of its
 * probes do not reject. Process context, under rcu_read_lock(). */
bool prt_user_owner_wanted(const struct prt_point *p, const struct mm_struct *mm);

/* user_return.c */

/* The part of prt_user_status() for returns. */
void prt_user_return_status(const struct prt_point *p, struct prt_site_status *ret);

/* user_fast.c */

/* The bytes that prt_user_fast_setup() allocates, at most. */
u64 prt_user_fast_memory(void);
/* SETUP: watches breakpoints and unmappings, unless the session is to do without the fast path or
 * the kernel lacks something for it. -ENOMEM. */
int prt_user_fast_setup(void);
/* Before the places go. */
void prt_user_fast_free(void);
/* Before @place is registered, under prt_attach_lock. */
void prt_user_fast_begin(struct prt_user_place *place);
/* It was registered. The same. */
void prt_user_fast_registered(struct prt_user_place *place);
/* Before @place is removed: no more hits take the fast path, and those that do have ended after
 * prt_global_grace(). The same. */
void prt_user_fast_end(struct prt_user_place *place);
/* The hits of @place on this processor that took the fast path. In such a hit. */
static __always_inline u64 prt_user_fast_count(const struct prt_user_place *place)
{
	return prt_cpu_of(this_cpu_read(prt_contexts))->user_counts[place->nr];
}
/* The hits of @place on all processors that took the fast path. */
u64 prt_user_fast_hits(const struct prt_user_place *place);

#endif
