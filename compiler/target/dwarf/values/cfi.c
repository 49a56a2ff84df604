/* SPDX-License-Identifier: GPL-2.0 */
/* Call frame information: the location of a function's frame. The kernel has it only in
 * .debug_frame, programs usually in .eh_frame. */
#include "target/dwarf/values/location.h"

#include <stdlib.h>

const Dwarf_Op *cfi_frame(struct dwarf_db *db, uint64_t pc, size_t *n)
{
	Dwarf_CFI *cfi = dwarf_getcfi(db->dwarf);
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops = NULL, *copy = NULL;

	if ((!cfi || dwarf_cfi_addrframe(cfi, pc, &frame) != 0) && db->is_program) {
		if (!db->loaded_cfi)
			db->loaded_cfi = dwarf_getcfi_elf(db->loaded);
		cfi = db->loaded_cfi;
		if (!cfi || dwarf_cfi_addrframe(cfi, pc, &frame) != 0)
			return NULL;
	}
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
