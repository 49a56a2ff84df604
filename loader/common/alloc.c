/* SPDX-License-Identifier: GPL-2.0 */
/* Memory allocation that ends the program on failure. */
#include "common/alloc.h"

#include <stdlib.h>

#include "common/say.h"

static void *checked(void *p)
{
	static const char message[] = "probec: error: out of memory [E_NO_MEMORY]\n"
				      "      = free some memory\n";

	if (p)
		return p;
	/* Written directly, because say_error() needs memory. */
	say_text(message, sizeof(message) - 1);
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
