/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of this folder. */
#ifndef LINES_PRIVATE_H
#define LINES_PRIVATE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* Code of a unit at [low, high). */
struct unit_range {
	Dwarf_Addr low, high;
	Dwarf_Off unit;          /* offset of its DIE */
};

/* The debug information of a file, with its units in the order of their addresses. */
struct line_source {
	Dwarf *dwarf;
	struct unit_range *ranges;
	size_t n;
};

struct line_frame {
	const char *function, *file; /* NULL: not known */
	int line;                    /* 0: not known */
};

/** confine - give up files, rights and system calls; 0, or -1 if the process kept something. */
int confine(void);
/** units_read - find the units of a file; memory is never freed. */
void units_read(struct line_source *s, Dwarf *dwarf);
/** units_find - the unit whose code @address is. */
bool units_find(const struct line_source *s, Dwarf_Addr address, Dwarf_Die *ret);
/** frames_find - write the frames at @address to @ret, LINES_FRAMES at most; returns their number.
 *  The texts live as long as @s. */
size_t frames_find(const struct line_source *s, Dwarf_Addr address, struct line_frame *ret);

#endif
