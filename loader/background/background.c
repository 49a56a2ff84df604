/* SPDX-License-Identifier: GPL-2.0 */
/* A session in the background. */
#include "background/background.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "background/attach.h"
#include "background/rendezvous.h"
#include "common/say.h"
#include "common/signals.h"
#include "shared/file.h"
#include "shared/memory.h"
#include "shared/run_dir.h"
#include "shared/word.h"

enum { NAME_SIZE = 64, TURN_MS = 1000 };

/* ---- the process that was started ---- */

/* Signals of the terminal reach this process only: the session is in a process group of its own. */
static int wait_for_name(pid_t session, int from, char name[NAME_SIZE])
{
	int passed = 0;

	for (;;) {
		ssize_t n = read(from, name, NAME_SIZE);

		if (n == NAME_SIZE)
			return 0;
		if (n >= 0 || errno != EINTR)
			return -1;
		if (signals_count() > passed) {
			passed = signals_count();
			kill(session, signals_last());
		}
	}
}

static int start_and_wait(pid_t session, int from, unsigned monitor_ms)
{
	char name[NAME_SIZE] = "";
	int status;

	if (wait_for_name(session, from, name) == 0) {
		if (monitor_ms)
			return attach_follow(name, ATTACH_OWN, monitor_ms);
		if (printf("%s\n", name) < 0 || fflush(stdout) != 0) {
			say_error("E_IO", "the session ends",
				  "can't write its name to standard output: %s",
				  strerror(errno));
			kill(session, SIGTERM);
			return 1;
		}
		fprintf(stderr,
			"proberun: the session runs in the background\n"
			"      = proberun --attach %s shows it, proberun --stop %s ends it\n",
			name, name);
		return 0;
	}
	while (waitpid(session, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	say_error("E_SESSION", "see the messages above; nothing runs in the background",
		  "the session ended before all its probes were armed");
	return 1;
}

int background_fork(struct background *b, unsigned keep_mb, unsigned monitor_ms, int *status)
{
	int fds[2];
	pid_t pid;

	*b = (struct background){ .starter = -1, .listening = -1 };
	if (pipe2(fds, O_CLOEXEC) != 0 || (pid = fork()) < 0) {
		say_error("E_NO_MEMORY", NULL, "a process could not be started: %s",
			  strerror(errno));
		return -1;
	}
	if (pid > 0) {
		close(fds[1]);
		*status = start_and_wait(pid, fds[0], monitor_ms);
		return 1;
	}
	close(fds[0]);
	setsid();
	b->starter = fds[1];
	b->owned = monitor_ms;
	for (int i = 0; i < BACKGROUND_CLIENTS; i++)
		b->clients[i].fd = -1;
	backlog_init(&b->backlog, (size_t)keep_mb << 20);
	return 0;
}

/* ---- the session ---- */

int background_publish(struct background *b, const char *name, const char *output,
		       const char *script)
{
	int fd = rendezvous_listen(name);

	if (fd == -EEXIST)
		say_error("E_SESSION", "proberun --stop NAME ends it and shows its output",
			  "there is already a background session named '%s'", name);
	else if (fd < 0)
		say_error("E_SESSION",
			  "it must belong to root and be closed to other users: chmod 700 "
			  RUN_DIR,
			  "can't create a socket in " RUN_DIR ": %s", strerror(-fd));
	if (fd < 0)
		return -1;
	b->listening = fd;
	b->name = name;
	b->output = output;
	b->script = script;
	b->since = time(NULL);
	return 0;
}

int background_write(void *background, const char *text, size_t len)
{
	struct background *b = background;

	backlog_add(&b->backlog, BACKLOG_OUT, text, len);
	return 0;
}

static void keep_message(void *background, const char *text, size_t len)
{
	struct background *b = background;

	backlog_add(&b->backlog, BACKLOG_MESSAGE, text, len);
}

int background_ready(struct background *b)
{
	char name[NAME_SIZE] = "";
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	ssize_t n;

	if (null < 0 || chdir("/") != 0)
		return -1;
	say_to(keep_message, b);
	b->detached = true;
	for (int i = 0; i < 3; i++)
		dup2(null, i);
	if (null > 2)
		close(null);
	memcpy(name, b->name, strnlen(b->name, NAME_SIZE - 1));
	do
		n = write(b->starter, name, sizeof(name));
	while (n < 0 && errno == EINTR);
	if (!b->owned) {
		close(b->starter);
		b->starter = -1;
	}
	if (n == sizeof(name))
		return 0;
	b->was_seen = true; /* no client has read it, and none will */
	return -1;
}

/* ---- clients ---- */

static void drop(struct background_client *c)
{
	close(c->fd);
	free(c->buf);
	buf_deinit(&c->snapshot);
	*c = (struct background_client){ .fd = -1 };
}

static void let_in(struct background *b)
{
	for (int i = 0; i < BACKGROUND_CLIENTS; i++) {
		struct background_client *c = &b->clients[i];
		struct ucred who;
		socklen_t len = sizeof(who);
		int fd;

		if (c->fd >= 0)
			continue;
		fd = accept4(b->listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0)
			return;
		if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) != 0 ||
		    who.uid != geteuid()) {
			close(fd);
			continue;
		}
		*c = (struct background_client){ .fd = fd,
						 .buf = memory_zeroed(BACKGROUND_BUFFER, 1) };
	}
}

