/* SPDX-License-Identifier: GPL-2.0 */
#include "shared/memory.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void memory_lacks(const char *path)
{
	fprintf(stderr, "probec: error: out of memory%s%s\n", path ? " while reading " : "",
		path ? path : "");
	exit(1);
}
