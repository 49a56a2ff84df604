/* SPDX-License-Identifier: GPL-2.0 */
/* The names of symbols as users see them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "unwind/symbols_private.h"

static size_t length_of(const char *name, enum symbols_origin origin)
{
	size_t n = strnlen(name, SYMBOLS_NAME_MAX);
	const char *at = n && origin == OF_SYMBOL ? memchr(name + 1, '@', n - 1) : NULL;

	return at ? (size_t)(at - name) : n;
}

char *symbols_text(const char *name, enum symbols_origin origin)
{
	size_t n = length_of(name, origin);
	bool same = !name[n];
	char *text;

	for (size_t i = 0; i < n && same; i++)
		same = !iscntrl((unsigned char)name[i]);
	if (same)
		return NULL;
	text = alloc_array(1, n + 1);
	for (size_t i = 0; i < n; i++)
		text[i] = iscntrl((unsigned char)name[i]) ? '?' : name[i];
	return text;
}
