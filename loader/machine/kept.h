/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's own symbols, as /proc/kallsyms has them, kept in the order of their names by the
 * first session of a boot. The kernel makes that text anew for each reader, which takes ten times
 * as long as all else that a session does until its probes are armed; its own symbols stay where
 * they are.
 *
 *   probec-kallsyms 1 BOOT SIZE
 *   lines "ADDRESS TYPE NAME", those of one name in kallsyms' order; SIZE bytes
 */
#ifndef LOADER_KEPT_H
#define LOADER_KEPT_H

#include <stddef.h>

#include "common/run_dir.h"
#include "common/text.h"

#define KEPT_SYMBOLS RUN_DIR "/kallsyms"

/* All zero: none. */
struct kept {
	const char *text; /* the lines */
	size_t size;      /* bytes */
	void *map;
	size_t map_size;
};

/** kept_open - map them; 0: nothing is kept, or not of this boot, or others could have written
 *  it. */
int kept_open(const char *path, struct kept *ret);
/** kept_each - call @see for each line that has that name, without its newline. */
void kept_each(const struct kept *k, const char *name,
	       void (*see)(void *data, const char *line, const char *end), void *data);
/** kept_write - keep the lines of @lines, all of the kernel's own symbols, for the sessions that
 *  follow; puts them in order. What goes wrong is not reported. */
void kept_write(const char *path, struct text *lines);
/** kept_close - accepts a zeroed one. */
void kept_close(struct kept *k);

#endif
