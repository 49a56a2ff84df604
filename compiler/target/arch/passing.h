/* SPDX-License-Identifier: GPL-2.0 */
/* The common part of all calling conventions. */
#ifndef ARCH_PASSING_H
#define ARCH_PASSING_H

#include <stdint.h>

#include "target/arch/arch.h"
#include "target/btf/btf.h"

enum passing_class {
	PASSING_INTEGER, PASSING_MEMORY,
	PASSING_FLOAT,   /* in vector registers */
	PASSING_MIXED,   /* one word in a general register and one in a vector register */
	PASSING_NOTHING, PASSING_UNKNOWN,
};

/* The argument registers and stack slots that are in use. */
struct passing_cursor {
	unsigned registers, slots, vectors;
	unsigned alignment; /* bytes that the source asks for, of the parameter that is passed */
	bool is_lost;    /* it is not known how many slots are in use */
};

/* A value that is passed in vector registers, or on the stack if these are not enough. */
struct passing_vectors {
	unsigned n;      /* registers */
	unsigned bytes;  /* of the value, in the low part of each */
	unsigned slots;  /* of the stack */
};

/* A calling convention. */
struct passing_rules {
	unsigned word;           /* bytes of a register or a slot */
	enum passing_class (*classify)(const struct btf_func *f, const struct btf_shape *shape);
	/* parameters of these two classes, of @n words */
	struct arch_passing (*integer)(struct passing_cursor *c, const struct btf_func *f,
				       const struct btf_shape *shape, unsigned n);
	struct arch_passing (*memory)(struct passing_cursor *c, const struct btf_func *f,
				      const struct btf_shape *shape, unsigned n);
	/* a result of class PASSING_MEMORY; @shape NULL: one of BTF_PASS_ADDRESS */
	struct arch_passing (*memory_result)(const struct btf_func *f,
					     const struct btf_shape *shape);
	/* takes vector registers for @v, and @general others; returns true if these are not enough,
	 * so that the parameter is on the stack. NULL: not known */
	bool (*vectors)(struct passing_cursor *c, const struct btf_func *f, unsigned general,
			const struct passing_vectors *v);
	/* the vector registers for a number, or a value of class PASSING_FLOAT; NULL: one for each
	 * word of 8 bytes */
	void (*spread)(const struct btf_func *f, const struct btf_shape *shape,
		       struct passing_vectors *ret);
	bool flexible_in_memory; /* BTF_PASS_FLEXIBLE */
	/* all compilers pass a number of two words (BTF_PASS_EACH) as its type says */
	bool wide_by_type;
	/* where a result of 8 bytes is, in a 32-bit program; 0: as others are */
	enum arch_where pair;
	/* the address for a result in memory is in the first slot, not in a register */
	bool address_on_stack;
};

/** passing_result - where a function returns its result. */
struct arch_passing passing_result(const struct passing_rules *rules, const struct btf_func *f);
/** passing_param - where parameter @i (0...) is at the function's entry; where the result is in
 *  memory whose address is returned, that address is in the first register, or slot. */
struct arch_passing passing_param(const struct passing_rules *rules, const struct btf_func *f,
				  unsigned i);

#endif
