/* SPDX-License-Identifier: GPL-2.0 */
/* Reads numbers of an untrusted section: DWARF 5, 7.6 (LEB128), and LSB 5.0 Core, 10.5.1 (pointer
 * encodings). After the end, and after a number that does not fit, every read gives 0 and `bad`. */
#ifndef LOADER_CURSOR_H
#define LOADER_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const unsigned char *bytes;
	size_t at, end;
	bool bad;
};

/* DW_EH_PE_... */
enum {
	POINTER_ABSOLUTE = 0x00, POINTER_ULEB = 0x01, POINTER_U2 = 0x02, POINTER_U4 = 0x03,
	POINTER_U8 = 0x04, POINTER_SLEB = 0x09, POINTER_S2 = 0x0a, POINTER_S4 = 0x0b,
	POINTER_S8 = 0x0c, POINTER_FORM = 0x0f, POINTER_PC_RELATIVE = 0x10,
	POINTER_RELATIVE = 0x70, POINTER_INDIRECT = 0x80, POINTER_OMITTED = 0xff,
};

/** cursor_number - an unsigned number of @size bytes, at most 8. */
static inline uint64_t cursor_number(struct cursor *c, size_t size)
{
	uint64_t n = 0;

	if (c->bad || size > c->end - c->at) {
		c->bad = true;
		return 0;
	}
	memcpy(&n, c->bytes + c->at, size);
	c->at += size;
	return n;
}

/** cursor_uleb / cursor_sleb - a number in at most ten bytes. */
static inline uint64_t cursor_uleb(struct cursor *c)
{
	uint64_t n = 0;

	for (unsigned shift = 0; shift < 70; shift += 7) {
		uint64_t byte = cursor_number(c, 1);

		if (shift < 64)
			n |= (byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return n;
	}
	c->bad = true;
	return 0;
}

static inline int64_t cursor_sleb(struct cursor *c)
{
	uint64_t n = 0;

	for (unsigned shift = 0; shift < 70; shift += 7) {
		uint64_t byte = cursor_number(c, 1);

		if (shift < 64)
			n |= (byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		if ((byte & 0x40) && shift + 7 < 64)
			n |= ~0ull << (shift + 7);
		return (int64_t)n;
	}
	c->bad = true;
	return 0;
}

/** cursor_skip - advance by @size bytes. */
static inline void cursor_skip(struct cursor *c, uint64_t size)
{
	if (c->bad || size > c->end - c->at)
		c->bad = true;
	else
		c->at += size;
}

/** cursor_string - a string of the section, with its NUL. */
static inline const char *cursor_string(struct cursor *c)
{
	const char *s = (const char *)c->bytes + c->at;
	const void *nul = c->bad ? NULL : memchr(s, 0, c->end - c->at);

	if (!nul) {
		c->bad = true;
		return "";
	}
	c->at += (size_t)((const char *)nul - s) + 1;
	return s;
}

/** cursor_pointer - an encoded pointer; relative to where the section is loaded, @base, if it is
 *  relative to itself. `bad` with any other relation. */
static inline uint64_t cursor_pointer(struct cursor *c, unsigned encoding, uint64_t base)
{
	uint64_t from = 0, n = 0;

	if ((encoding & POINTER_RELATIVE) == POINTER_PC_RELATIVE)
		from = base + c->at;
	else if (encoding & POINTER_RELATIVE)
		c->bad = true;
	switch (encoding & POINTER_FORM) {
	case POINTER_ABSOLUTE:
	case POINTER_U8:
	case POINTER_S8:
		n = cursor_number(c, 8);
		break;
	case POINTER_U2:
		n = cursor_number(c, 2);
		break;
	case POINTER_U4:
		n = cursor_number(c, 4);
		break;
	case POINTER_S2:
		n = (uint64_t)(int16_t)cursor_number(c, 2);
		break;
	case POINTER_S4:
		n = (uint64_t)(int32_t)cursor_number(c, 4);
		break;
	case POINTER_ULEB:
		n = cursor_uleb(c);
		break;
	case POINTER_SLEB:
		n = (uint64_t)cursor_sleb(c);
		break;
	default:
		c->bad = true;
	}
	return n ? from + n : 0;
}

#endif
