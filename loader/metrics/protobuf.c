/* SPDX-License-Identifier: GPL-2.0 */
#include "metrics/protobuf.h"

#include <string.h>

#include "shared/protobuf.h"

void protobuf_put(struct buf *t, uint64_t v)
{
	char bytes[PROTOBUF_VARINT_MAX];

	buf_write(t, bytes, protobuf_varint(bytes, v));
}

void protobuf_put_fixed(struct buf *t, uint64_t v)
{
	char bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (char)(v >> (8 * i));
	buf_write(t, bytes, sizeof(bytes));
}

uint64_t protobuf_zigzag(int64_t v)
{
	return (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0);
}

uint64_t protobuf_bits(double v)
{
	uint64_t ret;

	memcpy(&ret, &v, sizeof(ret));
	return ret;
}

void protobuf_number(struct buf *t, unsigned field, uint64_t v)
{
	protobuf_put(t, protobuf_tag(field, PROTOBUF_VARINT));
	protobuf_put(t, v);
}

void protobuf_fixed(struct buf *t, unsigned field, uint64_t v)
{
	protobuf_put(t, protobuf_tag(field, PROTOBUF_FIXED));
	protobuf_put_fixed(t, v);
}

void protobuf_double(struct buf *t, unsigned field, double v)
{
	protobuf_fixed(t, field, protobuf_bits(v));
}

void protobuf_bytes(struct buf *t, unsigned field, const char *s, size_t len)
{
	protobuf_put(t, protobuf_tag(field, PROTOBUF_BYTES));
	protobuf_put(t, len);
	buf_write(t, s, len);
}

size_t protobuf_open(struct buf *t, unsigned field)
{
	protobuf_put(t, protobuf_tag(field, PROTOBUF_BYTES));
	return t->len;
}

/* The length is known at the end only, so it moves the contents. */
void protobuf_close(struct buf *t, size_t at)
{
	char bytes[PROTOBUF_VARINT_MAX];
	size_t len = t->len - at, n = protobuf_varint(bytes, len);

	buf_write(t, bytes, n);
	memmove(t->s + at + n, t->s + at, len);
	memcpy(t->s + at, bytes, n);
}

/* ---- reading ---- */

static bool read_varint(const char **at, const char *end, uint64_t *ret)
{
	*ret = 0;
	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		unsigned char c = (unsigned char)*(*at)++;

		*ret |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80)
			return true;
	}
	return false;
}

bool protobuf_next(const char **at, const char *end, struct protobuf_field *ret)
{
	uint64_t tag;

	*ret = (struct protobuf_field){ 0 };
	if (!read_varint(at, end, &tag))
		return false;
	ret->number = (unsigned)(tag >> 3);
	if ((tag & 7) == PROTOBUF_VARINT)
		return read_varint(at, end, &ret->v);
	if ((tag & 7) == PROTOBUF_BYTES) {
		if (!read_varint(at, end, &ret->v))
			return false;
	} else if ((tag & 7) == PROTOBUF_FIXED) {
		ret->v = 8;
	} else {
		return false;
	}
	ret->s = *at;
	ret->len = ret->v < (uint64_t)(end - *at) ? (size_t)ret->v : (size_t)(end - *at);
	*at += ret->len;
	return true;
}
