/* SPDX-License-Identifier: GPL-2.0 */
/* Lack of memory ends the process: what is incomplete for that reason must not look like what is
 * damaged, or not there. When the loader allocates, nothing is loaded yet, or its guardian process
 * exists. */
#ifndef SHARED_MEMORY_H
#define SHARED_MEMORY_H

#include <stddef.h>

/** memory_lacks - end the process with a message; each program has its own. @path: the file that is
 *  being read, or NULL. */
_Noreturn void memory_lacks(const char *path);
/** memory_zeroed - @n elements of @size bytes, all zero, as of calloc(); never NULL. */
void *memory_zeroed(size_t n, size_t size);
/** memory_resized - the same as realloc() for @n elements of @size bytes; never NULL. */
void *memory_resized(void *p, size_t n, size_t size);
/** memory_grow - before an element is added to @v, an array of @n elements with room for @room, two
 *  variables: make room for twice as many if it is full, for @first if there is none yet. */
#define memory_grow(v, n, room, first)                                                         \
	do {                                                                                   \
		if ((n) == (room)) {                                                           \
			(room) = (room) ? 2 * (room) : (first);                                \
			(v) = memory_resized(v, room, sizeof(*(v)));                           \
		}                                                                              \
	} while (0)

#endif
