/* SPDX-License-Identifier: GPL-2.0 */
#include "shared/memory.h"

#include <stdlib.h>

#include "common/say.h"

_Noreturn void memory_lacks(const char *path)
{
	static const char message[] = "probec: error: out of memory [E_NO_MEMORY]\n"
				      "      = free some memory\n";

	(void)path;
	/* Written directly, because say_error() needs memory. */
	say_text(message, sizeof(message) - 1);
	exit(1);
}
