/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PREY_H
#define PREY_H

/* The function is neither inlined nor cloned. */
#define prey_whole __attribute__((__noipa__))

struct prey_thing {
	int number;
	char name[20];
	struct prey_thing *next;
};

long prey_other(long x);

#endif
