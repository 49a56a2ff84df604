/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds types of debug information in BTF. Translating a type needs thousands of lookups, so one
 * pass builds two indexes: named types by name, and types that refer to another type by that type.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "shared/memory.h"
#include "target/btf/btf_private.h"

const unsigned char btf_private_on[] = {
	[BTF_ON_POINTER] = BTF_KIND_PTR, [BTF_ON_CONST] = BTF_KIND_CONST,
	[BTF_ON_VOLATILE] = BTF_KIND_VOLATILE, [BTF_ON_RESTRICT] = BTF_KIND_RESTRICT,
	[BTF_ON_TYPEDEF] = BTF_KIND_TYPEDEF,
};

struct btf_index {
	struct map named; /* name -> the number of the first type with it */
	uint32_t *next;   /* by type: the next one with its name; 0: none */
	uint32_t *on;     /* by type: the first one that refers to it */
	uint32_t *beside; /* by type: the next one that refers to the same type */
};

static bool is_named(const struct btf_type *t)
{
	return t->name_off && (btf_is_composite(t) || btf_is_any_enum(t) || btf_is_int(t) ||
			       btf_is_float(t));
}

static bool stands_on(const struct btf_type *t)
{
	for (unsigned i = BTF_ON_POINTER; i <= BTF_ON_TYPEDEF; i++) {
		if (btf_kind(t) == btf_private_on[i])
			return true;
	}
	return false;
}

static const struct btf_index *index_of(struct btf_db *db)
{
	if (db->index)
		return db->index;

	uint32_t n = db->end;
	struct btf_index *x = NEW(db->arena, struct btf_index);

	map_init(&x->named, db->arena);
	x->next = memory_zeroed(n, sizeof(uint32_t));
	x->on = memory_zeroed(n, sizeof(uint32_t));
	x->beside = memory_zeroed(n, sizeof(uint32_t));
	/* In reverse, so that the first type of a name is found first. */
	for (uint32_t id = n - 1; id >= 1; id--) {
		const struct btf_type *t = btf_private_type(db, id);

		if (is_named(t)) {
			const char *name = btf_private_name(db, t->name_off);

			x->next[id] = (uintptr_t)map_get(&x->named, name);
			map_set(&x->named, name, (void *)(uintptr_t)id);
		} else if (stands_on(t) && t->type < n) {
			x->beside[id] = x->on[t->type];
			x->on[t->type] = id;
		}
	}
	return db->index = x;
}

void btf_match_close(struct btf_db *db)
{
	if (!db->index)
		return;
	free(db->index->next);
	free(db->index->on);
	free(db->index->beside);
	db->index = NULL;
}

/* The next type of that name after @id, which is 0 at first. */
static uint32_t next_named(struct btf_db *db, const char *name, uint32_t id)
{
	const struct btf_index *x = index_of(db);

	return id ? x->next[id] : (uintptr_t)map_get(&x->named, name);
}

uint32_t btf_match_scalar(struct btf_db *db, const char *name, enum btf_scalar kind, uint32_t size)
{
	for (uint32_t id = 0; (id = next_named(db, name, id));) {
		const struct btf_type *t = btf_private_type(db, id);

		if (t->size != size)
			continue;
		if (kind == BTF_SCALAR_FLOAT ? btf_is_float(t) :
		    btf_is_int(t) && (kind == BTF_SCALAR_SIGNED) ==
				     !!(btf_int_encoding(t) & BTF_INT_SIGNED))
			return id;
	}
	return 0;
}

static bool same_members(struct btf_db *db, const struct btf_type *t,
			 const struct btf_member_sketch *v, size_t n)
{
	const struct btf_member *m = btf_members(t);

	if (btf_private_vlen(t) != n)
		return false;
	for (unsigned i = 0; i < n; i++) {
		if (btf_member_bit_offset(t, i) != v[i].bit_offset ||
		    btf_member_bitfield_size(t, i) != v[i].bit_size ||
		    strcmp(btf_private_name(db, m[i].name_off), v[i].name) != 0)
			return false;
	}
	return true;
}

uint32_t btf_match_struct(struct btf_db *db, bool is_union, const char *name, uint64_t size,
			  const struct btf_member_sketch *v, size_t n)
{
	unsigned kind = is_union ? BTF_KIND_UNION : BTF_KIND_STRUCT;

	for (uint32_t id = 0; (id = next_named(db, name, id));) {
		const struct btf_type *t = btf_private_type(db, id);

		if (btf_kind(t) == kind &&
		    (v ? t->size == size && same_members(db, t, v, n) : btf_private_vlen(t) != 0))
			return id;
	}
	return 0;
}

uint32_t btf_match_enum(struct btf_db *db, const struct btf_enum_sketch *e)
{
	const struct btf_constant *v = e->constants.v.v;
	size_t n = e->constants.v.n;

	for (uint32_t id = 0; (id = next_named(db, e->name, id));) {
		const struct btf_type *t = btf_private_type(db, id);

		if (!btf_is_any_enum(t) || t->size != e->size || btf_private_vlen(t) != n ||
		    btf_private_enum_signed(db, id) != e->is_signed)
			continue;

		struct btf_constants have = {0};

		btf_lookup_constants(db, db->arena, id, &have);

		size_t i = 0;

		while (i < n && have.v.v[i].value == v[i].value &&
		       strcmp(have.v.v[i].name, v[i].name) == 0)
			i++;
		if (i == n)
			return id;
	}
	return 0;
}

uint32_t btf_match_on(struct btf_db *db, enum btf_on kind, const char *name, uint32_t target)
{
	const struct btf_index *x = index_of(db);

	if (target >= db->end)
		return 0;
	for (uint32_t id = x->on[target]; id; id = x->beside[id]) {
		const struct btf_type *t = btf_private_type(db, id);

		if (btf_kind(t) == btf_private_on[kind] &&
		    (!name || strcmp(btf_private_name(db, t->name_off), name) == 0))
			return id;
	}
	return 0;
}
