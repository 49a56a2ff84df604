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
#include "abi/script_frames.h"
#include "abi/unwind.h"

struct inode;

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
/* Says how hits find a file that was added; abi/unwind.h lists the errors. The same. */
long prt_code_files_key(const struct prt_code_key *key);
/* The highest number of a file. Any context. */
u32 prt_code_files_count(void);
/* How many files hits can find. Any context. */
u32 prt_code_files_keys(void);
/* The file that hits find by @inode; 0: it is not known. Any context. */
u32 prt_code_files_of(const struct inode *inode);
/* The same for the vdso of a program. */
u32 prt_code_files_vdso(bool of_32bit);
/* The bias (struct prt_space_range) of the file where it is mapped at @start, from @offset on.
 * false: it has no code there, or code that may be of two segments. Any context. */
bool prt_code_files_bias(u32 number, u64 start, u64 offset, u64 *ret);
/* The unwind table of a file that was added; NULL: it has none. Any context, as the one below. */
const struct prt_unwind_table *prt_code_files_table(u32 number);
/* prt_unwind_wanted() of that table. */
u8 prt_code_files_wanted(u32 number);
/* The table of a file that has an interpreter; NULL: it has none. The same. */
const struct prt_script_table *prt_code_files_script(u32 number);
/* PRT_KEYS_... of a C library; 0 for other files. The same. */
u32 prt_code_files_thread_keys(u32 number);
/* The names of a file; NULL: there is no such file, or it has none. Any context. */
const struct prt_name_table *prt_code_files_names(u32 number);
/* The last component of the file's path; "": there is no such file. Any context. */
const char *prt_code_files_name(u32 number);

#endif
