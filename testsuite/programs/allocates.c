/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Allocates and frees memory at random in four threads, with every function of the C library that
 * allocates, and leaves some of it.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *allocate(unsigned *seed)
{
	size_t n = (size_t)(rand_r(seed) % 3000), large = 200000;
	void *p = NULL;

	switch (rand_r(seed) % 10) {
	case 0: return calloc(n, 3);
	case 1: return memalign(64, n);
	case 2: return aligned_alloc(64, n / 64 * 64);
	case 3: return posix_memalign(&p, 256, n) ? NULL : p;
	case 4: return valloc(n);
	case 5: return reallocarray(NULL, n, 2);
	case 6: return realloc(malloc(n), 2 * n + 1);
	/* A block that malloc() maps, which realloc() has to copy. */
	case 7: return rand_r(seed) % 8 ? malloc(n) : realloc(malloc(large), 2 * large);
	default: return malloc(n);
	}
}

static void *work(void *number)
{
	unsigned seed = (unsigned)(uintptr_t)number;
	void *kept[200] = { 0 };

	for (int i = 0; i < 3000; i++) {
		int at = rand_r(&seed) % 200;

		free(kept[at]);
		kept[at] = allocate(&seed);
		if (kept[at] && rand_r(&seed) % 16 == 0)
			/* It fails, and the block stays. */
			(void)!realloc(kept[at], PTRDIFF_MAX);
		else if (kept[at] && rand_r(&seed) % 16 == 0)
			kept[at] = realloc(kept[at], 100);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[4];

	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
