/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pipes of many hosts, of which few have something to say at a time. poll() looks at each pipe
 * in each turn, which for thousands of hosts takes longer than to serve them; here a turn costs
 * what its events cost. The sets can be left out of a turn one by one.
 */
#include <sys/epoll.h>
#include <unistd.h>

#include "remote/private.h"

enum { READY_MAX = 4096, AT_ONCE = 64 };

int watch_open(struct watch *w)
{
	bool all = true;

	for (int i = 0; i < WATCHES; i++) {
		w->fd[i] = epoll_create1(EPOLL_CLOEXEC);
		all &= w->fd[i] >= 0;
	}
	return all ? 0 : -1;
}

void watch_close(struct watch *w)
{
	for (int i = 0; i < WATCHES; i++)
		if (w->fd[i] >= 0)
			close(w->fd[i]);
}

int watch_add(struct watch *w, enum watch_set set, int fd, struct host *h)
{
	struct epoll_event e = { .events = set == WATCH_IN ? EPOLLOUT : EPOLLIN, .data.ptr = h };

	return epoll_ctl(w->fd[set], EPOLL_CTL_ADD, fd, &e);
}

void watch_remove(struct watch *w, enum watch_set set, int fd)
{
	epoll_ctl(w->fd[set], EPOLL_CTL_DEL, fd, NULL);
}

static struct host *host_of(const struct epoll_event *e)
{
	return e->data.ptr;
}

/* Bundles are sent to the first hosts first: all of them at once would have theirs at the end. */
void watch_serve(struct watch *w, enum watch_set set, watch_served *served, void *data)
{
	struct epoll_event events[READY_MAX];
	int n = epoll_wait(w->fd[set], events, set == WATCH_IN ? READY_MAX : AT_ONCE, 0);
	size_t first = SIZE_MAX;

	for (int i = 0; i < n; i++)
		first = host_of(&events[i])->number < first ? host_of(&events[i])->number : first;
	for (int i = 0; i < n; i++)
		if (set != WATCH_IN || host_of(&events[i])->number < first + AT_ONCE)
			served(host_of(&events[i]), data);
}
