/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cached kernel symbols: the lines of /proc/kallsyms for the kernel itself, which the first
 * session of a boot stores sorted by name. The kernel generates that text anew for each reader,
 * which takes ten times as long as everything else that a session does until its probes are armed.
 * The addresses of the kernel's own symbols do not change during a boot.
 *
 *   probec-kallsyms 2 BOOT SIZE
 *   lines "ADDRESS TYPE NAME", SIZE bytes; lines of one name are in kallsyms' order, types
 *                                          those of shared/kernel_symbols.h
 */
#ifndef MACHINE_SYMBOL_FILE_H
#define MACHINE_SYMBOL_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/buf.h"
#include "shared/run_dir.h"

#define KEPT_SYMBOLS RUN_DIR "/kallsyms"

/* All zero: no file is mapped. */
struct symbol_file {
	const char *text; /* the lines */
	size_t size;      /* bytes */
	void *map;
	size_t map_size;
};

/** symbol_file_open - map the file. Returns false if it does not exist, is of another boot, or if
 * others could have written it. */
bool symbol_file_open(const char *path, struct symbol_file *ret);
/** symbol_file_each - call @see for each line with that name, without its newline. */
void symbol_file_each(const struct symbol_file *k, const char *name,
	       void (*see)(void *data, const char *line, const char *end), void *data);
/** symbol_file_write - sort @lines, which are all symbols of the kernel itself, and write them for
 * later sessions. Errors are not reported. */
void symbol_file_write(const char *path, struct buf *lines);
/** symbol_file_close - accepts a zeroed one. */
void symbol_file_close(struct symbol_file *k);

#endif
