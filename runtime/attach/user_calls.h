/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calls that return probes in programs follow: the values that are kept from a function's entry
 * to its return. user_return.c explains what a call is, and what becomes of those that never
 * return.
 *
 * A row is written by its owner alone: `task` is set first, while `sp` is PRT_USER_NO_SP, and `sp`
 * last. No two rows are of one call. Most calls have the row that is their first choice, which
 * counts the calls that had to take another one: while there are none, only that row is looked at.
 *
 * Everything is for the task itself that makes the call, in any context.
 */
#ifndef PRT_ATTACH_USER_CALLS_H
#define PRT_ATTACH_USER_CALLS_H

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/types.h>

/* The owner of a call, and its place on the stack. */
struct prt_user_frame {
	u32 task;                    /* pid in the initial namespace; Go: of the process */
	u64 owner;                   /* Go: the goroutine's descriptor; else 0 */
	u64 sp;                      /* at the entry; Go: the distance from the end of the stack */
};

/* The values that are saved for a call until it returns. */
struct prt_user_call {
	u32 task __aligned(8);       /* 0: the row is free */
	/* Calls whose first choice this row is, and which have another one. It may be too high. */
	atomic_t elsewhere;
	u64 sp;                      /* PRT_USER_NO_SP: not written yet */
	u64 owner;
	u64 data[];
};

#define PRT_USER_NO_SP U64_MAX

struct prt_user_calls {
	char *rows;                  /* of `row` bytes; NULL: nothing is stored */
	u32 row, order;              /* 1 << order rows */
	u32 shift;                   /* of hashes to numbers of rows */
};

/* Bytes of the smallest number of rows for @bytes of values each. */
u64 prt_user_calls_least(u32 bytes);
/* Allocates at least @rows rows for @bytes of values each, unless that takes more than @most bytes
 * beyond the least. -ENOMEM. May sleep. */
int prt_user_calls_make(struct prt_user_calls *all, u64 rows, u32 bytes, u64 most);
/* Bytes that the rows take. */
u64 prt_user_calls_size(const struct prt_user_calls *all);
/* Forgets all calls, for a point that is armed again: those that it followed before may have
 * returned since, and others may be at their places. Nothing uses @all meanwhile. */
void prt_user_calls_clear(const struct prt_user_calls *all);

/* The call that @frame began; NULL: there is none. */
struct prt_user_call *prt_user_find_call(const struct prt_user_calls *all,
					 const struct prt_user_frame *frame);
/* A row for a call of this task; NULL: all that it may have are in use. */
struct prt_user_call *prt_user_take_call(const struct prt_user_calls *all,
					 const struct prt_user_frame *frame);
/* The call is over. */
void prt_user_give_call(const struct prt_user_calls *all, struct prt_user_call *call);

static __always_inline u32 prt_user_first_row(const struct prt_user_calls *all,
					      const struct prt_user_frame *frame)
{
	u64 key = frame->sp ^ frame->owner << 20 ^ (u64)frame->task << 44;

	return key * GOLDEN_RATIO_64 >> all->shift;
}

static __always_inline struct prt_user_call *
prt_user_first_choice(const struct prt_user_calls *all, const struct prt_user_frame *frame)
{
	return (struct prt_user_call *)(all->rows + (u64)prt_user_first_row(all, frame) * all->row);
}

static __always_inline bool prt_user_is_call(const struct prt_user_call *call,
					     const struct prt_user_frame *frame)
{
	return data_race(call->task) == frame->task &&
	       smp_load_acquire(&call->sp) == frame->sp && call->owner == frame->owner;
}

/* Fills in a row that was taken. */
static __always_inline void prt_user_begin_row(struct prt_user_call *call,
					       const struct prt_user_frame *frame)
{
	WRITE_ONCE(call->sp, PRT_USER_NO_SP);
	call->owner = frame->owner;
	smp_store_release(&call->sp, frame->sp);
}

/* Takes @call, which is the first choice, for @frame. Returns false if more than that has to be
 * looked at. */
static __always_inline bool prt_user_take_choice(struct prt_user_call *call,
						 const struct prt_user_frame *frame)
{
	BUILD_BUG_ON(offsetof(struct prt_user_call, elsewhere) != sizeof(u32));
	/* If both `task` and `elsewhere` are 0. In little-endian order, `task` is the low half. */
	if (unlikely(cmpxchg64((u64 *)&call->task, 0, frame->task)))
		return false;
	prt_user_begin_row(call, frame);
	return true;
}

/* prt_user_give_call() for a row that is the first choice. */
static __always_inline void prt_user_give_choice(struct prt_user_call *call)
{
	WRITE_ONCE(call->sp, PRT_USER_NO_SP);
	smp_store_release(&call->task, 0);
}

#endif
