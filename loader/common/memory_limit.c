/* SPDX-License-Identifier: GPL-2.0 */
/* The limit is a soft one, so that programs of the user can have the one from before. */
#include "common/memory_limit.h"

#include <stdbool.h>
#include <sys/resource.h>

#include "shared/machine.h"

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
