/* SPDX-License-Identifier: GPL-2.0 */
/*
 * events CHILDREN THREADS CALLS [PROGRAM] - Makes known numbers of processes, threads and system
 * calls. Each child ends at once, or runs PROGRAM. Each thread calls getpriority() CALLS times and
 * is joined. At the end the program prints how many of these calls failed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static long calls, failed;

static void *thread(void *data)
{
	for (long i = 0; i < calls; i++)
		if (syscall(SYS_getpriority, i % 3 ? PRIO_PROCESS : 99, 0) < 0)
			__atomic_add_fetch(&failed, 1, __ATOMIC_RELAXED);
	return data;
}

int main(int argc, char **argv)
{
	long children = argc > 1 ? atol(argv[1]) : 1, threads = argc > 2 ? atol(argv[2]) : 1;

	calls = argc > 3 ? atol(argv[3]) : 1;
	for (long i = 0; i < children; i++) {
		pid_t pid = fork();

		if (!pid && argc > 4)
			execl(argv[4], argv[4], "0", "0", "0", NULL);
		if (!pid)
			_exit(3);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return 1;
	}
	for (long i = 0; i < threads; i++) {
		pthread_t id;

		if (pthread_create(&id, NULL, thread, NULL) || pthread_join(id, NULL))
			return 1;
	}
	printf("%ld\n", failed);
	return 0;
}
