/* SPDX-License-Identifier: GPL-2.0 */
/* An open program or library, for dwarf/, which reads the debug information that belongs to it. */
#ifndef OBJECT_DEBUG_H
#define OBJECT_DEBUG_H

#include <elfutils/libdwfl.h>

struct program_file;
struct state;

/**
 * object_debug_info - the debug information of a program, of its own file or of a separate one
 * @loaded: the file that is run
 * returns NULL if there is none. Both last until object_close().
 */
Dwarf *object_debug_info(struct state *s, const struct program_file *o, Elf **loaded);

#endif
