/* SPDX-License-Identifier: GPL-2.0 */
/* The processor, as files of programs have it: ELF for the Arm 64-bit Architecture. */
#ifndef LOADER_ARCH_ARM64_H
#define LOADER_ARCH_ARM64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "shared/elf.h"

#define ARCH_NAME "aarch64"
#define ARCH_LIBRARIES "aarch64-linux-gnu"
#define ARCH_LIBRARIES_32 ARCH_LIBRARIES

enum {
	ARCH_MACHINE = 183,     /* EM_AARCH64 */
	ARCH_MACHINE_32 = 0,
	ARCH_PLT_ENTRY = 16,    /* bytes */
	ARCH_PLT_SHORT_ENTRY = 16,
	ARCH_ENTRY_CFA = 0,
	ARCH_THREAD_IS_BASE = 0,
};

/* The beginning of ld.so, and at most how many bytes it has: mov x0, sp. */
#define ARCH_LOADER_ENTRY { 0xe0, 0x03, 0x00, 0x91 }
enum { ARCH_LOADER_ENTRY_SIZE = 96 };

/* mov x8, 139; svc 0: arch/arm64/kernel/vdso/sigreturn.S. The registers are behind struct siginfo,
 * the beginning of struct ucontext, and fault_address. */
#define ARCH_SIGRETURN "__kernel_rt_sigreturn"
#define ARCH_SIGRETURN_CODE { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 }
enum { ARCH_SIGNAL_CONTEXT = 128 + 176 + 8 };

enum arch_import { ARCH_GLOB_DAT = 1025, ARCH_JUMP_SLOT = 1026, ARCH_IRELATIVE = 1032 };
enum { ARCH_RELATIVE = 1027 };

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

/* Files of 32 bits are not read. */
static inline bool arch_is_plt_of_32bit(const unsigned char *code, size_t size, unsigned *n)
{
	return arch_is_plt(code, size, n);
}

static inline uint64_t arch_register_of_32bit(uint64_t number)
{
	return number;
}

static inline bool arch_plt_word(const unsigned char *code, size_t size, uint64_t address,
				 uint64_t *ret)
{
	return elf_plt_word_arm64(code, size, address, ret);
}

/* Keys are not found. */
static inline bool arch_key_array(const unsigned char *code, size_t size, uint32_t *ret)
{
	(void)code;
	(void)size;
	(void)ret;
	return false;
}

/* b, b.cond, cbz, cbnz; tbz and tbnz reach 32 KiB. */
static inline bool arch_far_jump(const unsigned char *code, size_t size, uint64_t address,
				 uint64_t *ret)
{
	uint32_t word;
	int64_t distance;

	if (size < sizeof(word) || address % sizeof(word))
		return false;
	memcpy(&word, code, sizeof(word));
	if ((word & 0xfc000000) == 0x14000000)
		distance = (int64_t)((uint64_t)word << 38) >> 36;
	else if ((word & 0xff000000) == 0x54000000 || (word & 0x7e000000) == 0x34000000)
		distance = (int64_t)((uint64_t)(word >> 5) << 45) >> 43;
	else if ((word & 0x7e000000) == 0x36000000)
		distance = (int64_t)((uint64_t)(word >> 5) << 50) >> 48;
	else
		return false;
	*ret = address + (uint64_t)distance;
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

/* ---- programs in Go ---- */

/* Programs in Go: x86_64.h. Where functions for arm64 keep the return address depends on their
 * depth, which the reader of Go's tables does not know; so it reads none, and walks end at code in
 * Go that has no call frame information. */
enum { ARCH_GO_FRAMES = 0 };

static inline bool arch_go_links(const unsigned char *code, size_t size, int ret[4])
{
	(void)code;
	(void)size;
	(void)ret;
	return false;
}

static inline bool arch_go_switch(const unsigned char *code, size_t size, int at, size_t *from,
				  size_t *to)
{
	(void)code;
	(void)size;
	(void)at;
	(void)from;
	(void)to;
	return false;
}

#endif
