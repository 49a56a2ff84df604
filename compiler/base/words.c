/* SPDX-License-Identifier: GPL-2.0 */
/* Names, and lists of them in messages. */
#include "base/words.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "shared/buf.h"

bool words_is_part(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool words_end(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len >= n && strcmp(text + len - n, end) == 0;
}

void words_trim(const char **s, size_t *len)
{
	for (; *len && isspace((unsigned char)**s); --*len)
		++*s;
	while (*len && isspace((unsigned char)(*s)[*len - 1]))
		--*len;
}

bool words_has(const char *const *words, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(words[i], word) == 0)
			return true;
	return false;
}

const char *words_join(struct arena *a, const char *const *words, size_t n)
{
	const char *text = "";
	struct buf b;

	buf_init(&b);
	for (size_t i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i ? ", " : "", words[i]);
	if (b.len)
		text = arena_strdup(a, b.s);
	buf_deinit(&b);
	return text;
}

const char *words_some(struct arena *a, const char *const *words, size_t n, size_t most)
{
	if (n <= most)
		return words_join(a, words, n);
	return arena_printf(a, "%s and %zu more", words_join(a, words, most), n - most);
}
