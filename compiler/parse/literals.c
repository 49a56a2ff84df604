/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers and strings as the language writes them. */
#include "parse/literals.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int digit(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

/* Reads a number of at most @max digits of @base at *@s, which is advanced past it. */
static char code(const char **s, const char *end, int base, int max)
{
	unsigned v = 0;

	for (; max && *s < end && digit(**s) < base; max--)
		v = v * (unsigned)base + (unsigned)digit(*(*s)++);
	return (char)v;
}

const char *literals_string(struct arena *a, const char *s, size_t n, size_t *len)
{
	static const char letters[] = "abtnvfr", bytes[] = "\a\b\t\n\v\f\r";
	const char *end = s + n, *known;
	char *ret = arena_alloc(a, n + 1), *out = ret;

	while (s < end) {
		if (*s != '\\' || s + 1 == end) {
			*out++ = *s++;
			continue;
		}
		s++;
		known = *s ? strchr(letters, *s) : NULL;
		if (known) {
			*out++ = bytes[known - letters];
			s++;
		} else if (digit(*s) < 8) {
			*out++ = code(&s, end, 8, 3);
		} else if (*s == 'x' && s + 1 < end && digit(s[1]) < 16) {
			s++;
			*out++ = code(&s, end, 16, 2);
		} else {
			*out++ = *s++;
		}
	}
	*out = '\0';
	*len = (size_t)(out - ret);
	return ret;
}

int literals_number(const char *s, int64_t *ret)
{
	unsigned long long v;
	char *end;

	errno = 0;
	v = strtoull(s, &end, 0);
	if (end == s || *end)
		return -EINVAL;
	if (errno == ERANGE)
		return -ERANGE;
	*ret = (int64_t)v;
	return 0;
}

bool literals_real(const char *s, int64_t *ret)
{
	double v = strtod(s, NULL);

	memcpy(ret, &v, sizeof(*ret));
	return isfinite(v);
}
