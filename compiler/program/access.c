/* SPDX-License-Identifier: GPL-2.0 */
/* Parts of a location: access.h. */
#include "program/access.h"

#include <string.h>

bool access_uses(const struct location *l, enum location_op_kind kind)
{
	vec_each(p, &l->pieces)
		vec_each(op, &p->ops)
			if (op->kind == kind)
				return true;
	return false;
}

static struct location_piece copy_piece(struct arena *a, const struct location_piece *p)
{
	struct location_piece copy = { .is_value = p->is_value };

	vec_each(op, &p->ops)
		vec_push(a, &copy.ops, *op);
	return copy;
}

/* Takes @bits bits from bit @from of a piece, reading them if the piece is in memory. No further
 * bytes are read, because the memory may end there. */
static void append_bits(struct arena *a, const struct location_piece *p, uint32_t from,
			uint32_t bits, struct location *ret)
{
	while (bits) {
		struct location_piece part = copy_piece(a, p);

		part.is_value = true;
		part.bit_offset = from;
		part.bit_size = bits;
		if (!p->is_value) {
			uint32_t bytes = (from % 8 + bits + 7) / 8, unit = 8;

			while (unit > bytes)
				unit /= 2;
			part.bit_offset = from % 8;
			if (part.bit_size > unit * 8 - part.bit_offset)
				part.bit_size = unit * 8 - part.bit_offset;
			if (from / 8) {
				vec_push(a, &part.ops, ((struct location_op){ .kind = LO_CONST,
									      .n = from / 8 }));
				vec_push(a, &part.ops, ((struct location_op){ .kind = LO_ADD }));
			}
			vec_push(a, &part.ops, ((struct location_op){ .kind = LO_DEREF,
								      .n = unit }));
		}
		from += part.bit_size;
		bits -= part.bit_size;
		vec_push(a, &ret->pieces, part);
	}
}

bool access_bits(struct arena *a, const struct location *l, uint32_t from, uint32_t bits,
		   struct location *ret)
{
	uint32_t start = 0;

	memset(ret, 0, sizeof(*ret));
	ret->entry_reg = l->entry_reg;
	ret->return_at = l->return_at;
	vec_each(p, &l->pieces) {
		uint64_t end = p->bit_size ? (uint64_t)start + p->bit_size : UINT64_MAX;

		if (bits && from < end) {
			uint32_t n = from + (uint64_t)bits <= end ? bits : (uint32_t)(end - from);

			if (p->ops.n == 0 ||
			    (p->is_value && p->bit_offset + (from - start) + (uint64_t)n > 64))
				return false;
			append_bits(a, p, p->bit_offset + (from - start), n, ret);
			from += n;
			bits -= n;
		}
		start = (uint32_t)end;
	}
	return bits == 0;
}
