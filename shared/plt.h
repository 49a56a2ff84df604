/* SPDX-License-Identifier: GPL-2.0 */
/* Entries of procedure linkage tables: System V ABI, AMD64; ELF for the Arm 64-bit Architecture. */
#ifndef SHARED_PLT_H
#define SHARED_PLT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * plt_x86_64_word - the word by which an entry jumps: [endbr64] [bnd] jmp *DISPLACEMENT(%rip)
 *
 * @code:    the @n bytes of the entry, or more
 * @address: of the entry
 * @ret:     gets the address of the word
 *
 * Returns false if the instructions are others.
 */
static inline bool plt_x86_64_word(const unsigned char *code, size_t n, uint64_t address,
				   uint64_t *ret)
{
	size_t at = n >= 4 && memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0 ? 4 : 0;
	int32_t displacement;

	at += at < n && code[at] == 0xf2;
	if (n - at < 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return false;
	memcpy(&displacement, code + at + 2, sizeof(displacement));
	*ret = address + at + 6 + (uint64_t)(int64_t)displacement;
	return true;
}

static inline uint32_t plt_arm64_instruction(const unsigned char *code)
{
	uint32_t word;

	memcpy(&word, code, sizeof(word));
	return word;
}

/**
 * plt_arm64_word - the same for arm64: [bti c]; adrp x16, PAGE; ldr x17, [x16, OFFSET]
 */
static inline bool plt_arm64_word(const unsigned char *code, size_t n, uint64_t address,
				  uint64_t *ret)
{
	size_t at = n >= 4 && plt_arm64_instruction(code) == 0xd503245f ? 4 : 0;
	uint32_t adrp, ldr;
	int64_t pages;

	if (n < at + 8)
		return false;
	adrp = plt_arm64_instruction(code + at);
	ldr = plt_arm64_instruction(code + at + 4);
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return false;
	pages = (int64_t)((uint64_t)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)) << 43) >> 43;
	*ret = ((address + at) & ~(uint64_t)0xfff) + (uint64_t)(pages * 4096) +
	       (ldr >> 10 & 0xfff) * 8;
	return true;
}

#endif
