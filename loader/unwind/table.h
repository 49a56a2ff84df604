/* SPDX-License-Identifier: GPL-2.0 */
/* Compiles the unwind table of a program or library: runtime/abi/unwind.h. */
#ifndef LOADER_TABLE_H
#define LOADER_TABLE_H

#include <stdint.h>

#include "unwind.h"
#include "unwind/image.h"

/* How a table came about. */
struct table_counts {
	uint32_t functions;   /* with code in the file */
	uint32_t rows;
	uint32_t unknown;     /* rows of functions whose rule can't be expressed */
};

/**
 * table_compile - compile the table of a file
 *
 * @counts: NULL, or filled in on success
 * @why:    on failure, the reason
 *
 * Returns the table, to free(); NULL: the file has no call frame information.
 */
struct prt_unwind_table *table_compile(const struct image *f, struct table_counts *counts,
				       const char **why);
/** table_of_frame_pointers - the table of code whose functions all keep a frame pointer, to free().
 */
struct prt_unwind_table *table_of_frame_pointers(void);

#endif
