/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether the numbers of processes in /proc are those by which this process and its user know them:
 * behind `unshare --pid --fork`, /proc still has those of the namespace that it was mounted in.
 */
#ifndef SHARED_OWN_PROC_H
#define SHARED_OWN_PROC_H

#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#define OWN_PROC_HINT "mount -t proc proc /proc; unshare does it with --mount-proc"

/** own_proc_is_shown - true: they are. */
static inline bool own_proc_is_shown(void)
{
	char link[16];
	ssize_t n = readlink("/proc/self", link, sizeof(link) - 1);

	/* Where this process has no number, there is no such link. */
	if (n <= 0)
		return false;
	link[n] = '\0';
	return atoi(link) == (int)getpid();
}

#endif
