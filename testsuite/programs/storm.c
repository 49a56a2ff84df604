/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A storm of processes: "CHILDREN CALLS LIBRARY". Four threads fork the children. Each child loads
 * the library with dlopen() and calls its function and one of its own, CALLS times each; on the way
 * it sends itself real-time signals, one for each call, and counts them; half of the children begin
 * this program anew before that. The program prints how many calls were made, and ends with status
 * 1 if a child lost a signal. vm/user-beside.
 *
 * Built with -DLIBRARY, this file is the library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef LIBRARY

long loaded(long n);
long loaded(long n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 2;
}

#else

static long children, calls, failed;
static char **arguments;
static volatile long signals;

__attribute__((noinline)) long own(long n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

static void count(int signal)
{
	(void)signal;
	signals++;
}

static int child(const char *library)
{
	void *handle = dlopen(library, RTLD_NOW);
	long (*loaded)(long) = handle ? (long (*)(long))dlsym(handle, "loaded") : NULL;

	signal(SIGRTMIN, count);
	for (long i = 0; i < calls && loaded; i++) {
		if (own(i) != i + 1 || loaded(i) != i + 2)
			return 1;
		raise(SIGRTMIN);
	}
	return !loaded || signals != calls;
}

static void *forks(void *data)
{
	for (long i = 0; i < children / 4; i++) {
		pid_t pid = fork();
		int status = 1;

		if (!pid && i % 2)
			execl("/proc/self/exe", arguments[0], "child", arguments[2], arguments[3],
			      NULL);
		if (!pid)
			_exit(child(arguments[3]));
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			__atomic_add_fetch(&failed, 1, __ATOMIC_RELAXED);
	}
	return data;
}

int main(int argc, char **argv)
{
	pthread_t threads[4];

	if (argc < 4)
		return 2;
	arguments = argv;
	calls = atol(argv[2]);
	if (strcmp(argv[1], "child") == 0)
		return child(argv[3]);
	children = atol(argv[1]);
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, forks, NULL))
			return 2;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	printf("%ld\n", children / 4 * 4 * calls);
	return failed != 0;
}

#endif
