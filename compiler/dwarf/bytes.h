/* SPDX-License-Identifier: GPL-2.0 */
/* Reading foreign bytes: never past their end; what is missing reads as 0. */
#ifndef DWARF_BYTES_H
#define DWARF_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes { const unsigned char *p, *end; };

struct bytes_section { const unsigned char *start; size_t size; };

static inline uint64_t bytes_leb(struct bytes *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0; c->p < c->end; shift += 7) {
		unsigned char byte = *c->p++;

		if (shift < 64)
			v |= (uint64_t)(byte & 127) << shift;
		if (!(byte & 128))
			break;
	}
	return v;
}

static inline int64_t bytes_sleb(struct bytes *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	unsigned char byte = 0;

	while (c->p < c->end) {
		byte = *c->p++;
		if (shift < 64)
			v |= (uint64_t)(byte & 127) << shift;
		shift += 7;
		if (!(byte & 128))
			break;
	}
	if (shift < 64 && byte & 64)
		v |= ~0ull << shift;
	return (int64_t)v;
}

static inline void bytes_skip(struct bytes *c, uint64_t n)
{
	c->p = n > (uint64_t)(c->end - c->p) ? c->end : c->p + n;
}

/* @n bytes, at most 8, of a little-endian number. */
static inline uint64_t bytes_fixed(struct bytes *c, size_t n)
{
	uint64_t v = 0;

	if ((size_t)(c->end - c->p) < n) {
		c->p = c->end;
		return 0;
	}
	memcpy(&v, c->p, n);
	c->p += n;
	return v;
}

/* The NUL-ended string at @offset, or NULL. */
static inline const char *bytes_string(const struct bytes_section *s, uint64_t offset)
{
	if (offset >= s->size || !memchr(s->start + offset, '\0', s->size - offset))
		return NULL;
	return (const char *)s->start + offset;
}

#endif
