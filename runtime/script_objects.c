/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of scripts: script_objects.h. */
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "grow.h"
#include "limits.h"
#include "memory.h"
#include "script_objects.h"
#include "script_read.h"
#include "script_seen.h"
#include "user_read.h"
#include "words.h"

enum {
	OBJECT_INDEX = 2 * PRT_SCRIPT_OBJECTS,
	OBJECT_FIRST = 1,            /* position 0 is none */
	OBJECT_NAME_MOST = 1024,     /* bytes of a name or a file's name */
};

struct known_object {
	u32 turn;
	u32 object;                  /* or a number */
	u64 space, key;
};

static struct {
	u64 *index;                  /* stored last, by a release; NULL: nothing has begun */
	u32 *positions;
	struct known_object *known;
	u32 n;                       /* numbers that were given */
	u64 ends[PRT_SCRIPT_ENDS];
} script_objects;
struct prt_script_seen *prt_script_seen;

/* ---- memory ---- */

static u64 objects_memory(void)
{
	return OBJECT_INDEX * sizeof(u64) + (PRT_SCRIPT_OBJECTS + 1) * sizeof(u32) +
	       PRT_SCRIPT_KNOWN * sizeof(struct known_object) +
	       PRT_SCRIPT_SEEN * sizeof(*prt_script_seen) +
	       prt_words_memory(&prt_script_words, PRT_SCRIPT_OBJECTS * PRT_SCRIPT_MEAN);
}

int prt_script_objects_begin(void)
{
	u64 *index;

	BUILD_BUG_ON(PRT_SCRIPT_RUN != PRT_SCRIPT_WORDS + 1);
	BUILD_BUG_ON(PRT_SCRIPT_OBJECTS >= 1 << 24);
	if (script_objects.index)
		return 0;
	if (!prt_grow_may(objects_memory()))
		return -ENOSPC;
	script_objects.positions = prt_alloc(PRT_SCRIPT_OBJECTS + 1, sizeof(u32), NUMA_NO_NODE);
	script_objects.known = prt_alloc(PRT_SCRIPT_KNOWN, sizeof(struct known_object),
					 NUMA_NO_NODE);
	prt_script_seen = prt_alloc(PRT_SCRIPT_SEEN, sizeof(*prt_script_seen), NUMA_NO_NODE);
	index = prt_alloc(OBJECT_INDEX, sizeof(u64), NUMA_NO_NODE);
	if (script_objects.positions && script_objects.known && index && prt_script_seen &&
	    prt_words_begin(&prt_script_words, PRT_SCRIPT_OBJECTS * PRT_SCRIPT_MEAN,
			    OBJECT_FIRST) == 0) {
		/* Another thread of the loader may be in prt_script_get(). */
		smp_store_release(&script_objects.index, index);
		return 0;
	}
	kvfree(index);
	prt_script_objects_end();
	return -ENOMEM;
}

void prt_script_objects_end(void)
{
	prt_words_end(&prt_script_words);
	kvfree(script_objects.index);
	kvfree(script_objects.positions);
	kvfree(script_objects.known);
	kvfree(prt_script_seen);
	prt_script_seen = NULL;
	memset(&script_objects, 0, sizeof(script_objects));
}

/* ---- descriptions ---- */

/* A description that is being made. */
struct description {
	u64 *words;                  /* the first one is its head */
	u32 n;                       /* in use */
	bool unread;                 /* a piece of it could not be read */
};

/* Reads @wanted bytes at most of the text that @op names. Returns their number. */
static u32 read_text(struct description *d, const struct prt_script_run *run,
		     const struct prt_script_op *op, char *to, u32 room, bool *cut)
{
	u64 at = run->r[op->a], bad, bytes;
	long len;

	if (op->op == PRT_SCRIPT_STRING) {
		len = prt_user_string(to, at, room, true, &bad);
		*cut = len == room;
	} else {
		u32 unit = op->n == PRT_SCRIPT_UTF8 ? 1 : op->n;

		bytes = run->r[op->b] > U32_MAX ? U32_MAX : run->r[op->b] * unit;
		*cut = bytes > room;
		len = min_t(u64, bytes, room) & ~(unit - 1);
		if (prt_user_copy(to, at, len, true))
			len = -EFAULT;
	}
	if (len >= 0)
		return len;
	d->unread = true;
	return 0;
}
NOKPROBE_SYMBOL(read_text);

