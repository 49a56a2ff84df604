/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the directories of tapsets and macros, and of tools. */
#ifndef PARSE_LIBRARY_DIRS_H
#define PARSE_LIBRARY_DIRS_H

#include "state.h"

struct library_dir {
	const char *path;
	int in_tapset; /* source.in_tapset of its files */
	/* not named by the user: files that others could have written are ignored */
	bool automatic;
};

struct library_dirs {
	VEC(struct library_dir) v;
};

/**
 * library_roots - the directories of -I in their order, of the user, of the system and of the
 * library, without subdirectories, in the order of their precedence
 * @warn: about directories that exist but are not safe to use
 */
void library_roots(struct state *s, struct library_dirs *ret, bool warn);
/** library_dirs - the same with the subdirectories for the kernel and the processor, which come
 *  before their directory: 6.1.0-56-amd64/x86_64, 6.1.0-56-amd64, 6.1.0, 6.1, x86_64. If no kernel
 *  is known yet, only the last one. */
void library_dirs(struct state *s, struct library_dirs *ret, bool warn);
/** library_read - read the file @name of @dir, and add its path to s->files_read. Returns NULL
 *  after an error if it can't be read, or after a warning if others could have written it. */
struct source *library_read(struct state *s, const struct library_dir *dir, const char *name);

/** library_tools - the directories of tools of the user, of the system and of probec. */
void library_tools(struct state *s, struct library_dirs *ret, bool warn);
/** library_open_tool - open the file @name of @dir. Returns -1 if it can't be read, or after a
 *  warning if others could have written it. */
int library_open_tool(struct state *s, const struct library_dir *dir, const char *name);

#endif
