/* SPDX-License-Identifier: GPL-2.0 */
/* The table of stacks, and stacks as text: stacks.h, abi/stacks.h. */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "code_files.h"
#include "context.h"
#include "memory.h"
#include "script_objects.h"
#include "stacks.h"
#include "words.h"

/* The position of the lost stack among the words: after the word that is never an entry. */
enum { PRT_STACK_LOST_AT = 1, FIRST_ENTRY = PRT_STACK_LOST_AT + 1 + PRT_PART_WORDS };
enum { ADDRESS_DIGITS = 18 };   /* "0x" and 16 digits */
enum { ADDRESS_STEPS = 10 };    /* that a stack of one address costs */

static struct {
	u64 *index;
	u32 mask;                /* of index */
	u32 entries;
	u64 lost, deeper, broken, cut, early, user_broken, absent;
} stack_table;

/* ---- memory ---- */

static __always_inline u64 *stack_word(u32 at)
{
	return prt_word(&prt_stack_words, at);
}

static u32 index_size(void)
{
	return roundup_pow_of_two(2 * prt_script.stacks);
}

static u64 words_count(void)
{
	return FIRST_ENTRY + (u64)prt_script.stacks * PRT_STACK_MEAN + PRT_STACK_WORDS;
}

size_t prt_stacks_room_size(void)
{
	if (!prt_script.stacks)
		return 0;
	return ALIGN(sizeof(struct prt_stack_room) + prt_script.maxstringlen, 8);
}

u64 prt_stacks_memory(void)
{
	if (!prt_script.stacks)
		return 0;
	return sizeof(u64) * index_size() + prt_words_memory(&prt_stack_words, words_count());
}

int prt_stacks_setup(void)
{
	struct prt_stack_part lost = { .kind = PRT_STACK_LOST };

	BUILD_BUG_ON(1 + PRT_STACK_WORDS > PRT_STACK_RUN);
	if (!prt_script.stacks)
		return 0;
	stack_table.index = prt_alloc(index_size(), sizeof(u64), NUMA_NO_NODE);
	if (!stack_table.index)
		return -ENOMEM;
	if (prt_words_begin(&prt_stack_words, words_count(), FIRST_ENTRY))
		return -ENOMEM;
	stack_table.mask = index_size() - 1;
	*stack_word(PRT_STACK_LOST_AT) = PRT_PART_WORDS;
	memcpy(stack_word(PRT_STACK_LOST_AT + 1), &lost, sizeof(lost));
	return 0;
}

void prt_stacks_free(void)
{
	kvfree(stack_table.index);
	prt_words_end(&prt_stack_words);
	memset(&stack_table, 0, sizeof(stack_table));
}

/* ---- counters of incomplete stacks ---- */

static void count_one(u64 *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}
NOKPROBE_SYMBOL(count_one);

void prt_stacks_incomplete(enum prt_stack_kind kind, u32 flags)
{
	if (flags & PRT_STACK_DEEPER)
		count_one(&stack_table.deeper);
	if (flags & PRT_STACK_EARLY)
		count_one(&stack_table.early);
	else if (flags & PRT_STACK_ABSENT)
		count_one(&stack_table.absent);
	else if (flags & PRT_STACK_BROKEN)
		count_one(kind == PRT_STACK_USER ? &stack_table.user_broken : &stack_table.broken);
}
NOKPROBE_SYMBOL(prt_stacks_incomplete);

void prt_stacks_counts(struct prt_stack_counts *ret)
{
	*ret = (struct prt_stack_counts){
		.entries = READ_ONCE(stack_table.entries), .lost = READ_ONCE(stack_table.lost),
		.deeper = READ_ONCE(stack_table.deeper), .broken = READ_ONCE(stack_table.broken),
		.cut = READ_ONCE(stack_table.cut), .early = READ_ONCE(stack_table.early),
		.user_broken = READ_ONCE(stack_table.user_broken),
		.absent = READ_ONCE(stack_table.absent),
		.why = prt_words_short(&prt_stack_words),
	};
}

