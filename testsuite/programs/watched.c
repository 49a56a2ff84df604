/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes and reads variables as its arguments say, in this order, and prints how often:
 * "PID counter WRITES READS inside WRITES". A line "ready" is printed before it waits for input.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, WRITES = 2500, FORKS = 8, STORM = 100 };

volatile long counter;
static volatile int inside;
volatile short others[4];
static unsigned long writes, reads, inside_writes;

static void add(unsigned long *sum, unsigned long n)
{
	__atomic_fetch_add(sum, n, __ATOMIC_RELAXED);
}

static void *write_often(void *unused)
{
	for (int i = 0; i < WRITES; i++) {
		counter = i;
		others[1] = 1;
		inside = i;
	}
	add(&writes, WRITES);
	add(&inside_writes, WRITES);
	return unused;
}

static void *write_once(void *unused)
{
	counter = 1;
	add(&writes, 1);
	return unused;
}

/* Its first action in a thread that was there before is to wait for the line that main() reads. */
static pthread_barrier_t barrier;

static void *write_later(void *unused)
{
	pthread_barrier_wait(&barrier);
	return write_often(unused);
}

static void in_threads(void *(*run)(void *), int n)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, run, NULL) != 0)
			abort();
	if (run == write_later) {
		puts("ready");
		fflush(stdout);
		getchar();
		pthread_barrier_wait(&barrier);
	}
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

static void read_often(void)
{
	for (int i = 0; i < WRITES; i++)
		(void)counter;
	add(&reads, WRITES);
}

static void tell(void)
{
	printf("%d counter %lu %lu inside %lu\n", getpid(), writes, reads, inside_writes);
	fflush(stdout);
	writes = reads = inside_writes = 0;
}

/* Runs the arguments from @rest on in a child: in this program, or in another process of it. */
static void in_child(char **rest, int executes)
{
	pid_t child = fork();

	if (child == 0) {
		if (executes)
			execv("/proc/self/exe", rest);
		writes = reads = inside_writes = 0;
		write_often(NULL);
		tell();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

/* The kernel writes for the process; and by another mapping of the page. */
static void by_kernel(int beside)
{
	static const long value = 5;
	int pipes[2], memory;

	if (beside) {
		memory = open("/proc/self/mem", O_WRONLY);
		if (pwrite(memory, &value, sizeof(value), (off_t)(long)&counter) != sizeof(value))
			abort();
		close(memory);
		return;
	}
	if (pipe(pipes) != 0 || write(pipes[1], &value, sizeof(value)) != sizeof(value) ||
	    read(pipes[0], (void *)&counter, sizeof(value)) != sizeof(value))
		abort();
	add(&writes, 1);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "threads") == 0)
			in_threads(write_often, THREADS);
		else if (strcmp(argv[i], "later") == 0)
			pthread_barrier_init(&barrier, NULL, THREADS + 1),
			in_threads(write_later, THREADS);
		else if (strcmp(argv[i], "read") == 0)
			read_often();
		else if (strcmp(argv[i], "kernel") == 0)
			by_kernel(0);
		else if (strcmp(argv[i], "beside") == 0)
			by_kernel(1);
		for (int k = 0; k < STORM && strcmp(argv[i], "storm") == 0; k++)
			in_threads(write_once, THREADS);
		for (int k = 0; k < FORKS && strcmp(argv[i], "fork") == 0; k++)
			in_child(NULL, 0);
		for (int k = 0; k < FORKS && strcmp(argv[i], "start") == 0; k++)
			in_child((char *[]){ argv[0], "threads", NULL }, 1);
		if (strcmp(argv[i], "exec") == 0) {
			tell();
			execv("/proc/self/exe", &argv[i]);
		}
	}
	tell();
	return 0;
}
