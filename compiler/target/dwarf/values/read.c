/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the DIEs of types, of all versions of DWARF; see read.h. */
#include "target/dwarf/values/read.h"

#include <dwarf.h>
#include <stdlib.h>

#include "target/dwarf/private.h"

/* typedefs and qualifiers before the type of an enumeration; only damaged information has more */
enum { MAX_UNDERLYING = 64 };

bool dwarf_read_number(Dwarf_Die *die, unsigned name, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &v) != 0)
		return false;
	*ret = v;
	return true;
}

/* From the declaration of a type that has a unit of its own (-fdebug-types-section) to the
 * definition there (DWARF 5, 5.7.1). Declarations by clang have no name. */
static void to_signed(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (dwarf_attr(die, DW_AT_signature, &attr) && dwarf_formref_die(&attr, &type))
		*die = type;
}

const char *dwarf_read_name(Dwarf_Die *die)
{
	Dwarf_Die own = *die;
	const char *name;

	to_signed(&own);
	name = dwarf_diename(&own);
	return name ? name : "";
}

bool dwarf_read_target(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, ret))
		return false;
	to_signed(ret);
	return true;
}

bool dwarf_read_child(Dwarf_Die *die, int tag, Dwarf_Die *ret)
{
	if (dwarf_child(die, ret) != 0)
		return false;
	do {
		if (dwarf_tag(ret) == tag)
			return true;
	} while (dwarf_siblingof(ret, ret) == 0);
	return false;
}

bool dwarf_read_location(Dwarf_Die *die, unsigned name, Dwarf_Attribute *ret)
{
	Dwarf_Block block;

	if (!dwarf_attr_integrate(die, name, ret))
		return false;
	/* One byte is the length of both, up to 127 (DWARF 4, 7.5.4). */
	if (ret->form == DW_FORM_block1 && dwarf_formblock(ret, &block) == 0 && block.length &&
	    block.length < 128)
		ret->form = DW_FORM_exprloc;
	return true;
}

const char *dwarf_read_scope(struct arena *a, Dwarf_Die *die)
{
	Dwarf_Die unit, declared = *die, *scopes = NULL;
	Dwarf_Attribute attr;
	const char *ret = "";
	int n, tag;

	if (!dwarf_diecu(die, &unit, NULL, NULL) ||
	    !dwarf_units_language_has_scopes(dwarf_srclang(&unit)))
		return ret;
	if (dwarf_attr(die, DW_AT_specification, &attr) && !dwarf_formref_die(&attr, &declared))
		return ret;
	n = dwarf_getscopes_die(&declared, &scopes);
	for (int i = 1; i < n; i++) {
		tag = dwarf_tag(&scopes[i]);
		if (tag != DW_TAG_compile_unit && tag != DW_TAG_partial_unit &&
		    tag != DW_TAG_type_unit)
			ret = arena_printf(a, "%s::%s", dwarf_read_name(&scopes[i]), ret);
	}
	free(scopes);
	return ret;
}

bool dwarf_read_declared(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool flag;

	return dwarf_hasattr(die, DW_AT_signature) ||
	       (dwarf_attr(die, DW_AT_declaration, &attr) && dwarf_formflag(&attr, &flag) == 0 &&
		flag);
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

/* The type on which an enumeration rests, without typedefs. C and C++ allow only integers, but a
 * damaged one may refer to itself. */
static bool underlying_type(Dwarf_Die *die, Dwarf_Die *ret)
{
	bool found = dwarf_read_target(die, ret);

	for (int i = 0; found && i < MAX_UNDERLYING && dwarf_tag(ret) != DW_TAG_base_type; i++)
		found = dwarf_read_target(ret, ret);
	return found && dwarf_tag(ret) == DW_TAG_base_type;
}

/* Whether a constant is negative. Forms of a fixed size don't say the sign of what they hold (DWARF
 * 5, 7.5.5); gcc and clang use them, or udata, only for what is not negative. */
static bool has_negative(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die child;
	Dwarf_Sword v;

	if (dwarf_child(die, &child) != 0)
		return false;
	do {
		unsigned form = dwarf_attr(&child, DW_AT_const_value, &attr) ?
				dwarf_whatform(&attr) : 0;

		if ((form == DW_FORM_sdata || form == DW_FORM_implicit_const) &&
		    dwarf_formsdata(&attr, &v) == 0 && v < 0)
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* gcc and clang give the type since DWARF 3, which gcc leaves out with -gstrict-dwarf; newer gcc
 * gives an encoding as well. */
static bool is_signed_enum(Dwarf_Die *die, Dwarf_Die *under)
{
	uint64_t encoding;

	if ((under && dwarf_read_number(under, DW_AT_encoding, &encoding)) ||
	    dwarf_read_number(die, DW_AT_encoding, &encoding))
		return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	return has_negative(die);
}

void dwarf_read_enum(struct arena *a, Dwarf_Die *die, struct btf_enum_sketch *ret)
{
	Dwarf_Die type, *under = underlying_type(die, &type) ? &type : NULL;
	uint64_t size = 4;

	if (!dwarf_read_number(die, DW_AT_byte_size, &size) && under)
		dwarf_read_number(under, DW_AT_byte_size, &size);
	*ret = (struct btf_enum_sketch){ .name = dwarf_read_name(die), .size = (uint32_t)size };
	dwarf_read_constants(a, die, &ret->constants);
	ret->is_signed = is_signed_enum(die, under);
	if (size != 1 && size != 2 && size != 4)
		return;

	unsigned unused = 64 - 8 * (unsigned)size;

	vec_each(it, &ret->constants.v) {
		uint64_t high = (uint64_t)it->value << unused;

		it->value = ret->is_signed ? (int64_t)high >> unused : (int64_t)(high >> unused);
	}
}

struct top_visit {
	void (*visit)(void *data, Dwarf_Die *die);
	void *data;
	bool damaged;
};

static bool visit_unit(void *data, Dwarf_Die *unit)
{
	struct top_visit *v = data;
	Dwarf_Die child;
	int more;

	for (more = dwarf_child(unit, &child); more == 0; more = dwarf_siblingof(&child, &child))
		v->visit(v->data, &child);
	v->damaged |= more < 0;
	return !v->damaged;
}

bool dwarf_read_top(struct dwarf_db *db, void (*visit)(void *data, Dwarf_Die *die), void *data)
{
	struct top_visit v = { visit, data, false };

	return dwarf_parts_units(db, visit_unit, &v) && !v.damaged;
}
