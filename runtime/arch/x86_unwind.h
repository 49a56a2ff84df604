/* SPDX-License-Identifier: GPL-2.0 */
/* The processor's registers in unwind tables, for the loader and the kernel half. Their numbers are
 * those of DWARF: System V ABI, AMD64, figure 3.36. */
#ifndef PRT_ARCH_X86_UNWIND_H
#define PRT_ARCH_X86_UNWIND_H

enum {
	PRT_UNWIND_BP = 6,
	PRT_UNWIND_SP = 7,
	PRT_UNWIND_REGISTERS = 16, /* of which a walk may know the values */
	PRT_UNWIND_ALL = (1 << PRT_UNWIND_REGISTERS) - 1,
	PRT_UNWIND_KEPT = 1 << 3 | 1 << 6 | 0xf << 12, /* registers that functions keep */
	PRT_UNWIND_IP = 16,        /* in tables: the return address */
	PRT_UNWIND_RA_KEPT = 0,    /* at the entry of a function, register PRT_UNWIND_IP has it */
	PRT_UNWIND_CALL_SIZE = 8,  /* bytes that a call puts on the stack */
	PRT_UNWIND_WORD = 8,
};

/* A bit for each register, and one more. */
typedef unsigned prt_unwind_bits;

/* The registers that functions restore, and the return address: bits and columns of a rule. */
enum prt_unwind_column {
	PRT_UNWIND_RBX, PRT_UNWIND_RBP, PRT_UNWIND_R12, PRT_UNWIND_R13, PRT_UNWIND_R14,
	PRT_UNWIND_R15, PRT_UNWIND_RA, PRT_UNWIND_COLUMNS,
};

/* The register that leads to a frame by frame pointers. */
#define PRT_UNWIND_FRAME PRT_UNWIND_RBP

/* A return address without what a program adds to it. */
#define PRT_UNWIND_ADDRESS(word) (word)

/* The number of each column's register. */
static const unsigned char prt_arch_unwind_columns[PRT_UNWIND_COLUMNS] = {
	3, 6, 12, 13, 14, 15, PRT_UNWIND_IP
};

/* The places of registers in struct sigcontext, in words from r8 on, by number:
 * arch/x86/include/uapi/asm/sigcontext.h. */
enum { PRT_UNWIND_NO_SIGNAL_WORD = 255 };
static const unsigned char prt_arch_signal_words[PRT_UNWIND_REGISTERS + 1] = {
	13, 12, 14, 11, 9, 8, 10, 15, 0, 1, 2, 3, 4, 5, 6, 7, 16
};

/* Programs of 32 bits: esi and edi, which functions keep as well, are in the places of r12 and r13,
 * the others in those of the registers that they are a part of. */
enum { PRT_UNWIND_ESI = 12, PRT_UNWIND_EDI = 13, PRT_UNWIND_WORD_32 = 4 };

/* The same of struct sigcontext_32, in words of 4 bytes from its beginning on. */
static const unsigned char prt_arch_signal_words_32[PRT_UNWIND_REGISTERS + 1] = {
	11, 9, 10, 8, 255, 255, 6, 7, 255, 255, 255, 255, 5, 4, 255, 255, 14
};

#endif
