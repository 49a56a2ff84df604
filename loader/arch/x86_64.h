/* SPDX-License-Identifier: GPL-2.0 */
/* The processor, as files of programs have it: System V ABI, AMD64. */
#ifndef LOADER_ARCH_X86_64_H
#define LOADER_ARCH_X86_64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** ARCH_LIBRARIES - the folder of libraries that Debian and its derivatives have below /lib. */
#define ARCH_LIBRARIES "x86_64-linux-gnu"
/** ARCH_LIBRARIES_32 - the same of those of 32 bits. */
#define ARCH_LIBRARIES_32 "i386-linux-gnu"

enum {
	ARCH_MACHINE = 62,      /* EM_X86_64 */
	ARCH_MACHINE_32 = 3,    /* EM_386, of programs of 32 bits; 0: they are not read */
	ARCH_PLT_ENTRY = 16,    /* bytes */
	ARCH_PLT_SHORT_ENTRY = 8,
};

/* The beginning of ld.so, and at most how many bytes it has: mov %rsp,%rdi; call _dl_start. */
#define ARCH_LOADER_ENTRY { 0x48, 0x89, 0xe7, 0xe8 }
enum { ARCH_LOADER_ENTRY_SIZE = 64 };

/* Relocations that fill a word with the address of a function: psABI, "Relocation Types". */
enum arch_import { ARCH_GLOB_DAT = 6, ARCH_JUMP_SLOT = 7, ARCH_IRELATIVE = 37 };

/** arch_pause - tells the processor that a loop waits for another one. */
static inline void arch_pause(void)
{
	__builtin_ia32_pause();
}

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

/** arch_is_plt_of_32bit - the same in a 32-bit program: esp + 4 + ((eip & 15) >= *@n ? 4 : 0). */
static inline bool arch_is_plt_of_32bit(const unsigned char *code, size_t size, unsigned *n)
{
	static const unsigned char before[] = { 0x74, 4, 0x78, 0, 0x3f, 0x1a };
	static const unsigned char after[] = { 0x2a, 0x32, 0x24, 0x22 };
	const size_t lit = sizeof(before);

	if (size != lit + 1 + sizeof(after) || memcmp(code, before, sizeof(before)) != 0 ||
	    memcmp(code + lit + 1, after, sizeof(after)) != 0 || code[lit] < 0x30 ||
	    code[lit] > 0x3f)
		return false;
	*n = code[lit] - 0x30u;
	return true;
}

/** arch_register_of_32bit - the number in tables of the register that debug information of a 32-bit
 *  program calls @number (System V ABI, Intel386, "DWARF Register Number Mapping"). Those that its
 *  functions keep and rules name, esi and edi, have the places of r12 and r13. */
static inline uint64_t arch_register_of_32bit(uint64_t number)
{
	/* eax, ecx, edx, ebx, esp, ebp, esi, edi, eip */
	static const unsigned char numbers[] = { 0, 2, 1, 3, 7, 6, 12, 13, 16 };

	return number < sizeof(numbers) ? numbers[number] : UINT64_MAX;
}

/** arch_plt_word - the word by which the entry at @address of the procedure linkage table jumps:
 *  [endbr64] [bnd] jmp *DISPLACEMENT(%rip). false: it has no such jump. */
static inline bool arch_plt_word(const unsigned char *code, size_t size, uint64_t address,
				 uint64_t *ret)
{
	size_t at = size >= 4 && memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0 ? 4 : 0;
	int32_t displacement;

	at += at < size && code[at] == 0xf2;
	if (size - at < 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return false;
	memcpy(&displacement, code + at + 2, sizeof(displacement));
	*ret = address + at + 6 + (uint64_t)(int64_t)displacement;
	return true;
}

/** arch_plt_number - the number of the relocation that such an entry asks the dynamic linker for:
 *  [endbr64] push $NUMBER, then a jump. false: it asks for none. */
static inline bool arch_plt_number(const unsigned char *code, size_t size, uint32_t *ret)
{
	size_t at = size >= 4 && memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0 ? 4 : 0;

	if (size - at < 6 || code[at] != 0x68 || (code[at + 5] != 0xe9 && code[at + 5] != 0xf2))
		return false;
	memcpy(ret, code + at + 1, sizeof(*ret));
	return true;
}

#endif
