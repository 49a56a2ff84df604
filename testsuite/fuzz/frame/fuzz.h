/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A target is one file, ../NAME.c, which defines the function below and has a comment "links: ..."
 * that says what it is linked with: runtime (in user space, testsuite/twin), loader or compiler. A
 * target may keep state from one input to the next, must release all memory, and aborts if a rule
 * is broken.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** LLVMFuzzerTestOneInput - Processes one input and returns 0. libFuzzer prescribes the name. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts if a condition does not hold that must hold for every input. */
#define FUZZ_MUST(cond)                                                                        \
	do {                                                                                   \
		if (!(cond))                                                                   \
			abort();                                                               \
	} while (0)

/* An input, which is read from its front. Behind its end every byte is 0. */
struct fuzz_input {
	const uint8_t *p;
	size_t left;
};

static inline uint64_t fuzz_number(struct fuzz_input *in, size_t bytes)
{
	uint64_t v = 0;

	for (; bytes && in->left; bytes--, in->left--)
		v = v << 8 | *in->p++;
	return v;
}

/* Returns the next @len bytes, or as many as there are, in a heap buffer of exactly their size,
 * which the caller frees. */
static inline char *fuzz_bytes(struct fuzz_input *in, size_t len, size_t *ret)
{
	char *copy;

	len = len < in->left ? len : in->left;
	copy = malloc(len);
	memcpy(copy, in->p, len);
	in->p += len;
	in->left -= len;
	*ret = len;
	return copy;
}

#endif
