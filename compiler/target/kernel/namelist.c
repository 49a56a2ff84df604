/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel has more than 100000 symbols, of which a script needs a few, so the text is mapped
 * rather than read, and a name is found by binary search. A newline sorts before any byte of a
 * name.
 */
#include "target/kernel/namelist.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "shared/buf.h"
#include "shared/search.h"

#define PROMOTED ".llvm."

/* ---- order ---- */

struct name_line { const char *at; size_t len; };

static int compare(const char *a, const char *a_end, const char *b, size_t blen)
{
	size_t alen = (size_t)(a_end - a);
	int cmp = memcmp(a, b, alen < blen ? alen : blen);

	return cmp ? cmp : (alen > blen) - (alen < blen);
}

static int compare_lines(const void *a, const void *b)
{
	const struct name_line *one = a, *other = b;

	return compare(one->at, one->at + one->len, other->at, other->len);
}

void namelist_sort(struct buf *b)
{
	struct arena *a = arena_create();
	VEC(struct name_line) lines = {0};
	struct buf sorted;

	buf_init(&sorted);
	for (const char *p = b->s, *nl; b->len && p < b->s + b->len; p = nl + 1) {
		const char *end = b->s + b->len;

		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl ? nl : end;

		struct name_line line = { p, (size_t)(nl - p) };

		vec_push(a, &lines, line);
	}
	if (lines.n)
		qsort(lines.v, lines.n, sizeof(*lines.v), compare_lines);
	vec_each(line, &lines) {
		buf_write(&sorted, line->at, line->len);
		buf_putc(&sorted, '\n');
	}
	buf_deinit(b);
	*b = sorted;
	arena_destroy(a);
}

void namelist_add(struct buf *b, const char *name, size_t len)
{
	if (!len)
		return;
	buf_write(b, name, len);
	buf_putc(b, '\n');
}

struct namelist namelist_of(struct buf *b)
{
	namelist_sort(b);
	return (struct namelist){ b->s, b->len };
}

/* ---- going through ---- */

/* The line that begins at *@p, which is advanced past it. *@p is not at the end. */
static struct name_line take_line(const struct namelist *l, const char **p)
{
	const char *end = l->text + l->size, *nl = memchr(*p, '\n', (size_t)(end - *p));
	struct name_line line = { *p, (size_t)((nl ? nl : end) - *p) };

	*p = nl ? nl + 1 : end;
	return line;
}

/* The first line that is not less than @name, or the end. */
static const char *first_from(const struct namelist *l, const char *name, size_t len)
{
	return search_line(l->text, l->size, name, len, compare);
}

/* ---- interface ---- */

unsigned namelist_count(const struct namelist *l, const char *name)
{
	size_t len = strlen(name);
	unsigned n = 0;

	if (!l->text || !len)
		return 0;
	for (const char *p = first_from(l, name, len); p < l->text + l->size; n++) {
		struct name_line line = take_line(l, &p);

		if (line.len != len || memcmp(line.at, name, len) != 0)
			break;
	}
	return n;
}

size_t namelist_match(const struct namelist *l, struct arena *a, const char *pattern,
		      const char *const **ret)
{
	const char *end = l->text ? l->text + l->size : NULL, *p = end;
	size_t fixed = strcspn(pattern, "*?[\\");
	VEC(const char *) found = {0};

	if (l->text)
		p = first_from(l, pattern, fixed);
	while (p < end) {
		struct name_line line = take_line(l, &p);
		char text[512];

		if (line.len < fixed || memcmp(line.at, pattern, fixed) != 0)
			break;
		if (line.len >= sizeof(text))
			continue;
		memcpy(text, line.at, line.len);
		text[line.len] = '\0';
		if (fnmatch(pattern + fixed, text + fixed, 0) == 0 &&
		    (!found.n || strcmp(found.v[found.n - 1], text) != 0))
			vec_push(a, &found, arena_strndup(a, text, line.len));
	}
	*ret = found.v;
	return found.n;
}

/* The end of NAME in a promoted name, or NULL. The compiler splits such functions as well:
 * NAME.llvm.NUMBER.cold is none. */
static const char *promoted_end(const char *name)
{
	const char *end = strstr(name, PROMOTED), *number = end ? end + strlen(PROMOTED) : NULL;

	return number && *number && !number[strspn(number, "0123456789")] ? end : NULL;
}

size_t namelist_promoted(const struct namelist *l, struct arena *a, const char *name,
			 const char *const **ret)
{
	VEC(const char *) found = {0};
	const char *const *names;
	size_t n = namelist_match(l, a, arena_printf(a, "%s" PROMOTED "*", name), &names);

	for (size_t i = 0; i < n; i++) {
		if (promoted_end(names[i]))
			vec_push(a, &found, names[i]);
	}
	*ret = found.v;
	return found.n;
}

bool namelist_has_promoted(const struct namelist *l)
{
	return l->text && memmem(l->text, l->size, PROMOTED, strlen(PROMOTED));
}

const char *namelist_unpromoted(struct arena *a, const char *name)
{
	const char *end = promoted_end(name);

	return end ? arena_strndup(a, name, (size_t)(end - name)) : name;
}

const char *namelist_clone_suffix(const char *name)
{
	const char *dot = strchr(name, '.');

	/* gcc has unnamed types in names of C++: 8._anon_1 */
	while (dot && dot[1] == '_' && strncmp(name, "_Z", 2) == 0)
		dot = strchr(dot + 1, '.');
	return dot && dot == promoted_end(name) ? NULL : dot;
}

size_t namelist_of_length(const struct namelist *l, struct arena *a, size_t min, size_t max,
			  const char *const **ret)
{
	const char *p = l->text, *end = p ? p + l->size : NULL;
	VEC(const char *) found = {0};

	while (p < end) {
		struct name_line line = take_line(l, &p);

		if (line.len >= min && line.len <= max)
			vec_push(a, &found, arena_strndup(a, line.at, line.len));
	}
	*ret = found.v;
	return found.n;
}
