/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Script frames that were seen before: PRT_SCRIPT_SAME of abi/script_frames.h. Most frames of a
 * stack were there when the last one was taken, with the same words in the interpreter's memory;
 * then a few loads are enough to know which frame that is. An entry is for an address of a frame in
 * a process, and new ones replace old ones. `turn` orders it as in script_objects.h.
 */
#ifndef PRT_SCRIPT_SEEN_H
#define PRT_SCRIPT_SEEN_H

#include <linux/types.h>

#include "limits.h"
#include "script_step.h"

struct prt_script_seen {
	u32 turn;                /* odd while it is written */
	u16 at;                  /* the operation that comes next, */
	u8 event;                /* enum prt_script_event, with which the frame ended: IS_SAME, */
	u8 end;                  /* IS_YIELD, or IS_END with this enum prt_script_end */
	u64 space, frame;
	u64 word;                /* of the stack; 0: there is no frame */
	u64 carried[PRT_SCRIPT_CARRIED];
	u64 loaded[PRT_SCRIPT_SAME_LOADS];
};
extern struct prt_script_seen *prt_script_seen; /* PRT_SCRIPT_SEEN of them; NULL: none yet */

/* The number under which a frame is kept, and the entry for it. */
static __always_inline u64 prt_script_seen_frame(const struct prt_script_run *run,
						 const struct prt_script_op *op)
{
	return run->r[op->a] ^ run->bias << 1;
}

/* The entry for a frame that was seen, or the one that a new one is to replace. There are two
 * places for each, lest two frames of a stack replace each other at every hit. */
static __always_inline struct prt_script_seen *prt_script_seen_at(u64 space, u64 frame)
{
	u64 hash = (frame ^ space << 20) * 0x9e3779b97f4a7c15ull;
	struct prt_script_seen *it = &prt_script_seen[hash >> 32 & (PRT_SCRIPT_SEEN - 2)];

	if (likely(READ_ONCE(it->frame) == frame && READ_ONCE(it->space) == space))
		return it;
	return READ_ONCE(it->frame) ? it + 1 : it;
}

#endif
