/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files whose code processes have mapped, with their unwind tables and names. The loader numbers
 * them and brings the tables (PRT_IOC_CODE_FILE); they stay until the session ends.
 */
#ifndef PRT_CODE_FILES_H
#define PRT_CODE_FILES_H

#include <linux/types.h>

#include "abi/names.h"
#include "abi/script.h"
#include "abi/unwind.h"

/* The number of bytes that prt_code_files_setup() allocates. Tables are added later, up to a
 * fraction of the machine's memory (PRT_TABLES_MEMORY_SHARE). */
u64 prt_code_files_memory(void);
/* SETUP. Process context. -ENOMEM. */
int prt_code_files_setup(void);
/* Frees all tables when the session is over. */
void prt_code_files_free(void);
/* Adds the next file with a copy of its table; abi/records.h lists the errors. Process context. The
 * caller serialises this function and the three after it. */
long prt_code_files_add(const struct prt_code_file_set *set);
/* The highest number of a file. */
u32 prt_code_files_count(void);
/* The unwind table of a file that was added; NULL: it has none. */
const struct prt_unwind_table *prt_code_files_table(u32 number);
/* prt_unwind_wanted() of that table. */
u8 prt_code_files_wanted(u32 number);
/* The names of a file; NULL: there is no such file, or it has none. Any context. */
const struct prt_name_table *prt_code_files_names(u32 number);
/* The last component of the file's path; "": there is no such file. Any context. */
const char *prt_code_files_name(u32 number);

#endif