static void append_part(struct background_client *c, enum backlog_kind kind, const void *data,
			size_t len)
{
	struct backlog_head head = { .kind = kind, .len = (uint32_t)len };

	memcpy(c->buf + c->len, &head, sizeof(head));
	memcpy(c->buf + c->len + sizeof(head), data, len);
	c->len += sizeof(head) + len;
}

/* PID, state, start, where the output goes, script: for --list. */
static bool asks_about(const struct background_client *c)
{
	return c->request == RENDEZVOUS_ABOUT || c->request == RENDEZVOUS_SNAPSHOT;
}

static void put_about(struct background *b, struct background_client *c)
{
	char text[2048], since[32] = "";
	time_t t = (time_t)b->since;
	struct tm tm;
	int n;

	if (localtime_r(&t, &tm))
		strftime(since, sizeof(since), "%F %T", &tm);
	n = snprintf(text, sizeof(text), "%7d  %-7s  %s  %.800s  %.800s", (int)getpid(),
		     b->over ? "ended" : "runs", since, b->script, b->output ? b->output : "");
	append_part(c, BACKLOG_ABOUT, text, (size_t)n);
	c->is_last = true;
}

/* Answers a request for a snapshot of the flight recorder. */
static void put_snapshot_answer(struct background *b, struct background_client *c)
{
	static const char over[] = "has ended", none[] = "does not record: it has no --flight";
	const char *why = b->over ? over : none;

	if (b->records && !b->over) {
		put_about(b, c);
		return;
	}
	append_part(c, BACKLOG_MESSAGE, why, strlen(why));
	c->is_last = true;
}

/* Fills the buffer with parts of the snapshot. */
static void put_snapshot(struct background_client *c)
{
	enum { PART = BACKLOG_RECORD_MAX - sizeof(struct backlog_head) };

	while (c->has_snapshot && c->len + BACKLOG_RECORD_MAX <= BACKGROUND_BUFFER) {
		size_t n = c->snapshot.len - c->snapshot_at;

		n = n < PART ? n : PART;
		append_part(c, BACKLOG_SNAPSHOT, c->snapshot.s + c->snapshot_at, n);
		c->snapshot_at += n;
		c->has_snapshot = n > 0;
	}
}

static bool is_monitor(const struct background_client *c)
{
	return c->fd >= 0 && c->request == RENDEZVOUS_MONITOR;
}

bool background_wants_snapshot(struct background *b, int64_t now)
{
	bool any = false;

	for (int i = 0; i < BACKGROUND_CLIENTS; i++) {
		struct background_client *c = &b->clients[i];

		if (!is_monitor(c) || c->has_snapshot || now < c->due)
			continue;
		c->due = now + c->interval_ms * 1000000LL;
		any = c->awaits = true;
	}
	return any;
}

