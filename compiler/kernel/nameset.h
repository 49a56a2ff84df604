/* SPDX-License-Identifier: GPL-2.0 */
/* A set of names that counts how often each was added: a kernel's symbols, its blacklist. */
#ifndef KERNEL_NAMESET_H
#define KERNEL_NAMESET_H

#include <stddef.h>
#include <stdint.h>

struct arena;

struct nameset_slot {
	const char *name; /* not NUL-terminated; NULL: the slot is free */
	uint32_t hash;
	uint16_t len;     /* bytes */
	uint16_t count;
};

struct nameset {
	struct nameset_slot *slots; /* heap; power of two of them */
	size_t nslots, n;
};

/** nameset_init / nameset_deinit - caller's memory; @expected: roughly how many different names;
 *  deinit accepts a zeroed set. */
void nameset_init(struct nameset *t, size_t expected);
void nameset_deinit(struct nameset *t);
/** nameset_add - count @name once more; the text must outlive the set. Names of more than 65535
 *  bytes are left out. */
void nameset_add(struct nameset *t, const char *name, size_t len);
/** nameset_count - how often it was added. */
unsigned nameset_count(const struct nameset *t, const char *name);
/** nameset_match - names that match a shell pattern, sorted, each once; copies with a NUL in @a.
 *  Returns their number. */
size_t nameset_match(const struct nameset *t, struct arena *a, const char *pattern,
		   const char *const **ret);
/** nameset_of_length - names of @min to @max bytes in no order: candidates for "did you mean". */
size_t nameset_of_length(const struct nameset *t, struct arena *a, size_t min, size_t max,
		       const char *const **ret);

#endif
