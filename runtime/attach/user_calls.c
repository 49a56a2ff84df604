/* SPDX-License-Identifier: GPL-2.0 */
/* The calls that return probes in programs follow: user_calls.h. */
#include <linux/log2.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>

#include "memory.h"
#include "user_calls.h"

/* Calls with one hash that have no row. They stand behind the rows. */
struct user_notes {
	atomic_t lost;               /* whose row was taken over, and that may not be over */
	atomic_t refused;            /* that were not kept */
};

enum {
	USER_WINDOW = 16,            /* rows that one call may have */
	USER_NOTES_ORDER = 6,
	USER_NOTES_BYTES = sizeof(struct user_notes) << USER_NOTES_ORDER,
};

#define USER_STACK (8ull << 20)      /* bytes that a stack has at most, as is assumed */

u64 prt_user_calls_least(u32 bytes)
{
	return USER_WINDOW * (u64)(sizeof(struct prt_user_call) + bytes) + USER_NOTES_BYTES;
}

u64 prt_user_calls_size(const struct prt_user_calls *all)
{
	return ((u64)all->row << all->order) + USER_NOTES_BYTES;
}

int prt_user_calls_make(struct prt_user_calls *all, u64 rows, u32 bytes, u64 most)
{
	all->row = sizeof(struct prt_user_call) + bytes;
	all->order = max_t(u32, ilog2(rows - 1) + 1, ilog2(USER_WINDOW));
	most += prt_user_calls_least(bytes);
	while (all->order > ilog2(USER_WINDOW) && prt_user_calls_size(all) > most)
		all->order--;
	all->shift = 64 - all->order;
	all->rows = prt_alloc(1, prt_user_calls_size(all), NUMA_NO_NODE);
	return all->rows ? 0 : -ENOMEM;
}

void prt_user_calls_clear(const struct prt_user_calls *all)
{
	memset(all->rows, 0, prt_user_calls_size(all));
}

/* ---- rows ---- */

static u64 user_hash(const struct prt_user_calls *all, const struct prt_user_frame *frame)
{
	bool moves = all->is_go && frame->sp & PRT_USER_GOROUTINE;

	return prt_user_hash(frame, moves ? frame->owner : 0);
}

static struct prt_user_call *user_row_of(const struct prt_user_calls *all, u64 hash, u32 nr)
{
	nr += hash >> all->shift;
	nr &= (1u << all->order) - 1;
	return (struct prt_user_call *)(all->rows + (u64)nr * all->row);
}

static struct user_notes *user_notes(const struct prt_user_calls *all, u64 hash)
{
	return (struct user_notes *)(all->rows + ((u64)all->row << all->order)) +
	       (hash >> 32 & (BIT(USER_NOTES_ORDER) - 1));
}

static bool user_has_owner(const struct prt_user_calls *all, const struct prt_user_call *call,
			   const struct prt_user_frame *frame)
{
	return !all->is_go || !(frame->sp & PRT_USER_GOROUTINE) ||
	       READ_ONCE(call->owner) == frame->owner;
}

static bool user_seize(const struct prt_user_calls *all, struct prt_user_call *call,
		       const struct prt_user_frame *frame)
{
	if (!prt_user_is_call(call, frame) || !user_has_owner(all, call, frame) ||
	    !prt_user_seize_call(call, frame))
		return false;
	if (user_has_owner(all, call, frame))
		return true;
	prt_user_keep_call(call, frame->process);
	return false;
}

struct prt_user_call *prt_user_find_call(const struct prt_user_calls *all,
					 const struct prt_user_frame *frame)
{
	u64 hash = user_hash(all, frame);
	struct prt_user_call *call = user_row_of(all, hash, 0);
	u32 i;

	if (user_seize(all, call, frame))
		return call;
	if (!atomic_read(&call->elsewhere))
		return NULL;
	for (i = 1; i < USER_WINDOW; i++) {
		call = user_row_of(all, hash, i);
		if (user_seize(all, call, frame))
			return call;
	}
	return NULL;
}

/* The frame of the call of @process in a row. */
static struct prt_user_frame user_frame_in(const struct prt_user_call *call, u32 process)
{
	return (struct prt_user_frame){
		.process = process, .space = READ_ONCE(call->space), .sp = READ_ONCE(call->sp),
		.owner = READ_ONCE(call->owner),
	};
}

/* The call of @process whose row is taken is no longer in it. Returns its hash. */
static u64 user_count_out(const struct prt_user_calls *all, struct prt_user_call *call,
			  u32 process)
{
	struct prt_user_frame old = user_frame_in(call, process);
	u64 hash = user_hash(all, &old);
	struct prt_user_call *choice = user_row_of(all, hash, 0);

	if (choice != call)
		atomic_dec(&choice->elsewhere);
	return hash;
}

void prt_user_give_call(const struct prt_user_calls *all, struct prt_user_call *call)
{
	user_count_out(all, call, current->tgid);
	prt_user_give_choice(call);
}

bool prt_user_was_lost(const struct prt_user_calls *all, const struct prt_user_frame *frame)
{
	/* The row was not found: its process was another one, the exchange failed, or `elsewhere`
	 * of the first choice was 0. Whoever has taken the row over has noted the loss before each
	 * of these, but only the first was read by an acquire. */
	smp_rmb();
	return atomic_dec_if_positive(&user_notes(all, user_hash(all, frame))->lost) >= 0;
}

