/* SPDX-License-Identifier: GPL-2.0 */
/* Operands in assembler syntax, as in the arguments of SDT markers. */
#ifndef ARCH_OPERAND_H
#define ARCH_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* "N@OP": an operand of N bytes; negative: signed, "8f": floating point, whose bits are the
 * value. */
struct arch_operand {
	enum {
		ARCH_OPERAND_REGISTER,  /* %eax: `reg`, from bit `shift` on */
		ARCH_OPERAND_SIMD,      /* %xmm3: the low bytes of vector register `value` */
		ARCH_OPERAND_CONSTANT,  /* $3: `value` */
		ARCH_OPERAND_MEMORY,    /* %fs: value + symbol + base + index * scale */
		ARCH_OPERAND_REFUSED,   /* not available, by the reason `why` */
	} kind;
	uint8_t size;              /* bytes of the value: 1, 2, 4 or 8 */
	bool is_signed;
	const char *reg;           /* as struct pt_regs names it */
	uint8_t shift;             /* 8 for %ah and its like, otherwise 0 */
	int64_t value;
	/* NULL: none; if it is set, base is NULL, because it is %rip, or has the symbol's page */
	const char *symbol;
	bool of_thread;            /* %fs: the address is from the thread's base address on */
	/* name@tpoff: `symbol` is thread-local, and means the distance of its variable in the
	 * program's thread-local memory from that base address. There may be a base and an index as
	 * well */
	bool is_distance;
	const char *base, *index;  /* as struct pt_regs names them; NULL: none */
	unsigned scale;
	int index_extends;         /* 4, -4: the index is the low 4 bytes, unsigned or signed */
	const char *why;
};

/**
 * arch_operand - read argument @n (from 1) of a marker's arguments in assembler syntax: that of
 * AT&T for x86-64; @of_32bit: they are a 32-bit program's
 * Source: <sys/sdt.h>, whose asm constraint is "nor", which programs may replace by another one
 * (STAP_SDT_ARG_CONSTRAINT), and the syntax of GNU as.
 * false: there are fewer
 */
bool arch_operand(struct arena *a, const char *arguments, unsigned n, bool of_32bit,
		  struct arch_operand *ret);

/** arch_operand_count - the number of arguments. */
unsigned arch_operand_count(const char *arguments);

#endif
