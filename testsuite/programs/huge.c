/* SPDX-License-Identifier: GPL-2.0 */
/*
 * huge - A program on huge pages: vm/user-huge. Its text is aligned for them and longer than one,
 * and its calls run in a thread whose stack is on another. For each line of standard input, a
 * number of rounds, it makes the calls and prints how many KiB of its text and of that stack huge
 * pages map, the sum of what the calls return, and that of what all levels return.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE = 2 << 20, DEPTH = 20 };

/* Room behind the functions, so that the text fills a huge page. */
__asm__(".pushsection behind, \"ax\"\n\t.balign 64\n\t.skip 5 << 20, 0x90\n\t.popsection");

static long total; /* of all results of descend() */
static char *area; /* two huge pages: the thread's stack, and a text across two small pages */

__attribute__((noinline)) long descend(long n, const char *text)
{
	volatile char room[3000];
	long below = 0;

	room[n] = (char)n;
	if (n)
		below = descend(n - 1, text);
	below += room[n] + text[n % 8];
	total += below;
	return below;
}

/* How many KiB of the mapping of @address are mapped by huge pages. */
static long mapped(const void *address, const char *what)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	unsigned long begin, end;
	char line[512];
	bool inside = false;
	long ret = -1;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
			inside = (uintptr_t)address >= begin && (uintptr_t)address < end;
		else if (inside && strncmp(line, what, strlen(what)) == 0)
			ret = strtol(line + strlen(what), NULL, 10);
	}
	if (f)
		fclose(f);
	return ret;
}

static void *run(void *arg)
{
	char *text = area + HUGE + 8192 - 4;
	long rounds, sum;

	memcpy(text, "straddles", 10);
	while (scanf("%ld", &rounds) == 1) {
		long of_text = mapped((void *)descend, "ShmemPmdMapped:");
		long of_stack = mapped(area, "AnonHugePages:");

		sum = total = 0;
		for (long i = 0; i < rounds; i++)
			sum += descend(DEPTH, text);
		printf("text %ld stack %ld sum %ld all %ld\n", of_text, of_stack, sum, total);
		fflush(stdout);
	}
	return arg;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	char *all = mmap(NULL, 3 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0);

	if (all == MAP_FAILED)
		return 1;
	area = (char *)(((uintptr_t)all + HUGE - 1) & ~(uintptr_t)(HUGE - 1));
	madvise(area, 2 * HUGE, MADV_HUGEPAGE);
	memset(area, 0, 2 * HUGE);
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, area, HUGE);
	if (pthread_create(&thread, &attr, run, NULL))
		return 1;
	return pthread_join(thread, NULL);
}