/* Appends the piece that @run has come to. false: there is no room for its head. */
static bool add_piece(struct description *d, const struct prt_script_run *run)
{
	const struct prt_script_op *op = prt_script_last(run);
	struct prt_script_piece head = { .kind = op->c, .len = sizeof(u64) };
	u32 room = (PRT_SCRIPT_RUN - d->n) * sizeof(u64);
	char *to;
	bool cut;

	if (room < 2 * sizeof(u64))
		return false;
	room -= sizeof(head);
	if (op->c != PRT_SCRIPT_LINES)
		room = min_t(u32, room, OBJECT_NAME_MOST);
	to = (char *)&d->words[d->n + 1];
	if (op->op == PRT_SCRIPT_NUMBER) {
		__builtin_memcpy(to, &run->r[op->a], sizeof(u64));
	} else {
		head.width = op->op == PRT_SCRIPT_TEXT ? op->n : PRT_SCRIPT_UTF8;
		head.len = read_text(d, run, op, to, room, &cut);
		head.cut = cut;
	}
	__builtin_memcpy(&d->words[d->n], &head, sizeof(head));
	/* Descriptions are compared by words. */
	while (head.len % sizeof(u64))
		to[head.len++] = 0;
	d->n += 1 + head.len / sizeof(u64);
	return true;
}
NOKPROBE_SYMBOL(add_piece);

/* Makes the description of the object at which @run is. false: there is none. */
static bool make_description(struct description *d, const struct prt_script_run *run,
			     unsigned *end)
{
	struct prt_script_run describing = prt_script_describing(run);
	enum prt_script_event event;

	while ((event = prt_script_event(&describing, end)) == PRT_SCRIPT_IS_PIECE)
		if (!add_piece(d, &describing))
			break;
	/* Pieces that there is no room for are left out. */
	if (event == PRT_SCRIPT_IS_PIECE)
		*end = PRT_SCRIPT_WHOLE;
	else if (event != PRT_SCRIPT_IS_END)
		*end = PRT_SCRIPT_DAMAGED;
	if (d->unread)
		*end = PRT_SCRIPT_UNREAD;
	d->words[0] = (u64)run->table->language << 32 | (d->n - 1);
	return *end == PRT_SCRIPT_WHOLE;
}
NOKPROBE_SYMBOL(make_description);

/* ---- the table ---- */

static u32 new_object(u32 at)
{
	u32 number;

	if (READ_ONCE(script_objects.n) >= PRT_SCRIPT_OBJECTS)
		return 0;
	number = __atomic_add_fetch(&script_objects.n, 1, __ATOMIC_RELAXED);
	if (number > PRT_SCRIPT_OBJECTS)
		return 0;
	smp_store_release(&script_objects.positions[number], at);
	return number;
}
NOKPROBE_SYMBOL(new_object);

/* The description of an object, and the number of its words. */
static const u64 *description_of(u32 object, u32 *n)
{
	const u64 *words = prt_word(&prt_script_words,
				    smp_load_acquire(&script_objects.positions[object]));

	*n = 1 + (u32)words[0];
	return words;
}
NOKPROBE_SYMBOL(description_of);

static bool is_described_by(u32 object, const u64 *words, u32 n)
{
	u32 has;
	const u64 *it = description_of(object, &has);

	return has == n && prt_words_same(it, words, n);
}
NOKPROBE_SYMBOL(is_described_by);

/* Enters the @n words at @at, unless the object is known; then they are returned. 0: there is no
 * room. */
static u32 enter_object(u32 at, u32 n)
{
	const u64 *words = prt_word(&prt_script_words, at);
	u64 hash = prt_words_hash(words, n), tag = hash & ~(u64)U32_MAX, found;
	u32 i, number = 0;

	for (i = 0; i < PRT_STACK_PROBES; i++) {
		u64 *p = &script_objects.index[(hash + i) % OBJECT_INDEX];

		found = smp_load_acquire(p);
		if (!found) {
			number = number ? number : new_object(at);
			found = number ? cmpxchg(p, 0, tag | number) : 0;
			if (!found)
				return number;
			/* An exchange that fails orders nothing. */
			found = smp_load_acquire(p);
		}
		if ((found ^ tag) <= U32_MAX && is_described_by((u32)found, words, n)) {
			/* A number that was given has these words. */
			if (!number)
				prt_words_return(&prt_script_words, at, n);
			return (u32)found;
		}
	}
	return 0;
}
NOKPROBE_SYMBOL(enter_object);

/* Finds the object by its description. */
static u32 describe_object(const struct prt_script_run *run, unsigned *end)
{
	struct description d = { .n = 1 };
	u32 at = prt_words_take(&prt_script_words, PRT_SCRIPT_RUN), object;

	*end = PRT_SCRIPT_NO_ROOM;
	if (!at)
		return 0;
	d.words = prt_word(&prt_script_words, at);
	if (!make_description(&d, run, end)) {
		prt_words_return(&prt_script_words, at, PRT_SCRIPT_RUN);
		return 0;
	}
	prt_words_return(&prt_script_words, at + d.n, PRT_SCRIPT_RUN - d.n);
	object = enter_object(at, d.n);
	if (!object)
		*end = PRT_SCRIPT_NO_ROOM;
	return object;
}
NOKPROBE_SYMBOL(describe_object);

