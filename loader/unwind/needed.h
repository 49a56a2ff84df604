/* SPDX-License-Identifier: GPL-2.0 */
/* The files that a program will have mapped when it has started: itself, its interpreter, and the
 * libraries that these need. */
#ifndef LOADER_NEEDED_H
#define LOADER_NEEDED_H

#include <stdbool.h>

/* Looks at one of the files. @fd: to be closed by it; @path: its real one. false: it was there
 * before, and what it needs as well. */
typedef bool needed_visit(void *arg, int fd, const char *path);

/** needed_each - call @visit for the files of the program at @path, or of the one that runs it if
 *  it is a script. Libraries are looked for in the usual directories and where a file says; those
 *  that are only found by other means (ld.so.conf, LD_LIBRARY_PATH, dlopen) are left out. */
void needed_each(const char *path, needed_visit *visit, void *arg);

#endif
