/* SPDX-License-Identifier: GPL-2.0 */
/* The processor, as files of programs have it: System V ABI, AMD64. */
#ifndef LOADER_ARCH_X86_64_H
#define LOADER_ARCH_X86_64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "shared/elf.h"

/** ARCH_NAME - the machine, as `uname -m` prints it. */
#define ARCH_NAME "x86_64"
/** ARCH_LIBRARIES - the folder of libraries that Debian and its derivatives have below /lib. */
#define ARCH_LIBRARIES "x86_64-linux-gnu"
/** ARCH_LIBRARIES_32 - the same of those of 32 bits. */
#define ARCH_LIBRARIES_32 "i386-linux-gnu"

enum {
	ARCH_MACHINE = 62,      /* EM_X86_64 */
	ARCH_MACHINE_32 = 3,    /* EM_386, of programs of 32 bits; 0: they are not read */
	ARCH_PLT_ENTRY = 16,    /* bytes */
	ARCH_PLT_SHORT_ENTRY = 8,
	ARCH_ENTRY_CFA = 8,     /* the CFA of a function's first instruction, from the stack
				 * pointer on */
	ARCH_THREAD_IS_BASE = 1, /* pthread_self() is the base of the thread's own memory */
};

/* The beginning of ld.so, and at most how many bytes it has: mov %rsp,%rdi; call _dl_start. */
#define ARCH_LOADER_ENTRY { 0x48, 0x89, 0xe7, 0xe8 }
enum { ARCH_LOADER_ENTRY_SIZE = 64 };

/** ARCH_SIGRETURN, ARCH_SIGRETURN_CODE - the symbol of the vdso to which handlers of signals
 *  return, and its code, where no call frame information describes it; NULL: some does.
 *  ARCH_SIGNAL_CONTEXT - bytes from the stack pointer there to the first register in struct
 *  sigcontext. */
#define ARCH_SIGRETURN NULL
#define ARCH_SIGRETURN_CODE { 0 }
enum { ARCH_SIGNAL_CONTEXT = 40 };

/* Relocations that fill a word with the address of a function: psABI, "Relocation Types". */
enum arch_import { ARCH_GLOB_DAT = 6, ARCH_JUMP_SLOT = 7, ARCH_IRELATIVE = 37 };
/* One that fills a word with an address in the file. */
enum { ARCH_RELATIVE = 8 };

/** arch_pause - tells the processor that a loop waits for another one. */
static inline void arch_pause(void)
{
	__builtin_ia32_pause();
}

/* Whether an expression has these bytes with DW_OP_lit0 to DW_OP_lit15 between them: *@n. */
static inline bool arch_is_plt_with(const unsigned char before[6], const unsigned char after[4],
				    const unsigned char *code, size_t size, unsigned *n)
{
	if (size != 11 || memcmp(code, before, 6) != 0 || memcmp(code + 7, after, 4) != 0 ||
	    code[6] < 0x30 || code[6] > 0x3f)
		return false;
	*n = code[6] - 0x30u;
	return true;
}

/** arch_is_plt - whether an expression is rsp + 8 + ((rip & 15) >= *@n ? 8 : 0), which linkers
 *  write for .plt: binutils, elf_x86_64_lazy_plt in bfd/elf64-x86-64.c. */
static inline bool arch_is_plt(const unsigned char *code, size_t size, unsigned *n)
{
	static const unsigned char before[] = { 0x77, 8, 0x80, 0, 0x3f, 0x1a };
	static const unsigned char after[] = { 0x2a, 0x33, 0x24, 0x22 };

	return arch_is_plt_with(before, after, code, size, n);
}

