/* SPDX-License-Identifier: GPL-2.0 */
/*
 * user-filter ROUNDS            for user-filter.sh: prints its process id, and then, for each
 *                               SIGUSR1, the first byte of two functions of libc in its own memory,
 *                               before it calls each of them ROUNDS times
 * user-filter ROUNDS leader     the same, by another thread, after the first one has ended
 * user-filter ROUNDS enter PID  the same, but the functions are called by a child that was forked
 *                               into the pid namespace of process PID and does not exec
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rounds, entered = -1;
static sigset_t usr1;

static void call(void)
{
	char text[] = "text";

	for (int i = 0; i < rounds; i++) {
		strfry(text);
		memfrob(text, 4);
	}
}

static void *serve(void *unused)
{
	char self[32] = "";
	int sig;

	(void)unused;
	/* /proc is that of the guest, whatever the namespace of this process. */
	if (readlink("/proc/self", self, sizeof(self) - 1) < 0)
		exit(1);
	puts(self);
	while (!sigwait(&usr1, &sig)) {
		if (entered >= 0 && setns(entered, CLONE_NEWPID))
			exit(1);
		printf("%02x %02x\n", *(unsigned char *)(void *)strfry,
		       *(unsigned char *)(void *)memfrob);
		if (entered < 0) {
			call();
		} else if (!fork()) {
			call();
			_exit(0);
		}
		while (entered >= 0 && wait(NULL) < 0)
			;
		puts("called");
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	char path[64];

	rounds = atoi(argv[1]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, NULL);
	if (argc > 3) {
		snprintf(path, sizeof(path), "/proc/%s/ns/pid", argv[3]);
		entered = open(path, O_RDONLY);
		if (entered < 0)
			return 1;
	}
	if (argc != 3)
		return serve(NULL) ? 1 : 0;
	pthread_create(&thread, NULL, serve, NULL);
	pthread_exit(NULL);
}
