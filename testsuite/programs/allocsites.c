/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Allocates memory in several functions and counts for itself, for vm/tools-libc. It prints a line
 * for each function: NAME CALLS BYTES.
 */
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline, noclone))

static struct count { const char *name; long calls, bytes; } counts[4] = {
	{ .name = "often" }, { .name = "large" }, { .name = "both" }, { .name = "grow" },
};

static size_t counted(int who, size_t n)
{
	counts[who].calls++;
	counts[who].bytes += (long)n;
	return n;
}

KEEP static void *often(int i)
{
	return malloc(counted(0, (size_t)(i % 50 + 1)));
}

KEEP static void *large(int i)
{
	return calloc(counted(1, (size_t)(i + 1) * 1000) / 1000, 1000);
}

/* Two places in one function. */
KEEP static void *both(int i)
{
	free(malloc(counted(2, (size_t)i + 8)));
	return malloc(counted(2, 3));
}

KEEP static void *grow(void *old, int i)
{
	return realloc(old, counted(3, (size_t)(i * 16 + 1)));
}

int main(void)
{
	static char buffer[4096];
	void *kept = NULL;

	/* The C library allocates nothing for the output. */
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	for (int i = 0; i < 1000; i++) {
		free(often(i));
		if (i % 10 == 0)
			free(large(i / 10));
		if (i % 3 == 0)
			free(both(i));
		kept = grow(kept, i);
	}
	free(kept);
	for (int i = 0; i < 4; i++)
		printf("%s %ld %ld\n", counts[i].name, counts[i].calls, counts[i].bytes);
	return 0;
}
