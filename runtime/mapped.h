/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The code that the current process has mapped, as a hit itself finds it: for processes that the
 * loader has not described yet, or that have ended before it could. Files are known by their inodes
 * (code_files.h); one that is not is left for the loader.
 *
 * A context keeps the last such description, and it is good until the process maps or unmaps code.
 * To make one, the hit needs the lock of the mappings. It only tries to get it, and leaves giving
 * it back to an irq_work, as the kernel's stacks with build-ids do (kernel/bpf/mmap_unlock_work.h):
 * that wakes others who wait for the lock, and the code that was interrupted may hold what waking
 * needs.
 */
#ifndef PRT_MAPPED_H
#define PRT_MAPPED_H

#include <linux/types.h>

struct prt_cpu;
struct prt_mapped;
struct prt_space;

/* Bytes of a context for it; 0: the script takes no stacks of processes. */
size_t prt_mapped_size(void);
/* For a context that gets its memory. Process context. */
void prt_mapped_init(struct prt_mapped *m);
/* Before the memory of a context that no hit uses any more is freed: waits until its lock is given
 * back. Process context. */
void prt_mapped_wait(struct prt_mapped *m);
/* Forgets the files that the loader has not taken. No hit runs; process context. */
void prt_mapped_free(void);
/* A description of the current process, whose address space has the number @id and has unmapped
 * code @turn times; NULL: the last one is old and the lock is not free, or there is too much code.
 * Good until the hit ends.
 * @old: the loader's, of code that is still there; NULL: none. The context that runs on this CPU;
 * any context. */
const struct prt_space *prt_mapped_find(struct prt_cpu *cpu, u64 id, u32 turn,
					const struct prt_space *old);
/* Gives the lock back later: PRT_LATER_UNLOCK. */
void prt_mapped_unlock(struct prt_cpu *cpu);
/* Whether there is a file for the next call. Any context. */
bool prt_mapped_wants_file(void);
/* PRT_IOC_FILE_WANTED. Process context. */
long prt_mapped_file(void);

#endif
