/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calls that return probes in programs follow: the values that are kept from a function's entry
 * to its return. user_return.c explains what a call is, and what becomes of those that never
 * return.
 *
 * A call is found by its process, its address space and its place on the stack. The thread does not
 * matter: a coroutine may go on in another one. The process does, because the child of a vfork has
 * the address space of its parent and may return from a function that the parent has entered.
 *
 * A row is written, and its values are read, by whoever has taken it: `process` is then
 * PRT_USER_TAKEN. It is taken by a compare-and-exchange of `process`, and given back by a release.
 * So a row that a program finds twice, by giving two threads one stack, harms no other program. No
 * two rows are of one call. Most calls have the row that is their first choice, which counts the
 * calls that had to take another one: while there are none, only that row is looked at.
 *
 * Everything is for the task that makes the call or returns from it, in any context.
 */
#ifndef PRT_ATTACH_USER_CALLS_H
#define PRT_ATTACH_USER_CALLS_H

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "arch/user.h"

/* A call: all that tells it apart from others, and the thread that makes it. */
struct prt_user_frame {
	u32 process;                 /* its number in the initial namespace */
	u64 space;                   /* prt_arch_space_of() */
	u64 sp;                      /* at the entry; Go: the distance from the end of the stack,
				      * with PRT_USER_GOROUTINE */
	u64 owner;                   /* the thread; Go: the goroutine's descriptor */
};

#define PRT_USER_GOROUTINE BIT_ULL(63) /* `owner` is a goroutine, and tells calls apart as well */

/* The values that are saved for a call until it returns. */
struct prt_user_call {
	u32 process __aligned(8);    /* 0: the row is free */
	/* Calls whose first choice this row is, and which have another one. It may be too high. */
	atomic_t elsewhere;
	u64 sp, space, owner;
	u64 data[];
};

#define PRT_USER_TAKEN U32_MAX

struct prt_user_calls {
	char *rows;                  /* of `row` bytes; NULL: nothing is stored */
	u32 row, order;              /* 1 << order rows */
	u32 shift;                   /* of hashes to numbers of rows */
	bool is_go;                  /* frames may be of goroutines */
};

/* Bytes of the smallest number of rows for @bytes of values each. */
u64 prt_user_calls_least(u32 bytes);
/* Allocates at least @rows rows for @bytes of values each, unless that takes more than @most bytes
 * beyond the least. @all is zeroed, but for `is_go`. -ENOMEM. May sleep. */
int prt_user_calls_make(struct prt_user_calls *all, u64 rows, u32 bytes, u64 most);
/* Bytes that the rows take. */
u64 prt_user_calls_size(const struct prt_user_calls *all);
/* Forgets all calls, for a point that is armed again: those that it followed before may have
 * returned since, and others may be at their places. Nothing uses @all meanwhile. */
void prt_user_calls_clear(const struct prt_user_calls *all);

/* Takes the row of the call that @frame began; NULL: there is none. */
struct prt_user_call *prt_user_find_call(const struct prt_user_calls *all,
					 const struct prt_user_frame *frame);
/* Takes a row for a call that begins, to be completed by prt_user_keep_call(). NULL: all that it
 * may have are in use. */
struct prt_user_call *prt_user_take_call(const struct prt_user_calls *all,
					 const struct prt_user_frame *frame);
/* The call of the current process whose row is taken is over. */
void prt_user_give_call(const struct prt_user_calls *all, struct prt_user_call *call);
/* At the return of a call that has no row: whether its row was taken over. Each loss is
 * reported once, perhaps for a call that no probe follows, if the two have the same hash. */
bool prt_user_was_lost(const struct prt_user_calls *all, const struct prt_user_frame *frame);
/* A call that begins is not kept, which has been counted. */
void prt_user_refuse_call(const struct prt_user_calls *all, const struct prt_user_frame *frame);
/* At the return of a call that has no row: whether it was refused. Once for each refused call,
 * perhaps for another one with the same hash; one that does not return leaves its note behind. */
