/* SPDX-License-Identifier: GPL-2.0 */
/* Call frame information: the location of a function's frame. The kernel has it only in
 * .debug_frame, programs usually in .eh_frame. */
#include "target/dwarf/values/location.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "target/arch/arch.h"

/* The caller frees it. */
static Dwarf_Frame *frame_at(struct dwarf_db *db, uint64_t pc)
{
	Dwarf_CFI *cfi = dwarf_getcfi(db->dwarf);
	Dwarf_Frame *frame = NULL;

	if ((!cfi || dwarf_cfi_addrframe(cfi, pc, &frame) != 0) && db->is_program) {
		if (!db->loaded_cfi)
			db->loaded_cfi = dwarf_getcfi_elf(db->loaded);
		cfi = db->loaded_cfi;
		if (!cfi || dwarf_cfi_addrframe(cfi, pc, &frame) != 0)
			return NULL;
	}
	return frame;
}

const Dwarf_Op *cfi_frame(struct dwarf_db *db, uint64_t pc, size_t *n)
{
	Dwarf_Frame *frame = frame_at(db, pc);
	Dwarf_Op *ops = NULL, *copy = NULL;

	if (!frame)
		return NULL;
	if (dwarf_frame_cfa(frame, &ops, n) == 0 && ops && *n) {
		/* They belong to the frame, which is freed. */
		copy = arena_alloc(db->arena, *n * sizeof(*copy));
		for (size_t i = 0; i < *n; i++)
			copy[i] = ops[i];
	}
	free(frame);
	return copy;
}

bool cfi_above(struct dwarf_db *db, uint64_t pc, const char *reg, int64_t *ret, uint64_t *end)
{
	Dwarf_Frame *frame = frame_at(db, pc);
	Dwarf_Addr first, last;
	const char *name = NULL;
	bool found = false;
	Dwarf_Op *ops;
	size_t n;

	if (!frame)
		return false;
	if (dwarf_frame_info(frame, &first, &last, NULL) >= 0 && last > pc &&
	    dwarf_frame_cfa(frame, &ops, &n) == 0 && n == 1 && ops[0].atom == DW_OP_bregx) {
		name = arch_register(ops[0].number, db->is_32bit);
		found = name && strcmp(name, reg) == 0;
		*ret = (int64_t)ops[0].number2;
		*end = last;
	}
	free(frame);
	return found;
}
