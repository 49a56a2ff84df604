/* SPDX-License-Identifier: GPL-2.0 */
/* The processor's registers in unwind tables, for the loader and the kernel half. Their numbers are
 * those of DWARF for the Arm 64-bit Architecture, 4.1. */
#ifndef PRT_ARCH_ARM64_UNWIND_H
#define PRT_ARCH_ARM64_UNWIND_H

enum {
	PRT_UNWIND_BP = 29,
	PRT_UNWIND_SP = 31,
	PRT_UNWIND_REGISTERS = 32, /* of which a walk may know the values */
	PRT_UNWIND_KEPT = 0x3ff << 19 | 1 << 29, /* registers that functions keep */
	PRT_UNWIND_IP = 30,
	PRT_UNWIND_RA_KEPT = 1,
	PRT_UNWIND_CALL_SIZE = 0,
	PRT_UNWIND_WORD = 8,
};

/* A bit for each register, and one more. */
typedef unsigned long long prt_unwind_bits;

/* The registers that functions restore and a walk may need, and the return address: bits and
 * columns of a rule. */
enum prt_unwind_column {
	PRT_UNWIND_X19, PRT_UNWIND_X20, PRT_UNWIND_X21, PRT_UNWIND_X22, PRT_UNWIND_X28,
	PRT_UNWIND_X29, PRT_UNWIND_RA, PRT_UNWIND_COLUMNS,
};

#define PRT_UNWIND_ALL 0xffffffffull

#define PRT_UNWIND_FRAME PRT_UNWIND_X29

/* Where a function signs its return address, the signature is in the bits above the address
 * space. */
#define PRT_UNWIND_ADDRESS(word) ((word) & 0xffffffffffffull)

/* The number of each column's register. */
static const unsigned char prt_arch_unwind_columns[PRT_UNWIND_COLUMNS] = {
	19, 20, 21, 22, 28, 29, PRT_UNWIND_IP
};

/* The places of registers in struct sigcontext, in words from x0 on, by number, and that of pc:
 * arch/arm64/include/uapi/asm/sigcontext.h. */
enum { PRT_UNWIND_NO_SIGNAL_WORD = 255 };
static const unsigned char prt_arch_signal_words[PRT_UNWIND_REGISTERS + 1] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
	25, 26, 27, 28, 29, 30, 31, 32
};

/* Stacks of programs of 32 bits are not walked. */
enum { PRT_UNWIND_WORD_32 = 4 };
#define prt_arch_signal_words_32 prt_arch_signal_words

#endif
