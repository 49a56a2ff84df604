/* SPDX-License-Identifier: GPL-2.0 */
/* What can be asked of /dev/calls: ioctl(fd, CALLS_..., argument). */
#ifndef CALLS_H
#define CALLS_H

enum {
	CALLS_SLEEP = 0x4000, /* milliseconds */
	CALLS_WAIT,           /* at the gate */
	CALLS_DEEP,           /* calls of itself */
	CALLS_DIE,            /* a thread of the kernel ends within */
	CALLS_FAST,           /* times */
	CALLS_GATE,           /* 1: opens it, 0: closes it */
};

#endif
