/* SPDX-License-Identifier: GPL-2.0 */
/* The commands of /dev/calls: ioctl(fd, CALLS_..., argument). The comments name the argument. */
#ifndef CALLS_H
#define CALLS_H

enum {
	CALLS_SLEEP = 0x4000, /* milliseconds */
	CALLS_WAIT,           /* unused; waits at the gate */
	CALLS_DEEP,           /* depth of recursion */
	CALLS_DIE,            /* unused; a kernel thread ends inside the call */
	CALLS_FAST,           /* number of calls */
	CALLS_GATE,           /* 1 opens the gate, 0 closes it */
};

#endif
