/* SPDX-License-Identifier: GPL-2.0 */
/* A public key of Ed25519 in a file, as `openssl pkey -pubout` writes it. */
#ifndef SHARED_PUBLIC_KEY_H
#define SHARED_PUBLIC_KEY_H

#include <sodium.h>
#include <stddef.h>
#include <string.h>

/* The bytes of such a key before the key itself (RFC 8410, 4). */
#define PUBLIC_KEY_HEAD { 0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00 }

enum { PUBLIC_KEY_FILE_MAX = 4096 /* bytes */ };

typedef __typeof__(sodium_base642bin) public_key_base64;

/** public_key_read - find the key in the @len bytes of a file. @base64: sodium_base642bin(). 0, or
 *  -1: there is none. */
static inline int public_key_read(const char *text, size_t len, public_key_base64 *base64,
				  unsigned char ret[crypto_sign_PUBLICKEYBYTES])
{
	static const unsigned char head[] = PUBLIC_KEY_HEAD;
	static const char begin[] = "-----BEGIN PUBLIC KEY-----",
			  end[] = "-----END PUBLIC KEY-----";
	const char *from = memmem(text, len, begin, sizeof(begin) - 1), *to, *stop;
	unsigned char key[sizeof(head) + crypto_sign_PUBLICKEYBYTES];
	size_t n;

	if (!from)
		return -1;
	from += sizeof(begin) - 1;
	to = memmem(from, (size_t)(text + len - from), end, sizeof(end) - 1);
	if (!to || base64(key, sizeof(key), from, (size_t)(to - from), "\r\n", &n, &stop,
			  sodium_base64_VARIANT_ORIGINAL) ||
	    stop != to || n != sizeof(key) || memcmp(key, head, sizeof(head)) != 0)
		return -1;
	memcpy(ret, key + sizeof(head), crypto_sign_PUBLICKEYBYTES);
	return 0;
}

#endif
