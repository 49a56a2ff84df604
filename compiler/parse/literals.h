/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers and strings as the language writes them. */
#ifndef PARSE_LITERALS_H
#define PARSE_LITERALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/** literals_string - decode the escapes of @n bytes between quotes
 *  @len: bytes of the result, which may hold NULs; one more NUL follows it. Owned by @a. */
const char *literals_string(struct arena *a, const char *s, size_t n, size_t *len);

/** literals_number - decimal, 0x.. or 0..; 0..2^64-1, where the upper half wraps to negative
 *  returns 0, -EINVAL (no such digit) or -ERANGE */
int literals_number(const char *s, int64_t *ret);

/** literals_real - the bits of the double that is nearest to a decimal number, with a sign or
 *  without. Returns false if the number is too large. */
bool literals_real(const char *s, int64_t *ret);

#endif
