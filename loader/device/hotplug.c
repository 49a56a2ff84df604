/* SPDX-License-Identifier: GPL-2.0 */
/* The states in the kernel's hotplug of processors: hotplug.h. */
#include "device/hotplug.h"

#include <stdlib.h>
#include <string.h>

#include "common/say.h"
#include "shared/buf.h"
#include "shared/file.h"

#define STATES "/sys/devices/system/cpu/hotplug/states"

uint32_t hotplug_free(const char *states, const struct prt_hotplug *range)
{
	uint32_t free = range->last - range->first + 1;

	for (const char *p = states; p; p = strchr(p, '\n')) {
		char *end;
		unsigned long nr;

		p += *p == '\n';
		nr = strtoul(p, &end, 10);
		if (end != p && *end == ':' && nr >= range->first && nr <= range->last && free)
			free--;
	}
	return free;
}

static int check(const char *states, const struct prt_hotplug *range)
{
	uint32_t left = hotplug_free(states, range);

	if (range->takes <= left)
		return 0;
	say_error("E_LOAD", "end other sessions: each takes one or two until it ends; proberun "
			    "--list shows background sessions, " STATES " all users",
		  "the session needs %u of the kernel's %u CPU hotplug states, but %u %s "
		  "free", range->takes, range->last - range->first + 1, left,
		  plural_are(left));
	return -1;
}

int hotplug_check(const struct prt_hello *hello)
{
	struct buf states = { 0 };
	int ret = 0;

	if (hello->prepare.takes + hello->online.takes && file_read(STATES, &states) == 0 &&
	    states.s)
		ret = check(states.s, &hello->prepare) || check(states.s, &hello->online) ? -1 : 0;
	buf_deinit(&states);
	return ret;
}
