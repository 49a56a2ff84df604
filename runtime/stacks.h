/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session's table of stacks. Each different stack is entered once and stays until the session's
 * end; all frames are compared, so that two stacks never share an entry.
 *
 *   words  entries one after another: the number of words that follow, then the parts of the
 *          stack as records.h has them. A handle is the position of an entry; position 0 is never
 *          one, position PRT_STACK_LOST_AT is the lost stack's. They grow (words.h)
 *   index  a hash table with linear probing: the upper half of the hash, the position
 *
 * Nothing is ever removed, so there are no locks and no waiting. A context that enters a stack
 * takes words by an atomic exchange, fills them, and publishes them by a compare-and-exchange of
 * an empty word of the index. All contexts probe the words of a hash in the same order, so if
 * several enter the same stack at once, the first one wins, and the others find its entry in the
 * word that they did not get. They give their words back if these are still the last ones;
 * otherwise the words stay unused. An NMI may intervene at any point. The exchange orders the words
 * before their position, and who reads a position does so by an acquire.
 */
#ifndef PRT_STACK_TABLE_H
#define PRT_STACK_TABLE_H

#include <linux/string.h>
#include <linux/types.h>

#include "abi/script.h"
#include "limits.h"
#include "script_walk.h"

enum {
	PRT_PART_WORDS = sizeof(struct prt_stack_part) / sizeof(u64),
	/* Words of the largest stack: three parts, the first of a single frame. */
	PRT_STACK_WORDS = 3 * PRT_PART_WORDS + 1 + 2 * PRT_STACK_FRAMES,
};

/* The stack that a context took last. */
struct prt_stack_room {
	u32 serial;              /* number of that stack, in a handle with PRT_STACK_HERE */
	u32 n;                   /* its number of words */
	u64 words[PRT_STACK_WORDS + PRT_STACK_FRAMES]; /* with room for prt_script_merge() */
	struct prt_script_room scripts;
	char name[];             /* MAXSTRINGLEN bytes: of a frame */
};

/* Bytes for a context's last stack; 0: the script uses no stacks. */
size_t prt_stacks_room_size(void);
/* Bytes that prt_stacks_setup() allocates. */
u64 prt_stacks_memory(void);
/* SETUP. Process context. -ENOMEM; then free frees the rest. */
int prt_stacks_setup(void);
/* SETUP, before a stack of the kernel is taken: stack.c. */
void prt_stack_setup(void);
void prt_stacks_free(void);
/* The counts so far. */
void prt_stacks_counts(struct prt_stack_counts *ret);

/* Returns the handle of the stack in the context, which is entered into the table unless it is
 * there; with PRT_STACK_HERE if it was not and the table is full. Any context. */
s64 prt_stacks_enter(struct prt_ctx *c);
/* Makes the context's stack one part of one frame, @word. Any context. */
void prt_stacks_set_one(struct prt_stack_room *room, enum prt_stack_kind kind, u64 word);
/* Counts a part that has more frames than are stored, or that the unwinder gave up: @flags are
 * enum prt_stack_flags. Any context. */
void prt_stacks_incomplete(enum prt_stack_kind kind, u32 flags);

/* The part that begins at that word. */
static inline struct prt_stack_part prt_stacks_part_at(const u64 *w)
{
	struct prt_stack_part part;

	memcpy(&part, w, sizeof(part));
	return part;
}

/* stack.c, user_stack.c: appends the kernel's part to the context's stack, or that of the process,
 * of at most @most (1 or more) frames. Spends steps. false: the handler has ended with an error. */
bool prt_stack_add_kernel(struct prt_ctx *c, u32 most, u32 srcloc);
bool prt_stack_add_user(struct prt_ctx *c, u32 most, u32 srcloc);
/* task_stack.c: bytes for a copy of another task's stack; 0: the script takes none of them, or none
 * is needed. */
size_t prt_task_stack_room(void);
/* The copy in @room, of as many bytes; NULL: there is none. */
struct prt_arch_stack_copy *prt_task_stack_place(char *room);
/* user_stack.c: bytes for the frames that a context has seen in processes; 0: the script takes no
 * stacks of them. */
size_t prt_user_stack_frames_size(void);

#endif