void background_offer(struct background *b, const char *text, size_t len)
{
	b->offer.len = 0;
	buf_write(&b->offer, text, len < BACKGROUND_OFFER_MAX ? len : BACKGROUND_OFFER_MAX);
	b->offers++;
}

void background_obey(struct background *b, background_obey_fn *obey, void *arg)
{
	b->obey = obey;
	b->obey_arg = arg;
}

void background_snapshot(struct background *b, const struct buf *text)
{
	for (int i = 0; i < BACKGROUND_CLIENTS; i++) {
		struct background_client *c = &b->clients[i];

		if (!is_monitor(c) || !c->awaits || c->has_snapshot)
			continue;
		c->awaits = false;
		c->snapshot.len = c->snapshot_at = 0;
		buf_write(&c->snapshot, text->s, text->len);
		c->has_snapshot = true;
	}
}

static void refill(struct background *b, struct background_client *c)
{
	uint64_t missed;
	char text[128];
	enum { NOTE = sizeof(text) + sizeof(struct backlog_head) };
	size_t n;

	c->len = c->sent = 0;
	if (c->request == RENDEZVOUS_SNAPSHOT) {
		put_snapshot_answer(b, c);
		return;
	}
	if (c->request == RENDEZVOUS_ABOUT) {
		put_about(b, c);
		return;
	}
	if (is_monitor(c) && c->offer_seen != b->offers) {
		append_part(c, BACKLOG_OFFER, b->offer.s, b->offer.len);
		c->offer_seen = b->offers;
		return;
	}
	if (c->has_snapshot) {
		put_snapshot(c);
		return;
	}
	/* The note about missing lines precedes the lines after them. */
	n = backlog_take(&b->backlog, &c->reader, c->buf + NOTE, BACKGROUND_BUFFER - 2 * NOTE,
			 &missed);
	if (missed) {
		int words = snprintf(text, sizeof(text),
				     "proberun: %llu older lines are no longer kept\n",
				     (unsigned long long)missed);

		append_part(c, BACKLOG_MESSAGE, text, (size_t)words);
	}
	memmove(c->buf + c->len, c->buf + NOTE, n);
	c->len += n;
	if (b->over && c->reader.at == b->backlog.end) {
		append_part(c, BACKLOG_END, &b->status, sizeof(b->status));
		c->is_last = true;
	}
}

/* Returns 0, or -1 if the client is gone or has everything. */
static int send_some(struct background *b, struct background_client *c)
{
	for (;;) {
		ssize_t n;

		if (c->sent == c->len) {
			if (c->is_last) {
				b->was_seen |= !asks_about(c);
				return -1;
			}
			refill(b, c);
			if (!c->len)
				return 0;
		}
		n = send(c->fd, c->buf + c->sent, c->len - c->sent, MSG_NOSIGNAL);
		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : -1;
		c->sent += (size_t)n;
	}
}

/* Reads a part of an order, and follows a whole one. Returns 0, or -1 if the client is gone, or
 * sends something else. */
static int read_order(struct background *b, struct background_client *c)
{
	struct rendezvous_order *o = &c->order;
	ssize_t n = recv(c->fd, (char *)o + c->order_len, sizeof(*o) - c->order_len, 0);

	if (n <= 0)
		return n && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
	c->order_len += (size_t)n;
	if (c->order_len < sizeof(*o))
		return 0;
	c->order_len = 0;
	if (o->kind == RENDEZVOUS_ON || o->kind == RENDEZVOUS_OFF) {
		if (b->obey)
			b->obey(b->obey_arg, o->value, o->kind == RENDEZVOUS_OFF);
		return 0;
	}
	if (o->kind != RENDEZVOUS_INTERVAL || o->value < INTERVAL_MS_LEAST ||
	    o->value > INTERVAL_MS_MOST)
		return -1;
	c->interval_ms = o->value;
	c->due = 0;
	return 0;
}