bool prt_user_was_refused(const struct prt_user_calls *all, const struct prt_user_frame *frame);

/* The part of the current task's frame that no stack has. */
static __always_inline struct prt_user_frame prt_user_frame_at(const struct task_struct *task,
							       u64 sp)
{
	return (struct prt_user_frame){
		.process = task->tgid, .space = prt_arch_space_of(task), .sp = sp,
		.owner = task->pid,
	};
}

/* @goroutine: 0 if it is of a thread. */
static __always_inline u64 prt_user_hash(const struct prt_user_frame *frame, u64 goroutine)
{
	return (frame->sp ^ goroutine << 20 ^ (u64)frame->process << 44) * GOLDEN_RATIO_64;
}

/* For a frame of a thread: */
static __always_inline struct prt_user_call *
prt_user_first_choice(const struct prt_user_calls *all, const struct prt_user_frame *frame)
{
	u32 nr = prt_user_hash(frame, 0) >> all->shift;

	return (struct prt_user_call *)(all->rows + (u64)nr * all->row);
}

/* Whether the row is that of the frame, but for its owner. */
static __always_inline bool prt_user_is_call(const struct prt_user_call *call,
					     const struct prt_user_frame *frame)
{
	return smp_load_acquire(&call->process) == frame->process &&
	       data_race(call->sp) == frame->sp && data_race(call->space) == frame->space;
}

/* Takes the row of a call of @process. Returns false, which orders nothing, if it is none. */
static __always_inline bool prt_user_seize(struct prt_user_call *call, u32 process)
{
	return likely(cmpxchg(&call->process, process, PRT_USER_TAKEN) == process);
}

/* Fills in a row that was taken. */
static __always_inline void prt_user_begin_row(struct prt_user_call *call,
					       const struct prt_user_frame *frame)
{
	WRITE_ONCE(call->sp, frame->sp);
	WRITE_ONCE(call->space, frame->space);
	WRITE_ONCE(call->owner, frame->owner);
}

/* The values are complete: whoever finds @process by an exchange or an acquire sees them. */
static __always_inline void prt_user_keep_call(struct prt_user_call *call, u32 process)
{
	smp_store_release(&call->process, process);
}

/* Takes @call, which is the first choice, for @frame, of a thread. Returns false if more than that
 * has to be looked at. */
static __always_inline bool prt_user_take_choice(struct prt_user_call *call,
						 const struct prt_user_frame *frame)
{
	BUILD_BUG_ON(offsetof(struct prt_user_call, elsewhere) != sizeof(u32));
	/* If both `process` and `elsewhere` are 0. In little-endian order, `process` is the low
	 * half. */
	if (unlikely(cmpxchg64((u64 *)&call->process, 0, PRT_USER_TAKEN)))
		return false;
	prt_user_begin_row(call, frame);
	return true;
}

/* After prt_user_is_call(), takes the row of that call. Another thread may have taken it over
 * since, and keep a call of its own there: that stays, and the loss of this one was noted. */
static __always_inline bool prt_user_seize_call(struct prt_user_call *call,
						const struct prt_user_frame *frame)
{
	if (!prt_user_seize(call, frame->process))
		return false;
	if (likely(READ_ONCE(call->sp) == frame->sp))
		return true;
	prt_user_keep_call(call, frame->process);
	return false;
}

/* prt_user_find_call() for a thread, if the row is @call, the first choice. Returns false if more
 * than that has to be looked at. */
static __always_inline bool prt_user_find_choice(struct prt_user_call *call,
						 const struct prt_user_frame *frame)
{
	return likely(prt_user_is_call(call, frame)) && prt_user_seize_call(call, frame);
}

/* prt_user_give_call() for a row that is the first choice. The next call that takes it may write
 * there when all values were read. */
static __always_inline void prt_user_give_choice(struct prt_user_call *call)
{
	smp_store_release(&call->process, 0);
}

#endif
