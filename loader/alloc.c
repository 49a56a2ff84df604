/* SPDX-License-Identifier: GPL-2.0 */
/* Memory, or the end of the program. */
#include "alloc.h"

#include <stdlib.h>

#include "say.h"

static void *checked(void *p)
{
	if (p)
		return p;
	say_error("E_NO_MEMORY", "free some", "out of memory");
	exit(1);
}

void *alloc_array(size_t n, size_t size)
{
	return checked(calloc(n ? n : 1, size));
}

void *alloc_resize(void *p, size_t size)
{
	return checked(realloc(p, size));
}
