/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the directories of tapsets and macros. */
#ifndef PARSE_LIBRARY_DIRS_H
#define PARSE_LIBRARY_DIRS_H

#include "state.h"

struct library_dir {
	const char *path;
	int in_tapset; /* source.in_tapset of its files */
	bool automatic; /* not named by the user: only files that others can't have written count */
};

struct library_dirs {
	VEC(struct library_dir) v;
};

/** library_roots - into @ret: the directories of -I in their order, the user's, the system's and
 *  the library that comes with the program, in the order in which they count; without
 *  subdirectories.
 *  @warn: about those that are there and not safe to use. */
void library_roots(struct state *s, struct library_dirs *ret, bool warn);
/** library_dirs - the same with what each has for the kernel and the processor, which counts before
 *  it: 6.1.0-56-amd64/x86_64, 6.1.0-56-amd64, 6.1.0, 6.1, x86_64. Where no kernel is known yet,
 *  only the last. */
void library_dirs(struct state *s, struct library_dirs *ret, bool warn);
/** library_read - the file @name of @dir, whose path goes to s->files_read; NULL: it can't be read,
 *  which is an error, or others could have written it, which is a warning. */
struct source *library_read(struct state *s, const struct library_dir *dir, const char *name);

#endif
