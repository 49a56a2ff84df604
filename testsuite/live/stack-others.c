/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For stack-others.sh. Two threads wait, in read() and in poll(). Prints each one's kernel stack as
 * /proc has it, and calls getsid() with its number; then with those of a thread that runs and of
 * one that has ended. With an argument, N threads then pass a byte to each other M times, while
 * others begin and end.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* SPINS: questions for the thread that runs. */
enum { SPINS = 20, PAIRS = 4, PASSES = 2000, ENDING = 300 };

static int ends[2];
static volatile pid_t numbers[4];
static volatile int spins = 1, sink;

static pid_t number(void)
{
	return (pid_t)syscall(SYS_gettid);
}

__attribute__((noinline)) static void in_read(void)
{
	char byte;

	sink = (int)read(ends[0], &byte, 1);
}

__attribute__((noinline)) static void in_poll(void)
{
	struct pollfd it = { .fd = ends[0], .events = POLLPRI };

	sink = poll(&it, 1, -1);
}

static void *reader(void *unused)
{
	numbers[0] = number();
	in_read();
	return unused;
}

static void *poller(void *unused)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	numbers[1] = number();
	in_poll();
	return unused;
}

static void *spinner(void *unused)
{
	setpriority(PRIO_PROCESS, (id_t)number(), -20);
	numbers[2] = number();
	while (spins)
		;
	return unused;
}

static void *ending(void *unused)
{
	numbers[3] = number();
	return unused;
}

/* Reads a file of a thread. */
static const char *file_of(pid_t tid, const char *name)
{
	static char text[4096];
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/%s", (int)tid, name);
	fd = open(path, O_RDONLY);
	n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	text[n < 0 ? 0 : n] = '\0';
	close(fd);
	return text;
}

/* Until thread @i waits in system call @call. */
static void wait_in(int i, long call)
{
	char said[16];

	snprintf(said, sizeof(said), "%ld ", call);
	while (!numbers[i] || strncmp(file_of(numbers[i], "syscall"), said, strlen(said)) != 0)
		usleep(1000);
}

/* Until the kernel has no thread @i any more, some time after it was joined. */
static void wait_gone(int i)
{
	while (*file_of(numbers[i], "stat"))
		usleep(1000);
}

static void look_at(int i, const char *name)
{
	if (i < 2)
		printf("%s\n%s", name, file_of(numbers[i], "stack"));
	sink = (int)syscall(SYS_getsid, numbers[i]);
}

static void *pass(void *arg)
{
	const int *fds = arg;
	char byte = 0;

	for (int i = 0; i < PASSES; i++)
		if (read(fds[0], &byte, 1) != 1 || write(fds[1], &byte, 1) != 1)
			abort();
	return NULL;
}

static void storm(void)
{
	pthread_t threads[2 * PAIRS], one;
	int fds[PAIRS][2][2], pairs[2 * PAIRS][2];

	for (int i = 0; i < PAIRS; i++) {
		if (pipe(fds[i][0]) != 0 || pipe(fds[i][1]) != 0 || write(fds[i][0][1], "", 1) != 1)
			abort();
		for (int j = 0; j < 2; j++) {
			pairs[2 * i + j][0] = fds[i][j][0];
			pairs[2 * i + j][1] = fds[i][!j][1];
			pthread_create(&threads[2 * i + j], NULL, pass, pairs[2 * i + j]);
		}
	}
	for (int i = 0; i < ENDING; i++) {
		pthread_create(&one, NULL, ending, NULL);
		pthread_join(one, NULL);
	}
	for (int i = 0; i < 2 * PAIRS; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	pthread_t threads[4];

	(void)argv;
	if (pipe(ends) != 0)
		return 1;
	if (argc > 1) {
		storm();
		return 0;
	}
	pthread_create(&threads[0], NULL, reader, NULL);
	wait_in(0, SYS_read);
	pthread_create(&threads[1], NULL, poller, NULL);
	wait_in(1, SYS_poll);
	pthread_create(&threads[2], NULL, spinner, NULL);
	while (!numbers[2])
		;
	pthread_create(&threads[3], NULL, ending, NULL);
	pthread_join(threads[3], NULL);
	wait_gone(3);
	look_at(0, "read");
	look_at(1, "poll");
	/* The session's reader, which each answer wakes, may take the processor for a moment. */
	for (int i = 0; i < SPINS; i++) {
		usleep(10000);
		look_at(2, "spin");
	}
	look_at(3, "ended");
	puts("end");
	spins = 0;
	pthread_join(threads[2], NULL);
	sink = (int)write(ends[1], "", 1);
	pthread_join(threads[0], NULL);
	pthread_cancel(threads[1]);
	pthread_join(threads[1], NULL);
	return 0;
}
