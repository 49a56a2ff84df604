/* SPDX-License-Identifier: GPL-2.0 */
/* The target process. */
#include "session/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/say.h"
#include "common/shell.h"
#include "common/signals.h"
#include "shared/file.h"
#include "shared/machine.h"
#include "shared/memory.h"

enum { KILL_AFTER_MS = 2000, DESCENDANTS_MAX = 256 };

void child_init(struct child *c)
{
	*c = (struct child){ .fd = -1, .start = -1, .exec_error = -1 };
}

/* Everything is prepared before the probes are armed, so that they see no system call of this
 * process but the end of its read() and its exec. */
static void run_command(int start, int exec_error, const struct words *words, bool no_input)
{
	int null = no_input ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
	bool direct = words->way == WORDS_DIRECT;
	int err = -shell_become_user();
	char byte, path[PATH_MAX];
	ssize_t n;

	if (no_input && (null < 0 || dup2(null, STDIN_FILENO) < 0))
		err = err ? err : errno;
	if (direct)
		shell_find(words->argv[0], path, sizeof(path));
	do
		n = read(start, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(0);
	if (!err)
		err = direct ? -shell_exec_words(path, words->argv) : -shell_exec(words->text);
	n = write(exec_error, &err, sizeof(err));
	_exit(127);
}

static int open_pidfd(struct child *c)
{
	c->fd = (int)syscall(SYS_pidfd_open, c->pid, 0);
	return c->fd < 0 ? -errno : 0;
}

int child_fork(struct child *c, const char *command, bool no_input)
{
	int start[2], result[2];

	if (pipe2(start, O_CLOEXEC) != 0 || pipe2(result, O_CLOEXEC) != 0) {
		say_error("E_COMMAND", NULL, "pipe: %s", strerror(errno));
		return -1;
	}
	words_split(command, &c->words);
	if (c->words.way == WORDS_SHELL)
		say_step("a shell runs the command: target() is the shell");
	c->pid = fork();
	if (c->pid == 0) {
		close(start[1]);
		close(result[0]);
		run_command(start[0], result[1], &c->words, no_input);
	}
	close(start[0]);
	close(result[1]);
	c->start = start[1];
	c->exec_error = result[0];
	c->is_command = true;
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
		say_error("E_TARGET", "ps lists the running processes", "there is no process %d",
			  (int)pid);
	else
		say_error("E_TARGET", "-x takes a process, not one of its threads",
			  "process %d: %s", (int)pid, strerror(-err));
	return -1;
}

size_t child_programs(const struct child *c, char ret[CHILD_PROGRAMS][PATH_MAX])
{
	size_t n = 0;

	if (!c->is_command)
		return 0;
	if (c->words.way != WORDS_DIRECT)
		strcpy(ret[n++], "/bin/sh");
	if (c->words.way == WORDS_DIRECT)
		shell_find(c->words.argv[0], ret[n++], PATH_MAX);
	else if (c->words.program)
		shell_find(c->words.program, ret[n++], PATH_MAX);
	return n;
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

/* Returns whether it has ended after @ms, or earlier because of a signal for this process. */
static bool ends_within(const struct child *c, int ms)
{
	struct pollfd fd = { .fd = c->fd, .events = POLLIN };

	return poll(&fd, 1, ms) > 0;
}

struct parentage {
	pid_t pid, parent;
};

/* The processes that exist, in a list that the caller frees. Files of /proc that list the children
 * of a process are left out of some kernels (CONFIG_PROC_CHILDREN). */
static size_t read_processes(struct parentage **ret)
{
	DIR *proc = machine_proc_is_own() ? opendir("/proc") : NULL;
	size_t n = 0, room = 0;
	const struct dirent *e;

	*ret = NULL;
	while (proc && (e = readdir(proc))) {
		char path[sizeof(e->d_name) + 16], text[512], *name_end;
		pid_t pid = atoi(e->d_name);

		if (pid <= 0)
			continue;
		snprintf(path, sizeof(path), "/proc/%s/stat", e->d_name);
		if (file_read_line(path, text, sizeof(text)) || !(name_end = strrchr(text, ')')))
			continue;
		memory_grow(*ret, n, room, 256);
		if (sscanf(name_end, ") %*c %d", &(*ret)[n].parent) == 1)
			(*ret)[n++].pid = pid;
	}
	if (proc)
		closedir(proc);
	return n;
}

/* Returns the descendants of @pid, at most @max. They can be found only while their parents
 * exist. */
static size_t find_descendants(pid_t pid, pid_t *ret, size_t max)
{
	struct parentage *all;
	size_t n_all = read_processes(&all), n = 0;

	for (size_t i = 0; i <= n; i++)
		for (size_t j = 0; j < n_all && n < max; j++)
			if (all[j].parent == (i ? ret[i - 1] : pid))
				ret[n++] = all[j].pid;
	free(all);
	return n;
}

/* The session ends before the command does. Children of a shell would outlive the shell. */
static void end_command(const struct child *c)
{
	pid_t others[DESCENDANTS_MAX];
	size_t n = find_descendants(c->pid, others, DESCENDANTS_MAX);

	say_step("the session has ended: sending SIGTERM to the command");
	kill(c->pid, SIGTERM);
	for (size_t i = 0; i < n; i++)
		kill(others[i], SIGTERM);
	if (ends_within(c, KILL_AFTER_MS) || signals_count())
		return;
	say_step("sending SIGKILL to the command");
	kill(c->pid, SIGKILL);
}

/* Waits for its status. A signal for this process is passed on. */
static int wait_for_command(const struct child *c)
{
	int status = 0, passed = 0;

	for (;;) {
		if (signals_count() > passed) {
			passed = signals_count();
			kill(c->pid, signals_last());
		}
		if (waitpid(c->pid, &status, 0) >= 0 || errno != EINTR)
			return status;
	}
}

/* Reports that the command ended by itself with an error. 0, or -1: reported. */
static int report_status(int status)
{
	if (WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127)) {
		say_error("E_COMMAND", "the message above says why",
			  "the command of -c could not be started (status %d)",
			  WEXITSTATUS(status));
		return -1;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status)) {
		say_warn("E_COMMAND", NULL, "the command ended with status %d",
			 WEXITSTATUS(status));
		return -1;
	}
	if (WIFSIGNALED(status)) {
		say_warn("E_COMMAND", NULL, "the command was ended by signal %d", WTERMSIG(status));
		return -1;
	}
	return 0;
}

