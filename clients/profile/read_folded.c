/* SPDX-License-Identifier: GPL-2.0 */
/* Folded lines: "outermost;...;innermost COUNT". "_[k]" at the end of a frame marks the kernel's,
 * "_[i]" one that is inlined into the frame before it, of whichever kind that is. One of a script
 * is "FUNCTION (FILE)" or "FUNCTION (FILE:LINE)". */
#include <string.h>

#include "profile/private.h"

/* The number after the last space of a line, and the position of that space. False if there is
 * none. */
static bool number_of(const struct line_reader *l, size_t *blank, uint64_t *ret)
{
	const char *at = memrchr(l->text, ' ', l->len);

	if (!at)
		return false;
	*blank = (size_t)(at - l->text);
	return read_number(at + 1, l->len - *blank - 1, ret);
}

static bool refuse_line(const struct line_reader *l, size_t from, size_t to, const char *why)
{
	diag_error(l->d, saved_lines_range(l, from, to), E_BAD_PROFILE, "%s", why);
	diag_hint(l->d, "a folded line is 'outermost;...;innermost NUMBER'");
	return false;
}

static bool ends(const char *s, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len > n && memcmp(s + len - n, with, n) == 0;
}

static bool is_note(const char *s, size_t len)
{
	static const char *const notes[] = { "--", "[missing frames]", "[lost stack]",
					     "[no stack]" };

	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++)
		if (len == strlen(notes[i]) && memcmp(s, notes[i], len) == 0)
			return true;
	return false;
}

/* Names of C++ have other things in parentheses. */
static bool is_script(const char *s, size_t len)
{
	const char *file = memrchr(s, '(', len);
	size_t n = file ? (size_t)(s + len - ++file) : 0;

	return n > 1 && file - s > 2 && file[-2] == ' ' && file[n - 1] == ')' &&
	       !memchr(file, ' ', n) && !memchr(file, ',', n) &&
	       (*file == '<' || memchr(file, '.', n));
}

static bool read_line(struct builder *b)
{
	struct line_reader *l = b->l;
	size_t blank, at = 0;
	uint64_t number;
	bool kernel = false;

	if (!number_of(l, &blank, &number)) {
		const char *last = memrchr(l->text, ' ', l->len);

		return refuse_line(l, last ? (size_t)(last - l->text) + 1 : 0, l->len,
				   "not a number up to 9223372036854775807");
	}
	builder_start(b);
	while (at <= blank) {
		const char *s = l->text + at, *end = memchr(s, ';', blank - at);
		size_t len = end ? (size_t)(end - s) : blank - at;
		bool inlined = ends(s, len, "_[i]");

		if (!len)
			return refuse_line(l, at, at + 1, "a frame has no name");
		kernel = ends(s, len, "_[k]") || (inlined && kernel);
		builder_add(b, kernel ? FRAME_KERNEL : is_note(s, len) ? FRAME_NOTE :
			       is_script(s, len) ? FRAME_SCRIPT : FRAME_USER,
			    s, kernel || inlined ? len - 4 : len, NULL, 0);
		at += len + 1;
	}
	return builder_end(b, "", false, 0, number);
}

bool read_folded(struct profile *p, struct line_reader *l)
{
	struct builder b = { .p = p, .l = l };
	int more = 1;

	for (; more > 0; more = saved_lines_next(l))
		if (l->len && !read_line(&b))
			return false;
	return more == 0;
}
