/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A line of the list is "ADDRESS TYPE SYMBOL+0xOFFSET [MODULE] [MARK][MARK]"; the address is hidden
 * where the kernel hides addresses. A kprobe that was asked for at the very beginning of a function
 * stands behind the landing mark of indirect branches where there is one.
 */
#include "machine/kprobes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/file.h"
#include "module/meta.h"

enum { LANDING_MARK = 4 /* bytes */ };

static const char *const words[KPROBES_MARKS] = { "FTRACE", "OPTIMIZED", "DISABLED", "GONE" };

struct listed {
	uint64_t address;
	const char *place; /* "SYMBOL+0xOFFSET", a blank or NUL behind it */
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

static void read_list(struct text *t, struct list *ret)
{
	size_t at = 0;
	char *line;

	ret->v = alloc_array(text_lines(t), sizeof(*ret->v));
	ret->n = 0;
	while ((line = text_line(t, &at)) != NULL)
		ret->n += read_line(line, &ret->v[ret->n]) == 0;
	qsort(ret->v, ret->n, sizeof(*ret->v), by_address);
}

/* Several probes may stand at one address: what holds for one of them is shown. */
static int marks_at(const struct list *l, uint64_t address, uint8_t *marks)
{
	size_t low = 0, high = l->n;
	int found = 0;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (l->v[mid].address < address)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < l->n && l->v[low].address == address; low++, found = 1)
		*marks |= l->v[low].marks;
	return found;
}

static int starts(const char *s, const char *with)
{
	size_t n = strlen(with);

	return strncmp(s, with, n) == 0 && (s[n] == '\0' || s[n] == ' ' || s[n] == ']');
}

static void marks_of_name(const struct list *l, const struct meta_site *s, uint64_t more,
			  uint8_t *marks)
{
	struct text place = { 0 };
	char offset[24];

	snprintf(offset, sizeof(offset), "+0x%llx", (unsigned long long)(s->offset + more));
	text_add_str(&place, s->symbol);
	text_add_str(&place, offset);
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].module && starts(l->v[i].place, place.s) &&
		    starts(l->v[i].module + 1, s->object))
			*marks |= l->v[i].marks;
	text_deinit(&place);
}

int kprobes_marks(const char *path, const struct meta *m, const uint64_t *addresses,
		  uint8_t *marks)
{
	struct text t = { 0 };
	struct list l = { 0 };
	int err = file_read(path, &t);

	memset(marks, 0, m->nsites);
	if (!err)
		read_list(&t, &l);
	for (uint32_t i = 0; l.n && i < m->nsites; i++) {
		uint64_t more = m->sites[i].offset ? 0 : LANDING_MARK;

		if (!addresses[i]) {
			marks_of_name(&l, &m->sites[i], 0, &marks[i]);
			marks_of_name(&l, &m->sites[i], more, &marks[i]);
		} else if (!marks_at(&l, addresses[i], &marks[i])) {
			marks_at(&l, addresses[i] + more, &marks[i]);
		}
	}
	free(l.v);
	text_deinit(&t);
	return err;
}

const char *kprobes_word(unsigned bit)
{
	return words[bit];
}

void kprobes_words(unsigned marks, struct text *to)
{
	for (unsigned i = 0; i < KPROBES_MARKS; i++) {
		if (!(marks >> i & 1))
			continue;
		text_add_str(to, "[");
		text_add_str(to, words[i]);
		text_add_str(to, "]");
	}
}
