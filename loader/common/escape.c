/* SPDX-License-Identifier: GPL-2.0 */
/* Escapes bytes that a terminal could take for a command. */
#include "common/escape.h"

#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "shared/memory.h"

int escape_parse(const char *s, enum escape_when *ret)
{
	static const char *const names[] = { "auto", "always", "never" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(s, names[i]) == 0) {
			*ret = (enum escape_when)i;
			return 0;
		}
	return -1;
}

/* Returns how many bytes of @s form a harmless character, or 0 if the first one is not harmless.
 * U+0080 to U+009F are control characters as well. */
static size_t harmless(const char *s, size_t left)
{
	size_t n = utf8_sequence(s, left);
	unsigned char c = (unsigned char)s[0];

	if (n == 1)
		return (c >= ' ' && c != 0x7f) || c == '\n' || c == '\t';
	return n == 2 && c == 0xc2 && (unsigned char)s[1] < 0xa0 ? 0 : n;
}

void escape_add(struct buf *t, const char *s, size_t len)
{
	size_t plain = 0, i = 0;

	while (i < len) {
		size_t n = harmless(s + i, len - i);

		i += n;
		if (n)
			continue;
		buf_write(t, s + plain, i - plain);
		buf_printf(t, "\\x%02x", (unsigned char)s[i]);
		plain = ++i;
	}
	buf_write(t, s + plain, len - plain);
}

void escape_tail(struct buf *t, size_t from)
{
	size_t len = t->len - from, i = 0, n;
	char *copy;

	while (i < len && (n = harmless(t->s + from + i, len - i)))
		i += n;
	if (i == len)
		return;
	copy = memory_zeroed(len, 1);
	memcpy(copy, t->s + from, len);
	t->len = from;
	escape_add(t, copy, len);
	free(copy);
}
