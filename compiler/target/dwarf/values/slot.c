/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters of programs in the caller's stack, where debug information has them by the stack or
 * frame pointer after the prologue, as clang does: by a location that begins there, or by one that
 * is given for the whole function. Call frame information says how far the caller's stack is from
 * that register there. The caller's slots are from the canonical frame address on, and nothing but
 * the function itself writes there, so such a slot has the same value at the first instruction.
 *
 * A location for the whole function, and one that clang gives from its first instruction on, does
 * not say where the prologue ends, so the line table does. If the frame is set up later than that
 * (shrink-wrapping), its size is not known.
 */
#include <dwarf.h>
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
		if (!cfi_above(db, pc, ARCH_STACK_POINTER, &other, &end))
			return true;
		if (other != size && end - pc > 1)
			return true;
	}
	return false;
}

/* An address at which the first location of a parameter holds, behind the prologue. */
static bool read_place(const struct location_place *at, Dwarf_Die *die, uint64_t high, uint64_t *pc)
{
	Dwarf_Die function = at->function;
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &attr) || !prologue_end(&function, at->pc, high, pc) ||
	    dwarf_getlocations(&attr, 0, &base, &start, &end, &ops, &n) <= 0)
		return false;
	if (start > *pc)
		*pc = start;
	return *pc < end && *pc < high;
}

/* The register to which a location adds *@offset; NULL: it is something else. A frame pointer of a
 * 32-bit program is cut to 32 bits. */
static const char *base_of(const struct location *l, int64_t *offset)
{
	const struct location_piece *p = l->pieces.v;
	const struct location_op *ops = p->ops.v;

	*offset = 0;
	if (l->pieces.n != 1 || p->is_value || p->bit_size || !p->ops.n || ops[0].kind != LO_REG)
		return NULL;
	if (p->ops.n == 1)
		return ops[0].name;
	if (p->ops.n < 3 || p->ops.n > 4 || ops[p->ops.n - 2].kind != LO_CONST ||
	    ops[p->ops.n - 1].kind != LO_ADD || (p->ops.n == 4 && ops[1].kind != LO_ZEXT))
		return NULL;
	*offset = ops[p->ops.n - 2].n;
	return ops[0].name;
}

/* Makes the location of the caller's word @offset bytes above the canonical frame address. */
static void set_slot(const struct location_place *at, int64_t offset, struct location *ret)
{
	const int64_t cfa = (int64_t)arch_flow_entry_cfa(at->db->is_32bit);
	struct location_op sp = ret->pieces.v[0].ops.v[0];

	sp.name = ARCH_STACK_POINTER;
	ret->pieces.v[0].ops.n = 0;
	vec_push(at->db->arena, &ret->pieces.v[0].ops, sp);
	vec_push(at->db->arena, &ret->pieces.v[0].ops, ((struct location_op){
		.kind = LO_CONST, .n = offset + cfa }));
	vec_push(at->db->arena, &ret->pieces.v[0].ops, ((struct location_op){ .kind = LO_ADD }));
}

bool slot_is_of_caller(const struct location_place *at, const struct location *l)
{
	int64_t offset, size;
	const char *base = base_of(l, &offset);
	uint64_t same;

	return base && cfi_above(at->db, at->pc, base, &size, &same) && offset >= size;
}

bool slot_at_entry(const struct location_place *at, Dwarf_Die *die, struct location *ret)
{
	const int64_t word = at->db->is_32bit ? 4 : 8;
	struct location_place later = *at;
	Dwarf_Die function = at->function;
	int64_t offset, size;
	const char *base, *why;
	uint64_t same;
	Dwarf_Addr high;

	if (!at->entry || !at->db->is_program || dwarf_tag(die) != DW_TAG_formal_parameter ||
	    !function.addr || dwarf_highpc(&function, &high) != 0 ||
	    !read_place(at, die, high, &later.pc))
		return false;
	later.entry = false;
	if (location_of(&later, die, ret, &why) != 0 || !(base = base_of(ret, &offset)) ||
	    !cfi_above(at->db, later.pc, base, &size, &same) || offset < size ||
	    (offset - size) % word)
		return false;
	if (strcmp(base, ARCH_STACK_POINTER) == 0 &&
	    size == (int64_t)arch_flow_entry_cfa(at->db->is_32bit) &&
	    has_other_frame(at->db, at->pc, high, size))
		return false;
	set_slot(at, offset - size, ret);
	return true;
}
