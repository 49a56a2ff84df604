/* SPDX-License-Identifier: GPL-2.0 */
/* The debug information of an open program or library, for dwarf/. */
#ifndef OBJECT_DEBUG_H
#define OBJECT_DEBUG_H

#include <elfutils/libdwfl.h>

struct program_file;
struct state;

/**
 * object_debug_info - the debug information of a program, in its own file or a separate one
 * @loaded: the file that is executed
 * @path:   of the file that has it, or NULL; owned by the arena
 *
 * returns NULL if there is none; both are valid until object_close()
 */
Dwarf *object_debug_info(struct state *s, const struct program_file *o, Elf **loaded,
			 const char **path);

#endif
