/* SPDX-License-Identifier: GPL-2.0 */
/* The words of messages that depend on a number. */
#ifndef COMMON_PLURAL_H
#define COMMON_PLURAL_H

#include <stdint.h>

/** plural_s - the ending of a noun of which there are @n: "" or "s". */
static inline const char *plural_s(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/** plural_are - "is" or "are". */
static inline const char *plural_are(uint64_t n)
{
	return n == 1 ? "is" : "are";
}

/** plural_were - "was" or "were". */
static inline const char *plural_were(uint64_t n)
{
	return n == 1 ? "was" : "were";
}

#endif