int child_not_started(void)
{
	if (!say_errors())
		say_error("E_COMMAND", signals_count() ?
			  "arm fewer probes, or wait for longer: a terminal and -v show how many "
			  "are armed" : NULL,
			  "the session ended before its probes were armed, so the command of -c "
			  "was not started");
	return -1;
}

int child_check_started(const struct child *c)
{
	return c->is_command && c->start >= 0 ? child_not_started() : 0;
}

int child_finish(struct child *c)
{
	int status, err = 0, ours, ret;

	if (!c->is_command || c->pid <= 0)
		return 0;
	ret = child_check_started(c);
	ours = c->start < 0 && !ends_within(c, 0);
	if (c->start >= 0)
		close(c->start);
	c->start = -1;
	if (ours && !signals_count())
		end_command(c);
	status = wait_for_command(c);
	c->pid = 0;
	if (read(c->exec_error, &err, sizeof(err)) == sizeof(err)) {
		say_error("E_COMMAND", "a program without a slash is searched for in PATH",
			  "the command of -c could not be started: %s: %s",
			  c->words.argv ? c->words.argv[0] : "/bin/sh", strerror(err));
		ret = -1;
	} else if (!ours && !signals_count()) {
		ret = report_status(status);
	}
	words_deinit(&c->words);
	return ret;
}