/* Returns 0, or -1 if the client is gone. */
static int listen_to(struct background *b, struct background_client *c)
{
	char byte;
	ssize_t n;

	if (is_monitor(c))
		return read_order(b, c);
	n = recv(c->fd, &byte, 1, 0);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (n == 0 || c->request)
		return -1;
	if (byte != RENDEZVOUS_ATTACH && byte != RENDEZVOUS_STOP && byte != RENDEZVOUS_ABOUT &&
	    byte != RENDEZVOUS_MONITOR && byte != RENDEZVOUS_SNAPSHOT)
		return -1;
	c->request = byte;
	c->interval_ms = INTERVAL_MS;
	b->stop_wanted |= byte == RENDEZVOUS_STOP;
	b->snapshot_wanted |= byte == RENDEZVOUS_SNAPSHOT;
	return 0;
}

void background_serve(struct background *b)
{
	struct pollfd owner = { .fd = b->starter };

	if (b->owned && poll(&owner, 1, 0) > 0)
		b->stop_wanted = true;
	let_in(b);
	for (int i = 0; i < BACKGROUND_CLIENTS; i++) {
		struct background_client *c = &b->clients[i];

		if (c->fd >= 0 && (listen_to(b, c) || (c->request && send_some(b, c))))
			drop(c);
	}
}

void background_fds(const struct background *b, struct pollfd *fds)
{
	int room = 0;

	for (int i = 0; i < BACKGROUND_CLIENTS; i++) {
		const struct background_client *c = &b->clients[i];
		int waits = c->sent < c->len;

		fds[i] = (struct pollfd){ .fd = c->fd, .events = POLLIN | (waits ? POLLOUT : 0) };
		room |= c->fd < 0;
	}
	fds[BACKGROUND_CLIENTS] = (struct pollfd){ .fd = room ? b->listening : -1,
						   .events = POLLIN };
}

/* ---- the end ---- */

static int clients(const struct background *b)
{
	int n = 0;

	for (int i = 0; i < BACKGROUND_CLIENTS; i++)
		n += b->clients[i].fd >= 0;
	return n;
}

/* The session ended before it was in the background: its output goes where it would have gone
 * otherwise. */
static void show(struct background *b)
{
	struct backlog_reader r = { 0 };
	char *buf = memory_zeroed(BACKGROUND_BUFFER, 1);
	uint64_t missed;
	size_t n;

	while ((n = backlog_take(&b->backlog, &r, buf, BACKGROUND_BUFFER, &missed)) > 0) {
		for (size_t at = 0; at < n;) {
			struct backlog_head head;

			memcpy(&head, buf + at, sizeof(head));
			at += sizeof(head);
			file_write_all(head.kind == BACKLOG_OUT ? STDOUT_FILENO : STDERR_FILENO,
				       buf + at, head.len);
			at += head.len;
		}
	}
	free(buf);
}

/* Waits until a client has seen the end. Returns at once if there is nothing to see, after a
 * signal, and when the client that stopped the session has left. */
static void wait_for_reader(struct background *b, int signals)
{
	while (signals_count() == signals) {
		struct pollfd fds[BACKGROUND_FDS];

		background_serve(b);
		if (!clients(b) && (b->was_seen || b->stop_wanted || signals || !b->backlog.end))
			return;
		background_fds(b, fds);
		poll(fds, BACKGROUND_FDS, TURN_MS);
	}
}

void background_end(struct background *b, int status)
{
	b->over = true;
	b->status = status;
	if (b->detached)
		wait_for_reader(b, signals_count());
	else
		show(b);
	if (b->name)
		rendezvous_forget(b->name);
	for (int i = 0; i < BACKGROUND_CLIENTS; i++)
		if (b->clients[i].fd >= 0)
			drop(&b->clients[i]);
	if (b->listening >= 0)
		close(b->listening);
	if (b->starter >= 0)
		close(b->starter);
	buf_deinit(&b->offer);
	backlog_deinit(&b->backlog);
}
