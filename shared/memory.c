/* SPDX-License-Identifier: GPL-2.0 */
#include "shared/memory.h"

#include <stdlib.h>

void *memory_zeroed(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		memory_lacks(NULL);
	return p;
}

void *memory_resized(void *p, size_t n, size_t size)
{
	void *moved = reallocarray(p, n ? n : 1, size);

	if (!moved)
		memory_lacks(NULL);
	return moved;
}
