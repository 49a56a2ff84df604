/* SPDX-License-Identifier: GPL-2.0 */
/* The programs and libraries that sites are in: whether the files are still those that the script
 * was compiled for. */
#ifndef LOADER_PROGRAMS_H
#define LOADER_PROGRAMS_H

#include <stdint.h>

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

/* The files as they were when the session began. */
struct programs {
	struct programs_file *files; /* one for each program of the module; NULL: none is probed */
	int64_t next_look;           /* ns of the monotonic clock */
};

/** programs_watch - remember the files that processes have now. */
void programs_watch(struct programs *p, const struct meta *m);
/** programs_turn - see, once a second, whether a file was replaced or changed since then: processes
 *  that start from now on are not probed, or at wrong places. One warning for each file.
 *  @now: ns */
void programs_turn(struct programs *p, const struct meta *m, int64_t now);
/** programs_deinit - accepts one that is all zero. */
void programs_deinit(struct programs *p);

#endif
