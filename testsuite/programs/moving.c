/* SPDX-License-Identifier: GPL-2.0 */
/*
 * moving CALLS - A program whose memory changes while it is read: two threads map, drop, protect
 * and unmap four pages all the time. Three others each pass addresses in them to a function CALLS
 * times, and fork at every hundredth call. The program prints how often the function was called,
 * including the calls in its children.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096
#define SIZE (4 * PAGE)

static char *at;
static long calls, all;
static int stop;

__attribute__((noinline)) void take(char *text)
{
	__asm__ volatile("" : : "r"(text) : "memory");
}

static void *mapper(void *data)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		mmap(at, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		     0);
		madvise(at, SIZE, MADV_DONTNEED);
		munmap(at, SIZE);
		mprotect(at, PAGE, PROT_NONE);
	}
	return data;
}

static void *caller(void *data)
{
	for (long i = 1; i <= calls; i++) {
		pid_t pid;

		take(at + PAGE - 6);
		__atomic_add_fetch(&all, 1, __ATOMIC_RELAXED);
		if (i % 100)
			continue;
		pid = fork();
		if (!pid) {
			take(at);
			_exit(0);
		}
		if (pid > 0 && waitpid(pid, NULL, 0) == pid)
			__atomic_add_fetch(&all, 1, __ATOMIC_RELAXED);
	}
	return data;
}

int main(int argc, char **argv)
{
	pthread_t mappers[2], callers[3];

	calls = argc > 1 ? atol(argv[1]) : 1;
	at = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return 1;
	for (int i = 0; i < 2; i++)
		if (pthread_create(&mappers[i], NULL, mapper, NULL))
			return 1;
	for (int i = 0; i < 3; i++)
		if (pthread_create(&callers[i], NULL, caller, NULL))
			return 1;
	for (int i = 0; i < 3; i++)
		pthread_join(callers[i], NULL);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(mappers[i], NULL);
	printf("%ld\n", all);
	return 0;
}
