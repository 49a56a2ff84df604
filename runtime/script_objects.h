/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions of scripts that stacks have: what abi/script_frames.h calls objects. Each has a
 * number, and stays until the session ends.
 *
 *   words      the descriptions one after another (words.h): a word with the number of words that
 *              follow and the language, then the pieces
 *   positions  by number, where the description is; stored by a release when it is complete
 *   index      a hash table of the descriptions, as that of stacks (stacks.h): the upper half of
 *              the hash, the number
 *   known      by a process's key of an object, the object, and by other keys numbers: a cache,
 *              whose entries replace each other. `turn` is odd while an entry is written; whoever
 *              finds it odd, or changed afterwards, or another key, describes the object again and
 *              finds it by its description
 *
 * None of it has memory before the first file with an interpreter comes.
 */
#ifndef PRT_SCRIPT_OBJECTS_H
#define PRT_SCRIPT_OBJECTS_H

#include <linux/types.h>

#include "abi/script.h"
#include "abi/script_frames.h"

struct prt_script_run;

/* Allocates the tables unless that was done. Process context, one caller at a time. -ENOMEM;
 * -ENOSPC: the session may not have as much memory. */
int prt_script_objects_begin(void);
void prt_script_objects_end(void);
/* The number of the object of the frame at which @run is, in the current process, whose memory is
 * mapped and whose address space has the number @space; 0: it has none, and @end says why, an enum
 * prt_script_end. Any context. */
u32 prt_script_object(const struct prt_script_run *run, u64 space, unsigned *end);
/* The number that is remembered for the key at which @run is; 0: none. Any context. */
u32 prt_script_recalled(const struct prt_script_run *run, u64 space);
/* Remembers the number at which @run is. Any context. */
void prt_script_remember(const struct prt_script_run *run, u64 space);
/* Writes to @to the name of an object, without its class, of at most @most bytes. Returns its
 * length; 0: it is not known, or has other than bytes of ASCII. Any context. */
u32 prt_script_object_name(u32 object, char *to, u32 most);
/* Counts a stack without frames of scripts that there are. Any context. */
void prt_script_missing(unsigned end);
/* The calls of abi/script_frames.h, which says what they return. Process context. */
long prt_script_get(void __user *at);
long prt_script_get_counts(void __user *at);

#endif
