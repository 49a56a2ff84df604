/* SPDX-License-Identifier: GPL-2.0 */
/*
 * threads WHAT N ARGUMENT - Calls the module from N threads at once.
 *
 *   sleep N MS     the threads begin one after the other over two seconds; each prints its id
 *                  and the microseconds that its call took
 *   wait N X       "ready" is printed when all threads exist; they call when a line arrives on
 *                  standard input, and the program ends when all have returned
 *   deep N TIMES   each recurses to depths 100, 200, ... 1000, and repeats this TIMES times
 *   fast N TIMES   each calls calls_fast() TIMES times
 *   flat N TIMES   each calls calls_deep(1) TIMES times
 *   die N X, gate N X    one call of that command, without threads
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

static int fd;
static const char *what;
static long n, argument;
static pthread_barrier_t there, go;

static long now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static void sleep_once(long nr)
{
	long start;

	usleep(nr * 2000000 / n);
	start = now_us();
	ioctl(fd, CALLS_SLEEP, argument);
	start = now_us() - start;
	printf("%ld %ld\n", syscall(SYS_gettid), start);
}

static void *thread(void *data)
{
	long nr = (long)data, i, depth;

	if (strcmp(what, "sleep") == 0) {
		sleep_once(nr);
	} else if (strcmp(what, "wait") == 0) {
		pthread_barrier_wait(&there);
		pthread_barrier_wait(&go);
		ioctl(fd, CALLS_WAIT, argument);
	} else if (strcmp(what, "deep") == 0) {
		for (i = 0; i < argument; i++)
			for (depth = 100; depth <= 1000; depth += 100)
				ioctl(fd, CALLS_DEEP, depth / 10);
	} else if (strcmp(what, "flat") == 0) {
		for (i = 0; i < argument; i++)
			ioctl(fd, CALLS_DEEP, 1);
	} else {
		ioctl(fd, CALLS_FAST, argument);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t *all;
	char line[8];
	long i;

	if (argc != 4 || (fd = open("/dev/calls", O_RDWR)) < 0)
		return 1;
	what = argv[1];
	n = atol(argv[2]);
	argument = atol(argv[3]);
	if (strcmp(what, "die") == 0 || strcmp(what, "gate") == 0) {
		for (i = 0; i < n; i++)
			ioctl(fd, *what == 'd' ? CALLS_DIE : CALLS_GATE, argument);
		return 0;
	}
	pthread_barrier_init(&there, NULL, n + 1);
	pthread_barrier_init(&go, NULL, n + 1);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 << 10);
	all = calloc(n, sizeof(*all));
	for (i = 0; i < n; i++)
		if (pthread_create(&all[i], &attr, thread, (void *)i))
			return 2;
	if (strcmp(what, "wait") == 0) {
		pthread_barrier_wait(&there);
		puts("ready");
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return 3;
		pthread_barrier_wait(&go);
	}
	for (i = 0; i < n; i++)
		pthread_join(all[i], NULL);
	return 0;
}
