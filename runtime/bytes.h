/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Short runs of bytes, a word at a time. Keys and names are mostly 1 to 16 bytes long, where a
 * call and a loop over bytes cost more than all else in a hit. No byte outside of the run is
 * read: a length from 8 to 16 is covered by two words that overlap, shorter ones by two halves,
 * so that a run may end at the end of a page.
 */
#ifndef PRT_BYTES_H
#define PRT_BYTES_H

#include <linux/types.h>

static __always_inline u64 prt_load8(const char *s)
{
	u64 w;

	__builtin_memcpy(&w, s, 8);
	return w;
}

static __always_inline u32 prt_load4(const char *s)
{
	u32 w;

	__builtin_memcpy(&w, s, 4);
	return w;
}

/* A run of 4 to 8 bytes as a word of memory, zeros after it (little-endian). */
static __always_inline u64 prt_load_word(const char *s, u32 len)
{
	return prt_load4(s) | (u64)prt_load4(s + len - 4) << ((len - 4) * 8);
}

/* The same for a run of at most 8 bytes. */
static __always_inline u64 prt_load_short(const char *s, u32 len)
{
	if (len >= 4)
		return prt_load_word(s, len);
	if (!len)
		return 0;
	return (u8)s[0] | (u32)(u8)s[len / 2] << (len / 2 * 8) |
	       (u32)(u8)s[len - 1] << ((len - 1) * 8);
}

static __always_inline u64 prt_hash_word(u64 h, u64 word)
{
	h = (h ^ word) * 0xff51afd7ed558ccdull;
	return h ^ h >> 32;
}

static __always_inline u64 prt_hash_start(u64 seed, u32 len)
{
	return seed + ((u64)len << 32);
}

static __always_inline u64 prt_bytes_hash(u64 seed, const char *s, u32 len)
{
	u64 h = prt_hash_start(seed, len);

	if (len <= 8)
		return prt_hash_word(h, prt_load_short(s, len));
	for (; len > 16; s += 8, len -= 8)
		h = prt_hash_word(h, prt_load8(s));
	h = prt_hash_word(h, prt_load8(s));
	return prt_hash_word(h, prt_load8(s + len - 8));
}

static __always_inline bool prt_bytes_equal(const char *a, const char *b, u32 len)
{
	if (len <= 8)
		return prt_load_short(a, len) == prt_load_short(b, len);
	for (; len > 16; a += 8, b += 8, len -= 8)
		if (prt_load8(a) != prt_load8(b))
			return false;
	return prt_load8(a) == prt_load8(b) && prt_load8(a + len - 8) == prt_load8(b + len - 8);
}

/* The lowest bit of the result is the highest one of the first NUL of a word in memory order
 * (little-endian); 0: no NUL. */
static __always_inline u64 prt_word_zeros(u64 word)
{
	return (word - 0x0101010101010101ull) & ~word & 0x8080808080808080ull;
}

/* Bytes before the first NUL of a word in memory order; 8: no NUL. */
static __always_inline u32 prt_word_strlen(u64 word)
{
	u64 zeros = prt_word_zeros(word);

	return zeros ? __builtin_ctzll(zeros) / 8 : 8;
}

/* memmove of 4 to 16 bytes, which most runs have; false: it has not, and nothing was done. */
static __always_inline bool prt_copy_short(char *to, const char *from, u32 len)
{
	u64 first, last;
	u32 half, other;

	if (likely(len - 4 <= 4)) {
		half = prt_load4(from);
		other = prt_load4(from + len - 4);
		__builtin_memcpy(to, &half, 4);
		__builtin_memcpy(to + len - 4, &other, 4);
		return true;
	}
	if (len - 8 > 8)
		return false;
	first = prt_load8(from);
	last = prt_load8(from + len - 8);
	__builtin_memcpy(to, &first, 8);
	__builtin_memcpy(to + len - 8, &last, 8);
	return true;
}

#endif
