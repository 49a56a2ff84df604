/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts of ELF files: the GNU build-id in notes (gABI, "Note Section"; <elf.h>, NT_GNU_BUILD_ID),
 * and entries of procedure linkage tables (System V ABI, AMD64; ELF for the Arm 64-bit
 * Architecture).
 */
#ifndef SHARED_ELF_H
#define SHARED_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** struct elf_build_id - bytes within the notes that were searched. */
struct elf_build_id {
	const unsigned char *v;
	size_t n;
};

/** elf_find_build_id - find the build-id among the @size bytes of ELF notes at @notes, whose names
 *  and descriptions are padded to four bytes. Returns false if there is none, or none before a note
 *  that is cut off. */
bool elf_find_build_id(const void *notes, size_t size, struct elf_build_id *ret);

/**
 * elf_plt_word_x86_64 - the word by which an entry jumps: [endbr64] [bnd] jmp *DISPLACEMENT(%rip)
 *
 * @code:    the @n bytes of the entry, or more
 * @address: of the entry
 * @ret:     gets the address of the word
 *
 * Returns false if the instructions are others.
 */
bool elf_plt_word_x86_64(const unsigned char *code, size_t n, uint64_t address, uint64_t *ret);
/** elf_plt_word_arm64 - the same for arm64: [bti c]; adrp x16, PAGE; ldr x17, [x16, OFFSET] */
bool elf_plt_word_arm64(const unsigned char *code, size_t n, uint64_t address, uint64_t *ret);

#endif
