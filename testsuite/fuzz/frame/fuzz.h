/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A target is one file, ../NAME.c: the function below, and a comment "links: ..." that says what it
 * is linked with: runtime (in user space, testsuite/twin), loader or compiler. It may keep state
 * from one input to the next, must give back all memory, and aborts where a rule is broken.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** LLVMFuzzerTestOneInput - one input; 0. The name is libFuzzer's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold whatever the input is. */
#define FUZZ_MUST(cond)                                                                        \
	do {                                                                                   \
		if (!(cond))                                                                   \
			abort();                                                               \
	} while (0)

/* An input, read from its front; behind its end everything is 0. */
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

/* The next @len bytes, or what there is, on the heap in exactly their size; free() it. */
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
