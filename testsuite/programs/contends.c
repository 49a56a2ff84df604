/* SPDX-License-Identifier: GPL-2.0 */
/*
 * contends N: a thread waits N times for a mutex that another one holds. The program prints the
 * address of the mutex, how often it was locked, how often the thread waited, and the time in
 * nanoseconds for which the mutex was held while the thread slept: it waited at least as long.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int requests[2], answers[2];
static atomic_int waiter;

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void say(const int *to)
{
	if (write(to[1], "", 1) != 1)
		abort();
}

static void hear(const int *from)
{
	char c;

	if (read(from[0], &c, 1) != 1)
		abort();
}

static void *waits(void *count)
{
	waiter = gettid();
	for (long i = 0; i < *(long *)count; i++) {
		hear(requests);
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		say(answers);
	}
	return NULL;
}

/* Whether the thread sleeps in futex() with the mutex as its first argument. */
static int sleeps(void)
{
	char path[64], line[256] = "";
	long number = -1;
	unsigned long address = 0;
	FILE *f;

	if (!waiter)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", waiter);
	f = fopen(path, "r");
	if (!f || !fgets(line, sizeof(line), f))
		abort();
	fclose(f);
	return sscanf(line, "%ld %lx", &number, &address) == 2 && number == SYS_futex &&
	       address == (unsigned long)&mutex;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 100;
	long long held = 0;
	pthread_t thread;

	if (pipe(requests) || pipe(answers))
		abort();
	pthread_create(&thread, NULL, waits, &count);
	for (long i = 0; i < count; i++) {
		long long asleep;

		pthread_mutex_lock(&mutex);
		say(requests);
		while (!sleeps())
			usleep(100);
		asleep = now();
		usleep(1000);
		held += now() - asleep;
		pthread_mutex_unlock(&mutex);
		hear(answers);
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	pthread_join(thread, NULL);
	printf("%p %ld %ld %lld\n", (void *)&mutex, 3 * count, count, held);
	return 0;
}
