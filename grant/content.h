/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bytes of a module: their hash, their signature, and a copy that nobody else has. A request
 * that is refused takes no memory for them, because any user can make many requests.
 */
#ifndef GRANT_CONTENT_H
#define GRANT_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

#include "policy.h"

struct content {
	int fd;                /* -1: none */
	size_t len;
	unsigned char hash[POLICY_HASH_BYTES]; /* SHA-256 */
};

enum { CONTENT_HEX_SIZE = 2 * POLICY_HASH_BYTES + 1, CONTENT_KEY_BYTES_MAX = 4096 };

/**
 * content_open - take the descriptor @fd, which content_deinit() closes, and hash its file
 *
 * @sealed: the file comes from a user, and must be a memfd with the seals of shared/grant.h;
 *          otherwise it belongs to the administrator
 *
 * Returns NULL, or what is wrong. content_deinit() accepts the result either way.
 */
const char *content_open(int fd, bool sealed, struct content *ret);
/** content_copy - replace the file by a copy, which must have the same hash: what was decided about
 *  the file holds for the copy, whatever happens to the file. Returns NULL, or what is wrong. */
const char *content_copy(struct content *c);
void content_deinit(struct content *c);
/** content_hex - write the hash as sha256sum prints it. */
void content_hex(const struct content *c, char ret[CONTENT_HEX_SIZE]);
/** content_is_key - return whether the @len bytes at @key are a public key of Ed25519, as
 *  `openssl pkey -pubout` writes it. */
bool content_is_key(const char *key, size_t len);
/**
 * content_check_signature - check an Ed25519 signature of the whole content
 *
 * @key: the @len bytes of a file with a public key
 *
 * Returns NULL if it is right, or what is wrong.
 */
const char *content_check_signature(const struct content *c, const unsigned char *signature,
				    const char *key, size_t len);

#endif
