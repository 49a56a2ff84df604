/* SPDX-License-Identifier: GPL-2.0 */
#include "unwind/line_reader.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/bytes.h"
#include "shared/clock.h"
#include "shared/lines.h"

enum {
	ANSWER_MS = 20000,
	OPENED_MAX = 1 << 16,    /* files that a reader may ask for */
};

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
static int spawn(const char *path, int socket, const struct line_files *from, pid_t *ret)
{
	const struct {
		int from, to;
		const char *word;
	} parts[] = { { from->alternate, LINES_ALTERNATE, LINES_HAS_ALTERNATE },
		      { from->package, LINES_PACKAGE, LINES_HAS_PACKAGE } };
	char *argv[5] = { (char *)path, (char *)LINES_COMMAND }, *environment[] = { NULL };
	const short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int err, argc = 2;

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
		err = posix_spawn_file_actions_adddup2(&files, from->file, LINES_FILE);
	for (size_t i = 0; i < 2 && !err; i++) {
		if (parts[i].from < 0)
			continue;
		argv[argc++] = (char *)parts[i].word;
		err = posix_spawn_file_actions_adddup2(&files, parts[i].from, parts[i].to);
	}
	if (!err)
		err = posix_spawn(ret, path, &files, &attr, argv, environment);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return -err;
}

int line_reader_start(struct line_reader *r, const struct line_files *files)
{
	char path[PATH_MAX];
	int ends[2], err = find_program(path);

	*r = (struct line_reader){ .fd = -1 };
	if (err)
		return err;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -errno;
	err = spawn(path, ends[1], files, &r->pid);
	close(ends[1]);
	if (!err) {
		r->fd = ends[0];
		return 0;
	}
	r->pid = 0;
	close(ends[0]);
	return err;
}

/* ---- questions ---- */

static ssize_t receive(const struct line_reader *r, int64_t until, void *answer, size_t room)
{
	struct pollfd it = { .fd = r->fd, .events = POLLIN };
	int64_t left;
	ssize_t n;
	int ready;

	do {
		left = (until - clock_ns()) / 1000000;
		ready = poll(&it, 1, left > 0 ? (int)left : 0);
	} while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		return -1;
	n = recv(r->fd, answer, room, 0);
	return n > 0 ? n : -1;
}

static bool send_file(const struct line_reader *r, int file)
{
	char byte = 0;
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec data = { &byte, sizeof(byte) };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1 };

	if (file >= 0) {
		message.msg_control = control.bytes;
		message.msg_controllen = sizeof(control.bytes);
		control.head = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)),
						 .cmsg_level = SOL_SOCKET,
						 .cmsg_type = SCM_RIGHTS };
		memcpy(CMSG_DATA(&control.head), &file, sizeof(file));
	}
	return sendmsg(r->fd, &message, MSG_NOSIGNAL) == sizeof(byte);
}

/* Whether that is no answer but a request for a file, which is then served; *@err: it could not
 * be. */
static bool serve_request(struct line_reader *r, const void *packet, size_t size,
			  line_reader_open *open, void *arg, bool *err)
{
	struct bytes c = { .p = packet, .end = (const unsigned char *)packet + size };
	const char *folder, *name;
	int file = -1;

	if (bytes_fixed(&c, 4) != LINES_WANTED || c.bad)
		return false;
	folder = bytes_string(&c);
	name = bytes_string(&c);
	*err = !folder || !name || ++r->opened > OPENED_MAX;
	if (*err)
		return true;
	file = open(arg, folder, name);
	*err = !send_file(r, file);
	if (file >= 0)
		close(file);
	return true;
}

ssize_t line_reader_ask(struct line_reader *r, uint64_t address, line_reader_open *open, void *arg,
			void *answer, size_t room)
{
	const int64_t until = clock_ns() + ANSWER_MS * 1000000ll;
	bool err = false;
	ssize_t n;

	if (send(r->fd, &address, sizeof(address), MSG_NOSIGNAL) != sizeof(address))
		return -1;
	do
		n = receive(r, until, answer, room);
	while (n > 0 && serve_request(r, answer, (size_t)n, open, arg, &err) && !err);
	return err ? -1 : n;
}

int line_reader_stop(struct line_reader *r)
{
	int status = 0;

	if (!r->pid)
		return 0;
	close(r->fd);
	kill(r->pid, SIGKILL);
	while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
		;
	*r = (struct line_reader){ .fd = -1 };
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}
