/* SPDX-License-Identifier: GPL-2.0 */
/* The programs and libraries that sites are in: whether the files are still those that the script
 * was compiled for. */
#ifndef LOADER_PROGRAMS_H
#define LOADER_PROGRAMS_H

#include <stdint.h>

#include "machine/kernel.h"

struct meta;

/**
 * programs_check - refuse a file of another build than the one that the script was compiled for
 *
 * A site is an offset in a file: another build has another instruction there. The runtime reports a
 * missing file for each of its sites.
 *
 * Returns 0, or -1 after reporting the error.
 */
int programs_check(const struct meta *m);

/** programs_build_id - write lower-case hex from the notes of a 64-bit ELF file; "" if it has none
 * or cannot be read. */
void programs_build_id(const char *path, char buf[KERNEL_BUILD_ID_SIZE]);

/* The files as they were when the session began. */
struct programs {
	struct programs_file *files; /* one for each program of the module; NULL: none is probed */
	int64_t next_look;           /* ns of the monotonic clock */
};

/** programs_watch - remember the files that the processes use now. */
void programs_watch(struct programs *p, const struct meta *m);
/** programs_turn - check once a second whether a file was replaced or changed since then:
 * processes that start later are not probed, or at wrong places. Reports one warning for each
 * file. @now: ns */
void programs_turn(struct programs *p, const struct meta *m, int64_t now);
/** programs_deinit - accepts one that is all zero. */
void programs_deinit(struct programs *p);

#endif
