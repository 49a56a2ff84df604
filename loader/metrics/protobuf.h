/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages of protocol buffers, written and read field by field. No library does this: the messages
 * of metrics have a dozen fields, and code that is generated for them would be much longer than
 * this file, with a library that every user has to install.
 */
#ifndef LOADER_METRICS_PROTOBUF_H
#define LOADER_METRICS_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/buf.h"

/** protobuf_put - a varint without a tag, for lists that are packed. */
void protobuf_put(struct buf *t, uint64_t v);
/** protobuf_put_fixed - the same for eight bytes. */
void protobuf_put_fixed(struct buf *t, uint64_t v);
/** protobuf_zigzag - the number that stands for @v in fields of the types sint32 and sint64. */
uint64_t protobuf_zigzag(int64_t v);
/** protobuf_bits - the number whose eight bytes are those of @v. */
uint64_t protobuf_bits(double v);

/** protobuf_number, protobuf_fixed, protobuf_bytes - add a field: a varint, eight bytes, bytes. */
void protobuf_number(struct buf *t, unsigned field, uint64_t v);
void protobuf_fixed(struct buf *t, unsigned field, uint64_t v);
void protobuf_bytes(struct buf *t, unsigned field, const char *s, size_t len);
void protobuf_double(struct buf *t, unsigned field, double v);

/** protobuf_open - begin a field that is a message or a packed list, whose contents are then
 * added. Returns what protobuf_close() takes, which ends it. */
size_t protobuf_open(struct buf *t, unsigned field);
void protobuf_close(struct buf *t, size_t at);

/* A field that was read: bytes, or a number. */
struct protobuf_field {
	unsigned number;
	const char *s; /* NULL: it is a number */
	size_t len;
	uint64_t v;
};

/** protobuf_next - read the field at *@at, which is then behind it. A length beyond @end is cut
 * down to it. False: there is no other field. */
bool protobuf_next(const char **at, const char *end, struct protobuf_field *ret);

#endif
