/* SPDX-License-Identifier: GPL-2.0 */
/* How much memory what others control may take: less on a small machine. */
#ifndef SHARED_MACHINE_MEMORY_H
#define SHARED_MACHINE_MEMORY_H

#include <stdint.h>
#include <unistd.h>

/** machine_memory_part - one of @parts parts of the machine's memory, in bytes; at most @most,
 *  which is also the answer where nobody knows how much there is. */
static inline uint64_t machine_memory_part(unsigned parts, uint64_t most)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	uint64_t part;

	if (pages <= 0 || size <= 0)
		return most;
	part = (uint64_t)pages * (uint64_t)size / parts;
	return part < most ? part : most;
}

#endif
