/* SPDX-License-Identifier: GPL-2.0 */
/* The code that a process has mapped, with the unwind tables of its files. */
#ifndef LOADER_MAPPINGS_H
#define LOADER_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "unwind.h"

/* The table of a file; several processes share it. */
struct mapped_table {
	dev_t device;
	ino_t inode;
	int64_t size, changed;          /* bytes; ns: another file may get the inode */
	struct prt_unwind_table *table; /* NULL: the file has none */
	struct mapped_table *next;
};

/* All tables that were compiled. One that is all zero is empty. */
struct mapped_tables {
	struct mapped_table *first;
};

/* Code at [start, end); an address there, less `bias`, is one of the file. */
struct mapping {
	uint64_t start, end, bias;
	const struct prt_unwind_table *table; /* NULL: none is known */
};

struct mappings {
	struct mapping *v;   /* in the order of their addresses */
	size_t n;
};

/**
 * mappings_read - find the code that a process has mapped
 *
 * @tables: where tables are taken from, or put when they are compiled; must outlive @ret
 *
 * Files are opened by /proc/PID/map_files, so that those of other mount namespaces and those that
 * have been removed are read as well; the vdso is read from the process's memory. Returns 0 or
 * -errno: the process has ended, or is another user's.
 */
int mappings_read(struct mapped_tables *tables, pid_t pid, struct mappings *ret);
/** mappings_deinit - accepts one that is all zero. */
void mappings_deinit(struct mappings *m);
/** mappings_find - the mapping at @address, or NULL. */
const struct mapping *mappings_find(const struct mappings *m, uint64_t address);
/** mappings_free_tables - free all tables. */
void mappings_free_tables(struct mapped_tables *tables);

#endif
