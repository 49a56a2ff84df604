/* SPDX-License-Identifier: GPL-2.0 */
/* The types of debug information that were written as BTF, and the DIEs that they come from. A
 * later translation gives the same DIE another number. */
#ifndef DWARF_VALUES_WRITTEN_H
#define DWARF_VALUES_WRITTEN_H

#include <elfutils/libdw.h>

#include "base/vec.h"
#include "program/access.h"

struct arena;
struct dwarf_db;

/* One translation. Of a type that units declare and define there are several DIEs. */
struct written_types {
	struct btf_db *db;
	VEC(struct written_type { uint32_t id; Dwarf_Off die; }) types; /* of programs only */
};
struct dwarf_written { VEC(struct written_types) v; };

/** written_add - add a translation, which is valid until the next one is added. */
struct written_types *written_add(struct dwarf_written *all, struct arena *a, struct btf_db *db);
/** written_note - note the DIE (dwarf_parts_offset()) of a type. */
void written_note(struct written_types *w, struct arena *a, uint32_t id, Dwarf_Off die);
/** written_has - whether @types are one of the translations. */
bool written_has(const struct dwarf_written *all, const struct btf_db *types);
/** written_die - the DIE of which a type of a program is the translation; of several, one that is
 *  no declaration. Returns false if there is none. */
bool written_die(const struct dwarf_written *all, struct dwarf_db *db, struct access_type type,
		 Dwarf_Die *ret);

#endif
