/* SPDX-License-Identifier: GPL-2.0 */
/* Stacks with the frames of scripts in place of those of the interpreter's loop. */
#ifndef PRT_SCRIPT_WALK_H
#define PRT_SCRIPT_WALK_H

#include <linux/types.h>

#include "abi/script.h"
#include "script_seen.h"
#include "script_step.h"

struct prt_space;
struct prt_space_script;

/* A program in progress in a stack. */
struct prt_script_walk {
	const struct prt_space_script *script; /* NULL: it has not begun */
	bool is_over;
	bool has_failed;             /* it ended too early: native frames stay */
	bool is_joined;              /* the loop's next native frame has no frames of its own */
	u32 last;                    /* the number of its last one, from 1 on; 0: there was none */
	u32 loops;                   /* those that were not looked at yet */
	struct prt_script_run run;
	struct prt_script_seen *keep; /* where to keep `seen` when it is complete; NULL: nowhere */
	struct prt_script_seen *seen; /* the frame that is being found */
};

/* Memory of a context for them: too much for the kernel's stack. */
struct prt_script_room {
	struct prt_script_walk walks[PRT_SCRIPT_LANGUAGES];
	struct prt_script_seen seen;
};

/* Replaces what is to be replaced in the @n frames at @to, of the current process, whose address
 * space @space describes. There is room for 2 * PRT_STACK_FRAMES words; @most is PRT_STACK_FRAMES
 * at most. Returns the number of frames, and adds to @flags, enum prt_stack_flags. Any context. */
u32 prt_script_merge(struct prt_script_room *room, const struct prt_space *space, u64 *to, u32 n,
		     u32 most, u32 *flags);
/* The frames of scripts alone, at most @most. The same. */
u32 prt_script_frames(struct prt_script_room *room, const struct prt_space *space, u64 *to,
		      u32 most, u32 *flags);
/* The number that tells frame @n of scripts, from 0 on, from others of the thread; 0: there is no
 * such frame. The same. */
u64 prt_script_frame_at(struct prt_script_room *room, const struct prt_space *space, u32 n);

#endif
