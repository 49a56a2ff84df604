/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads numbers and strings of an untrusted section, for the compiler and the loader. No read goes
 * past the end: one that does not fit gives 0 or NULL, sets `bad`, and leaves nothing to read.
 * Numbers are little-endian.
 */
#ifndef SHARED_BYTES_H
#define SHARED_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const unsigned char *p, *end; /* the next byte; the end of the section or of a part of it */
	bool bad;                     /* something did not fit; the reader does not clear it */
};

static inline size_t bytes_left(const struct bytes *c)
{
	return (size_t)(c->end - c->p);
}

static inline void bytes_fail(struct bytes *c)
{
	c->p = c->end;
	c->bad = true;
}

/** bytes_fixed - an unsigned number of @n bytes, at most 8. */
static inline uint64_t bytes_fixed(struct bytes *c, size_t n)
{
	uint64_t v = 0;

	if (bytes_left(c) < n) {
		bytes_fail(c);
		return 0;
	}
	memcpy(&v, c->p, n);
	c->p += n;
	return v;
}

/* The bytes of a LEB128 number, without its sign: DWARF 5, 7.6. Ten bytes are enough for 64 bits;
 * @shift is the number of bits that were read. */
static inline uint64_t bytes_leb_bits(struct bytes *c, unsigned *shift)
{
	uint64_t v = 0;

	for (*shift = 0; c->p < c->end && *shift < 70;) {
		unsigned char byte = *c->p++;

		if (*shift < 64)
			v |= (uint64_t)(byte & 0x7f) << *shift;
		*shift += 7;
		if (!(byte & 0x80))
			return v;
	}
	bytes_fail(c);
	*shift = 64;
	return 0;
}

/** bytes_uleb - an unsigned LEB128 number in at most ten bytes. */
static inline uint64_t bytes_uleb(struct bytes *c)
{
	unsigned shift;

	return bytes_leb_bits(c, &shift);
}

/** bytes_sleb - a signed LEB128 number in at most ten bytes. */
static inline int64_t bytes_sleb(struct bytes *c)
{
	unsigned shift;
	uint64_t v = bytes_leb_bits(c, &shift);

	if (shift < 64 && v >> (shift - 1) & 1)
		v |= ~0ull << shift;
	return (int64_t)v;
}

/** bytes_skip - advance by @n bytes. */
static inline void bytes_skip(struct bytes *c, uint64_t n)
{
	if (n > bytes_left(c))
		bytes_fail(c);
	else
		c->p += n;
}

/** bytes_string - a string with its NUL; NULL if it does not end. It is a part of the section. */
static inline const char *bytes_string(struct bytes *c)
{
	const char *s = (const char *)c->p;
	const unsigned char *nul = c->p < c->end ? memchr(c->p, '\0', bytes_left(c)) : NULL;

	if (!nul) {
		bytes_fail(c);
		return NULL;
	}
	c->p = nul + 1;
	return s;
}

#endif
