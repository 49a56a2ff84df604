/* SPDX-License-Identifier: GPL-2.0 */
/* Stacks with the frames of scripts in place of those of the interpreter's loop. */
#ifndef PRT_SCRIPT_WALK_H
#define PRT_SCRIPT_WALK_H

#include <linux/types.h>

#include "abi/script.h"

struct prt_space;

/* Replaces what is to be replaced in the @n frames at @to, of the current process, whose address
 * space @space describes. There is room for 2 * PRT_STACK_FRAMES words; @most is PRT_STACK_FRAMES
 * at most. Returns the number of frames, and adds to @flags, enum prt_stack_flags. Any context. */
u32 prt_script_merge(const struct prt_space *space, u64 *to, u32 n, u32 most, u32 *flags);
/* The frames of scripts alone, at most @most. The same. */
u32 prt_script_frames(const struct prt_space *space, u64 *to, u32 most, u32 *flags);

#endif
