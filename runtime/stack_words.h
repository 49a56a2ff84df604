/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words of the table of stacks (stacks.h), by position. They are in chunks, and a run of words
 * that was taken is in one chunk. The table begins with few chunks; when less is left than hits use
 * in 20 ms at 100,000 new stacks a second, the work item of grow.h makes more.
 */
#ifndef PRT_STACK_WORDS_H
#define PRT_STACK_WORDS_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "limits.h"

struct prt_stack_words {
	u64 **chunks;            /* as many as there can be; NULL: not made yet */
	u64 next;                /* words in use */
	u32 has;                 /* words of the chunks that there are: stored by a release */
	u32 most;                /* words that there can be */
	u8 asked;                /* more chunks are to be made */
	u8 late;                 /* words were wanted of a chunk that was not made yet */
	u8 starved;              /* enum prt_short: why no more are made */
};
extern struct prt_stack_words prt_stack_words;

/* SETUP: allocates the first chunks of @n words, or somewhat more, of which @used are in use.
 * Process context. -ENOMEM; prt_stack_words_end() frees the rest. */
int prt_stack_words_begin(u64 n, u32 used);
void prt_stack_words_end(void);
/* The bytes that prt_stack_words_begin() allocates. */
u64 prt_stack_words_memory(u64 n);
/* Makes the chunks that are to be spare. The work item of grow.h. */
void prt_stack_words_grow(void);
/* Takes @n words in a row, at most PRT_STACK_RUN; 0: there are not as many. Any context. */
u32 prt_stack_words_take(u32 n);
/* Returns the @n words at @at if they are the last ones that were taken. Any context. */
void prt_stack_words_return(u32 at, u32 n);
/* Why there were none: enum prt_short; PRT_SHORT_NOT: all that there can be were in use. */
u32 prt_stack_words_short(void);

/* The word at a position that was taken. Any context. */
static __always_inline u64 *prt_stack_word(u32 at)
{
	u64 *chunk = READ_ONCE(prt_stack_words.chunks[at / PRT_STACK_CHUNK]);

	return &chunk[at % PRT_STACK_CHUNK];
}

#endif