s64 prt_stacks_lost(s64 stack)
{
	count_one(&stack_table.lost);
	return PRT_STACK_LOST_AT | (stack & PRT_STACK_STYLE);
}
NOKPROBE_SYMBOL(prt_stacks_lost);

/* ---- the table ---- */

/* Writes the context's stack to a new entry, which is not published yet. 0: the table is full. */
static u32 new_entry(const struct prt_stack_room *room)
{
	u32 at;

	if (READ_ONCE(stack_table.entries) >= prt_script.stacks)
		return 0;
	at = prt_words_take(&prt_stack_words, 1 + room->n);
	if (!at)
		return 0;
	*stack_word(at) = room->n;
	memcpy(stack_word(at) + 1, room->words, room->n * sizeof(u64));
	return at;
}
NOKPROBE_SYMBOL(new_entry);

/* Returns the words of an entry that was not published, if no other entry has taken words since. */
static void drop_entry(u32 at, u32 n)
{
	if (at)
		prt_words_return(&prt_stack_words, at, 1 + n);
}
NOKPROBE_SYMBOL(drop_entry);

s64 prt_stacks_enter(struct prt_ctx *c)
{
	struct prt_stack_room *room = prt_cpu_of(c)->stack;
	u64 hash = prt_words_hash(room->words, room->n), tag = hash & ~(u64)U32_MAX, found;
	u32 i, at = 0;

	room->serial++;
	for (i = 0; i < PRT_STACK_PROBES; i++) {
		u64 *p = &stack_table.index[(hash + i) & stack_table.mask];

		found = smp_load_acquire(p);
		if (!found) {
			if (!at)
				at = new_entry(room);
			if (!at)
				break;
			found = cmpxchg(p, 0, tag | at);
			if (!found) {
				__atomic_fetch_add(&stack_table.entries, 1, __ATOMIC_RELAXED);
				return at;
			}
			/* An exchange that fails orders nothing. */
			found = smp_load_acquire(p);
		}
		if ((found ^ tag) <= U32_MAX && *stack_word(found) == room->n &&
		    prt_words_same(stack_word(found) + 1, room->words, room->n)) {
			drop_entry(at, room->n);
			return (u32)found;
		}
	}
	drop_entry(at, room->n);
	return room->serial | PRT_STACK_HERE;
}
NOKPROBE_SYMBOL(prt_stacks_enter);

/* Whether another stack has overwritten this one, which was only in its context. */
static bool is_overwritten(struct prt_ctx *c, s64 stack)
{
	return (stack & PRT_STACK_HERE) && (u32)stack != prt_cpu_of(c)->stack->serial;
}
NOKPROBE_SYMBOL(is_overwritten);

/* The words of a stack; those of the lost stack if it was only in its context and has been
 * overwritten. */
static const u64 *words_of(struct prt_ctx *c, s64 stack, u32 *n)
{
	u32 at = stack;

	*n = 0;
	if (!stack)
		return NULL;
	if (is_overwritten(c, stack)) {
		at = PRT_STACK_LOST_AT;
	} else if (stack & PRT_STACK_HERE) {
		const struct prt_stack_room *room = prt_cpu_of(c)->stack;

		*n = room->n;
		return room->words;
	}
	*n = *stack_word(at);
	return stack_word(at) + 1;
}
NOKPROBE_SYMBOL(words_of);

