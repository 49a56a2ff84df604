/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Procedure linkage tables without call frame information. Linkers write none for the entries by
 * which a static program calls functions that choose their implementation (memcpy, strlen):
 * binutils, elf_x86_64_finish_dynamic_sections in bfd/elf64-x86-64.c. Each entry is one jump, and
 * the stack is as it was at the call.
 */
#ifndef LOADER_LINKAGE_H
#define LOADER_LINKAGE_H

#include <stddef.h>
#include <stdint.h>

#include "unwind/image.h"

enum { LINKAGE_MAX = 3 };

/* Addresses of the file with jumps only. */
struct linkage {
	uint64_t start, end;
};

/** linkage_find - find the linkage tables of which each entry is one jump. Returns how many of
 *  @ret are filled in, of LINKAGE_MAX. */
size_t linkage_find(const struct image *f, struct linkage *ret);

#endif
