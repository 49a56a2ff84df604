/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory of words that hits take and nobody gives back: that of the table of stacks (stacks.h), and
 * that of what scripts' functions are called (script_objects.h). Words have positions. They are in
 * chunks, and a run of words that was taken is in one chunk. There are few chunks at first; when
 * less is left than is to be spare, the work item of grow.h makes more.
 */
#ifndef PRT_WORDS_H
#define PRT_WORDS_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "limits.h"

struct prt_words {
	u64 **chunks;            /* as many as there can be; NULL: not made yet */
	u64 next;                /* words in use */
	u32 has;                 /* words of the chunks that there are: stored by a release */
	u32 most;                /* words that there can be */
	u32 run;                 /* words in a row at most, */
	u32 spare;               /* and words that are to be spare: both are set by the owner */
	u8 asked;                /* more chunks are to be made */
	u8 late;                 /* words were wanted of a chunk that was not made yet */
	u8 starved;              /* enum prt_short: why no more are made */
};
extern struct prt_words prt_stack_words, prt_script_words;

/* Allocates the first chunks of @n words, or somewhat more, of which @used are in use. Process
 * context. -ENOMEM; prt_words_end() frees the rest. */
int prt_words_begin(struct prt_words *s, u64 n, u32 used);
/* Frees all; what the owner has set stays. */
void prt_words_end(struct prt_words *s);
/* The bytes that prt_words_begin() allocates. */
u64 prt_words_memory(const struct prt_words *s, u64 n);
/* Makes the chunks that are to be spare. The work item of grow.h. */
void prt_words_grow(struct prt_words *s);
/* Takes @n words in a row, at most s->run; 0: there are not as many. Any context. */
u32 prt_words_take(struct prt_words *s, u32 n);
/* Returns the @n words at @at if they are the last ones that were taken. Any context. */
void prt_words_return(struct prt_words *s, u32 at, u32 n);
/* A hash of @n words, whose upper half is as good as the lower one; whether two runs are equal. Any
 * context. */
u64 prt_words_hash(const u64 *w, u32 n);
bool prt_words_same(const u64 *a, const u64 *b, u32 n);
/* Why there were none: enum prt_short; PRT_SHORT_NOT: all that there can be were in use. */
u32 prt_words_short(const struct prt_words *s);

/* The word at a position that was taken. Any context. */
static __always_inline u64 *prt_word(const struct prt_words *s, u32 at)
{
	u64 *chunk = READ_ONCE(s->chunks[at / PRT_WORDS_CHUNK]);

	return &chunk[at % PRT_WORDS_CHUNK];
}

#endif
