/* SPDX-License-Identifier: GPL-2.0 */
/* Reads where parameters are at the first instruction of their function. */
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "target/arch/arch.h"
#include "target/arch/flow.h"
#include "target/dwarf/values/location.h"
#include "target/dwarf/values/params.h"
#include "target/dwarf/values/read.h"
#include "target/dwarf/values/types.h"
#include "state.h"

/* ---- the first instructions ---- */

const unsigned char *entry_code(const struct dwarf_db *db, uint64_t pc, size_t *n)
{
	Elf_Scn *scn = NULL;

	while (db->is_program && db->loaded && (scn = elf_nextscn(db->loaded, scn))) {
		Elf_Data *data;
		GElf_Shdr header;

		if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_PROGBITS ||
		    !(header.sh_flags & SHF_EXECINSTR) || pc < header.sh_addr ||
		    pc - header.sh_addr >= header.sh_size)
			continue;
		data = elf_rawdata(scn, NULL);
		if (!data || !data->d_buf || pc - header.sh_addr >= data->d_size)
			return NULL;
		*n = data->d_size - (pc - header.sh_addr);
		return (const unsigned char *)data->d_buf + (pc - header.sh_addr);
	}
	return NULL;
}

bool entry_taken(const struct dwarf_db *db, Dwarf_Die *function, uint64_t pc,
		  struct arch_taken *ret)
{
	Dwarf_Addr base, start, end;
	const unsigned char *code;
	size_t left = 0;

	for (ptrdiff_t i = 0; (i = dwarf_ranges(function, i, &base, &start, &end)) > 0;) {
		if (pc < start || pc >= end)
			continue;
		code = db->is_32bit ? NULL : entry_code(db, pc, &left);
		if (left > end - pc)
			left = end - pc;
		return code && arch_flow_taken(code, left, ret);
	}
	return false;
}

bool dwarf_taken(const struct dwarf_place *at, struct arch_taken *ret)
{
	Dwarf_Die function;

	return dwarf_parts_die(at->db, at->function_scope, &function) &&
	       entry_taken(at->db, &function, at->pc, ret);
}

/* The number of the register from which a function addresses its frame. */
static bool frame_register(Dwarf_Die *function, unsigned *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation(&attr, &ops, &n) != 0 || n != 1 || ops[0].atom < DW_OP_reg0 ||
	    ops[0].atom > DW_OP_reg31)
		return false;
	*ret = ops[0].atom - DW_OP_reg0;
	return true;
}

bool dwarf_has_frame_pointer(const struct dwarf_place *at)
{
	Dwarf_Die function;
	unsigned reg;
	const char *name;

	if (!dwarf_parts_die(at->db, at->function_scope, &function) ||
	    !frame_register(&function, &reg))
		return false;
	name = arch_register(reg, at->db->is_32bit);
	return name && strcmp(name, ARCH_STACK_POINTER) != 0;
}

/* Whether a parameter or variable is in the frame as long as the function runs. */
static bool is_in_frame(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return location_is_whole(die) && dwarf_attr(die, DW_AT_location, &attr) &&
	       dwarf_getlocation(&attr, &ops, &n) == 0 && n && ops[0].atom == DW_OP_fbreg;
}

bool dwarf_is_unoptimized(const struct dwarf_place *at)
{
	Dwarf_Die function, child;
	bool any = false;

	if (!dwarf_has_frame_pointer(at) ||
	    !dwarf_parts_die(at->db, at->function_scope, &function) ||
	    dwarf_child(&function, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);

		if (tag != DW_TAG_formal_parameter && tag != DW_TAG_variable)
			continue;
		if (!is_in_frame(&child))
			return false;
		any = true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return any;
}

/* Reads the first location of a parameter, which is valid later. */
static void read_later(const struct dwarf_place *at, Dwarf_Die *die, Dwarf_Die *function,
		       struct dwarf_param *ret)
{
	const unsigned char *code;
	Dwarf_Attribute attr;
	Dwarf_Addr base, start, end;
	unsigned reg = 0;
	Dwarf_Op *ops;
	size_t n, left = 0;

	if (!dwarf_attr(die, DW_AT_location, &attr) ||
	    dwarf_getlocations(&attr, 0, &base, &start, &end, &ops, &n) <= 0 || n == 0)
		return;

	const Dwarf_Op *op = &ops[0];
	bool is_based = op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31;

	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31 && n == 1) {
		reg = op->atom - DW_OP_reg0;
		if (arch_register(reg, at->db->is_32bit))
			ret->later_register = arch_argument(arch_register(reg, at->db->is_32bit));
		return;
	}

	if (is_based)
		reg = op->atom - DW_OP_breg0;
	if (is_based && n == 1 && op->number == 0 && arch_register(reg, at->db->is_32bit))
		ret->later_address = arch_argument(arch_register(reg, at->db->is_32bit));
	if (!ret->is_whole || n > 2 || (n == 2 && ops[1].atom != DW_OP_deref) ||
	    (op->atom == DW_OP_fbreg ? !frame_register(function, &reg) : !is_based))
		return;
	code = entry_code(at->db, at->pc, &left);
	for (int i = 0; code && i < 2; i++)
		ret->stored[i] = arch_flow_stored(code, left, reg,
						  (int64_t)(op->number + 8 * (uint64_t)i));
}

