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
	Elf *relocatable;        /* NULL: the file is linked */
	struct unit_range *ranges;
	size_t n;
};

/* The parts that the loader has found: shared/lines.h. */
struct line_parts { bool alternate, package; };

struct line_frame {
	const char *function, *file; /* NULL: not known */
	int line;                    /* 0: not known */
};

/** lines_put_text - write @s with its NUL, cut to LINES_TEXT_MAX bytes; NULL is written as "".
 *  Returns the number of bytes. */
size_t lines_put_text(unsigned char *to, const char *s);
/** confine - give up files, rights and system calls; 0, or -1 if the process kept something. To
 *  open a file calls split_opens() from now on. */
int confine(const struct line_parts *parts);
/** source_open - open the debug information, and find its units. false: there is none that can be
 *  read. The end of the process closes it. */
bool source_open(struct line_source *s, const struct line_parts *parts);
/** source_address - the address in the debug information of what is asked about. false: there is
 *  nothing. */
bool source_address(const struct line_source *s, uint64_t asked, Dwarf_Addr *ret);
/** units_read - find the units of s->dwarf. */
void units_read(struct line_source *s);
/** units_find - the unit whose code @address is. */
bool units_find(const struct line_source *s, Dwarf_Addr address, Dwarf_Die *ret);
/** split_find - the unit that has the functions of @unit: the one in its .dwo file, if it has one,
 *  or itself. false: that file is not there. */
bool split_find(Dwarf_Die *unit, Dwarf_Die *ret);
/** split_opens - the result of a call of open() in the library: a descriptor or -errno. */
int split_opens(const char *path);
/** split_package - take .dwo files from the .dwp file that @fd is open for. */
void split_package(int fd);
/** frames_find - write the frames at @address to @ret, LINES_FRAMES at most; returns their number.
 *  The texts live as long as @s. */
size_t frames_find(const struct line_source *s, Dwarf_Addr address, struct line_frame *ret);

#endif