/* Compares two parts, by their frames first, so that the order is that of the text. */
static s64 compare_parts(const u64 *a, const u64 *b)
{
	struct prt_stack_part x = prt_stacks_part_at(a), y = prt_stacks_part_at(b);
	u32 i;

	if (x.kind != y.kind)
		return x.kind < y.kind ? -1 : 1;
	for (i = PRT_PART_WORDS; i < PRT_PART_WORDS + min(x.n, y.n); i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	if (x.n != y.n)
		return x.n < y.n ? -1 : 1;
	return (s64)x.flags - y.flags;
}
NOKPROBE_SYMBOL(compare_parts);

s64 prt_stacks_cmp(struct prt_ctx *c, s64 a, s64 b)
{
	u32 na, nb, size;
	const u64 *x = words_of(c, a, &na), *y = words_of(c, b, &nb);
	s64 order;

	while (na && nb) {
		order = compare_parts(x, y);
		if (order)
			return order;
		size = PRT_PART_WORDS + prt_stacks_part_at(x).n;
		x += size;
		y += size;
		na -= size;
		nb -= size;
	}
	if (na || nb)
		return na ? 1 : -1;
	return (a & PRT_STACK_STYLE) - (b & PRT_STACK_STYLE);
}
NOKPROBE_SYMBOL(prt_stacks_cmp);

void prt_stacks_set_one(struct prt_stack_room *room, enum prt_stack_kind kind, u64 word)
{
	struct prt_stack_part part = { .kind = kind, .n = 1 };

	memcpy(room->words, &part, sizeof(part));
	room->words[PRT_PART_WORDS] = word;
	room->n = PRT_PART_WORDS + 1;
}
NOKPROBE_SYMBOL(prt_stacks_set_one);

s64 prt_stacks_address(struct prt_ctx *c, s64 addr, u32 srcloc)
{
	PRT_STEPS(c, ADDRESS_STEPS, srcloc, none);
	prt_stacks_set_one(prt_cpu_of(c)->stack, PRT_STACK_KERNEL, addr);
	return prt_stacks_enter(c);
none:
	return 0;
}
NOKPROBE_SYMBOL(prt_stacks_address);

s64 prt_stacks_frame(struct prt_ctx *c, s64 stack, s64 n)
{
	u32 left;
	const u64 *w = words_of(c, stack, &left);

	if (unlikely(is_overwritten(c, stack)))
		count_one(&stack_table.lost);
	while (left && n >= 0) {
		struct prt_stack_part part = prt_stacks_part_at(w);
		u32 size = PRT_PART_WORDS + part.n;

		/* Without names, text does not show the function that returns. */
		if (part.kind != PRT_STACK_RETURNING && n < part.n)
			return w[PRT_PART_WORDS + n] &
			       (part.kind == PRT_STACK_USER ? PRT_FRAME_ADDRESS : ~0ull);
		n -= part.kind == PRT_STACK_RETURNING ? 0 : part.n;
		w += size;
		left -= size;
	}
	return 0;
}
NOKPROBE_SYMBOL(prt_stacks_frame);

/* ---- records ---- */

static enum prt_stack_style style_of(s64 stack)
{
	return (stack & PRT_STACK_STYLE) >> PRT_STACK_STYLE_SHIFT;
}
NOKPROBE_SYMBOL(style_of);

u32 prt_stacks_room(struct prt_ctx *c, s64 stack)
{
	u32 n;

	words_of(c, stack, &n);
	return sizeof(struct prt_stack_data) + n * sizeof(u64);
}
NOKPROBE_SYMBOL(prt_stacks_room);

char *prt_put_stack(struct prt_ctx *c, char *p, s64 stack)
{
	u32 n;
	const u64 *w = words_of(c, stack, &n);
	struct prt_stack_data data = {
		.len = n * sizeof(u64),
		.style = style_of(stack),
	};

	if (unlikely(is_overwritten(c, stack)))
		count_one(&stack_table.lost);
	memcpy(p, &data, sizeof(data));
	if (n)
		memcpy(p + sizeof(data), w, data.len);
	return p + sizeof(data) + data.len;
}
NOKPROBE_SYMBOL(prt_put_stack);

/* ---- text ---- */

/* A string under construction; text that does not fit is omitted. */
struct stack_text {
	char *buf;
	u32 len, room;           /* room: without the bytes of the mark that text was cut */
	bool cut;
};

static void put_text(struct stack_text *t, struct prt_str s)
{
	if (t->cut || s.len > t->room - t->len) {
		t->cut = true;
		return;
	}
	memcpy(t->buf + t->len, s.s, s.len);
	t->len += s.len;
}
NOKPROBE_SYMBOL(put_text);

static void put_stack_address(char *to, u64 addr)
{
	static const char digits[] = "0123456789abcdef";
	int i;

	to[0] = '0';
	to[1] = 'x';
	for (i = 0; i < 16; i++)
		to[2 + i] = digits[addr >> (60 - 4 * i) & 15];
}
NOKPROBE_SYMBOL(put_stack_address);

static void put_stack_frame(struct stack_text *t, u64 addr)
{
	char frame[1 + ADDRESS_DIGITS] = " ";

	put_stack_address(frame + 1, addr);
	put_text(t, t->len ? (struct prt_str){ frame, sizeof(frame) } :
			(struct prt_str){ frame + 1, ADDRESS_DIGITS });
}
NOKPROBE_SYMBOL(put_stack_frame);

/* Writes " 0xADDRESS : NAME" completely, or nothing. */
static void put_stack_line(struct prt_ctx *c, struct stack_text *t, u64 addr, u32 srcloc)
{
	char frame[1 + ADDRESS_DIGITS + 3] = " ";
	struct prt_str name;
	u32 start = t->len;

	put_stack_address(frame + 1, addr);
	memcpy(frame + 1 + ADDRESS_DIGITS, " : ", 3);
	name = prt_symbol(c, prt_cpu_of(c)->stack->name, addr, PRT_SYMBOL_DATA, srcloc);
	put_text(t, (struct prt_str){ frame, sizeof(frame) });
	put_text(t, name);
	put_text(t, PRT_LIT("\n"));
	if (t->cut)
		t->len = start;
}
NOKPROBE_SYMBOL(put_stack_line);

static void put_stack_returning(struct prt_ctx *c, struct stack_text *t, u64 addr, u32 srcloc)
{
	put_text(t, PRT_LIT("Returning from: "));
	put_text(t, prt_symbol(c, prt_cpu_of(c)->stack->name, addr, PRT_SYMBOL_NAME, srcloc));
	put_text(t, PRT_LIT("\nReturning to  :"));
}
NOKPROBE_SYMBOL(put_stack_returning);

/* The lines of scripts are the loader's. Writes " [script]           : NAME", or nothing. */
static void put_script_line(struct prt_ctx *c, struct stack_text *t, u64 word)
{
	char *name = prt_cpu_of(c)->stack->name;
	u32 start = t->len, len = prt_script_object_name(prt_frame_object(word), name,
							 prt_script.maxstringlen - 1);

	put_text(t, PRT_LIT(" [script]           : "));
	put_text(t, len ? (struct prt_str){ name, len } : PRT_LIT("[unknown]"));
	put_text(t, PRT_LIT("\n"));
	if (t->cut)
		t->len = start;
}
NOKPROBE_SYMBOL(put_script_line);

/* The names of a process's functions are the loader's. Writes " 0xADDRESS : FILE+0xADDRESS", or
 * nothing. */
static void put_user_line(struct prt_ctx *c, struct stack_text *t, u64 word)
{
	u64 addr = word & PRT_FRAME_ADDRESS;
	const char *name = prt_code_files_name(word >> PRT_FRAME_FILE);
	char frame[1 + ADDRESS_DIGITS + 3] = " ";
	u32 start = t->len;

	if (word & PRT_FRAME_SCRIPT) {
		put_script_line(c, t, word);
		return;
	}
	put_stack_address(frame + 1, addr);
	memcpy(frame + 1 + ADDRESS_DIGITS, " : ", 3);
	put_text(t, (struct prt_str){ frame, sizeof(frame) });
	if (*name) {
		put_text(t, (struct prt_str){ name, strlen(name) });
		put_text(t, PRT_LIT("+"));
	}
	put_text(t, (struct prt_str){ frame + 1, ADDRESS_DIGITS });
	put_text(t, PRT_LIT("\n"));
	if (t->cut)
		t->len = start;
}
NOKPROBE_SYMBOL(put_user_line);

static void put_stack_part(struct prt_ctx *c, struct stack_text *t, const u64 *w, bool named,
			   u32 srcloc)
{
	struct prt_stack_part part = prt_stacks_part_at(w);
	u32 i;

	if (part.kind == PRT_STACK_LOST)
		put_text(t, named ? PRT_LIT(" [lost stack]\n") : PRT_LIT("[lost stack]"));
	for (i = 0; i < part.n && !t->cut && !c->err; i++) {
		u64 addr = w[PRT_PART_WORDS + i];

		if (part.kind == PRT_STACK_RETURNING && named)
			put_stack_returning(c, t, addr, srcloc);
		else if (part.kind == PRT_STACK_USER && named)
			put_user_line(c, t, addr);
		else if (part.kind == PRT_STACK_USER)
			put_stack_frame(t, addr & PRT_FRAME_ADDRESS);
		else if (named)
			put_stack_line(c, t, addr, srcloc);
		else if (part.kind == PRT_STACK_KERNEL)
			put_stack_frame(t, addr);
	}
	if (part.flags && !t->cut) {
		t->room += 5;
		put_text(t, named ? PRT_LIT(" ...\n") : PRT_LIT(" ..."));
	}
}
NOKPROBE_SYMBOL(put_stack_part);

struct prt_str prt_stacks_text(struct prt_ctx *c, char *buf, s64 stack, u32 srcloc)
{
	struct stack_text t = { .buf = buf, .room = prt_script.maxstringlen - 1 - 2 * 5 };
	enum prt_stack_style style = style_of(stack);
	bool named = style == PRT_STACK_WITH_NAMES || style == PRT_STACK_WITH_LINES;
	u32 n;
	const u64 *w = words_of(c, stack, &n);

	if (unlikely(is_overwritten(c, stack)))
		count_one(&stack_table.lost);
	while (n && !t.cut) {
		u32 size = PRT_PART_WORDS + prt_stacks_part_at(w).n;

		put_stack_part(c, &t, w, named, srcloc);
		w += size;
		n -= size;
	}
	if (t.cut) {
		count_one(&stack_table.cut);
		t.cut = false;
		t.room = prt_script.maxstringlen - 1;
		put_text(&t, named ? PRT_LIT(" ...\n") : PRT_LIT(" ..."));
	}
	return (struct prt_str){ buf, t.len };
}
NOKPROBE_SYMBOL(prt_stacks_text);

/* Parses the digits at @s, and moves @s past them. false if there are none. */
static bool parse_address(struct prt_str *s, u64 *ret)
{
	u32 i = s->len > 2 && s->s[0] == '0' && (s->s[1] | 32) == 'x' ? 2 : 0, start = i;

	for (*ret = 0; i < s->len; i++) {
		char ch = s->s[i] | 32;
		bool letter = ch >= 'a' && ch <= 'f';

		if (!letter && (s->s[i] < '0' || s->s[i] > '9'))
			break;
		*ret = *ret << 4 | (letter ? ch - 'a' + 10 : ch - '0');
	}
	s->s += i;
	s->len -= i;
	return i > start;
}
NOKPROBE_SYMBOL(parse_address);

s64 prt_stacks_parse(struct prt_ctx *c, struct prt_str s)
{
	struct prt_stack_room *room = prt_cpu_of(c)->stack;
	struct prt_stack_part part = { .kind = PRT_STACK_KERNEL };
	const struct prt_str lost = PRT_LIT("[lost stack]"), cut = PRT_LIT("...");

	while (s.len) {
		if (s.s[0] == ' ' || s.s[0] == '\n') {
			s.s++;
			s.len--;
		} else if (part.n == PRT_STACK_FRAMES) {
			part.flags = PRT_STACK_DEEPER;
			break;
		} else if (!parse_address(&s, &room->words[PRT_PART_WORDS + part.n])) {
			break;
		} else {
			part.n++;
		}
	}
	if (s.len >= lost.len && memcmp(s.s, lost.s, lost.len) == 0)
		return PRT_STACK_LOST_AT;
	if (s.len >= cut.len && memcmp(s.s, cut.s, cut.len) == 0)
		part.flags = PRT_STACK_DEEPER;
	if (!part.n)
		return 0;
	memcpy(room->words, &part, sizeof(part));
	room->n = PRT_PART_WORDS + part.n;
	return prt_stacks_enter(c);
}
NOKPROBE_SYMBOL(prt_stacks_parse);
