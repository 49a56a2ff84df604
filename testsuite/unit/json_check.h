/* SPDX-License-Identifier: GPL-2.0 */
/* A strict JSON parser, written from RFC 8259 and from nothing of ours. It says whether a text
 * holds exactly one value, and stores what the text's last string decodes to. */
#ifndef JSON_CHECK_H
#define JSON_CHECK_H

#include <stddef.h>
#include <string.h>

struct json_check {
	const unsigned char *p, *end;
	int depth;
	char last[1024]; /* the last string, decoded */
	size_t len;
};

static int json_check_value(struct json_check *j);

static void json_check_space(struct json_check *j)
{
	while (j->p < j->end && strchr(" \t\r\n", *j->p) && *j->p)
		j->p++;
}

static int json_check_byte(struct json_check *j, unsigned c)
{
	if (j->len == sizeof(j->last))
		return 0;
	j->last[j->len++] = (char)c;
	return 1;
}

static int json_check_hex4(struct json_check *j, unsigned *ret)
{
	*ret = 0;
	for (int i = 0; i < 4; i++, j->p++) {
		const char *set = "0123456789abcdef0123456789ABCDEF", *at;

		if (j->p == j->end || !*j->p || !(at = strchr(set, *j->p)))
			return 0;
		*ret = *ret << 4 | (unsigned)((at - set) % 16);
	}
	return 1;
}

/* Writes one code point as UTF-8. */
static int json_check_point(struct json_check *j, unsigned c)
{
	if (c < 0x80)
		return json_check_byte(j, c);
	if (c < 0x800)
		return json_check_byte(j, 0xc0 | c >> 6) && json_check_byte(j, 0x80 | (c & 63));
	if (c < 0x10000)
		return json_check_byte(j, 0xe0 | c >> 12) &&
		       json_check_byte(j, 0x80 | (c >> 6 & 63)) &&
		       json_check_byte(j, 0x80 | (c & 63));
	return json_check_byte(j, 0xf0 | c >> 18) && json_check_byte(j, 0x80 | (c >> 12 & 63)) &&
	       json_check_byte(j, 0x80 | (c >> 6 & 63)) && json_check_byte(j, 0x80 | (c & 63));
}

static int json_check_escape(struct json_check *j)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	unsigned c, low;
	const char *at;

	if (j->p == j->end || !*j->p)
		return 0;
	if (*j->p != 'u') {
		at = strchr(from, *j->p++);
		return at && json_check_byte(j, (unsigned char)to[at - from]);
	}
	j->p++;
	if (!json_check_hex4(j, &c))
		return 0;
	if (c >= 0xdc00 && c < 0xe000)
		return 0;
	if (c >= 0xd800 && c < 0xdc00) {
		if (j->end - j->p < 2 || *j->p++ != '\\' || *j->p++ != 'u' ||
		    !json_check_hex4(j, &low) || low < 0xdc00 || low >= 0xe000)
			return 0;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	return json_check_point(j, c);
}

/* Decodes a multi-byte sequence and checks that it is the shortest form of a scalar value. */
static int json_check_utf8(struct json_check *j)
{
	static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned c = *j->p, n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2, v;

	if (c < 0xc0 || c >= 0xf8 || (size_t)(j->end - j->p) < n)
		return 0;
	v = c & (0xff >> (n + 1));
	for (unsigned i = 1; i < n; i++) {
		if (j->p[i] >> 6 != 2)
			return 0;
		v = v << 6 | (j->p[i] & 63u);
	}
	if (v < least[n] || v > 0x10ffff || (v >= 0xd800 && v < 0xe000))
		return 0;
	j->p += n;
	return json_check_point(j, v);
}

static int json_check_string(struct json_check *j)
{
	j->len = 0;
	if (j->p == j->end || *j->p++ != '"')
		return 0;
	while (j->p < j->end && *j->p != '"') {
		if (*j->p < 0x20)
			return 0;
		if (*j->p == '\\') {
			j->p++;
			if (!json_check_escape(j))
				return 0;
		} else if (*j->p >= 0x80) {
			if (!json_check_utf8(j))
				return 0;
		} else if (!json_check_byte(j, *j->p++)) {
			return 0;
		}
	}
	return j->p < j->end && *j->p++ == '"';
}

static int json_check_digits(struct json_check *j)
{
	const unsigned char *from = j->p;

	while (j->p < j->end && *j->p >= '0' && *j->p <= '9')
		j->p++;
	return j->p > from;
}

static int json_check_number(struct json_check *j)
{
	if (j->p < j->end && *j->p == '-')
		j->p++;
	if (j->p < j->end && *j->p == '0')
		j->p++;
	else if (!json_check_digits(j))
		return 0;
	if (j->p < j->end && *j->p == '.') {
		j->p++;
		if (!json_check_digits(j))
			return 0;
	}
	return j->p == j->end || (*j->p != 'e' && *j->p != 'E');
}

static int json_check_list(struct json_check *j, char end, int keys)
{
	j->p++;
	json_check_space(j);
	if (j->p < j->end && *j->p == end)
		return j->p++, 1;
	for (;;) {
		json_check_space(j);
		if (keys) {
			if (!json_check_string(j))
				return 0;
			json_check_space(j);
			if (j->p == j->end || *j->p++ != ':')
				return 0;
		}
		if (!json_check_value(j))
			return 0;
		if (j->p == j->end)
			return 0;
		if (*j->p == end)
			return j->p++, 1;
		if (*j->p++ != ',')
			return 0;
	}
}

static int json_check_value(struct json_check *j)
{
	static const char *const words[] = { "null", "true", "false" };
	int ok = 0;

	json_check_space(j);
	if (j->p == j->end || j->depth == 32)
		return 0;
	j->depth++;
	if (*j->p == '{')
		ok = json_check_list(j, '}', 1);
	else if (*j->p == '[')
		ok = json_check_list(j, ']', 0);
	else if (*j->p == '"')
		ok = json_check_string(j);
	else if (*j->p == '-' || (*j->p >= '0' && *j->p <= '9'))
		ok = json_check_number(j);
	for (size_t i = 0; i < 3 && !ok; i++) {
		size_t n = strlen(words[i]);

		if ((size_t)(j->end - j->p) >= n && memcmp(j->p, words[i], n) == 0) {
			j->p += n;
			ok = 1;
		}
	}
	j->depth--;
	json_check_space(j);
	return ok;
}

/* Returns true if the text is one JSON value. */
static int json_check(struct json_check *j, const char *s, size_t len)
{
	*j = (struct json_check){ .p = (const unsigned char *)s,
				  .end = (const unsigned char *)s + len };
	return json_check_value(j) && j->p == j->end;
}

#endif
