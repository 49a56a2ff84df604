/* SPDX-License-Identifier: GPL-2.0 */
/* The processor, as call frame information has it: System V ABI, AMD64. */
#ifndef LOADER_ARCH_H
#define LOADER_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "unwind.h"

enum {
	ARCH_MACHINE = 62,     /* EM_X86_64 */
	ARCH_WORD = 8,
	/* DWARF numbers of registers: figure 3.36 */
	ARCH_SP = 7, ARCH_RA = 16, ARCH_REGISTERS = 17,
	ARCH_SIGNAL_FIRST = 8, /* r8, the register at the beginning of struct sigcontext */
};

/* The registers' numbers by column of a rule: rbx, rbp, r12 to r15, rip. */
static const unsigned char arch_columns[PRT_UNWIND_COLUMNS] = { 3, 6, 12, 13, 14, 15, 16 };

/* Their places in struct sigcontext, in words, by number:
 * arch/x86/include/uapi/asm/sigcontext.h. */
static const unsigned char arch_signal_words[ARCH_REGISTERS] = {
	13, 12, 14, 11, 9, 8, 10, 15, 0, 1, 2, 3, 4, 5, 6, 7, 16
};

/** arch_is_plt - whether an expression is rsp + 8 + ((rip & 15) >= *@n ? 8 : 0), which linkers
 *  write for .plt: binutils, elf_x86_64_lazy_plt in bfd/elf64-x86-64.c. */
static inline bool arch_is_plt(const unsigned char *code, size_t size, unsigned *n)
{
	static const unsigned char before[] = { 0x77, 8, 0x80, 0, 0x3f, 0x1a };
	static const unsigned char after[] = { 0x2a, 0x33, 0x24, 0x22 };
	const size_t lit = sizeof(before);

	if (size != lit + 1 + sizeof(after) || memcmp(code, before, sizeof(before)) != 0 ||
	    memcmp(code + lit + 1, after, sizeof(after)) != 0 || code[lit] < 0x30 ||
	    code[lit] > 0x3f)
		return false;
	*n = code[lit] - 0x30u;
	return true;
}

#endif
