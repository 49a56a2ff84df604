/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call frame information: the sections .eh_frame and .debug_frame (System V ABI, AMD64, 3.7; LSB
 * 5.0 Core, 10.6; DWARF 5, 6.4). Their bytes come from untrusted files: every read is checked, and
 * the work is bounded by the size of the section.
 */
#ifndef LOADER_FRAMES_H
#define LOADER_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/image.h"

/* The code of one function, or of a part of one. */
struct frames_function {
	uint64_t start, end;  /* addresses of the file */
	size_t at;            /* its entry's first instruction, in the section */
	size_t at_end;
	size_t common;        /* number of its common entry */
};

struct frames_common;         /* private.h */

enum frames_kind {
	FRAMES_SECTION,       /* .eh_frame */
	FRAMES_LOADED,        /* the same, of a file without sections: up to its terminator */
	FRAMES_DEBUG,         /* .debug_frame */
};

struct frames {
	struct image_part part;
	enum frames_kind kind;
	bool is_32bit;        /* words have 4 bytes, registers the numbers of such programs */
	struct frames_function *functions; /* in the section's order */
	size_t nfunctions, room;
	struct frames_common *common;
	size_t ncommon, common_room;
};

/** frames_read - find the functions of a section, whose bytes @ret then owns; entries that are
 *  damaged or of an unknown form are left out. */
void frames_read(const struct image_part *part, enum frames_kind kind, bool is_32bit,
		 struct frames *ret);
/** frames_deinit - accepts one that is all zero. */
void frames_deinit(struct frames *f);

#endif
