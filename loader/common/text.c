/* SPDX-License-Identifier: GPL-2.0 */
/* A growing text. Its memory is at least doubled each time. */
#include "common/text.h"

#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

void text_reserve(struct text *t, size_t more)
{
	size_t need = t->len + more + 1;

	if (need <= t->capacity)
		return;
	t->capacity = t->capacity * 2 < need ? need : t->capacity * 2;
	t->s = alloc_resize(t->s, t->capacity);
}

void text_add(struct text *t, const char *s, size_t len)
{
	text_reserve(t, len);
	memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = '\0';
}

void text_add_str(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

char *text_line(struct text *t, size_t *at)
{
	char *line, *end;

	while (*at < t->len && t->s[*at] == '\n')
		++*at;
	if (*at >= t->len)
		return NULL;
	line = t->s + *at;
	end = memchr(line, '\n', t->len - *at);
	*at = end ? (size_t)(end - t->s) + 1 : t->len;
	if (end)
		*end = '\0';
	return line;
}

size_t text_lines(const struct text *t)
{
	size_t n = 1;

	for (size_t i = 0; i < t->len; i++)
		n += t->s[i] == '\n';
	return n;
}

struct line { const char *at, *key; };

static int compare(const void *a, const void *b)
{
	const struct line *one = a, *other = b;
	int cmp = strcmp(one->key, other->key);

	return cmp ? cmp : (one->at > other->at) - (one->at < other->at);
}

void text_sort(struct text *t, const char *(*key)(const char *line))
{
	struct line *lines = alloc_array(text_lines(t) + 1, sizeof(*lines));
	struct text sorted = { 0 };
	size_t n = 0, at = 0;
	char *s;

	while ((s = text_line(t, &at)) != NULL)
		lines[n++] = (struct line){ s, key ? key(s) : s };
	qsort(lines, n, sizeof(*lines), compare);
	text_reserve(&sorted, t->len + 1);
	for (size_t i = 0; i < n; i++) {
		text_add_str(&sorted, lines[i].at);
		text_add(&sorted, "\n", 1);
	}
	free(lines);
	text_deinit(t);
	*t = sorted;
}

void text_deinit(struct text *t)
{
	free(t->s);
	*t = (struct text){ 0 };
}
