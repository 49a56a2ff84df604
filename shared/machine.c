/* SPDX-License-Identifier: GPL-2.0 */
#include "shared/machine.h"

#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

uint64_t machine_memory_part(unsigned parts, uint64_t most)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	uint64_t part;

	if (pages <= 0 || size <= 0)
		return most;
	part = (uint64_t)pages * (uint64_t)size / parts;
	return part < most ? part : most;
}

bool machine_proc_is_own(void)
{
	char link[16];
	ssize_t n = readlink("/proc/self", link, sizeof(link) - 1);

	/* Where this process has no number, there is no such link. */
	if (n <= 0)
		return false;
	link[n] = '\0';
	return atoi(link) == (int)getpid();
}
