/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How clients find background sessions. A socket is created under a temporary name and linked to
 * its final name once it listens: a client that finds a socket can connect, and a socket to which
 * no client can connect may be removed.
 */
#include "background/rendezvous.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "shared/run_dir.h"

#define ENDING ".sock"

enum { WAITING = 16 };

static int address(struct sockaddr_un *a, const char *name, const char *ending)
{
	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (!*name || strchr(name, '/'))
		return -ENOENT;
	return snprintf(a->sun_path, sizeof(a->sun_path), RUN_DIR "/%s%s", name, ending) <
			       (int)sizeof(a->sun_path) ? 0 : -ENOENT;
}

static int connect_to(const struct sockaddr_un *a)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), err;

	if (fd < 0 || connect(fd, (const void *)a, sizeof(*a)) == 0)
		return fd < 0 ? -errno : fd;
	err = -errno;
	close(fd);
	return err;
}

/* Gives the socket its final name, and removes the socket of a killed session there. */
static int take_name(const struct sockaddr_un *mine, const struct sockaddr_un *name)
{
	for (int tries = 0; tries < 2; tries++) {
		int fd;

		if (link(mine->sun_path, name->sun_path) == 0)
			return 0;
		if (errno != EEXIST)
			return -errno;
		fd = connect_to(name);
		if (fd >= 0)
			close(fd);
		if (fd != -ECONNREFUSED)
			return -EEXIST;
		unlink(name->sun_path);
	}
	return -EEXIST;
}

int rendezvous_listen(const char *name)
{
	struct sockaddr_un mine, own;
	char ending[32];
	int fd, err = run_dir_make(RUN_DIR);

	snprintf(ending, sizeof(ending), ".%d", (int)getpid());
	if (!err)
		err = address(&mine, name, ending);
	if (!err)
		err = address(&own, name, ENDING);
	if (err)
		return err;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	unlink(mine.sun_path);
	if (bind(fd, (const void *)&mine, sizeof(mine)) != 0 || listen(fd, WAITING) != 0)
		err = -errno;
	else
		err = take_name(&mine, &own);
	unlink(mine.sun_path);
	if (!err)
		return fd;
	close(fd);
	return err;
}

void rendezvous_forget(const char *name)
{
	struct sockaddr_un a;

	if (address(&a, name, ENDING) == 0)
		unlink(a.sun_path);
}

int rendezvous_connect(const char *name)
{
	struct sockaddr_un a;
	int fd = address(&a, name, ENDING);

	if (fd)
		return fd;
	fd = connect_to(&a);
	if (fd != -ECONNREFUSED)
		return fd;
	unlink(a.sun_path);
	return -ENOENT;
}

static int is_socket(const struct dirent *e)
{
	size_t len = strlen(e->d_name), n = sizeof(ENDING) - 1;

	return len > n && strcmp(e->d_name + len - n, ENDING) == 0;
}

int rendezvous_each(void (*see)(const char *name, void *arg), void *arg)
{
	struct dirent **all;
	int n = scandir(RUN_DIR, &all, is_socket, alphasort);

	if (n < 0)
		return errno == ENOENT ? 0 : -errno;
	for (int i = 0; i < n; i++) {
		all[i]->d_name[strlen(all[i]->d_name) - (sizeof(ENDING) - 1)] = '\0';
		see(all[i]->d_name, arg);
		free(all[i]);
	}
	free(all);
	return 0;
}
