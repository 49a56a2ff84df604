/* SPDX-License-Identifier: GPL-2.0 */
/* The growing part of vec_push(). */
#include "base/vec.h"

#include <string.h>

void vec_grow_(struct arena *a, void **v, size_t n, size_t *cap, size_t elem)
{
	size_t wanted = *cap ? *cap * 2 : 4;
	void *bigger = arena_alloc(a, wanted * elem);

	if (n)
		memcpy(bigger, *v, n * elem);
	*v = bigger;
	*cap = wanted;
}
