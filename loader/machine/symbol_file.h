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
#ifndef MACHINE_SYMBOL_FILE_H
#define MACHINE_SYMBOL_FILE_H

#include <stddef.h>

#include "common/run_dir.h"
#include "common/text.h"

#define KEPT_SYMBOLS RUN_DIR "/kallsyms"

/* All zero: no file is mapped. */
struct symbol_file {
	const char *text; /* the lines */
	size_t size;      /* bytes */
	void *map;
	size_t map_size;
};

/** symbol_file_open - map the file; 0: it does not exist, is of another boot, or others could have
 *  written it. */
int symbol_file_open(const char *path, struct symbol_file *ret);
/** symbol_file_each - call @see for each line that has that name, without its newline. */
void symbol_file_each(const struct symbol_file *k, const char *name,
	       void (*see)(void *data, const char *line, const char *end), void *data);
/** symbol_file_write - sort @lines, which are all of the kernel's own symbols, and write them for
 *  later sessions. Errors are not reported. */
void symbol_file_write(const char *path, struct text *lines);
/** symbol_file_close - accepts a zeroed one. */
void symbol_file_close(struct symbol_file *k);

#endif
