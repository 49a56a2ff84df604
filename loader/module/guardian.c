/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The guardian process. It is in a session of its own with every signal blocked, so that what ends
 * the loader does not end it, and holds nothing but one end of a connection. When the other end
 * closes, the loader has ended, in whatever way, and the guardian removes the module that was named
 * last ("" if the loader has removed it).
 *
 * With an heir, it also holds the device while the session runs, and what the heir writes to. So
 * the heir must end the session, which the loader's own end would have done.
 */
#include "module/guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "records.h"

#include "common/say.h"
#include "module/module.h"

enum { NAME_SIZE = 64, SECONDS = 24 * 60 * 60 };

/* A message: the name of a module, and perhaps its device. */
union rights {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

/* Standard output and error lead nowhere from now on. */
static void be_silent(void)
{
	for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++)
		if (dup2(STDIN_FILENO, i) < 0)
			close(i);
}

/* Closes everything but the standard descriptors, @fd, and what the heir needs. */
static void close_others(const struct guardian *g, int fd)
{
	unsigned at = 3;

	for (;;) {
		unsigned next = (unsigned)fd < at ? ~0u : (unsigned)fd;

		for (int i = 0; i < GUARDIAN_KEEPS && g->heir; i++)
			if (g->keep[i] && (unsigned)g->keep[i] >= at && (unsigned)g->keep[i] < next)
				next = (unsigned)g->keep[i];
		if (next > at)
			close_range(at, next == ~0u ? next : next - 1, 0);
		if (next == ~0u)
			return;
		at = next + 1;
	}
}

/* Waits for a message; -1: the loader has ended. @device: -1 without one. */
static int receive(int fd, char name[NAME_SIZE], int *device)
{
	char text[NAME_SIZE];
	struct iovec data = { text, sizeof(text) };
	union rights rights;
	struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = rights.room,
			    .msg_controllen = sizeof(rights.room) };
	ssize_t n;

	do
		n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(text))
		return -1;
	memcpy(name, text, sizeof(text));
	*device = -1;
	if (CMSG_FIRSTHDR(&m) && CMSG_FIRSTHDR(&m)->cmsg_type == SCM_RIGHTS)
		memcpy(device, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(*device));
	return 0;
}

/* The session ends in an orderly way: what the heir has kept is not needed any more, and a reader
 * of the output waits until all have closed it. */
static void disinherit(const struct guardian *g, int device)
{
	close(device);
	be_silent();
	for (int i = 0; i < GUARDIAN_KEEPS; i++)
		if (g->keep[i])
			close(g->keep[i]);
}

static void guard(const struct guardian *g, int fd)
{
	int null = open("/dev/null", O_RDWR), device = -1, next;
	char name[NAME_SIZE] = "";
	sigset_t all;

	module_forget(g->module);
	setsid();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_NAME, "proberun-guard");
	if (chdir("/") != 0)
		_exit(1);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0)
		close(STDIN_FILENO);
	if (!g->heir || !g->speaks)
		be_silent();
	close_others(g, fd);
	while (receive(fd, name, &next) == 0) {
		if (device >= 0)
			disinherit(g, device);
		device = next;
	}
	if (device >= 0)
		g->heir(g->arg, device);
	if (name[0]) {
		module_remove(name, SECONDS);
		module_remove(PRT_DIRECT_MODULE, SECONDS);
	}
	_exit(0);
}

int guardian_start(struct guardian *g)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) {
		say_error("E_INTERNAL", NULL, "socketpair: %s", strerror(errno));
		return -1;
	}
	g->pid = fork();
	if (g->pid == 0) {
		close(fds[1]);
		guard(g, fds[0]);
	}
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

static void tell(struct guardian *g, const char *name, int device)
{
	char text[NAME_SIZE] = "";
	struct iovec data = { text, sizeof(text) };
	union rights rights = { .head = { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
					  .cmsg_len = CMSG_LEN(sizeof(device)) } };
	struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1 };

	memcpy(text, name, strnlen(name, NAME_SIZE - 1));
	if (device >= 0) {
		memcpy(CMSG_DATA(&rights.head), &device, sizeof(device));
		m.msg_control = rights.room;
		m.msg_controllen = sizeof(rights.room);
	}
	while (sendmsg(g->fd, &m, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

void guardian_name(struct guardian *g, const char *name)
{
	tell(g, name, -1);
}

void guardian_device(struct guardian *g, const char *name, int fd)
{
	tell(g, name, fd);
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
