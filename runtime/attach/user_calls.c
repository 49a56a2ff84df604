/* SPDX-License-Identifier: GPL-2.0 */
/* The calls that return probes in programs follow: user_calls.h. */
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>

#include "memory.h"
#include "user_calls.h"

enum {
	USER_WINDOW = 16,            /* rows that one call may have */
	USER_TAKEN = U32_MAX,        /* `task` of a row that is being taken over */
};

#define USER_STACK (8ull << 20)      /* bytes that a stack has at most, as is assumed */

u64 prt_user_calls_least(u32 bytes)
{
	return USER_WINDOW * (u64)(sizeof(struct prt_user_call) + bytes);
}

u64 prt_user_calls_size(const struct prt_user_calls *all)
{
	return (u64)all->row << all->order;
}

int prt_user_calls_make(struct prt_user_calls *all, u64 rows, u32 bytes, u64 most)
{
	all->row = sizeof(struct prt_user_call) + bytes;
	all->order = max_t(u32, ilog2(rows - 1) + 1, ilog2(USER_WINDOW));
	most += prt_user_calls_least(bytes);
	while (all->order > ilog2(USER_WINDOW) && prt_user_calls_size(all) > most)
		all->order--;
	all->shift = 64 - all->order;
	all->rows = prt_alloc(1ul << all->order, all->row, NUMA_NO_NODE);
	return all->rows ? 0 : -ENOMEM;
}

void prt_user_calls_clear(const struct prt_user_calls *all)
{
	memset(all->rows, 0, (size_t)all->row << all->order);
}

static struct prt_user_call *user_row_of(const struct prt_user_calls *all, u32 nr)
{
	nr &= (1u << all->order) - 1;
	return (struct prt_user_call *)(all->rows + (u64)nr * all->row);
}

struct prt_user_call *prt_user_find_call(const struct prt_user_calls *all,
					 const struct prt_user_frame *frame)
{
	u32 first = prt_user_first_row(all, frame), i;
	struct prt_user_call *call = user_row_of(all, first);

	if (prt_user_is_call(call, frame))
		return call;
	if (!atomic_read(&call->elsewhere))
		return NULL;
	for (i = 1; i < USER_WINDOW; i++) {
		call = user_row_of(all, first + i);
		if (prt_user_is_call(call, frame))
			return call;
	}
	return NULL;
}

/* The call that was that of @task is no longer in its row. */
static void user_count_out(const struct prt_user_calls *all, struct prt_user_call *call, u32 task)
{
	struct prt_user_frame old = { .task = task, .owner = call->owner, .sp = call->sp };
	struct prt_user_call *choice = prt_user_first_choice(all, &old);

	if (old.sp != PRT_USER_NO_SP && choice != call)
		atomic_dec(&choice->elsewhere);
}

void prt_user_give_call(const struct prt_user_calls *all, struct prt_user_call *call)
{
	user_count_out(all, call, call->task);
	WRITE_ONCE(call->sp, PRT_USER_NO_SP);
	smp_store_release(&call->task, 0);
}

static bool user_is_gone(u32 pid)
{
	bool gone;

	rcu_read_lock();
	gone = !pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	return gone;
}

static bool user_take_gone(const struct prt_user_calls *all, struct prt_user_call *call,
			   const struct prt_user_frame *frame)
{
	u32 owner = READ_ONCE(call->task);

	if (!owner || owner == frame->task || owner == USER_TAKEN || !user_is_gone(owner) ||
	    cmpxchg(&call->task, owner, USER_TAKEN) != owner)
		return false;
	user_count_out(all, call, owner);
	WRITE_ONCE(call->sp, PRT_USER_NO_SP);
	smp_store_release(&call->task, frame->task);
	return true;
}

/* A call of the same thread or goroutine that began with a longer stack than there is now. */
static bool user_was_left(const struct prt_user_call *call, const struct prt_user_frame *frame)
{
	u64 sp = READ_ONCE(call->sp);

	if (READ_ONCE(call->task) != frame->task || sp == PRT_USER_NO_SP ||
	    call->owner != frame->owner)
		return false;
	return frame->owner ? sp > frame->sp : sp < frame->sp && frame->sp - sp < USER_STACK;
}

static bool user_take_left(const struct prt_user_calls *all, struct prt_user_call *call,
			   const struct prt_user_frame *frame)
{
	if (!user_was_left(call, frame))
		return false;
	user_count_out(all, call, frame->task);
	return true;
}

static bool user_take_free(const struct prt_user_calls *all, struct prt_user_call *call,
			   const struct prt_user_frame *frame)
{
	return !READ_ONCE(call->task) && !cmpxchg(&call->task, 0, frame->task);
}

typedef bool user_take(const struct prt_user_calls *all, struct prt_user_call *call,
		       const struct prt_user_frame *frame);

static struct prt_user_call *user_take_one(const struct prt_user_calls *all,
					   const struct prt_user_frame *frame, user_take *take)
{
	u32 first = prt_user_first_row(all, frame), i;

	for (i = 0; i < USER_WINDOW; i++)
		if (take(all, user_row_of(all, first + i), frame))
			return user_row_of(all, first + i);
	return NULL;
}

struct prt_user_call *prt_user_take_call(const struct prt_user_calls *all,
					 const struct prt_user_frame *frame)
{
	struct prt_user_call *call = prt_user_find_call(all, frame);

	if (call)
		return call;
	call = user_take_one(all, frame, user_take_free);
	if (!call)
		call = user_take_one(all, frame, user_take_gone);
	if (!call)
		call = user_take_one(all, frame, user_take_left);
	if (!call)
		return NULL;
	if (call != prt_user_first_choice(all, frame))
		atomic_inc(&prt_user_first_choice(all, frame)->elsewhere);
	prt_user_begin_row(call, frame);
	return call;
}
