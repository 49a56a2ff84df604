/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of debug information that are in files of their own: what dwz has moved to an alternate
 * file, which several debug files share; and what compilers leave in a .dwo file for each unit
 * (-gsplit-dwarf), or what a linker has collected from these in a .dwp file.
 */
#ifndef LOADER_DEBUG_PARTS_H
#define LOADER_DEBUG_PARTS_H

struct image;

/** debug_parts_alternate - open the alternate file that the debug file @f names, which has the
 *  build-id that @f says. @fd: of @f, for the paths relative to it; @root: where else alternate
 *  files are. Returns a descriptor that the caller closes; -1: @f has none, or it is not there. */
int debug_parts_alternate(const struct image *f, int fd, const char *root);
/** debug_parts_package - open the .dwp file beside the debug file that @fd is open for, or beside
 *  @path, that of the program (NULL: not known). Descriptor or -1, as above. */
int debug_parts_package(int fd, const char *path);
/** debug_parts_split - open a .dwo file, as a unit of the debug file that @fd is open for names it:
 *  a path, relative to @folder, which is relative to the folder of the debug file or of @path where
 *  it isn't absolute (-fdebug-prefix-map=$PWD=.). The file may have been moved there. Descriptor
 *  or -1, as above; the caller finds out whether it belongs to that unit. */
int debug_parts_split(int fd, const char *path, const char *folder, const char *name);

#endif
