/* SPDX-License-Identifier: GPL-2.0 */
/* Reads comments from the text of a source: the tree does not have them. */
#include <string.h>

#include "base/arena.h"
#include "base/words.h"
#include "doc/private.h"
#include "shared/buf.h"

struct comment_line {
	const char *s;
	size_t len;
};

static struct comment_line line_of(const struct source *src, uint32_t n)
{
	struct comment_line l;

	l.s = source_line(src, n, &l.len);
	words_trim(&l.s, &l.len);
	return l;
}

static bool begins_with(struct comment_line l, const char *mark)
{
	return l.len >= strlen(mark) && memcmp(l.s, mark, strlen(mark)) == 0;
}

static bool ends_with(struct comment_line l, const char *mark)
{
	size_t len = strlen(mark);

	return l.len >= len && memcmp(l.s + l.len - len, mark, len) == 0;
}

static bool is_comment(struct comment_line l)
{
	return (begins_with(l, "#") && !begins_with(l, "#!")) || begins_with(l, "//");
}

/* Without the marks of a comment and one space after them. */
static struct comment_line strip(struct comment_line l)
{
	if (ends_with(l, "*/"))
		l.len -= 2;
	if (begins_with(l, "/*") || begins_with(l, "//"))
		l.s += 2, l.len -= 2;
	while (l.len && (*l.s == '#' || *l.s == '*'))
		l.s++, l.len--;
	if (l.len && *l.s == ' ')
		l.s++, l.len--;
	return l;
}

/* The lines from @first to before @end as text. */
static const char *text_of(struct arena *a, const struct source *src, uint32_t first, uint32_t end)
{
	struct buf b;
	const char *text;

	buf_init(&b);
	for (uint32_t n = first; n < end; n++) {
		struct comment_line l = strip(line_of(src, n));

		if (b.len)
			buf_putc(&b, '\n');
		buf_write(&b, l.s, l.len);
	}
	while (b.len && b.s[b.len - 1] == '\n')
		b.s[--b.len] = '\0';
	text = b.len ? arena_strdup(a, b.s + strspn(b.s, "\n")) : "";
	buf_deinit(&b);
	return text;
}

const char *doc_comment_above(struct arena *a, const struct source *src, uint32_t line, bool far)
{
	uint32_t end = line, first;

	while (far && end > 1 && line_of(src, end - 1).len && !is_comment(line_of(src, end - 1)))
		end--;
	first = end;
	while (first > 1 && is_comment(line_of(src, first - 1)))
		first--;
	if (first == end && end > 1 && ends_with(line_of(src, end - 1), "*/"))
		while (first > 1 && !begins_with(line_of(src, first--), "/*"))
			;
	if (first < end && begins_with(line_of(src, first + 1), "/*"))
		first++;
	while (first < end && strstr(text_of(a, src, first, first + 1), "SPDX-License"))
		first++;
	return text_of(a, src, first, end);
}