/** arch_is_plt_of_32bit - the same in a 32-bit program: esp + 4 + ((eip & 15) >= *@n ? 4 : 0). */
static inline bool arch_is_plt_of_32bit(const unsigned char *code, size_t size, unsigned *n)
{
	static const unsigned char before[] = { 0x74, 4, 0x78, 0, 0x3f, 0x1a };
	static const unsigned char after[] = { 0x2a, 0x32, 0x24, 0x22 };

	return arch_is_plt_with(before, after, code, size, n);
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
 *  shared/elf.h. */
#define arch_plt_word elf_plt_word_x86_64

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

/** arch_far_jump - whether an instruction at @address jumps, always or under a condition, to an
 *  address that it names as a distance of 32 bits or about as much. */
static inline bool arch_far_jump(const unsigned char *code, size_t size, uint64_t address,
				 uint64_t *ret)
{
	size_t at = size >= 6 && code[0] == 0x0f && (code[1] & 0xf0) == 0x80 ? 2 :
		    size >= 5 && code[0] == 0xe9 ? 1 : 0;
	int32_t distance;

	if (!at)
		return false;
	memcpy(&distance, code + at, sizeof(distance));
	*ret = address + at + sizeof(distance) + (uint64_t)(int64_t)distance;
	return true;
}

/** arch_key_array - whether a function returns an element of an array to which a pointer in the
 *  thread's own memory leads, and the offset of that pointer: musl's pthread_getspecific(), which
 *  is mov %fs:0,%rax; mov OFFSET(%rax),%rax; mov %edi,%edi; mov (%rax,%rdi,8),%rax; ret. */
static inline bool arch_key_array(const unsigned char *code, size_t size, uint32_t *ret)
{
	static const unsigned char base[] = { 0x64, 0x48, 0x8b, 4, 0x25, 0, 0, 0, 0, 0x48, 0x8b };
	static const unsigned char rest[] = { 0x89, 0xff, 0x48, 0x8b, 4, 0xf8, 0xc3 };
	size_t at = sizeof(base) + 1, length;

	if (size < at + 4 + sizeof(rest) || memcmp(code, base, sizeof(base)) != 0)
		return false;
	length = code[sizeof(base)] == 0x80 ? 4 : code[sizeof(base)] == 0x40 ? 1 : 0;
	*ret = 0;
	memcpy(ret, code + at, length);
	return length && (length == 4 || *ret < 0x80) &&
	       memcmp(code + at + length, rest, sizeof(rest)) == 0;
}

/* ---- programs in Go ---- */

/* Instructions of Go's runtime that change to another stack: runtime/asm_amd64.s of Go 1.18 to
 * 1.24. */

/* The tables of Go are understood for this processor. */
enum { ARCH_GO_FRAMES = 1 };

/* Whether code loads the word below the thread's base to %rax: mov %fs:WORD,%rax; or, in a program
 * that may be loaded anywhere, mov $WORD,%rcx; mov %fs:(%rcx),%rax. Returns its length, or 0. */
static inline size_t arch_go_load(const unsigned char *code, size_t size, size_t *word)
{
	static const unsigned char plain[] = { 0x64, 0x48, 0x8b, 4, 0x25 };
	static const unsigned char first[] = { 0x48, 0xc7, 0xc1 };
	static const unsigned char second[] = { 0x64, 0x48, 0x8b, 1 };

	*word = sizeof(plain);
	if (size >= 9 && memcmp(code, plain, sizeof(plain)) == 0)
		return 9;
	*word = sizeof(first);
	return size >= 11 && memcmp(code, first, sizeof(first)) == 0 &&
	       memcmp(code + 7, second, sizeof(second)) == 0 ? 11 : 0;
}

/** arch_go_links - how a thread of a program in Go finds the stack pointer of the goroutine that it
 *  runs: PRT_UNWIND_SWITCH. By runtime.systemstack, which reads the descriptor of the goroutine at
 *  the thread's base, that of the thread from there (g_m), compares with the goroutine of the
 *  latter (m_curg), and later takes a stack pointer from a descriptor of the first kind
 *  (g_sched+gobuf_sp).
 *
 * @code: of that function
 *
 * Returns false if the instructions are others. */
static inline bool arch_go_links(const unsigned char *code, size_t size, int ret[4])
{
	static const unsigned char load_m[] = { 0x48, 0x8b, 0x58 }, curg[] = { 0x48, 0x3b, 0x83 };
	size_t i, k = 0, word = 0;

	/* As arch_go_load() says; mov BYTE(%rax),%rbx; then cmp WORD(%rbx),%rax */
	for (i = 0; i + 4 <= size; i++) {
		k = arch_go_load(code + i, size - i, &word);
		if (k && size - i - k >= 4 && memcmp(code + i + k, load_m, 3) == 0)
			break;
	}
	if (i + 4 > size)
		return false;
	memcpy(&ret[0], code + i + word, 4);
	ret[1] = (signed char)code[i + k + 3];
	for (k += i + 4; k + 7 <= size && memcmp(code + k, curg, 3) != 0;)
		k++;
	if (k + 7 > size)
		return false;
	memcpy(&ret[2], code + k + 3, 4);
	/* mov BYTE(%rdx),%rbx or %rsp */
	for (k += 7; k + 4 <= size; k++) {
		if (code[k] != 0x48 || code[k + 1] != 0x8b || (code[k + 2] | 0x38) != 0x7a)
			continue;
		ret[3] = (signed char)code[k + 3];
		return true;
	}
	return false;
}

/* Whether the instruction at @code, of @size bytes or more, is mov BYTE(REGISTER),%rsp or
 * mov REGISTER,%rsp. Returns its length, or 0. */
static inline size_t arch_sets_stack(const unsigned char *code, size_t size)
{
	if (size >= 4 && (code[0] & 0xfe) == 0x48 && code[1] == 0x8b && (code[2] & 0xf8) == 0x60 &&
	    code[2] != 0x64)
		return 4;
	return size >= 3 && (code[0] & 0xfb) == 0x48 && code[1] == 0x89 &&
	       (code[2] & 0xc7) == 0xc4 ? 3 : 0;
}

/** arch_go_switch - the part of a function of Go's runtime that runs on the stack of the thread:
 *  from the first instruction that sets the stack pointer to the next one, if there is one.
 *
 * @at:   where the stack pointer is in a descriptor
 * @from: gets the first byte of the part, from the beginning of @code on
 * @to:   gets the byte behind it
 *
 * Returns false if that instruction sets the stack pointer to something else, or there is none. */
static inline bool arch_go_switch(const unsigned char *code, size_t size, int at, size_t *from,
				  size_t *to)
{
	bool found = false;

	*to = size;
	for (size_t i = 0; i < size; i++) {
		size_t length = arch_sets_stack(code + i, size - i);

		if (!length)
			continue;
		if (found) {
			*to = i + length;
			return true;
		}
		/* The register has been loaded by the instruction before. */
		if (length == 3 && (i < 4 || code[i - 4] != 0x48 || code[i - 3] != 0x8b))
			return false;
		if ((signed char)code[length == 3 ? i - 1 : i + 3] != at)
			return false;
		*from = i + length;
		found = true;
	}
	return found;
}

#endif
