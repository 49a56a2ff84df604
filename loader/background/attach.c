/* SPDX-License-Identifier: GPL-2.0 */
/* The client side of a background session: --attach, --stop and --list. */
#include "background/attach.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "background/backlog.h"
#include "background/rendezvous.h"
#include "common/say.h"
#include "common/signals.h"
#include "monitor/view.h"
#include "shared/clock.h"
#include "shared/file.h"
#include "shared/run_dir.h"

enum { LIST_SECONDS = 5, SCREEN_MS = 100 };

struct reader {
	int fd;
	bool ended;      /* BACKLOG_END has arrived */
	bool detached;   /* a signal came, or nobody reads the output */
	int32_t status; /* with BACKLOG_END */
	char buf[2 * BACKLOG_RECORD_MAX];
	size_t len;
	struct view *screen; /* NULL: lines are written */
	struct buf snapshot; /* so far */
	int64_t drawn;        /* ns */
	bool obeys;           /* the session has sent BACKLOG_OFFER */
	unsigned ms;          /* from one snapshot to the next */
};

static int refused_to_others(void)
{
	if (geteuid() == 0)
		return 0;
	say_error("E_NOT_ROOT", "sudo proberun ...", "background sessions belong to root");
	return -1;
}

static int open_session(const char *name, enum rendezvous_request request)
{
	char byte = (char)request;
	int fd = rendezvous_connect(name);

	if (fd >= 0 && send(fd, &byte, 1, MSG_NOSIGNAL) == 1)
		return fd;
	if (fd == -ENOENT) {
		say_error("E_SESSION", "proberun --list lists the background sessions",
			  "there is no background session '%s'", name);
		return -1;
	}
	say_error("E_SESSION", NULL, "the session '%s' does not answer: %s", name,
		  strerror(fd < 0 ? -fd : errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

static void write_out(struct reader *v, int to, const char *text, size_t len)
{
	while (len > 0 && !v->detached) {
		ssize_t n = write(to, text, len);

		if (n >= 0) {
			text += n;
			len -= (size_t)n;
		} else if ((errno != EINTR && errno != EAGAIN) || signals_count()) {
			v->detached = true;
		} else if (errno == EAGAIN) {
			file_wait_room(to);
		}
	}
}

static void take_snapshot(struct reader *v, const char *text, size_t len)
{
	buf_write(&v->snapshot, text, len);
	if (len || !v->screen)
		return;
	view_snapshot(v->screen, &v->snapshot);
	v->snapshot.len = 0;
}

/* An order is lost if the session does not read: the user sees that, and gives it again. */
static void order(const struct reader *v, enum rendezvous_order_kind kind, uint32_t value)
{
	struct rendezvous_order o = { .kind = kind, .value = value };

	if (send(v->fd, &o, sizeof(o), MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof(o))
		view_note(v->screen, "the session does not answer: try again");
}

static void take_offer(struct reader *v, const char *text, size_t len)
{
	if (!v->screen)
		return;
	view_offer(v->screen, text, len);
	if (!v->obeys)
		order(v, RENDEZVOUS_INTERVAL, v->ms);
	v->obeys = true;
}

static void show(struct reader *v, const struct backlog_head *head, const char *text)
{
	if (v->screen && (head->kind == BACKLOG_OUT || head->kind == BACKLOG_MESSAGE))
		view_output(v->screen, text, head->len);
	else if (head->kind == BACKLOG_SNAPSHOT)
		take_snapshot(v, text, head->len);
	else if (head->kind == BACKLOG_OFFER)
		take_offer(v, text, head->len);
	else if (head->kind == BACKLOG_OUT)
		write_out(v, STDOUT_FILENO, text, head->len);
	else if (head->kind == BACKLOG_MESSAGE)
		write_out(v, STDERR_FILENO, text, head->len);
	else if (head->kind == BACKLOG_END && head->len == sizeof(v->status)) {
		memcpy(&v->status, text, sizeof(v->status));
		v->ended = true;
	}
}

/* Shows all whole records of the buffer. Returns 0, or -1 if the bytes are not records. */
static int show_records(struct reader *v)
{
	size_t at = 0;

	while (v->len - at >= sizeof(struct backlog_head) && !v->ended && !v->detached) {
		struct backlog_head head;

		memcpy(&head, v->buf + at, sizeof(head));
		if (head.len > BACKLOG_RECORD_MAX - sizeof(head))
			return -1;
		if (v->len - at < sizeof(head) + head.len)
			break;
		show(v, &head, v->buf + at + sizeof(head));
		at += sizeof(head) + head.len;
	}
	memmove(v->buf, v->buf + at, v->len - at);
	v->len -= at;
	return 0;
}

static void follow(struct reader *v)
{
	while (!v->ended && !v->detached) {
		ssize_t n = recv(v->fd, v->buf + v->len, sizeof(v->buf) - v->len, 0);

		if (n > 0) {
			v->len += (size_t)n;
			if (show_records(v))
				return;
		} else if (n == 0 || errno != EINTR) {
			return;
		}
		v->detached |= signals_count() > 0;
	}
}

/* Takes keys and draws. Returns what is left to do. */
static enum view_wish turn(struct reader *v)
{
	static const enum rendezvous_order_kind kinds[] = {
		[VIEW_ON] = RENDEZVOUS_ON, [VIEW_OFF] = RENDEZVOUS_OFF,
		[VIEW_INTERVAL] = RENDEZVOUS_INTERVAL,
	};
	uint32_t value = 0;
	enum view_wish wish = view_turn(v->screen, &value);

	v->drawn = clock_ns();
	if (wish <= VIEW_STOP)
		return wish;
	order(v, kinds[wish], value);
	return VIEW_NOTHING;
}

/* Follows on the whole screen. Returns what the user has asked for. */
static enum view_wish watch(struct reader *v)
{
	enum view_wish wish = VIEW_NOTHING;

	while (!v->ended && !v->detached && wish == VIEW_NOTHING) {
		struct pollfd fds[] = { { .fd = v->fd, .events = POLLIN },
					{ .fd = STDIN_FILENO, .events = POLLIN } };
		ssize_t n = 0;

		if (poll(fds, 2, SCREEN_MS) > 0 && fds[0].revents) {
			n = recv(v->fd, v->buf + v->len, sizeof(v->buf) - v->len, MSG_DONTWAIT);
			if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
				return wish;
			v->len += n > 0 ? (size_t)n : 0;
			if (show_records(v))
				return wish;
		}
		/* Many records are drawn at once. */
		if (n <= 0 || clock_ns() - v->drawn > SCREEN_MS * 1000000LL)
			wish = turn(v);
		v->detached |= signals_count() > 0 || (fds[1].revents & (POLLHUP | POLLERR));
	}
	return wish;
}

/* On the whole screen. Returns the exit status. */
static int monitor(const char *name, bool own, unsigned ms)
{
	struct reader v = { .fd = open_session(name, RENDEZVOUS_MONITOR), .ms = ms };
	enum view_wish wish = VIEW_NOTHING;
	bool failed;

	if (v.fd < 0)
		return 1;
	v.screen = view_open(name, ms);
	failed = !v.screen;
	if (v.screen)
		wish = watch(&v);
	view_close(v.screen);
	close(v.fd);
	buf_deinit(&v.snapshot);
	if (v.ended)
		return v.status;
	if (own || wish == VIEW_STOP) {
		int status = attach_follow(name, ATTACH_STOP, 0);

		return failed ? 1 : status;
	}
	if (!failed)
		fprintf(stderr, "proberun: detached; the session '%s' continues\n", name);
	return failed;
}

int attach_follow(const char *name, enum attach_way way, unsigned monitor_ms)
{
	bool stop = way == ATTACH_STOP;
	struct reader v = { 0 };

	if (refused_to_others())
		return 1;
	if (way == ATTACH_MONITOR || way == ATTACH_OWN)
		return monitor(name, way == ATTACH_OWN, monitor_ms);
	v.fd = open_session(name, stop ? RENDEZVOUS_STOP : RENDEZVOUS_ATTACH);
	if (v.fd < 0)
		return 1;
	follow(&v);
	close(v.fd);
	if (v.ended)
		return v.status;
	if (v.detached && stop) {
		say_warn("E_SESSION", NULL,
			 "the session '%s' is ending; the rest of its output is not shown", name);
		return 0;
	}
	if (v.detached) {
		fprintf(stderr, "proberun: detached; the session '%s' continues\n", name);
		return 0;
	}
	say_error("E_SESSION", "it was killed; its probes were removed",
		  "the session '%s' ended unexpectedly", name);
	return 1;
}

/* Asks a session for its line of --list by @request. Returns the length of the answer, -1: there
 * was none. @kind: BACKLOG_ABOUT, or BACKLOG_MESSAGE if it refuses. */
static int ask_about(int fd, char request, char text[BACKLOG_RECORD_MAX], uint32_t *kind)
{
	struct timeval limit = { .tv_sec = LIST_SECONDS };
	struct backlog_head head;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	if (send(fd, &request, 1, MSG_NOSIGNAL) != 1 ||
	    recv(fd, &head, sizeof(head), MSG_WAITALL) != sizeof(head) ||
	    (head.kind != BACKLOG_ABOUT && head.kind != BACKLOG_MESSAGE) ||
	    head.len > BACKLOG_RECORD_MAX ||
	    recv(fd, text, head.len, MSG_WAITALL) != (ssize_t)head.len)
		return -1;
	*kind = head.kind;
	return (int)head.len;
}

int attach_snapshot(const char *name)
{
	char text[BACKLOG_RECORD_MAX];
	uint32_t kind = BACKLOG_ABOUT;
	int fd, len;

	if (refused_to_others())
		return 1;
	fd = rendezvous_connect(name);
	len = fd < 0 ? -1 : ask_about(fd, RENDEZVOUS_SNAPSHOT, text, &kind);
	if (fd >= 0)
		close(fd);
	if (len >= 0 && kind == BACKLOG_ABOUT)
		return 0;
	if (len >= 0) {
		say_error("E_SESSION", NULL, "the session '%s' %.*s", name, len, text);
		return 1;
	}
	say_error("E_SESSION", "proberun --list shows the sessions", fd < 0 ?
		  "there is no session '%s'" : "the session '%s' does not answer", name);
	return 1;
}

static void list_one(const char *name, void *arg)
{
	int fd = rendezvous_connect(name), *n = arg, len;
	char text[BACKLOG_RECORD_MAX];
	uint32_t kind;

	if (fd < 0)
		return;
	if ((*n)++ == 0)
		printf("%-20s  %7s  %-7s  %-19s  %s\n", "NAME", "PID", "STATE", "SINCE",
		       "SCRIPT  OUTPUT");
	len = ask_about(fd, RENDEZVOUS_ABOUT, text, &kind);
	if (len >= 0)
		printf("%-20s  %.*s\n", name, len, text);
	else
		printf("%-20s  does not answer\n", name);
	close(fd);
}

int attach_list(void)
{
	int n = 0, err;

	if (refused_to_others())
		return 1;
	err = rendezvous_each(list_one, &n);
	if (err) {
		say_error("E_IO", NULL, "can't read " RUN_DIR ": %s", strerror(-err));
		return 1;
	}
	if (fflush(stdout) != 0) {
		say_error("E_IO", NULL, "can't write the list: %s", strerror(errno));
		return 1;
	}
	return 0;
}
