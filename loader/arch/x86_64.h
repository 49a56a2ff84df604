/* SPDX-License-Identifier: GPL-2.0 */
/* The processor, as files of programs have it: System V ABI, AMD64. */
#ifndef LOADER_ARCH_H
#define LOADER_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { ARCH_MACHINE = 62 /* EM_X86_64 */ };

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
