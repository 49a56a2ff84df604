/* SPDX-License-Identifier: GPL-2.0 */
/* The programs and libraries that sites are in: whether the files are still those that the script
 * was compiled for. */
#ifndef LOADER_PROGRAMS_H
#define LOADER_PROGRAMS_H

#include "machine/kernel.h"

struct meta;

/**
 * programs_check - refuse a file of another build than the script was compiled for
 * A site is an offset in a file: in another build, another instruction stands there. A file that is
 * missing is left to the module, which says so for each of its sites.
 * 0, or -1: said.
 */
int programs_check(const struct meta *m);

/** programs_build_id - lower-case hex from the notes of an ELF file of 64 bits; "" when it has none
 *  or can't be read. */
void programs_build_id(const char *path, char buf[KERNEL_BUILD_ID_SIZE]);

#endif
