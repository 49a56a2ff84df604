/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code of files that no call frame information describes, but whose frames are known all the same.
 *
 * Procedure linkage tables of static programs: linkers write nothing for the entries by which they
 * call functions that choose their implementation (memcpy, strlen): binutils,
 * elf_x86_64_finish_dynamic_sections in bfd/elf64-x86-64.c. Each entry is one jump, and the stack
 * is as it was at the call.
 *
 * The first instructions of ld.so, which have no caller: RTLD_START in glibc's
 * sysdeps/x86_64/dl-machine.h. All that ld.so does before the program begins is called from there.
 *
 * The builtins of V8 (node, Chromium), which its own compiler makes: functions Builtins_..., one
 * after the other, that keep a frame pointer (v8/src/execution/frame-constants.h).
 *
 * On arm64, the code of the vdso to which handlers of signals return (ARCH_SIGRETURN).
 */
#ifndef LOADER_UNDESCRIBED_H
#define LOADER_UNDESCRIBED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/image.h"

enum { UNDESCRIBED_JUMPS = 3 /* at most */ };

/* Addresses of the file. */
struct undescribed {
	uint64_t start, end;
};

/** undescribed_jumps - find the linkage tables of which each entry is one jump. Returns how many of
 *  @ret are filled in, of UNDESCRIBED_JUMPS. */
size_t undescribed_jumps(const struct image *f, struct undescribed *ret);
/** undescribed_entry - find the first instructions of ld.so. @next: where the next function begins.
 *  false: they are described, or of another program. */
bool undescribed_entry(const struct image *f, uint64_t next, struct undescribed *ret);
/** undescribed_builtins - find the builtins of V8, which reads .symtab. false: there are none. */
bool undescribed_builtins(const struct image *f, struct undescribed *ret);

/** undescribed_sigreturn - find the code to which handlers of signals return, and the instruction
 *  before it, at which a walk looks. false: it is described, or of another file. */
bool undescribed_sigreturn(const struct image *f, struct undescribed *ret);

#endif
