/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the DIEs of types, of all versions of DWARF; see read.h. */
#include "dwarf/values/read.h"

#include <dwarf.h>

#include "dwarf/private.h"

bool dwarf_read_number(Dwarf_Die *die, unsigned name, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &v) != 0)
		return false;
	*ret = v;
	return true;
}

const char *dwarf_read_name(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name ? name : "";
}

bool dwarf_read_target(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, ret);
}

bool dwarf_read_declared(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool flag;

	return dwarf_attr(die, DW_AT_declaration, &attr) && dwarf_formflag(&attr, &flag) == 0 &&
	       flag;
}

/* Reads a bit-field. DWARF 4 and 5 count from the start of the structure, older versions from the
 * high bit of a unit. */
static void place_bits(Dwarf_Die *die, uint64_t byte, struct btf_member_sketch *m)
{
	uint64_t bits = 0, at, unit;

	if (!dwarf_read_number(die, DW_AT_bit_size, &bits))
		return;
	m->bit_size = (uint32_t)bits;
	if (dwarf_read_number(die, DW_AT_data_bit_offset, &at)) {
		m->bit_offset = (uint32_t)at;
	} else if (dwarf_read_number(die, DW_AT_bit_offset, &at)) {
		if (!dwarf_read_number(die, DW_AT_byte_size, &unit)) {
			Dwarf_Die type;
			Dwarf_Word size = 0;

			if (dwarf_read_target(die, &type))
				dwarf_aggregate_size(&type, &size);
			unit = size;
		}
		m->bit_offset = (uint32_t)(byte * 8 + unit * 8 - at - bits);
	}
}

static uint64_t member_byte(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word v = 0;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(die, DW_AT_data_member_location, &attr))
		return 0;
	if (dwarf_formudata(&attr, &v) == 0)
		return v;
	if (dwarf_getlocation(&attr, &ops, &n) == 0 && n == 1 && ops[0].atom == DW_OP_plus_uconst)
		return ops[0].number;
	return 0;
}

/* Whether it is a part of a structure: a member, or a base class. A static member is only declared
 * there. The position of a virtual base depends on the object, so it is left out. */
static bool is_part(Dwarf_Die *die)
{
	uint64_t is_virtual = DW_VIRTUALITY_none;

	if (dwarf_tag(die) == DW_TAG_member)
		return !dwarf_read_declared(die);
	dwarf_read_number(die, DW_AT_virtuality, &is_virtual);
	return dwarf_tag(die) == DW_TAG_inheritance && is_virtual == DW_VIRTUALITY_none;
}

void dwarf_read_members(struct arena *a, Dwarf_Die *die, struct dwarf_members *ret)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child) != 0)
		return;
	do {
		if (!is_part(&child) || ret->v.n == DWARF_READ_MEMBERS)
			continue;

		uint64_t byte = member_byte(&child);

		/* BTF has no place for what begins there. */
		if (byte > UINT32_MAX / 8)
			continue;

		struct btf_member_sketch m = { .name = dwarf_read_name(&child),
					       .bit_offset = (uint32_t)(byte * 8) };

		place_bits(&child, byte, &m);
		vec_push(a, &ret->v, m);
		vec_push(a, &ret->dies, child);
	} while (dwarf_siblingof(&child, &child) == 0);
}

void dwarf_read_constants(struct arena *a, Dwarf_Die *die, struct btf_constants *ret)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child) != 0)
		return;
	do {
		Dwarf_Attribute attr;
		int64_t v;

		if (dwarf_tag(&child) == DW_TAG_enumerator && ret->v.n < DWARF_READ_MEMBERS &&
		    dwarf_attr(&child, DW_AT_const_value, &attr) &&
		    dwarf_constant(&attr, &v))
			vec_push(a, &ret->v, ((struct btf_constant){ dwarf_read_name(&child), v }));
	} while (dwarf_siblingof(&child, &child) == 0);
}

bool dwarf_read_top(Dwarf *dwarf, void (*visit)(void *data, Dwarf_Die *die), void *data)
{
	Dwarf_Off at = 0, next;
	size_t head;
	int more;

	while ((more = dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL)) == 0) {
		Dwarf_Die unit, child;

		if (!dwarf_offdie(dwarf, at + head, &unit))
			return false;
		for (more = dwarf_child(&unit, &child); more == 0;
		     more = dwarf_siblingof(&child, &child))
			visit(data, &child);
		if (more < 0)
			return false;
		at = next;
	}
	return more > 0;
}
