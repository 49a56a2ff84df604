/* SPDX-License-Identifier: GPL-2.0 */
/* Words that hits take: words.h. */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "grow.h"
#include "memory.h"
#include "words.h"
#include "abi/arrays.h"

struct prt_words prt_stack_words = { .run = PRT_STACK_RUN, .spare = PRT_STACK_SPARE };
struct prt_words prt_script_words = { .run = PRT_SCRIPT_RUN, .spare = PRT_SCRIPT_SPARE };

/* Each chunk may end with words that no run fits into. */
static u32 words_for(const struct prt_words *s, u64 n)
{
	n += DIV_ROUND_UP(n, PRT_WORDS_CHUNK - s->run) * s->run;
	return ALIGN(n, PRT_WORDS_CHUNK);
}

static u32 words_at_first(const struct prt_words *s, u64 n)
{
	return min_t(u32, words_for(s, n),
		     ALIGN(s->spare + PRT_WORDS_CHUNK / 2, PRT_WORDS_CHUNK));
}

/* Makes the next chunk. -ENOMEM. A hit that sees `has` sees the chunk; others see it by the
 * exchange with which that hit publishes what it has written there. */
static int add_word_chunk(struct prt_words *s)
{
	u64 *chunk = prt_alloc(PRT_WORDS_CHUNK, sizeof(u64), NUMA_NO_NODE);

	if (!chunk)
		return -ENOMEM;
	WRITE_ONCE(s->chunks[s->has / PRT_WORDS_CHUNK], chunk);
	smp_store_release(&s->has, s->has + PRT_WORDS_CHUNK);
	return 0;
}

u64 prt_words_memory(const struct prt_words *s, u64 n)
{
	return sizeof(u64 *) * (words_for(s, n) / PRT_WORDS_CHUNK) +
	       sizeof(u64) * words_at_first(s, n);
}

int prt_words_begin(struct prt_words *s, u64 n, u32 used)
{
	*s = (struct prt_words){ .next = used, .most = words_for(s, n), .run = s->run,
				 .spare = s->spare };
	s->chunks = prt_alloc(s->most / PRT_WORDS_CHUNK, sizeof(*s->chunks), NUMA_NO_NODE);
	if (!s->chunks)
		return -ENOMEM;
	while (s->has < words_at_first(s, n))
		if (add_word_chunk(s))
			return -ENOMEM;
	return 0;
}

void prt_words_end(struct prt_words *s)
{
	u32 i;

	for (i = 0; i < s->has / PRT_WORDS_CHUNK; i++)
		kvfree(s->chunks[i]);
	kvfree(s->chunks);
	*s = (struct prt_words){ .run = s->run, .spare = s->spare };
}

void prt_words_grow(struct prt_words *s)
{
	/* Nobody asks before it has begun. */
	if (!READ_ONCE(s->asked))
		return;
	while (!s->starved && s->has < s->most &&
	       READ_ONCE(s->next) + 2 * s->spare > s->has) {
		if (!prt_grow_may(PRT_WORDS_CHUNK * sizeof(u64)))
			WRITE_ONCE(s->starved, PRT_SHORT_LIMIT);
		else if (add_word_chunk(s))
			WRITE_ONCE(s->starved, PRT_SHORT_MEMORY);
	}
	/* If it is starved, nobody needs to ask again. */
	if (!s->starved)
		WRITE_ONCE(s->asked, 0);
}

/* Words up to @end are wanted, now or soon. */
static noinline void ask_words(struct prt_words *s, u64 end, u32 has)
{
	if (has == s->most)
		return;
	if (end > has)
		WRITE_ONCE(s->late, 1);
	if (!READ_ONCE(s->asked) && !xchg(&s->asked, 1))
		prt_grow_ask_words();
}
NOKPROBE_SYMBOL(ask_words);

u32 prt_words_take(struct prt_words *s, u32 n)
{
	u64 old = READ_ONCE(s->next), at, seen;
	u32 has = smp_load_acquire(&s->has);

	for (;; old = seen) {
		at = old;
		if (at / PRT_WORDS_CHUNK != (at + n - 1) / PRT_WORDS_CHUNK)
			at = ALIGN(at, PRT_WORDS_CHUNK);
		if (unlikely(at + n + s->spare > has))
			ask_words(s, at + n, has);
		if (at + n > has)
			return 0;
		seen = cmpxchg(&s->next, old, at + n);
		if (seen == old)
			return at;
	}
}
NOKPROBE_SYMBOL(prt_words_take);

void prt_words_return(struct prt_words *s, u32 at, u32 n)
{
	cmpxchg(&s->next, (u64)at + n, (u64)at);
}
NOKPROBE_SYMBOL(prt_words_return);

u32 prt_words_short(const struct prt_words *s)
{
	u32 starved = READ_ONCE(s->starved);

	if (!READ_ONCE(s->late))
		return PRT_SHORT_NOT;
	return starved ? starved : PRT_SHORT_TIME;
}

/* In a product, a bit affects only higher bits, so the upper half is mixed in at the end. Addresses
 * of code differ in their lower half. */
u64 prt_words_hash(const u64 *w, u32 n)
{
	u64 h = n;
	u32 i;

	for (i = 0; i < n; i++)
		h = (h ^ w[i]) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 32;
}
NOKPROBE_SYMBOL(prt_words_hash);

bool prt_words_same(const u64 *a, const u64 *b, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}
NOKPROBE_SYMBOL(prt_words_same);
