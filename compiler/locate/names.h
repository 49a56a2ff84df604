/* SPDX-License-Identifier: GPL-2.0 */
/* A set of names that counts how often each was added: a kernel's symbols, its blacklist. */
#ifndef LOCATE_NAMES_H
#define LOCATE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct name_slot {
	const char *name; /* not NUL-terminated; NULL: the slot is free */
	uint32_t hash;
	uint16_t len;     /* bytes */
	uint16_t count;
};

struct names {
	struct name_slot *slots; /* heap; power of two of them */
	size_t nslots, n;
};

/** names_init / names_deinit - caller's memory; @expected: roughly how many different names; deinit
 *  accepts a zeroed set. */
void names_init(struct names *t, size_t expected);
void names_deinit(struct names *t);
/** names_add - count @name once more; the text must outlive the set. Names of more than 65535 bytes
 *  are left out. */
void names_add(struct names *t, const char *name, size_t len);
/** names_count - how often it was added. */
unsigned names_count(const struct names *t, const char *name);
/** names_match - names that match a shell pattern, sorted, each once; copies with a NUL in @a. Returns
 *  their number. */
size_t names_match(const struct names *t, struct arena *a, const char *pattern,
		   const char *const **ret);
/** names_of_length - names of @min to @max bytes in no order: candidates for "did you mean". */
size_t names_of_length(const struct names *t, struct arena *a, size_t min, size_t max,
		       const char *const **ret);

#endif
