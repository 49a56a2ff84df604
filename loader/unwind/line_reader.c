/* SPDX-License-Identifier: GPL-2.0 */
#include "unwind/line_reader.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/lines.h"

enum { ANSWER_MS = 20000 };

/* probec is beside proberun. */
static int find_program(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - sizeof("/probec"));
	char *slash;

	if (n < 0)
		return -errno;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return -ENOENT;
	strcpy(slash, "/probec");
	return 0;
}

/* It has a process group of its own, so that a signal of the terminal, which ends the session in
 * order, leaves it to answer about what is printed then. */
static int spawn(const char *path, int socket, int file, pid_t *ret)
{
	char *argv[] = { (char *)path, (char *)LINES_COMMAND, NULL }, *environment[] = { NULL };
	const short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int err;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, flags);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	err = posix_spawn_file_actions_adddup2(&files, socket, LINES_SOCKET);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&files, file, LINES_FILE);
	if (!err)
		err = posix_spawn(ret, path, &files, &attr, argv, environment);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return -err;
}

int line_reader_start(struct line_reader *r, int file)
{
	char path[PATH_MAX];
	int ends[2], err = find_program(path);

	*r = (struct line_reader){ .fd = -1 };
	if (err)
		return err;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -errno;
	err = spawn(path, ends[1], file, &r->pid);
	close(ends[1]);
	if (!err) {
		r->fd = ends[0];
		return 0;
	}
	r->pid = 0;
	close(ends[0]);
	return err;
}

ssize_t line_reader_ask(const struct line_reader *r, uint64_t address, void *answer, size_t room)
{
	struct pollfd it = { .fd = r->fd, .events = POLLIN };
	ssize_t n;
	int ready;

	if (send(r->fd, &address, sizeof(address), MSG_NOSIGNAL) != sizeof(address))
		return -1;
	do
		ready = poll(&it, 1, ANSWER_MS);
	while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		return -1;
	n = recv(r->fd, answer, room, 0);
	return n > 0 ? n : -1;
}

void line_reader_stop(struct line_reader *r)
{
	if (!r->pid)
		return;
	close(r->fd);
	kill(r->pid, SIGKILL);
	while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*r = (struct line_reader){ .fd = -1 };
}
