/* SPDX-License-Identifier: GPL-2.0 */
/* The limit is a soft one, so that programs of the user can have the one from before. What exceeds
 * it ends the program. */
#include "common/memory_limit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "common/say.h"
#include "shared/machine.h"
#include "shared/memory.h"

enum { SHARE = 2 };

static struct rlimit before;
static bool is_set;

void memory_limit_set(void)
{
	struct rlimit now;

	if (getrlimit(RLIMIT_DATA, &before) != 0)
		return;
	now = before;
	now.rlim_cur = machine_memory_part(SHARE, before.rlim_cur);
	is_set = setrlimit(RLIMIT_DATA, &now) == 0;
}

void memory_limit_undo(void)
{
	if (is_set)
		setrlimit(RLIMIT_DATA, &before);
}

_Noreturn void memory_lacks(const char *path)
{
	static const char message[] = "probec: error: out of memory [E_NO_MEMORY]\n"
				      "      = free some memory\n";

	(void)path;
	/* Written directly, because say_error() needs memory. */
	say_text(message, sizeof(message) - 1);
	exit(1);
}