static void read_whole(const struct location_place *entry, Dwarf_Die *die, struct dwarf_param *ret)
{
	struct location_place later = *entry;
	struct location all = { 0 };
	const char *why;

	later.entry = false;
	if (ret->is_whole && location_of(&later, die, &all, &why) == 0)
		ret->whole = all;
}

static void read_location(struct state *s, const struct dwarf_place *at, Dwarf_Die *die,
			  Dwarf_Die *function, struct dwarf_param *ret)
{
	struct location_place place = {
		.db = at->db, .pc = at->pc, .function = *function, .entry = true,
	};

	ret->is_whole = location_is_whole(die);
	if (location_of(&place, die, &ret->at, &ret->why) != 0) {
		ret->passed = location_is_nowhere(die) ? DWARF_PASSED_NOT : DWARF_PASSED_LATER;
		if (ret->passed == DWARF_PASSED_LATER) {
			read_later(at, die, function, ret);
			read_whole(&place, die, ret);
		}
		dwarf_types_of(dwarf_types_open(s, at->db), die, &ret->at.type);
		return;
	}
	ret->passed = DWARF_PASSED_HERE;
	if (!dwarf_types_of(dwarf_types_open(s, at->db), die, &ret->at.type)) {
		ret->passed = DWARF_PASSED_LATER;
		ret->why = "BTF can't hold its type";
	}
}

bool dwarf_param_at(struct state *s, const struct dwarf_place *at, unsigned i,
		    struct dwarf_param *ret)
{
	struct params params = { 0 };
	struct param *p;

	if (!params_of(at->db, at, &params) || i >= params.v.n)
		return false;
	p = &params.v.v[i];
	*ret = (struct dwarf_param){ .passed = DWARF_PASSED_NOT, .why = "the compiler removed it",
				     .stored = { -1, -1 }, .later_address = -1,
				     .later_register = -1 };
	if (p->has_own && dwarf_tag(&p->own) == DW_TAG_formal_parameter)
		read_location(s, at, &p->own, &params.function, ret);
	return true;
}

bool dwarf_breaks_convention(const struct dwarf_place *at)
{
	/* Numbers of LLVM, for the convention that is usual on the processor. */
	enum { SYSTEM_V = 0xc2, AAPCS = 0xc3 };
	Dwarf_Die function;
	uint64_t convention = 0;

	return dwarf_parts_die(at->db, at->function_scope, &function) &&
	       dwarf_read_number(&function, DW_AT_calling_convention, &convention) &&
	       convention != DW_CC_normal && convention != DW_CC_program &&
	       convention != SYSTEM_V && convention != AAPCS;
}

bool dwarf_keeps_convention(const struct dwarf_place *at)
{
	struct dwarf_unit *unit = dwarf_units_at(at->db, at->pc);

	return unit && dwarf_units_is_by_gcc(&unit->die);
}

bool dwarf_marks_convention(const struct dwarf_place *at)
{
	struct dwarf_unit *unit = dwarf_units_at(at->db, at->pc);
	const char *producer = unit ? dwarf_units_producer(&unit->die) : "";
	const char *clang = strstr(producer, "clang version ");
	const char *rustc = strstr(producer, "rustc version 1.");
	unsigned n = 0;

	if (rustc)
		return sscanf(rustc, "rustc version 1.%u", &n) == 1 && n >= 70;
	return clang && sscanf(clang, "clang version %u", &n) == 1 && n >= 16;
}
