/* SPDX-License-Identifier: GPL-2.0 */
/* Functions for host/copies.sh: inlined, called, and both. */
#include <stdio.h>

static inline __attribute__((always_inline)) int copied(int x)
{
	asm volatile("" : "+r"(x));
	return x * x + 1;
}

static __attribute__((noinline)) int called(int x)
{
	asm volatile("" : "+r"(x));
	return x + 2;
}

/* The second argument is always 7, so that the compiler makes a clone without it. */
static __attribute__((noinline)) int cloned(int x, int y)
{
	asm volatile("" : "+r"(x));
	return x * y;
}

/* Used where the compiler inlines it, and called from where it must not. */
int both(int x)
{
	asm volatile("" : "+r"(x));
	return x * 3;
}

int main(int argc, char **argv)
{
	int (*volatile call)(int) = both;
	int x = cloned(argc, 7) + cloned(argc + 1, 7);

	(void)argv;
	printf("%d %d %d %d\n", both(argc), call(argc), copied(argc), called(x));
	return 0;
}
