/* SPDX-License-Identifier: GPL-2.0 */
/* The words of the table of stacks: stack_words.h. */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "grow.h"
#include "memory.h"
#include "stack_words.h"
#include "abi/arrays.h"

struct prt_stack_words prt_stack_words;

/* Each chunk may end with words that no run fits into. */
static u32 words_for(u64 n)
{
	n += DIV_ROUND_UP(n, PRT_STACK_CHUNK - PRT_STACK_RUN) * PRT_STACK_RUN;
	return ALIGN(n, PRT_STACK_CHUNK);
}

static u32 words_at_first(u64 n)
{
	return min_t(u32, words_for(n),
		     ALIGN(PRT_STACK_SPARE + PRT_STACK_CHUNK / 2, PRT_STACK_CHUNK));
}

/* Makes the next chunk. -ENOMEM. */
static int add_word_chunk(void)
{
	struct prt_stack_words *s = &prt_stack_words;
	u64 *chunk = prt_alloc(PRT_STACK_CHUNK, sizeof(u64), NUMA_NO_NODE);

	if (!chunk)
		return -ENOMEM;
	WRITE_ONCE(s->chunks[s->has / PRT_STACK_CHUNK], chunk);
	smp_store_release(&s->has, s->has + PRT_STACK_CHUNK);
	return 0;
}

u64 prt_stack_words_memory(u64 n)
{
	return sizeof(u64 *) * (words_for(n) / PRT_STACK_CHUNK) + sizeof(u64) * words_at_first(n);
}

int prt_stack_words_begin(u64 n, u32 used)
{
	struct prt_stack_words *s = &prt_stack_words;

	*s = (struct prt_stack_words){ .next = used, .most = words_for(n) };
	s->chunks = prt_alloc(s->most / PRT_STACK_CHUNK, sizeof(*s->chunks), NUMA_NO_NODE);
	if (!s->chunks)
		return -ENOMEM;
	while (s->has < words_at_first(n))
		if (add_word_chunk())
			return -ENOMEM;
	return 0;
}

void prt_stack_words_end(void)
{
	struct prt_stack_words *s = &prt_stack_words;
	u32 i;

	for (i = 0; i < s->has / PRT_STACK_CHUNK; i++)
		kvfree(s->chunks[i]);
	kvfree(s->chunks);
	memset(s, 0, sizeof(*s));
}

void prt_stack_words_grow(void)
{
	struct prt_stack_words *s = &prt_stack_words;

	while (!s->starved && s->has < s->most &&
	       READ_ONCE(s->next) + 2 * PRT_STACK_SPARE > s->has) {
		if (!prt_grow_may(PRT_STACK_CHUNK * sizeof(u64)))
			WRITE_ONCE(s->starved, PRT_SHORT_LIMIT);
		else if (add_word_chunk())
			WRITE_ONCE(s->starved, PRT_SHORT_MEMORY);
	}
	/* If it is starved, nobody needs to ask again. */
	if (!s->starved)
		WRITE_ONCE(s->asked, 0);
}

/* Words up to @end are wanted, now or soon. */
static noinline void ask_words(struct prt_stack_words *s, u64 end, u32 has)
{
	if (has == s->most)
		return;
	if (end > has)
		WRITE_ONCE(s->late, 1);
	if (!READ_ONCE(s->asked) && !xchg(&s->asked, 1))
		prt_grow_ask_stacks();
}
NOKPROBE_SYMBOL(ask_words);

u32 prt_stack_words_take(u32 n)
{
	struct prt_stack_words *s = &prt_stack_words;
	u64 old = READ_ONCE(s->next), at, seen;
	u32 has = smp_load_acquire(&s->has);

	for (;; old = seen) {
		at = old;
		if (at / PRT_STACK_CHUNK != (at + n - 1) / PRT_STACK_CHUNK)
			at = ALIGN(at, PRT_STACK_CHUNK);
		if (unlikely(at + n + PRT_STACK_SPARE > has))
			ask_words(s, at + n, has);
		if (at + n > has)
			return 0;
		seen = cmpxchg(&s->next, old, at + n);
		if (seen == old)
			return at;
	}
}
NOKPROBE_SYMBOL(prt_stack_words_take);

void prt_stack_words_return(u32 at, u32 n)
{
	cmpxchg(&prt_stack_words.next, (u64)at + n, (u64)at);
}
NOKPROBE_SYMBOL(prt_stack_words_return);

u32 prt_stack_words_short(void)
{
	u32 starved = READ_ONCE(prt_stack_words.starved);

	if (!READ_ONCE(prt_stack_words.late))
		return PRT_SHORT_NOT;
	return starved ? starved : PRT_SHORT_TIME;
}
