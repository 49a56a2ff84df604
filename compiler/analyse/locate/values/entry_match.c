/* SPDX-License-Identifier: GPL-2.0 */
/* Compares locations of debug information with the places of the calling convention, and with each
 * other. */
#include "analyse/locate/values/entry_match.h"

#include <string.h>

#include "target/arch/arch.h"
#include "target/arch/flow.h"
#include "analyse/locate/values/path.h"

bool entry_match_is_kind(const struct location_piece *p, size_t i, enum location_op_kind kind)
{
	return i < p->ops.n && p->ops.v[i].kind == kind;
}

static bool begins_with_register(const struct location_piece *p)
{
	return entry_match_is_kind(p, 0, LO_REG) || entry_match_is_kind(p, 0, LO_SIMD);
}

/* Whether a piece is what argument register @n points to. */
static bool is_target(const struct location_piece *p, unsigned n)
{
	return p->ops.n == 1 && !p->is_value && entry_match_is_kind(p, 0, LO_REG) &&
	       arch_argument(p->ops.v[0].name) == (int)n;
}

/* Whether a location is computed from nothing but some of @n argument registers from @first on. A
 * compiler may describe each part of a structure, extend a number to its type, or describe another
 * value that the parameter gets at once. */
static bool is_from_registers(const struct location *l, unsigned first, unsigned n)
{
	bool any = false;

	vec_each(p, &l->pieces) {
		if (p->ops.n && !p->is_value)
			return false;
		vec_each(op, &p->ops) {
			int reg = op->kind == LO_REG ? arch_argument(op->name) : (int)first;

			if (op->kind == LO_DEREF || op->kind == LO_SYMBOL || reg < (int)first ||
			    reg >= (int)(first + n))
				return false;
			any |= op->kind == LO_REG;
		}
	}
	return any;
}

/* Whether a piece is slot @n of the caller's stack, or if @is_address, what that points to. */
static bool is_slot(const struct location_piece *p, unsigned n, bool is_address)
{
	struct location_piece slot = *p;

	if (is_address && !entry_match_is_kind(p, p->ops.n - 1, LO_DEREF))
		return false;
	slot.ops.n -= is_address;
	return context_place_above_sp(&slot) == (int64_t)(arch_flow_entry_cfa(false) + 8 * n);
}

/* Whether the pieces are @n vector registers from @first on. */
static bool is_in_vectors(const struct location *l, unsigned first, unsigned n)
{
	for (size_t i = 0; i < l->pieces.n; i++) {
		const struct location_piece *p = &l->pieces.v[i];

		if (p->ops.n != 1 || !p->is_value || !entry_match_is_kind(p, 0, LO_SIMD) ||
		    p->ops.v[0].n != (int64_t)(first + i))
			return false;
	}
	return l->pieces.n == n;
}

bool entry_match_agrees(const struct location *l, const struct arch_passing *place)
{
	/* clang's optimizer takes the slot with the address of an object for the object. */
	if (place->where == ARCH_STACK)
		return l->pieces.n == 1 &&
		       (is_slot(&l->pieces.v[0], place->first, false) ||
			(place->is_address && is_slot(&l->pieces.v[0], place->first, true)));
	if (place->where == ARCH_SIMD)
		return is_in_vectors(l, place->first, place->n);
	if (place->where != ARCH_REGISTERS)
		return false;
	return place->is_address ? l->pieces.n == 1 && is_target(&l->pieces.v[0], place->first) :
				   is_from_registers(l, place->first, place->n);
}

bool entry_match_is_plain(const struct location *l)
{
	vec_each(p, &l->pieces) {
		if (!begins_with_register(p) || (p->is_value && p->ops.n > 1))
			return false;
	}
	return true;
}

bool entry_match_is_complete(const struct location *l)
{
	uint64_t bits = 8 * btf_types_shape(l->type.db, l->type.id).size, found = 0;

	vec_each(p, &l->pieces) {
		if (!p->ops.n)
			return false;
		found += p->bit_size ? p->bit_size : bits;
	}
	return found >= bits;
}

bool entry_match_is_any_slot(const struct location *l)
{
	int64_t above = l->pieces.n == 1 ? context_place_above_sp(&l->pieces.v[0]) : -1;

	return above >= (int64_t)arch_flow_entry_cfa(false);
}

bool entry_match_is_in_register(const struct location *l)
{
	const struct location_piece *p = l->pieces.n ? &l->pieces.v[0] : NULL;

	return p && (entry_match_is_kind(p, 0, LO_SIMD) ||
		     (entry_match_is_kind(p, 0, LO_REG) &&
		      (p->is_value || arch_argument(p->ops.v[0].name) >= 0)));
}

bool entry_match_is_computed(const struct location *l)
{
	vec_each(p, &l->pieces) {
		if (p->ops.n && (!begins_with_register(p) || (p->is_value && p->ops.n > 1)))
			return true;
	}
	return false;
}

static bool is_same_piece(const struct location_piece *p, const struct location_piece *q)
{
	if (p->is_value != q->is_value || p->ops.n != q->ops.n || !begins_with_register(p))
		return false;
	for (size_t i = 0; i < p->ops.n; i++) {
		const struct location_op *a = &p->ops.v[i], *b = &q->ops.v[i];

		if (a->kind != b->kind ||
		    (a->kind == LO_REG ? strcmp(a->name, b->name) != 0 : a->n != b->n))
			return false;
	}
	return true;
}

bool entry_match_is_same_place(const struct location *a, const struct location *b)
{
	vec_each(p, &a->pieces)
		vec_each(q, &b->pieces)
			if (is_same_piece(p, q))
				return true;
	return false;
}
