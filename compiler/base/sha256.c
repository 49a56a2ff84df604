/* SPDX-License-Identifier: GPL-2.0 */
/* SHA-256, written from FIPS 180-4, with the names of its section 6.2.2. */
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

static const uint32_t K[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static uint32_t load_be32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void compress(uint32_t H[8], const unsigned char *block)
{
	uint32_t W[64], v[8];

	for (int t = 0; t < 16; t++)
		W[t] = load_be32(block + 4 * t);
	for (int t = 16; t < 64; t++) {
		uint32_t s0 = rotr(W[t - 15], 7) ^ rotr(W[t - 15], 18) ^ W[t - 15] >> 3;
		uint32_t s1 = rotr(W[t - 2], 17) ^ rotr(W[t - 2], 19) ^ W[t - 2] >> 10;

		W[t] = W[t - 16] + s0 + W[t - 7] + s1;
	}
	memcpy(v, H, sizeof(v));
	for (int t = 0; t < 64; t++) {
		uint32_t S1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25);
		uint32_t ch = (v[4] & v[5]) ^ (~v[4] & v[6]);
		uint32_t T1 = v[7] + S1 + ch + K[t] + W[t];
		uint32_t S0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
		uint32_t maj = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);

		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += T1;
		v[0] = T1 + S0 + maj;
	}
	for (int i = 0; i < 8; i++)
		H[i] += v[i];
}

void sha256_init(struct sha256 *c)
{
	static const uint32_t first[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};

	memset(c, 0, sizeof(*c));
	memcpy(c->h, first, sizeof(first));
}

void sha256_add(struct sha256 *c, const void *data, size_t n)
{
	const unsigned char *p = data;
	size_t have = c->len % 64;

	c->len += n;
	while (n) {
		size_t take = 64 - have < n ? 64 - have : n;

		memcpy(c->block + have, p, take);
		p += take;
		n -= take;
		have += take;
		if (have == 64) {
			compress(c->h, c->block);
			have = 0;
		}
	}
}

void sha256_add_text(struct sha256 *c, const char *s)
{
	if (s)
		sha256_add(c, s, strlen(s) + 1);
	else
		sha256_add(c, "\377", 2);
}

void sha256_hex(struct sha256 *c, char ret[65])
{
	uint64_t bits = c->len * 8;
	unsigned char length[8];

	sha256_add(c, "\200", 1);
	while (c->len % 64 != 56)
		sha256_add(c, "", 1);
	for (int i = 0; i < 8; i++)
		length[i] = bits >> (56 - 8 * i);
	sha256_add(c, length, 8);
	for (int i = 0; i < 8; i++)
		snprintf(ret + 8 * i, 9, "%08x", c->h[i]);
}
