/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters of programs in the caller's stack, where debug information has them by the stack
 * pointer after the prologue, as clang does without a frame pointer: by a location that
 * begins there, or by one that is given for the whole function. Call frame information says how far
 * the prologue has moved the stack pointer. The caller's slots are from the canonical frame address
 * on, and nothing but the function itself writes there, so such a slot has the same value at the
 * first instruction.
 *
 * A location for the whole function, and one that clang gives from its first instruction on, does
 * not say where the prologue ends, so the line table does. If the frame is set up later than that
 * (shrink-wrapping), its size is not known.
 */
#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "target/arch/arch.h"
#include "target/arch/flow.h"
#include "target/dwarf/values/location.h"

/* The first address behind the prologue, by the line table. */
static bool prologue_end(Dwarf_Die *function, uint64_t entry, uint64_t high, uint64_t *ret)
{
	Dwarf_Lines *lines;
	Dwarf_Die unit;
	bool found = false;
	size_t n;

	if (!dwarf_diecu(function, &unit, NULL, NULL) ||
	    dwarf_getsrclines(&unit, &lines, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		Dwarf_Addr pc;
		bool ends = false;

		if (dwarf_lineprologueend(line, &ends) != 0 || !ends ||
		    dwarf_lineaddr(line, &pc) != 0 || pc < entry || pc >= high ||
		    (found && pc >= *ret))
			continue;
		*ret = pc;
		found = true;
	}
	return found;
}

/* Whether the function moves the stack pointer to a frame of another size than @size, but for one
 * instruction alone, which clang's code has behind a call that pushes its own address. */
static bool has_other_frame(struct dwarf_db *db, uint64_t entry, uint64_t high, int64_t size)
{
	uint64_t end;
	int64_t other;

	for (uint64_t pc = entry; pc < high; pc = end) {
		if (!cfi_above_sp(db, pc, &other, &end))
			return true;
		if (other != size && end - pc > 1)
			return true;
	}
	return false;
}

/* An address at which the first location of a parameter holds, behind the prologue, and the size of
 * the frame there. */
static bool read_frame(const struct location_place *at, Dwarf_Die *die, uint64_t *pc,
		       int64_t *size)
{
	Dwarf_Die function = at->function;
	Dwarf_Addr base, start, end, high;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	uint64_t same;
	size_t n;

	if (!function.addr || dwarf_highpc(&function, &high) != 0 ||
	    !dwarf_attr(die, DW_AT_location, &attr) || !prologue_end(&function, at->pc, high, pc) ||
	    dwarf_getlocations(&attr, 0, &base, &start, &end, &ops, &n) <= 0)
		return false;
	if (start > *pc)
		*pc = start;
	return *pc < end && *pc < high && cfi_above_sp(at->db, *pc, size, &same) &&
	       (*size != (int64_t)arch_flow_entry_cfa(at->db->is_32bit) ||
		!has_other_frame(at->db, at->pc, high, *size));
}

bool slot_at_entry(const struct location_place *at, Dwarf_Die *die, struct location *ret)
{
	struct location_place later = *at;
	struct location_op *ops;
	int64_t size;
	const char *why;

	if (!at->entry || !at->db->is_program || dwarf_tag(die) != DW_TAG_formal_parameter ||
	    !read_frame(at, die, &later.pc, &size))
		return false;
	later.entry = false;
	if (location_of(&later, die, ret, &why) != 0 || ret->pieces.n != 1 ||
	    ret->pieces.v[0].is_value || ret->pieces.v[0].bit_size || ret->pieces.v[0].ops.n != 3)
		return false;
	ops = ret->pieces.v[0].ops.v;
	if (ops[0].kind != LO_REG || strcmp(ops[0].name, ARCH_STACK_POINTER) != 0 ||
	    ops[1].kind != LO_CONST || ops[2].kind != LO_ADD || ops[1].n < size ||
	    (ops[1].n - size) % (int64_t)arch_flow_entry_cfa(at->db->is_32bit))
		return false;
	ops[1].n -= size - (int64_t)arch_flow_entry_cfa(at->db->is_32bit);
	return true;
}
