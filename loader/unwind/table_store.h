/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unwind tables that sessions keep for each other until the machine goes down: compiling those of a
 * program of 100 MB takes a tenth of a second, in which its first hit waits.
 *
 * A table is found by what the kernel says of its file: device, inode, size, time of the last
 * change. A build-id is chosen by whoever made the file, so that one program could give its table
 * to another. A file that has changed in the last two seconds may change again within the same tick
 * of the clock, and its table is not kept. Another proberun has tables of its own.
 */
#ifndef LOADER_TABLE_STORE_H
#define LOADER_TABLE_STORE_H

#include <sys/stat.h>

#include "shared/run_dir.h"
#include "unwind.h"

#define TABLE_STORE RUN_DIR "/unwind"

/** table_store_read - the table of the file that has @st, to free(). NULL: the directory @dir has
 *  none, or others can write to it. */
struct prt_unwind_table *table_store_read(const char *dir, const struct stat *st);
/** table_store_write - keep the table of a file, if it is large enough to be worth it; the
 *  directory is made if needed, and emptied first if it has 1024 tables. Errors are not reported.
 */
void table_store_write(const char *dir, const struct stat *st, const struct prt_unwind_table *t);

#endif
