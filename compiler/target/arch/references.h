/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of an instruction that depend on where code and data lie in a file. */
#ifndef ARCH_REFERENCES_H
#define ARCH_REFERENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes `at` to `at` + `size` - 1 of an instruction that refer to an address. */
struct arch_reference {
	unsigned at, size;
	uint64_t target;
	enum {
		ARCH_REFERENCE_BRANCH,   /* control may go there */
		ARCH_REFERENCE_RELATIVE, /* a distance from the instruction */
		ARCH_REFERENCE_NUMBER,   /* it may as well be a number that is no address */
	} kind;
};

struct arch_references {
	unsigned length;         /* bytes of the instruction */
	unsigned n;
	struct arch_reference v[2];
};

/** arch_references_known - whether arch_references() exists for the processor. */
bool arch_references_known(void);
/** arch_references - decode the instruction at @code, of which @n bytes are known and which is at
 *  @address. Returns false if it is invalid. */
bool arch_references(const unsigned char *code, size_t n, uint64_t address,
		     struct arch_references *ret);

#endif
