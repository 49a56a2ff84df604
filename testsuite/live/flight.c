/* SPDX-License-Identifier: GPL-2.0 */
/*
 * flight THREADS CALLS [error|late] - threads that call lseek() with ascending numbers. After CALLS
 * calls of the first thread, it calls getpriority(), for which a snapshot is taken, and prints for
 * each thread its id, and between which numbers its last call before that lies. With "error",
 * setpriority() follows, which is an error of the script; with "late", a second passes before the
 * snapshot.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 64 };

static struct thread {
	_Alignas(64) atomic_long begun, ended; /* the number of the last call that did */
	pid_t tid;
} threads[MOST];
static atomic_int ready, stop;
static int fd;

static void call(struct thread *t)
{
	long n = t->begun + 1;

	atomic_store(&t->begun, n);
	lseek(fd, n, SEEK_SET);
	atomic_store(&t->ended, n);
}

static void *run(void *arg)
{
	struct thread *t = arg;

	t->tid = (pid_t)syscall(SYS_gettid);
	atomic_fetch_add(&ready, 1);
	while (!stop)
		call(t);
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 2;
	long calls = argc > 2 ? atol(argv[2]) : 1000, low[MOST], high[MOST];
	pthread_t id[MOST];

	fd = open("/dev/null", O_RDONLY);
	threads[0].tid = (pid_t)syscall(SYS_gettid);
	for (int i = 1; i < n; i++)
		pthread_create(&id[i], NULL, run, &threads[i]);
	while (ready < n - 1)
		sched_yield();
	while (calls--)
		call(&threads[0]);
	if (argc > 3 && strcmp(argv[3], "late") == 0)
		sleep(1);
	for (int i = 0; i < n; i++)
		low[i] = threads[i].ended;
	getpriority(PRIO_PROCESS, 0x7fff0000);
	for (int i = 0; i < n; i++)
		high[i] = threads[i].begun;
	if (argc > 3 && strcmp(argv[3], "error") == 0)
		setpriority(PRIO_PROCESS, 0x7fff0000, 0);
	stop = 1;
	for (int i = 1; i < n; i++)
		pthread_join(id[i], NULL);
	for (int i = 0; i < n; i++)
		printf("%d %ld %ld\n", threads[i].tid, low[i], high[i]);
	return 0;
}
