/* SPDX-License-Identifier: GPL-2.0 */
/* A program that calls a function of its own and one of libc, a hundred times a second, until it is
 * killed or has done so as often as its argument says; it prints that number. vm/containers. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) long waits(long n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

int main(int argc, char **argv)
{
	void *p;
	long rounds = argc > 1 ? atol(argv[1]) : 100, n;
	struct timespec rest = { 0, 10000000 };

	for (n = 0; n < rounds; n++) {
		waits(n);
		p = malloc(1000);
		__asm__ volatile("" : "+r"(p)); /* or the compiler leaves out both calls */
		free(p);
		nanosleep(&rest, NULL);
	}
	printf("%ld\n", n);
	return 0;
}
