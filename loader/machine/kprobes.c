/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A line of the list is "ADDRESS TYPE SYMBOL+0xOFFSET [MODULE] [MARK][MARK]"; the address is hidden
 * if the kernel hides addresses. A kprobe that was requested at the very beginning of a function is
 * after the function's endbr64, if it has one.
 */
#include "machine/kprobes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module/meta.h"
#include "shared/file.h"
#include "shared/memory.h"
#include "shared/search.h"

enum { LANDING_MARK = 4 /* bytes */ };

static const char *const words[KPROBES_MARKS] = { "FTRACE", "OPTIMIZED", "DISABLED", "GONE" };

struct listed {
	uint64_t address;
	const char *place; /* "SYMBOL+0xOFFSET", followed by a blank or NUL */
	const char *module; /* "[MODULE]..."; NULL: the kernel itself */
	uint8_t marks;
};

struct list {
	struct listed *v;
	size_t n;
};

static int by_address(const void *x, const void *y)
{
	const struct listed *a = x, *b = y;

	return (a->address > b->address) - (a->address < b->address);
}

static int read_line(const char *line, struct listed *ret)
{
	unsigned long long address;
	const char *p;
	int at = 0;

	*ret = (struct listed){ 0 };
	if (sscanf(line, "%llx %*c %n", &address, &at) != 1 || !at)
		return -1;
	ret->address = address;
	ret->place = line + at;
	for (p = strchr(ret->place, '['); p; p = strchr(p + 1, '[')) {
		unsigned i = 0;

		while (i < KPROBES_MARKS && (strncmp(p + 1, words[i], strlen(words[i])) != 0 ||
					     p[1 + strlen(words[i])] != ']'))
			i++;
		if (i < KPROBES_MARKS)
			ret->marks |= (uint8_t)(1u << i);
		else
			ret->module = p;
	}
	return 0;
}

static void read_list(struct buf *t, struct list *ret)
{
	size_t at = 0;
	char *line;

	ret->v = memory_zeroed(buf_lines(t), sizeof(*ret->v));
	ret->n = 0;
	while ((line = buf_line(t, &at)) != NULL)
		ret->n += read_line(line, &ret->v[ret->n]) == 0;
	qsort(ret->v, ret->n, sizeof(*ret->v), by_address);
}

/* Returns the marks of all kprobes at one address. The list does not say which of them is ours, so
 * ours counts as disabled, or as gone with its module, only if all of them are. */
struct together {
	uint8_t any, all;
	int n;
};

static void add(struct together *to, const struct listed *one)
{
	to->any |= one->marks;
	to->all = to->n++ ? to->all & one->marks : one->marks;
}

static uint8_t marks_of(const struct together *of)
{
	const unsigned own = KPROBES_DISABLED | KPROBES_GONE;

	return (uint8_t)((of->any & ~own) | (of->all & own));
}

static void add_at(const struct list *l, uint64_t address, struct together *to)
{
	size_t low;

	search_first(low, l->n, l->v[low].address < address);
	for (; low < l->n && l->v[low].address == address; low++)
		add(to, &l->v[low]);
}

static bool starts(const char *s, const char *with)
{
	size_t n = strlen(with);

	return strncmp(s, with, n) == 0 && (s[n] == '\0' || s[n] == ' ' || s[n] == ']');
}

static void add_named(const struct list *l, const struct meta_site *s, uint64_t more,
		      struct together *to)
{
	struct buf place = { 0 };
	char offset[24];

	snprintf(offset, sizeof(offset), "+0x%llx", (unsigned long long)(s->offset + more));
	buf_puts(&place, s->symbol);
	buf_puts(&place, offset);
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].module && starts(l->v[i].place, place.s) &&
		    starts(l->v[i].module + 1, s->object))
			add(to, &l->v[i]);
	buf_deinit(&place);
}

int kprobes_marks(const char *path, const struct meta *m, const uint64_t *addresses,
		  uint8_t *marks)
{
	struct buf t = { 0 };
	struct list l = { 0 };
	int err = file_read(path, &t);

	if (!err)
		read_list(&t, &l);
	for (uint32_t i = 0; i < m->nsites; i++) {
		uint64_t more = m->sites[i].offset ? 0 : LANDING_MARK;
		struct together found = { 0 };

		if (!addresses[i]) {
			add_named(&l, &m->sites[i], 0, &found);
			if (more)
				add_named(&l, &m->sites[i], more, &found);
		} else {
			add_at(&l, addresses[i], &found);
			if (!found.n)
				add_at(&l, addresses[i] + more, &found);
		}
		marks[i] = marks_of(&found);
	}
	free(l.v);
	buf_deinit(&t);
	return err;
}

const char *kprobes_word(unsigned bit)
{
	return words[bit];
}

void kprobes_words(unsigned marks, struct buf *to)
{
	for (unsigned i = 0; i < KPROBES_MARKS; i++) {
		if (!(marks >> i & 1))
			continue;
		buf_puts(to, "[");
		buf_puts(to, words[i]);
		buf_puts(to, "]");
	}
}
