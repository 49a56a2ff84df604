/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The guardian process. It is in a session of its own with every signal blocked, so that what ends
 * the loader does not end it, and holds nothing but one end of a pipe. When the other end closes,
 * the loader has ended, in whatever way, and the guardian removes the module that was named last
 * ("" if the loader has removed it).
 */
#include "module/guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "records.h"

#include "common/say.h"
#include "module/module.h"

enum { NAME_SIZE = 64, SECONDS = 24 * 60 * 60 };

static void guard(int fd)
{
	char name[NAME_SIZE] = "", message[NAME_SIZE];
	int null = open("/dev/null", O_RDWR);
	sigset_t all;

	setsid();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_NAME, "proberun-guard");
	if (chdir("/") != 0)
		_exit(1);
	for (int i = 0; i < 3; i++)
		if (dup2(null, i) < 0)
			close(i);
	dup2(fd, 3);
	close_range(4, ~0u, 0);
	for (;;) {
		ssize_t n = read(3, message, sizeof(message));

		if (n == sizeof(message))
			memcpy(name, message, sizeof(name));
		else if (n >= 0 || errno != EINTR)
			break;
	}
	if (name[0]) {
		module_remove(name, SECONDS);
		module_remove(PRT_DIRECT_MODULE, SECONDS);
	}
	_exit(0);
}

int guardian_start(struct guardian *g)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0) {
		say_error("E_INTERNAL", NULL, "pipe: %s", strerror(errno));
		return -1;
	}
	g->pid = fork();
	if (g->pid == 0)
		guard(fds[0]);
	close(fds[0]);
	g->fd = fds[1];
	if (g->pid > 0)
		return 0;
	say_error("E_NO_MEMORY", "end some processes, or raise their limit (ulimit -u, pids.max)",
		  "a process could not be started: %s", strerror(errno));
	close(g->fd);
	g->pid = 0;
	return -1;
}

void guardian_name(struct guardian *g, const char *name)
{
	char message[NAME_SIZE] = "";

	memcpy(message, name, strnlen(name, NAME_SIZE - 1));
	while (write(g->fd, message, sizeof(message)) < 0 && errno == EINTR)
		;
}

void guardian_end(struct guardian *g)
{
	if (g->pid <= 0)
		return;
	close(g->fd);
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
	g->pid = 0;
}
