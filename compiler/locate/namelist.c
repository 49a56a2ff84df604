/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Most scripts ask a kernel's 100000 symbols for one name or two. To look through the text takes a
 * tenth of the time that it takes to make a set of it, so that is only done for who asks more.
 */
#include "locate/namelist.h"

#include <stdbool.h>
#include <string.h>

enum { LOOKS = 6 }; /* through the whole text, before a set is cheaper */

void namelist_init(struct namelist *l, const char *text, size_t size, namelist_pick *pick)
{
	*l = (struct namelist){ .text = text, .size = size, .pick = pick };
}

void namelist_deinit(struct namelist *l)
{
	nameset_deinit(&l->set);
}

const struct nameset *namelist_set(struct namelist *l)
{
	const char *line = l->text, *end = line + l->size, *nl, *name;

	if (l->set.nslots || !l->text)
		return &l->set;
	nameset_init(&l->set, l->size / 24);
	for (; line < end; line = nl + 1) {
		nl = memchr(line, '\n', (size_t)(end - line));
		nl = nl ? nl : end;
		size_t len = l->pick(line, (size_t)(nl - line), &name);

		nameset_add(&l->set, name, len);
	}
	return &l->set;
}

/* Whether the line in which [at, at + len) lies has that name, and it ends there. */
static bool is_name(const struct namelist *l, const char *at, size_t len)
{
	const char *line = memrchr(l->text, '\n', (size_t)(at - l->text)), *name;

	line = line ? line + 1 : l->text;
	return (at + len == l->text + l->size || at[len] == '\n') &&
	       l->pick(line, (size_t)(at + len - line), &name) == len && name == at;
}

static unsigned look(const struct namelist *l, const char *name, size_t len)
{
	const char *p = l->text, *end = p + l->size;
	unsigned n = 0;

	while ((p = memmem(p, (size_t)(end - p), name, len))) {
		n += is_name(l, p, len);
		p++;
	}
	return n;
}

const char *namelist_starting(const struct namelist *l, const char *prefix, size_t *from,
			      size_t *len)
{
	const char *end = l->text + l->size, *name, *p;
	size_t n = strlen(prefix);

	while (l->text && n && (p = memmem(l->text + *from, l->size - *from, prefix, n))) {
		const char *line = memrchr(l->text, '\n', (size_t)(p - l->text));
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		line = line ? line + 1 : l->text;
		*from = (size_t)(p + 1 - l->text);
		*len = l->pick(line, (size_t)((nl ? nl : end) - line), &name);
		if (*len && name == p)
			return p;
	}
	return NULL;
}

unsigned namelist_count(struct namelist *l, const char *name)
{
	size_t len = strlen(name);

	if (!l->text || !len)
		return 0;
	if (!l->set.nslots && l->asked++ < LOOKS)
		return look(l, name, len);
	return nameset_count(namelist_set(l), name);
}
