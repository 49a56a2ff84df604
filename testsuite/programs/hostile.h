/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs that look like an interpreter and write garbage into its frames have this in common: a
 * function LOOP, as the interpreter's loop is called, in which threads call getppid(), objects, and
 * pointers between them that may lead anywhere.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS = 4, OBJECTS = 64, OBJECT = 256, DEPTH = 5, TEXTS = 8 };

static unsigned char arena[OBJECTS][OBJECT] __attribute__((aligned(16)));
static unsigned calls;

__attribute__((noinline)) unsigned LOOP(unsigned n, unsigned depth)
{
	unsigned sum = 0;

	if (depth)
		return LOOP(n, depth - 1) + 1;
	for (unsigned i = 0; i < n; i++) {
		sum += syscall(SYS_getppid) > 0;
		/* The thread that writes garbage gets its turn, however long a slice is. */
		if (i % 16 == 0)
			sched_yield();
	}
	__atomic_add_fetch(&calls, n, __ATOMIC_RELAXED);
	return sum;
}

static uint64_t next_random(void)
{
	static uint64_t state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t object(uint64_t r)
{
	return (uintptr_t)arena[r & (OBJECTS - 1)];
}

/* A pointer, which may lead anywhere. */
static uint64_t pointer(void)
{
	uint64_t r = next_random();

	switch (r % 64) {
	case 0: return 0;
	case 1: return 0xffffffff81000000ull + (r >> 40);
	case 2: return 0x7fffffffffffull - (r >> 60);
	case 3: return (uintptr_t)&r;
	case 4: return r >> 17;
	case 5: return object(r >> 8) + (r >> 60);
	case 6: return r;
	}
	return object(r >> 8);
}

#endif
