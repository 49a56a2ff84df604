/* SPDX-License-Identifier: GPL-2.0 */
/* The processor, as files of programs have it: ELF for the Arm 64-bit Architecture. */
#ifndef LOADER_ARCH_ARM64_H
#define LOADER_ARCH_ARM64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	ARCH_MACHINE = 183,     /* EM_AARCH64 */
	ARCH_PLT_ENTRY = 16,    /* bytes */
	ARCH_PLT_SHORT_ENTRY = 16,
};

enum arch_import { ARCH_GLOB_DAT = 1025, ARCH_JUMP_SLOT = 1026, ARCH_IRELATIVE = 1032 };

static inline void arch_pause(void)
{
	__asm__ volatile("yield" : : : "memory");
}

/* Linkers describe .plt by no such expression. */
static inline bool arch_is_plt(const unsigned char *code, size_t size, unsigned *n)
{
	(void)code;
	(void)size;
	(void)n;
	return false;
}

static inline uint32_t arch_instruction(const unsigned char *code)
{
	uint32_t word;

	memcpy(&word, code, sizeof(word));
	return word;
}

/* [bti c]; adrp x16, PAGE; ldr x17, [x16, OFFSET] */
static inline bool arch_plt_word(const unsigned char *code, size_t size, uint64_t address,
				 uint64_t *ret)
{
	size_t at = size >= 4 && arch_instruction(code) == 0xd503245f ? 4 : 0;
	uint32_t adrp, ldr;
	int64_t pages;

	if (size < at + 8)
		return false;
	adrp = arch_instruction(code + at);
	ldr = arch_instruction(code + at + 4);
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return false;
	pages = (int64_t)((uint64_t)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)) << 43) >> 43;
	*ret = ((address + at) & ~(uint64_t)0xfff) + (uint64_t)(pages * 4096) +
	       (ldr >> 10 & 0xfff) * 8;
	return true;
}

/* No entry has the number of its relocation. */
static inline bool arch_plt_number(const unsigned char *code, size_t size, uint32_t *ret)
{
	(void)code;
	(void)size;
	(void)ret;
	return false;
}

#endif
