/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text for a descriptor that other programs share, and which may block: a write after poll() says
 * that there is room is short enough not to wait.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "remote/private.h"

enum { FULL = 1 << 18 };

void sink_open(struct sink *k, int fd)
{
	*k = (struct sink){ .fd = fd };
	buf_init(&k->text);
}

void sink_close(struct sink *k)
{
	buf_deinit(&k->text);
}

bool sink_waits(const struct sink *k)
{
	return k->text.len > k->done;
}

bool sink_is_full(const struct sink *k)
{
	return k->text.len - k->done > FULL;
}

void sink_write(struct sink *k)
{
	size_t left = k->text.len - k->done;
	ssize_t n = k->error ? (ssize_t)left :
		    write(k->fd, k->text.s + k->done, left < PIPE_BUF ? left : PIPE_BUF);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n < 0) {
		k->error = errno;
		n = (ssize_t)left;
	}
	k->done += (size_t)n;
	if (k->done == k->text.len) {
		k->text.len = k->done = 0;
	} else if (k->done > FULL) {
		memmove(k->text.s, k->text.s + k->done, k->text.len - k->done);
		k->text.len -= k->done;
		k->done = 0;
	}
}

void sink_drain(struct sink *k)
{
	while (sink_waits(k)) {
		if (!k->error)
			poll(&(struct pollfd){ .fd = k->fd, .events = POLLOUT }, 1, -1);
		sink_write(k);
	}
}
