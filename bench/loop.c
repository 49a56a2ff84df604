/* SPDX-License-Identifier: GPL-2.0 */
/*
 * loop CALL [N] - prints what one system call costs in ticks of the processor's clock, or makes N
 * calls. In a guest that runs with -icount the clock counts instructions, so the figure is exact
 * and repeatable; the minimum of several rounds excludes rounds in which an interrupt or another
 * process ran.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROUNDS = 7, CALLS = 5000 };

static uint64_t ticks(void)
{
	uint32_t lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return (uint64_t)hi << 32 | lo;
}

int main(int argc, char **argv)
{
	/* The id does not exist: the call changes nothing. */
	long number = argc > 1 && strcmp(argv[1], "setfsuid") == 0 ? SYS_setfsuid : SYS_getppid;
	long calls = argc > 2 ? atol(argv[2]) : CALLS;
	int rounds = argc > 2 ? 1 : ROUNDS;
	uint64_t best = UINT64_MAX;

	for (int round = 0; round < rounds; round++) {
		uint64_t start = ticks(), spent;

		for (long i = 0; i < calls; i++)
			syscall(number, -1);
		spent = ticks() - start;
		if (spent < best)
			best = spent;
	}
	fprintf(stderr, "ticks %llu\n",
		(unsigned long long)((best + (uint64_t)calls / 2) / (uint64_t)calls));
	return 0;
}
