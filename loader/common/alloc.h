/* SPDX-License-Identifier: GPL-2.0 */
/* Memory allocation that ends the program with E_NO_MEMORY on failure: at that time nothing is
 * loaded yet, or the guardian process exists. */
#ifndef LOADER_ALLOC_H
#define LOADER_ALLOC_H

#include <stddef.h>

/** alloc_array - zeroed memory for @n elements of @size bytes; to free(). */
void *alloc_array(size_t n, size_t size);
/** alloc_resize - realloc() of @p to @size bytes. */
void *alloc_resize(void *p, size_t size);

#endif
