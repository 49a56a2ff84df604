/* SPDX-License-Identifier: GPL-2.0 */
/* The encoded pointers of call frame information: LSB 5.0 Core, 10.5.1. */
#ifndef LOADER_POINTER_H
#define LOADER_POINTER_H

#include "shared/bytes.h"

/* DW_EH_PE_... */
enum {
	POINTER_ABSOLUTE = 0x00, POINTER_ULEB = 0x01, POINTER_U2 = 0x02, POINTER_U4 = 0x03,
	POINTER_U8 = 0x04, POINTER_SLEB = 0x09, POINTER_S2 = 0x0a, POINTER_S4 = 0x0b,
	POINTER_S8 = 0x0c, POINTER_FORM = 0x0f, POINTER_PC_RELATIVE = 0x10,
	POINTER_RELATIVE = 0x70, POINTER_INDIRECT = 0x80, POINTER_OMITTED = 0xff,
};

/**
 * pointer_read - an encoded pointer
 * @word: bytes of an absolute one: 8, or 4 in a file of 32 bits
 * @at: the address at which the pointer itself is loaded, to which it may be relative
 *
 * Sets @c->bad if the pointer is relative to anything else.
 */
static inline uint64_t pointer_read(struct bytes *c, unsigned encoding, unsigned word, uint64_t at)
{
	uint64_t base = 0, n = 0;

	if ((encoding & POINTER_RELATIVE) == POINTER_PC_RELATIVE)
		base = at;
	else if (encoding & POINTER_RELATIVE)
		c->bad = true;
	switch (encoding & POINTER_FORM) {
	case POINTER_ABSOLUTE:
		n = bytes_fixed(c, word);
		break;
	case POINTER_U8:
	case POINTER_S8:
		n = bytes_fixed(c, 8);
		break;
	case POINTER_U2:
		n = bytes_fixed(c, 2);
		break;
	case POINTER_U4:
		n = bytes_fixed(c, 4);
		break;
	case POINTER_S2:
		n = (uint64_t)(int16_t)bytes_fixed(c, 2);
		break;
	case POINTER_S4:
		n = (uint64_t)(int32_t)bytes_fixed(c, 4);
		break;
	case POINTER_ULEB:
		n = bytes_uleb(c);
		break;
	case POINTER_SLEB:
		n = (uint64_t)bytes_sleb(c);
		break;
	default:
		c->bad = true;
	}
	n = n ? base + n : 0;
	return word == 4 ? (uint32_t)n : n;
}

#endif
