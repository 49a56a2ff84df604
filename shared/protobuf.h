/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The wire format of protocol buffers (protobuf.dev/programming-guides/encoding). A field is a tag,
 * which is its number and its form, and then a varint, eight bytes, or a length and bytes.
 */
#ifndef SHARED_PROTOBUF_H
#define SHARED_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

enum { PROTOBUF_VARINT, PROTOBUF_FIXED, PROTOBUF_BYTES }; /* forms */
enum { PROTOBUF_VARINT_MAX = 10 }; /* bytes */

/** protobuf_tag - the tag of field @field, to be written as a varint. */
static inline uint64_t protobuf_tag(unsigned field, unsigned form)
{
	return field << 3 | form;
}

/** protobuf_varint - write @v at @to, which has room for PROTOBUF_VARINT_MAX bytes. Returns how
 * many it took. */
static inline size_t protobuf_varint(char *to, uint64_t v)
{
	size_t n = 0;

	for (; v > 0x7f; v >>= 7)
		to[n++] = (char)(v | 0x80);
	to[n++] = (char)v;
	return n;
}

#endif