void prt_user_refuse_call(const struct prt_user_calls *all, const struct prt_user_frame *frame)
{
	atomic_inc(&user_notes(all, user_hash(all, frame))->refused);
}

bool prt_user_was_refused(const struct prt_user_calls *all, const struct prt_user_frame *frame)
{
	return atomic_dec_if_positive(&user_notes(all, user_hash(all, frame))->refused) >= 0;
}

/* ---- rows of calls that will not return ---- */

/* Until a row is taken, all that is read of it may change: a row is taken over even if it has
 * become that of another call meanwhile. A loss is noted first, since the call may be returning
 * in another thread, which must find either. */
static bool user_take_over(const struct prt_user_calls *all, struct prt_user_call *call,
			   const struct prt_user_frame *frame, u32 process)
{
	struct prt_user_frame old = user_frame_in(call, process);
	bool is_own = process == frame->process && old.space == frame->space;
	u64 hash = user_hash(all, &old), taken;

	if (is_own)
		atomic_inc(&user_notes(all, hash)->lost);
	if (!prt_user_seize(call, process)) {
		if (is_own)
			atomic_dec_if_positive(&user_notes(all, hash)->lost);
		return false;
	}
	taken = user_count_out(all, call, process);
	if (is_own && unlikely(taken != hash)) {
		atomic_inc(&user_notes(all, taken)->lost);
		atomic_dec_if_positive(&user_notes(all, hash)->lost);
	}
	return true;
}

static bool user_is_gone(u32 pid)
{
	bool gone;

	rcu_read_lock();
	gone = !pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	return gone;
}

static bool user_space_ended(u32 process, u64 space)
{
	struct task_struct *leader;
	bool ended;

	rcu_read_lock();
	leader = pid_task(find_pid_ns(process, &init_pid_ns), PIDTYPE_TGID);
	ended = !leader || !prt_arch_may_have_space(leader, space);
	rcu_read_unlock();
	return ended;
}

/* Takes the row of a call whose address space has ended. */
static bool user_take_ended(const struct prt_user_calls *all, struct prt_user_call *call,
			    const struct prt_user_frame *frame)
{
	u32 process = READ_ONCE(call->process);
	u64 space = READ_ONCE(call->space);

	if (!process || process == PRT_USER_TAKEN)
		return false;
	if (process == frame->process ? space == frame->space : !user_space_ended(process, space))
		return false;
	return user_take_over(all, call, frame, process);
}

/* Takes that of a call of the same thread or goroutine which began with a longer stack than there
 * is now. It may be a call of a coroutine whose stack is nearby. */
static bool user_take_left(const struct prt_user_calls *all, struct prt_user_call *call,
			   const struct prt_user_frame *frame)
{
	u64 sp = READ_ONCE(call->sp);
	bool left;

	if (frame->sp & PRT_USER_GOROUTINE)
		left = sp & PRT_USER_GOROUTINE && sp > frame->sp;
	else
		left = sp < frame->sp && frame->sp - sp < USER_STACK;
	return left && READ_ONCE(call->process) == frame->process &&
	       READ_ONCE(call->owner) == frame->owner &&
	       user_take_over(all, call, frame, frame->process);
}

/* Takes that of a call by a thread of the process that has ended. A coroutine may go on in another
 * one. */
static bool user_take_orphan(const struct prt_user_calls *all, struct prt_user_call *call,
			     const struct prt_user_frame *frame)
{
	return READ_ONCE(call->process) == frame->process &&
	       !(READ_ONCE(call->sp) & PRT_USER_GOROUTINE) &&
	       user_is_gone(READ_ONCE(call->owner)) &&
	       user_take_over(all, call, frame, frame->process);
}

static bool user_take_free(const struct prt_user_calls *all, struct prt_user_call *call,
			   const struct prt_user_frame *frame)
{
	return !READ_ONCE(call->process) && !cmpxchg(&call->process, 0, PRT_USER_TAKEN);
}

typedef bool user_take(const struct prt_user_calls *all, struct prt_user_call *call,
		       const struct prt_user_frame *frame);

static struct prt_user_call *user_take_one(const struct prt_user_calls *all,
					   const struct prt_user_frame *frame)
{
	static user_take *const ways[] = {
		user_take_free, user_take_ended, user_take_left, user_take_orphan,
	};
	u64 hash = user_hash(all, frame);
	u32 way, i;

	for (way = 0; way < ARRAY_SIZE(ways); way++)
		for (i = 0; i < USER_WINDOW; i++)
			if (ways[way](all, user_row_of(all, hash, i), frame))
				return user_row_of(all, hash, i);
	return NULL;
}

struct prt_user_call *prt_user_take_call(const struct prt_user_calls *all,
					 const struct prt_user_frame *frame)
{
	struct prt_user_call *call = prt_user_find_call(all, frame), *choice;

	if (!call) {
		call = user_take_one(all, frame);
		if (!call)
			return NULL;
		choice = user_row_of(all, user_hash(all, frame), 0);
		if (call != choice)
			atomic_inc(&choice->elsewhere);
	}
	prt_user_begin_row(call, frame);
	return call;
}
