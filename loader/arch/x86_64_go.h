/* SPDX-License-Identifier: GPL-2.0 */
/* Instructions of Go's runtime that change to another stack: runtime/asm_amd64.s of Go 1.18 to
 * 1.24. */
#ifndef LOADER_ARCH_X86_64_GO_H
#define LOADER_ARCH_X86_64_GO_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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
