/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files whose code processes have mapped, with their unwind tables. The loader numbers them and
 * brings the tables (PRT_IOC_CODE_FILE); they stay until the session ends.
 */
#ifndef PRT_CODE_FILES_H
#define PRT_CODE_FILES_H

#include <linux/types.h>

#include "abi/script.h"
#include "abi/unwind.h"

/* Bytes that prt_code_files_setup() allocates. Tables come later, up to a part of the memory. */
u64 prt_code_files_memory(void);
/* SETUP. Process context. -ENOMEM. */
int prt_code_files_setup(void);
/* The session is over. */
void prt_code_files_free(void);
/* Adds the next file, with a copy of its table; abi/records.h has the errors. Process context, one
 * call at a time, those below included. */
long prt_code_files_add(const struct prt_code_file_set *set);
/* The highest number, and the table of a file with a number up to that; NULL: it has none. */
u32 prt_code_files_count(void);
const struct prt_unwind_table *prt_code_files_table(u32 number);
/* prt_unwind_wanted() of that table. */
u8 prt_code_files_wanted(u32 number);
/* The last part of the file's path; "": there is no such file. Any context. */
const char *prt_code_files_name(u32 number);

#endif
