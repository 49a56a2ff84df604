/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hash of names for all tables. It takes eight bytes at a time, because a script may have to
 * hash a hundred thousand names of a kernel before it starts.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** hash_bytes - hash the @len bytes at @name; all bits are equally good. The hash may differ
 *  between machines, so nothing that is stored may depend on it. */
static inline uint32_t hash_bytes(const char *name, size_t len)
{
	const uint64_t factor = 0x9e3779b97f4a7c15u;
	uint64_t h = len, word;

	for (; len >= sizeof(word); name += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, name, sizeof(word));
		h = (h ^ word) * factor;
		h ^= h >> 32;
	}
	word = 0;
	memcpy(&word, name, len);
	h = (h ^ word) * factor;
	/* Tables use the lowest bits; the highest bits of a product depend on all bits of the
	 * word. */
	return (uint32_t)(h >> 32 ^ h >> 48);
}

/** hash_name - hash a NUL-terminated name. */
static inline uint32_t hash_name(const char *name)
{
	return hash_bytes(name, strlen(name));
}

#endif
