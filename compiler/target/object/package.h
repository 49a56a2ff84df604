/* SPDX-License-Identifier: GPL-2.0 */
/* .dwp files, which have what was in the .dwo files of a program (-gsplit-dwarf). They are not
 * trusted. */
#ifndef OBJECT_PACKAGE_H
#define OBJECT_PACKAGE_H

#include <stdbool.h>
#include <stdint.h>

struct package; /* opaque: an open .dwp file */

/** package_open - open a .dwp file; the caller keeps @fd. Returns NULL if it has no index of units.
 *  package_close() frees it, and accepts NULL. */
struct package *package_open(int fd);
void package_close(struct package *p);
/** package_has_types - whether it has type units (-fdebug-types-section), which package_extract()
 *  leaves out. */
bool package_has_types(const struct package *p);
/** package_extract - make a .dwo file in memory of what the package has of the unit with that
 *  number (DW_AT_GNU_dwo_id or that of its header). Returns its descriptor, or -1. */
int package_extract(const struct package *p, uint64_t unit);

/** package_joined - make a copy of a .dwo file in memory, whose sections of one name are joined:
 *  compilers put each type unit into its own, and libdw reads one of a name. Returns its
 *  descriptor, or -1 if it is no .dwo file. */
int package_joined(int fd);

#endif
