/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A module's self-description begins with the version of the module format, and the loader reads no
 * further if that is another one. The stored inputs have the versions of their days, so targets
 * replace it. A version of two digits is left as it is: it is how an input has a wrong one.
 */
#ifndef FUZZ_VERSION_H
#define FUZZ_VERSION_H

#include <ctype.h>

#include "fuzz.h"
#include "records.h"

_Static_assert(PRT_ABI_VERSION < 10,
	       "a longer version moves what follows it in a module's file: store new inputs");

/* Returns a copy of an input in a heap buffer of exactly its size, which the caller frees, with
 * this version in its first self-description. */
static inline char *fuzz_with_version(const uint8_t *data, size_t size)
{
	static const char word[] = "probec\t";
	const size_t n = sizeof(word) - 1;
	char *copy = malloc(size), *at;

	memcpy(copy, data, size);
	at = memmem(copy, size, word, n);
	if (at && size - (size_t)(at - copy) > n + 1 && isdigit((unsigned char)at[n]) &&
	    at[n + 1] == '\t')
		at[n] = '0' + PRT_ABI_VERSION;
	return copy;
}

#endif
