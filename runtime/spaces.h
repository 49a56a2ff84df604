/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The address spaces whose stacks are taken: which files each has mapped where, and the files'
 * unwind tables. Nothing is known of one until a stack in it is wanted. Then it is marked, the
 * loader waits for such marks (PRT_IOC_SPACE_WANTED), reads the process's mappings and compiles the
 * tables that are missing; until that is done, each hit finds the mappings itself (mapped.h), and
 * stacks end at code of files that the loader has not met. A process that maps other code later is
 * marked again.
 *
 * Handlers read a description with interrupts off; one that is replaced is freed after
 * prt_global_grace().
 */
#ifndef PRT_SPACES_H
#define PRT_SPACES_H

#include <linux/types.h>

#include "abi/script.h"
#include "abi/script_frames.h"
#include "abi/unwind.h"

struct mm_struct;
struct prt_ctx;

/* Code that is mapped at [start, end). */
struct prt_code {
	u64 start, end;
	u64 bias;                    /* an address there less this one is the file's */
	u64 file;                    /* the file's number, where frames have it; 0: no file */
	const struct prt_unwind_table *table; /* NULL: the file has none */
	bool is_unknown;             /* the loader has not read the file yet */
};

/* A file of it that has an interpreter. */
struct prt_space_script {
	const struct prt_script_table *table;
	u64 bias, file;              /* as in struct prt_code */
};

struct prt_space {
	u64 serial;                  /* that no other description of the session has; not 0 */
	u32 n;
	u8 wanted;                   /* for prt_unwind_plan_of() */
	u8 nscripts;
	bool has_unknown;            /* of some of its code, the loader has not read the file yet */
	bool has_unread;             /* ... the loader can't read the file */
	u32 thread_keys;             /* PRT_KEYS_... of its C library; 0: not known */
	struct prt_space_script scripts[PRT_SCRIPT_LANGUAGES];
	struct prt_code code[];      /* in the order of their addresses */
};

/* Bytes that prt_spaces_setup() allocates. */
u64 prt_spaces_memory(void);
/* SETUP, in the loader's process. Process context. -ENOMEM; then free frees the rest. */
int prt_spaces_setup(void);
/* The session is over: no handler runs any more. */
void prt_spaces_free(void);
/* The calls of abi/records.h, which say what they return. Process context. */
long prt_spaces_wanted(void __user *at);
long prt_spaces_file(const void __user *from);
long prt_spaces_describe(const void __user *from);
long prt_spaces_key(const void __user *from);

/* The description of the current process's address space: the loader's, or where that is missing or
 * old, one that is made now; NULL: neither can be had, or it has no address space. It is marked as
 * wanted if it has other code by now. Good while interrupts are off. Any context. */
const struct prt_space *prt_spaces_find(struct prt_ctx *c);
/* The code at @addr, or NULL. Any context. */
const struct prt_code *prt_spaces_code(const struct prt_space *space, u64 addr);
/* Makes the loader's description: its mappings, without a serial number. -EFAULT, -EINVAL, -ENOMEM
 * (ERR_PTR). To be freed by kvfree(). Process context; the caller serialises it with calls that add
 * files. */
struct prt_space *prt_spaces_make(const struct prt_space_set *set);
/* Adds what file @number, mapped with that bias, is to the space beside its code: the columns that
 * walks want, an interpreter, a C library. Whoever makes the description; any context. */
void prt_spaces_add_file(struct prt_space *space, u32 number, u64 bias);
/* A walk came to an address of the current process that no code is known at: looks again, not too
 * often. The same. */
void prt_spaces_strange(void);
/* Whether the current process is described as it is now. Any context. */
bool prt_spaces_ready(void);
/* Waits until it is, for a second at most. The process's own context, where it may sleep. */
void prt_spaces_wait(void);
/* Wakes all that wait for it: the session ends. Any context that may wake. */
void prt_spaces_wake(void);

#endif
