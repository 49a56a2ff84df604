/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VALUES_H
#define VALUES_H

#include <linux/types.h>

/* The function is neither inlined nor cloned, and its callers assume nothing about its effects. */
#define whole __attribute__((__noipa__))

enum shade { LIGHT = 3, DARK = -4 };

struct thing {
	unsigned int low : 3;
	int mid : 5;
	unsigned long wide : 40;
	short grid[2][3];
	char name[8];
	union {
		int word;
		struct {
			u16 lo, hi;
		};
	};
	enum shade shade;
	struct thing *next;
};

struct pair {
	long first;
	int second;
};

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
whole void observe(const void *p, long v);
whole long other(long x);
extern long values_shared;

#endif
