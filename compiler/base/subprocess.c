/* SPDX-License-Identifier: GPL-2.0 */
/* Runs one child at a time: fork, exec, pipes, poll. */
#include "base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct pipe_in {
	int fd; /* our end; -1: none, or closed */
	struct buf *to;
};

/* Removes what tools must not inherit: the jobs and flags of a make that runs probec, and variables
 * that a user exports to build kernels, for example for another processor. No cache would depend on
 * them. KBUILD_SIGN_PIN is kept for the tools. */
static void clear_environment(void)
{
	static const char *const names[] = {
		"MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "MAKELEVEL", "ARCH", "SUBARCH",
		"CROSS_COMPILE", "LLVM", "LLVM_IAS", "KCFLAGS", "KCPPFLAGS", "KAFLAGS",
		"KBUILD_EXTMOD", "KBUILD_EXTRA_SYMBOLS", "KBUILD_EXTRA_WARN", "KBUILD_OUTPUT",
		"KBUILD_MODPOST_WARN", "KBUILD_VERBOSE", "DEPENDENCIES_OUTPUT",
		"SUNPRO_DEPENDENCIES",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
}

/* objtool follows each branch of a function by recursion: a handler of twenty thousand statements
 * takes more than the usual 8 MB of stack. */
static void allow_deep_recursion(void)
{
	const rlim_t wanted = 512 << 20;
	struct rlimit stack;

	if (getrlimit(RLIMIT_STACK, &stack) || stack.rlim_cur >= wanted)
		return;
	stack.rlim_cur = stack.rlim_max < wanted ? stack.rlim_max : wanted;
	setrlimit(RLIMIT_STACK, &stack);
}

/* Runs in the child and never returns. @report passes the error of exec to the parent. */
static void child(const char *const argv[], const char *dir, int out, int err, int report)
{
	int null = open("/dev/null", O_RDONLY), why;

	if (null >= 0)
		dup2(null, 0);
	if (out >= 0)
		dup2(out, 1);
	if (err >= 0)
		dup2(err, 2);
	clear_environment();
	allow_deep_recursion();
	setenv("LC_ALL", "C", 1);
	if (!dir || chdir(dir) == 0)
		execvp(argv[0], (char *const *)argv);
	why = errno;
	if (write(report, &why, sizeof(why)) < 0)
		_exit(126);
	_exit(127);
}

/* Reads what is available; closes the pipe at the end of file. */
static void drain(struct pipe_in *p)
{
	char chunk[8192];
	ssize_t n = read(p->fd, chunk, sizeof(chunk));

	if (n > 0) {
		buf_write(p->to, chunk, (size_t)n);
	} else if (n == 0 || errno != EINTR) {
		close(p->fd);
		p->fd = -1;
	}
}

static void collect(struct pipe_in in[2])
{
	while (in[0].fd >= 0 || in[1].fd >= 0) {
		struct pollfd fds[2] = { { in[0].fd, POLLIN, 0 }, { in[1].fd, POLLIN, 0 } };

		if (poll(fds, 2, -1) < 0)
			continue;
		for (int i = 0; i < 2; i++)
			if (in[i].fd >= 0 && fds[i].revents)
				drain(&in[i]);
	}
}

static void close_pair(int p[2])
{
	for (int i = 0; i < 2; i++)
		if (p[i] >= 0)
			close(p[i]);
}

int subprocess_run(const char *const argv[], const char *dir, struct buf *out, struct buf *err)
{
	int o[2] = { -1, -1 }, e[2] = { -1, -1 }, r[2] = { -1, -1 }, status, why = 0;
	struct pipe_in in[2] = { { -1, out }, { -1, err } };
	pid_t pid;

	if ((out && pipe2(o, O_CLOEXEC)) || (err && err != out && pipe2(e, O_CLOEXEC)) ||
	    pipe2(r, O_CLOEXEC)) {
		why = errno;
		goto fail;
	}
	pid = fork();
	if (pid < 0) {
		why = errno;
		goto fail;
	}
	if (pid == 0)
		child(argv, dir, o[1], err && err == out ? o[1] : e[1], r[1]);
	if (out)
		close(o[1]);
	if (e[1] >= 0)
		close(e[1]);
	close(r[1]);
	in[0].fd = o[0];
	in[1].fd = e[0];
	collect(in);
	if (read(r[0], &why, sizeof(why)) != sizeof(why))
		why = 0;
	close(r[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (why)
		return -why;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
fail:
	close_pair(o);
	close_pair(e);
	close_pair(r);
	return -why;
}

const char *subprocess_find(struct arena *a, const char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/'))
		return access(name, X_OK) ? NULL : name;
	for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
		size_t len = strcspn(p, ":");
		const char *full = arena_printf(a, "%.*s/%s", (int)len, p, name);

		if (len && !access(full, X_OK))
			return full;
		p += len + (p[len] == ':');
	}
	return NULL;
}
