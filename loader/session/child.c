/* SPDX-License-Identifier: GPL-2.0 */
/* The process that a session is about. */
#include "session/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/say.h"
#include "common/shell.h"
#include "common/signals.h"

void child_init(struct child *c)
{
	*c = (struct child){ .fd = -1, .start = -1, .exec_error = -1 };
}

static void run_command(int start, int exec_error, const char *command)
{
	char byte;
	ssize_t n;
	int err;

	do
		n = read(start, &byte, 1);
	while (n < 0 && errno == EINTR && signals_count() == 0);
	if (n != 1)
		_exit(0);
	err = -shell_exec(command);
	n = write(exec_error, &err, sizeof(err));
	_exit(127);
}

static int open_pidfd(struct child *c)
{
	c->fd = (int)syscall(SYS_pidfd_open, c->pid, 0);
	return c->fd < 0 ? -errno : 0;
}

int child_fork(struct child *c, const char *command)
{
	int start[2], result[2];

	if (pipe2(start, O_CLOEXEC) != 0 || pipe2(result, O_CLOEXEC) != 0) {
		say_error("E_COMMAND", NULL, "pipe: %s", strerror(errno));
		return -1;
	}
	c->pid = fork();
	if (c->pid == 0) {
		close(start[1]);
		close(result[0]);
		run_command(start[0], result[1], command);
	}
	close(start[0]);
	close(result[1]);
	c->start = start[1];
	c->exec_error = result[0];
	c->is_command = 1;
	if (c->pid < 0 || open_pidfd(c) != 0) {
		say_error("E_COMMAND", NULL, "a process could not be started: %s", strerror(errno));
		return -1;
	}
	return 0;
}

int child_attach(struct child *c, pid_t pid)
{
	int err;

	c->pid = pid;
	err = open_pidfd(c);
	if (!err)
		return 0;
	if (err == -ESRCH)
		say_error("E_TARGET", "ps shows what runs", "there is no process %d", (int)pid);
	else
		say_error("E_TARGET", "-x takes a process, not one of its threads",
			  "process %d: %s", (int)pid, strerror(-err));
	return -1;
}

void child_release(struct child *c)
{
	if (c->start < 0)
		return;
	while (write(c->start, "", 1) < 0 && errno == EINTR)
		;
	close(c->start);
	c->start = -1;
}

int child_finish(struct child *c)
{
	int status = 0, passed = 0, err = 0;

	if (!c->is_command || c->pid <= 0)
		return 0;
	if (c->start >= 0)
		close(c->start);
	c->start = -1;
	for (;;) {
		if (signals_count() > passed) {
			passed = signals_count();
			kill(c->pid, signals_last());
		}
		if (waitpid(c->pid, &status, 0) >= 0 || errno != EINTR)
			break;
	}
	c->pid = 0;
	if (read(c->exec_error, &err, sizeof(err)) == sizeof(err)) {
		say_error("E_COMMAND", NULL, "the command of -c could not be started: %s",
			  strerror(err));
		return -1;
	}
	if (WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127)) {
		say_error("E_COMMAND", "the shell's message above says why",
			  "the command of -c could not be started (status %d)",
			  WEXITSTATUS(status));
		return -1;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status))
		say_warn("E_COMMAND", NULL, "the command ended with status %d",
			 WEXITSTATUS(status));
	else if (WIFSIGNALED(status) && !signals_count())
		say_warn("E_COMMAND", NULL, "the command was ended by signal %d", WTERMSIG(status));
	return 0;
}
