/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Enumerations of Rust whose variants have data: a structure with a part for each variant
 * (DW_TAG_variant_part), which BTF can't hold. A number in the object, the discriminant, tells
 * which one it is. It may be a part of a variant's own data, of which other variants have values
 * that the data never have (a niche, such as the null of a Box).
 */
#include <dwarf.h>

#include "target/dwarf/private.h"
#include "target/dwarf/values/read.h"
#include "target/dwarf/values/types.h"
#include "target/dwarf/values/written.h"
#include "state.h"

/* The place of the discriminant. Returns false if it can't be read as a number. */
static bool read_discriminant(Dwarf_Die *part, struct dwarf_variants *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Die member, type;
	Dwarf_Word size = 0;
	uint64_t at = 0;

	if (!dwarf_attr(part, DW_AT_discr, &attr))
		return true;
	if (!dwarf_formref_die(&attr, &member) || !dwarf_read_target(&member, &type) ||
	    dwarf_aggregate_size(&type, &size) != 0 ||
	    !dwarf_read_number(&member, DW_AT_data_member_location, &at) || at > UINT16_MAX)
		return false;
	ret->at = (uint32_t)at;
	ret->size = (uint32_t)size;
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool read_variant(struct dwarf_db *db, Dwarf_Die *die, struct dwarf_variants *all)
{
	struct dwarf_variant one = { 0 };
	Dwarf_Attribute attr;
	Dwarf_Die member;
	uint64_t at = 0;
	int64_t n;

	if (dwarf_child(die, &member) != 0 || dwarf_tag(&member) != DW_TAG_member ||
	    !dwarf_read_number(&member, DW_AT_data_member_location, &at) || at > UINT16_MAX ||
	    !dwarf_types_of(db->types, &member, &one.type) || dwarf_hasattr(die, DW_AT_discr_list))
		return false;
	one.name = dwarf_read_name(&member);
	one.at = (uint32_t)at;
	if (!dwarf_attr(die, DW_AT_discr_value, &attr)) {
		one.is_rest = true;
	} else {
		if (!dwarf_constant(&attr, &n))
			return false;
		one.is = (uint64_t)n;
		if (all->size < 8)
			one.is &= (1ull << 8 * all->size) - 1;
	}
	vec_push(db->arena, &all->v, one);
	return *one.name;
}

bool dwarf_variants(struct state *s, struct access_type type, struct dwarf_variants *ret)
{
	struct dwarf_db *db = type.db ? dwarf_db_with_types(s, type.db) : NULL;
	Dwarf_Die die, part, child;
	unsigned rest = 0;

	*ret = (struct dwarf_variants){ 0 };
	if (!db || !written_die(db->written, db, type, &die) ||
	    !dwarf_read_child(&die, DW_TAG_variant_part, &part) ||
	    !read_discriminant(&part, ret) || dwarf_child(&part, &child) != 0)
		return false;
	do {
		if (dwarf_tag(&child) != DW_TAG_variant)
			continue;
		if (ret->v.n == DWARF_READ_MEMBERS || !read_variant(db, &child, ret))
			return false;
		rest += ret->v.v[ret->v.n - 1].is_rest;
	} while (dwarf_siblingof(&child, &child) == 0);
	return ret->v.n && (ret->size ? rest <= 1 : ret->v.n == 1);
}
