/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of which a part lies elsewhere. gcc moves rarely executed code to NAME.cold, which
 * jumps back into the middle of the function. When the kernel replaces a kprobe by a jump, it does
 * not see such jumps, and could place its own jump across the target of one.
 */
#include <string.h>

#include "target/kernel/kernel.h"
#include "analyse/locate/locate.h"
#include "state.h"

bool locate_split(struct state *s, const struct site *site)
{
	const char *const *names;

	if (strcmp(site->object, "kernel") != 0)
		return false;
	if (!*site->symbol || strstr(site->symbol, ".cold") || !kernel_symbols_known(s->kernel))
		return true;
	return kernel_symbols_match(s, s->kernel,
				    arena_printf(s->arena, "%s.cold*", site->symbol), &names) > 0;
}
