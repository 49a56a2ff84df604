/* SPDX-License-Identifier: GPL-2.0 */
/* SHA-256 (FIPS 180-4), for the names of cached files. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
	uint32_t h[8];
	uint64_t len;          /* bytes so far */
	unsigned char block[64]; /* the last len % 64 of them */
};

/** sha256_init - begin a hash in the caller's memory. */
void sha256_init(struct sha256 *c);
/** sha256_add - add @n bytes. */
void sha256_add(struct sha256 *c, const void *data, size_t n);
/** sha256_add_text - add a text with its NUL, so that ("ab", "c") differs from ("a", "bc"). NULL
 *  differs from every text. */
void sha256_add_text(struct sha256 *c, const char *s);
/** sha256_hex - end the hash, and write 64 lower-case digits and a NUL. */
void sha256_hex(struct sha256 *c, char ret[65]);

#endif