/* ---- the cache ---- */

static struct known_object *known_object(u64 space, u64 key)
{
	return &script_objects.known[(key + space * 0x9e3779b97f4a7c15ull) % PRT_SCRIPT_KNOWN];
}
NOKPROBE_SYMBOL(known_object);

/* 0: it is not known. */
static u32 find_known(struct known_object *it, u64 space, u64 key)
{
	u32 turn = smp_load_acquire(&it->turn), object;
	bool same;

	same = READ_ONCE(it->space) == space && READ_ONCE(it->key) == key;
	object = READ_ONCE(it->object);
	smp_rmb(); /* pairs with the writer's release of `turn` */
	return same && !(turn & 1) && READ_ONCE(it->turn) == turn ? object : 0;
}
NOKPROBE_SYMBOL(find_known);

/* Another processor, or the code that an NMI has interrupted, may be writing: then it is not kept
 * this time. */
static void keep_known(struct known_object *it, u64 space, u64 key, u32 object)
{
	u32 turn = READ_ONCE(it->turn);

	if (turn & 1 || cmpxchg(&it->turn, turn, turn + 1) != turn)
		return;
	WRITE_ONCE(it->space, space);
	WRITE_ONCE(it->key, key);
	WRITE_ONCE(it->object, object);
	smp_store_release(&it->turn, turn + 2);
}
NOKPROBE_SYMBOL(keep_known);

u32 prt_script_object(const struct prt_script_run *run, u64 space, unsigned *end)
{
	u64 key = prt_script_key(run);
	struct known_object *it = known_object(space, key);
	u32 object = find_known(it, space, key);

	if (likely(object))
		return object;
	object = describe_object(run, end);
	if (object)
		keep_known(it, space, key, object);
	return object;
}
NOKPROBE_SYMBOL(prt_script_object);

u32 prt_script_recalled(const struct prt_script_run *run, u64 space)
{
	u64 key = prt_script_key(run);

	return find_known(known_object(space, key), space, key);
}
NOKPROBE_SYMBOL(prt_script_recalled);

void prt_script_remember(const struct prt_script_run *run, u64 space)
{
	u64 key = prt_script_key(run);

	keep_known(known_object(space, key), space, key, prt_script_number(run));
}
NOKPROBE_SYMBOL(prt_script_remember);

/* ---- what is shown ---- */

u32 prt_script_object_name(u32 object, char *to, u32 most)
{
	struct prt_script_piece piece;
	const u64 *words;
	u32 n, i, at = 1;

	if (!script_objects.index || !object || object > PRT_SCRIPT_OBJECTS ||
	    !script_objects.positions[object])
		return 0;
	words = description_of(object, &n);
	for (; at < n; at += 1 + DIV_ROUND_UP(piece.len, sizeof(u64))) {
		const char *text = (const char *)&words[at + 1];

		__builtin_memcpy(&piece, &words[at], sizeof(piece));
		if (piece.kind != PRT_SCRIPT_NAME ||
		    (piece.width != 1 && piece.width != PRT_SCRIPT_UTF8))
			continue;
		for (i = 0; i < piece.len && i < most; i++) {
			if (text[i] < ' ' || text[i] > '~')
				return 0;
			to[i] = text[i];
		}
		return i;
	}
	return 0;
}
NOKPROBE_SYMBOL(prt_script_object_name);

void prt_script_missing(unsigned end)
{
	__atomic_fetch_add(&script_objects.ends[end], 1, __ATOMIC_RELAXED);
}
NOKPROBE_SYMBOL(prt_script_missing);

long prt_script_get(void __user *at)
{
	struct prt_script_get get;
	const u64 *words;
	u32 n, size;

	if (copy_from_user(&get, at, sizeof(get)))
		return -EFAULT;
	if (!smp_load_acquire(&script_objects.index) || !get.object ||
	    get.object > PRT_SCRIPT_OBJECTS || !READ_ONCE(script_objects.positions[get.object]))
		return -ENOENT;
	words = description_of(get.object, &n);
	size = get.size;
	get.size = (n - 1) * sizeof(u64);
	get.language = words[0] >> 32;
	if (copy_to_user(at, &get, sizeof(get)))
		return -EFAULT;
	if (get.size > size)
		return -ENOSPC;
	return copy_to_user(u64_to_user_ptr(get.to), words + 1, get.size) ? -EFAULT : 0;
}

long prt_script_get_counts(void __user *at)
{
	struct prt_script_counts counts;
	u32 i;

	for (i = 0; i < PRT_SCRIPT_ENDS; i++)
		counts.ends[i] = READ_ONCE(script_objects.ends[i]);
	return copy_to_user(at, &counts, sizeof(counts)) ? -EFAULT : 0;
}
