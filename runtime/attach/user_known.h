/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fast path of breakpoints in programs: what a hit (user_trap.c) reads of the table of known
 * places, which user_fast.c writes and explains.
 */
#ifndef PRT_ATTACH_USER_KNOWN_H
#define PRT_ATTACH_USER_KNOWN_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/types.h>

#include "user.h"

/* Written under a lock; readers look twice at `seq`, which is odd meanwhile. */
struct prt_user_known {
	unsigned long ip;
	u64 space;                   /* number of the address space; 0: nothing */
	struct prt_user_place *place;
	u32 seq;
	u32 unmapped;                /* turn of prt_user_unmappings[] at which it was learned */
};

enum {
	PRT_USER_KNOWN_WAYS = 2,     /* neighbours that one address may have: a cache line */
	PRT_USER_KNOWN_LINE = PRT_USER_KNOWN_WAYS * sizeof(struct prt_user_known),
	PRT_USER_SPACES = 256,       /* turns that address spaces share */
};

extern struct prt_user_known *prt_user_known; /* NULL: there is no fast path */
extern bool prt_user_any_known;     /* something was entered; never false again in a session */
extern unsigned long prt_user_known_mask; /* of the distance of a line from the first one */
extern u32 prt_user_unmappings[PRT_USER_SPACES]; /* written under the same lock */

struct pt_regs;

/* Handles a hit at a place that is known. @regs: of an exception by a breakpoint, whatever it is
 * of; interrupts are off. NOTIFY_STOP if it was one, else 0: nothing was done. */
int prt_user_see_breakpoint(struct pt_regs *regs);

/* user_ask.c, user_redirect.c: who calls it. */

/* SETUP. 0, also if prt_user_ask_ready() is to find a way; else all hits are the kernel's: -EBUSY,
 * another session or a live patch has what is needed; -ENOENT, the kernel lacks it. */
int prt_user_ask_start(void);
/* Something is about to become known. In the handler of a consumer; may sleep. */
void prt_user_ask_ready(void);
/* Returns when no hit is being handled. */
void prt_user_ask_stop(void);

static __always_inline u32 *prt_user_unmappings_of(u64 space)
{
	return &prt_user_unmappings[space % PRT_USER_SPACES];
}

static __always_inline struct prt_user_known *prt_user_first_known(u64 space, unsigned long ip)
{
	u64 hash = (ip + space * 8) * GOLDEN_RATIO_64;

	BUILD_BUG_ON_NOT_POWER_OF_2(PRT_USER_KNOWN_LINE);
	return (struct prt_user_known *)((char *)prt_user_known +
					 (hash >> 40 & prt_user_known_mask));
}

/* Whether @k is for that address and still valid; its place. */
static __always_inline bool prt_user_is_known(const struct prt_user_known *k, u64 space,
					      unsigned long ip, struct prt_user_place **place)
{
	u32 seq = smp_load_acquire(&k->seq) & ~1u, turn;

	if (data_race(k->ip) != ip || data_race(k->space) != space)
		return false;
	*place = READ_ONCE(k->place);
	turn = READ_ONCE(k->unmapped);
	smp_rmb();
	return likely(data_race(k->seq) == seq &&
		      turn == data_race(*prt_user_unmappings_of(space)));
}

/* Interrupts are off, or @ip stays mapped in the current process. */
static __always_inline bool prt_user_find_place(u64 space, unsigned long ip,
						struct prt_user_place **place)
{
	const struct prt_user_known *k = prt_user_first_known(space, ip);

	return likely(prt_user_is_known(k, space, ip, place)) ||
	       prt_user_is_known(k + 1, space, ip, place);
}

static __always_inline bool prt_user_is_ready(const struct prt_user_place *place)
{
	return smp_load_acquire(&place->way) != PRT_USER_SLOW;
}

/* From now on, hits of the place, which is ready, at the address of @regs in this process may take
 * the fast path. In the handler of a consumer; may sleep. */
void prt_user_fast_enter(struct prt_user_place *place, const struct pt_regs *regs);

/* In the handler of a consumer: counts the hit, and enters the place if it is ready. May sleep. */
static __always_inline void prt_user_fast_learn(struct prt_user_place *place,
						const struct pt_regs *regs)
{
	atomic64_inc(&place->slow);
	if (prt_user_is_ready(place))
		prt_user_fast_enter(place, regs);
}

#endif
