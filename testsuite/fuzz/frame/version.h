/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A module's self-description begins with the version of the module format, and the loader reads no
 * further if that is another one. The stored inputs have the versions of their days, which had one
 * digit, so targets replace it. Nothing in a file may move, so the second digit takes the place of
 * the tab, and the tab that of the first character of probec's version, which says nothing. A
 * version of two digits is left as it is: it is how an input has a wrong one.
 */
#ifndef FUZZ_VERSION_H
#define FUZZ_VERSION_H

#include <ctype.h>

#include "fuzz.h"
#include "records.h"

_Static_assert(PRT_ABI_VERSION >= 10 && PRT_ABI_VERSION < 100, "a version of two digits");

/* Returns a copy of an input in a heap buffer of exactly its size, which the caller frees, with
 * this version in its first self-description. */
static inline char *fuzz_with_version(const uint8_t *data, size_t size)
{
	static const char word[] = "probec\t";
	const size_t n = sizeof(word) - 1;
	char *copy = malloc(size), *at;

	memcpy(copy, data, size);
	at = memmem(copy, size, word, n);
	if (at && size - (size_t)(at - copy) > n + 2 && isdigit((unsigned char)at[n]) &&
	    at[n + 1] == '\t' && at[n + 2] != '\n') {
		at[n] = '0' + PRT_ABI_VERSION / 10;
		at[n + 1] = '0' + PRT_ABI_VERSION % 10;
		at[n + 2] = '\t';
	}
	return copy;
}

#endif
