/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols may contain others, and hostile ones overlap in any way. So each one knows the last one
 * before it that reaches further than it does: whatever reaches an address is found by going from
 * the last one that begins before it along these links.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "shared/memory.h"
#include "shared/search.h"
#include "unwind/symbols_private.h"

enum {
	LINKS_MAX = 64, UNDERSCORES_MAX = 8,
	SYMBOL_SIZE = 64, /* bytes of one that is found and then ordered, about */
};

#define NONE UINT32_MAX

static size_t symbols_most(void)
{
	static atomic_size_t most;

	if (!most) {
		size_t room = symbols_held_max() / SYMBOL_SIZE;

		most = room < SYMBOLS_MAX ? room : SYMBOLS_MAX;
	}
	return most;
}

void symbols_add(struct found_symbols *f, const struct found_symbol *one)
{
	if (f->n >= symbols_most()) {
		f->full = true;
		return;
	}
	memory_grow(f->v, f->n, f->room, 256);
	f->v[f->n] = *one;
	f->v[f->n].number = (uint32_t)f->n & 0xffffff;
	f->n++;
}

bool symbols_add_names(struct found_symbols *f, const void *bytes, size_t size, uint32_t *ret)
{
	if (size >= UINT32_MAX - f->names_size)
		return false;
	f->names = memory_resized(f->names, f->names_size + size + 1, 1);
	memcpy(f->names + f->names_size, bytes, size);
	f->names[f->names_size + size] = '\0';
	*ret = (uint32_t)f->names_size;
	f->names_size += size + 1;
	return true;
}

/* A name may be nothing else, and as long as the file. */
static unsigned underscores(const char *name)
{
	unsigned n = 0;

	while (n < UNDERSCORES_MAX && name[n] == '_')
		n++;
	return n;
}

static int by_start(const void *x, const void *y, void *arg)
{
	const struct found_symbol *a = x, *b = y;
	const char *names = arg;
	unsigned under_a, under_b;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	under_a = underscores(names + a->name);
	under_b = underscores(names + b->name);
	if (under_a != under_b)
		return under_a < under_b ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* Moves those to be found among @n symbols that begin at one address, best first, to the front: the
 * best, and each that is longer than all better ones. */
static size_t choose(struct found_symbol *v, size_t n)
{
	size_t kept = 1;

	if (v[0].rank & RANK_NO_SIZE)
		return 1;
	for (size_t i = 1; i < n && !(v[i].rank & RANK_NO_SIZE); i++)
		if (v[i].end > v[kept - 1].end)
			v[kept++] = v[i];
	return kept;
}

static void append_symbol(struct ordered_symbols *o, const struct found_symbol *it, uint64_t end)
{
	uint64_t size = end - it->start;
	uint32_t i = (uint32_t)o->n++;

	o->starts[i] = it->start;
	o->sizes[i] = size < SYMBOL_NO_SIZE ? (uint32_t)size : SYMBOL_NO_SIZE - 1;
	if (it->rank & RANK_NO_SIZE)
		o->sizes[i] |= SYMBOL_NO_SIZE;
	o->names[i] = it->name;
}

static uint64_t end_of(const struct ordered_symbols *o, size_t i)
{
	return o->starts[i] + (o->sizes[i] & ~SYMBOL_NO_SIZE);
}

static void link_outer(struct ordered_symbols *o)
{
	for (size_t i = 0; i < o->n; i++) {
		uint32_t it = i ? (uint32_t)i - 1 : NONE;

		while (it != NONE && end_of(o, it) <= end_of(o, i))
			it = o->outer[it];
		o->outer[i] = it;
	}
}

static void init(struct ordered_symbols *o, size_t n)
{
	*o = (struct ordered_symbols){
		.starts = memory_zeroed(n, sizeof(*o->starts)),
		.sizes = memory_zeroed(n, sizeof(*o->sizes)),
		.names = memory_zeroed(n, sizeof(*o->names)),
		.outer = memory_zeroed(n, sizeof(*o->outer)),
		.texts = memory_zeroed(n, sizeof(*o->texts)),
	};
}

void symbols_order(struct found_symbols *f, struct ordered_symbols *ret)
{
	uint64_t covered = 0;
	size_t next;

	*ret = (struct ordered_symbols){ 0 };
	if (f->n) {
		qsort_r(f->v, f->n, sizeof(*f->v), by_start, f->names);
		init(ret, f->n);
	}
	for (size_t i = 0; i < f->n; i = next) {
		struct found_symbol *v = &f->v[i];
		size_t kept;

		for (next = i + 1; next < f->n && f->v[next].start == v->start;)
			next++;
		kept = choose(v, next - i);
		if (v->rank & RANK_NO_SIZE) {
			uint64_t limit = next < f->n ? f->v[next].start : UINT64_MAX;

			if (v->start >= covered)
				append_symbol(ret, v, v->end < limit ? v->end : limit);
			continue;
		}
		covered = v[kept - 1].end > covered ? v[kept - 1].end : covered;
		while (kept--)
			append_symbol(ret, &v[kept], v[kept].end);
	}
	free(f->v);
	f->v = NULL;
	f->n = f->room = 0;
	link_outer(ret);
}

size_t symbols_at(const struct ordered_symbols *o, uint64_t address)
{
	uint32_t it;
	size_t i;

	search_first(i, o->n, o->starts[i] <= address);
	it = i ? (uint32_t)i - 1 : NONE;
	for (unsigned links = 0; it != NONE && links < LINKS_MAX; links++, it = o->outer[it])
		if (address < end_of(o, it))
			return it;
	return SIZE_MAX;
}

void symbols_deinit(struct ordered_symbols *o)
{
	for (size_t i = 0; i < o->n; i++)
		free(o->texts[i]);
	free(o->starts);
	free(o->sizes);
	free(o->names);
	free(o->outer);
	free(o->texts);
	*o = (struct ordered_symbols){ 0 };
}
