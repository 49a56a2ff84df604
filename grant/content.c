/* SPDX-License-Identifier: GPL-2.0 */
#include "content.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/grant.h"
#include "shared/public_key.h"

_Static_assert(POLICY_HASH_BYTES == crypto_hash_sha256_BYTES, "SHA-256");
_Static_assert((int)GRANT_SIGNATURE_BYTES == (int)crypto_sign_BYTES, "Ed25519");

/* ---- the bytes ---- */

/* A file of a user may belong to a file system that does not answer, which only memfds are known
 * not to: the seals come first, as the kernel asks no file system for these. */
static const char *check_source(int fd, bool sealed, size_t *len)
{
	int wanted = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK;
	int seals = sealed ? fcntl(fd, F_GET_SEALS) : wanted;
	struct stat st;

	if (seals < 0 || (seals & wanted) != wanted)
		return "it is not a sealed memfd";
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return "it is not a file";
	if (st.st_size <= 0)
		return "it is empty";
	if (st.st_size > GRANT_MODULE_BYTES_MAX)
		return "it is larger than 64 MB";
	*len = (size_t)st.st_size;
	return NULL;
}

/* Hashes @len bytes of @from, and writes them to @to unless that is -1. */
static int read_all(int from, int to, size_t len, unsigned char hash[POLICY_HASH_BYTES])
{
	crypto_hash_sha256_state state;
	unsigned char buf[65536];
	size_t at = 0;

	crypto_hash_sha256_init(&state);
	while (at < len) {
		size_t want = len - at < sizeof(buf) ? len - at : sizeof(buf);
		ssize_t n = pread(from, buf, want, (off_t)at);

		if (n <= 0 || (to >= 0 && write(to, buf, (size_t)n) != n))
			return -1;
		crypto_hash_sha256_update(&state, buf, (size_t)n);
		at += (size_t)n;
	}
	crypto_hash_sha256_final(&state, hash);
	return 0;
}

const char *content_open(int fd, bool sealed, struct content *ret)
{
	const char *wrong;

	*ret = (struct content){ .fd = fd };
	if (sodium_init() < 0)
		return "libsodium does not work";
	wrong = check_source(fd, sealed, &ret->len);
	if (!wrong && read_all(fd, -1, ret->len, ret->hash))
		wrong = "it can't be read";
	return wrong;
}

const char *content_copy(struct content *c)
{
	int fd = memfd_create("probec-grant", MFD_CLOEXEC);
	unsigned char hash[POLICY_HASH_BYTES];
	const char *wrong = NULL;

	if (fd < 0 || read_all(c->fd, fd, c->len, hash))
		wrong = "there is no memory for it";
	else if (memcmp(hash, c->hash, sizeof(hash)) != 0)
		wrong = "it changes";
	close(c->fd);
	c->fd = fd;
	return wrong;
}

void content_deinit(struct content *c)
{
	if (c->fd >= 0)
		close(c->fd);
	*c = (struct content){ .fd = -1 };
}

void content_hex(const struct content *c, char ret[CONTENT_HEX_SIZE])
{
	sodium_bin2hex(ret, CONTENT_HEX_SIZE, c->hash, sizeof(c->hash));
}

/* ---- the signature ---- */

bool content_is_key(const char *key, size_t len)
{
	unsigned char public[crypto_sign_PUBLICKEYBYTES];

	return !public_key_read(key, len, sodium_base642bin, public);
}

/* Reads the bytes that were hashed into @to. */
static const char *read_hashed(const struct content *c, unsigned char *to)
{
	unsigned char hash[POLICY_HASH_BYTES];

	for (size_t at = 0; at < c->len;) {
		ssize_t n = pread(c->fd, to + at, c->len - at, (off_t)at);

		if (n <= 0)
			return "it can't be read";
		at += (size_t)n;
	}
	crypto_hash_sha256(hash, to, c->len);
	return memcmp(hash, c->hash, sizeof(hash)) == 0 ? NULL : "it changes";
}

/* Not in a mapping of the file, which would fill its holes with pages at the expense of this
 * process. */
const char *content_check_signature(const struct content *c, const unsigned char *signature,
				    const char *key, size_t len)
{
	unsigned char public[crypto_sign_PUBLICKEYBYTES], *bytes;
	const char *wrong;

	if (public_key_read(key, len, sodium_base642bin, public))
		return "the key is not an Ed25519 public key";
	bytes = malloc(c->len);
	wrong = bytes ? read_hashed(c, bytes) : "there is no memory to check the signature";
	if (!wrong && crypto_sign_verify_detached(signature, bytes, c->len, public))
		wrong = "the signature was not made with this key";
	free(bytes);
	return wrong;
}
