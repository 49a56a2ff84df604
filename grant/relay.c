/* SPDX-License-Identifier: GPL-2.0 */
#include "relay.h"
#include "shared/clock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NSOURCES = 2, PARTS_AT_ONCE = 16, TURN_MS = 60000 };

struct source {
	int fd;                /* -1: nothing more comes from it */
	char kind;             /* enum grant_answer */
};

struct relay {
	int sock;
	const struct started *s;
	const struct policy_limits *limits;
	struct source sources[NSOURCES];
	char answer[GRANT_ANSWER_MAX]; /* waits to be sent */
	size_t len;            /* 0: none waits */
	bool ending;           /* nothing more is passed on */
	bool ended;            /* proberun has */
	int64_t late_at;       /* ms: when nobody waits for it any more */
	int64_t kill_at;       /* ms: once it is ending */
	struct relay_end *end;
};

static int64_t now_ms(void)
{
	return clock_ns() / 1000000;
}

/* ---- the end ---- */

/* Ends the session without a reader. @why: NULL if it has ended by itself. */
static void cut_off(struct relay *r, const char *why)
{
	if (r->ending)
		return;
	r->ending = true;
	r->len = 0;
	r->end->why = why;
	for (int i = 0; i < NSOURCES; i++) {
		close(r->sources[i].fd);
		r->sources[i].fd = -1;
	}
	if (r->ended)
		return;
	kill(r->s->pid, SIGTERM);
	r->kill_at = now_ms() + RELAY_KILL_SECONDS * 1000;
}

static void check_time(struct relay *r)
{
	int64_t now = now_ms();

	if (now >= r->late_at)
		cut_off(r, "it was late");
	if (r->ending && !r->ended && now >= r->kill_at) {
		kill(r->s->pid, SIGKILL);
		r->kill_at = now + RELAY_KILL_SECONDS * 1000;
	}
}

static void reap(struct relay *r)
{
	int status = 0;

	if (waitpid(r->s->pid, &status, WNOHANG) != r->s->pid)
		return;
	r->ended = true;
	r->end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- what is passed on ---- */

/* Returns whether nothing waits any more. */
static bool send_waiting(struct relay *r)
{
	if (!r->len)
		return true;
	if (send(r->sock, r->answer, r->len, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) {
		r->len = 0;
		return true;
	}
	if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR && errno != ENOBUFS)
		cut_off(r, "the connection was closed");
	return false;
}

static void over_limit(struct relay *r)
{
	static const char note[] = "probec: error: the session has written more than its rule "
				   "allows and ends [E_GRANT]\n"
				   "      = ask the administrator for a larger output=\n";
	char answer[sizeof(note)];

	answer[0] = GRANT_MESSAGES;
	memcpy(answer + 1, note, sizeof(note) - 1);
	send(r->sock, answer, sizeof(note), MSG_NOSIGNAL | MSG_DONTWAIT);
	cut_off(r, "it had written too much");
}

/* Returns whether there may be more. */
static bool pass_on(struct relay *r, struct source *from)
{
	uint64_t left = r->limits->output - r->end->bytes;
	ssize_t n;

	if (from->fd < 0 || !send_waiting(r))
		return false;
	n = read(from->fd, r->answer + 1, sizeof(r->answer) - 1);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n <= 0) {
		close(from->fd);
		from->fd = -1;
		return false;
	}
	if ((uint64_t)n > left) {
		over_limit(r);
		return false;
	}
	r->answer[0] = from->kind;
	r->len = (size_t)n + 1;
	r->end->bytes += (uint64_t)n;
	return send_waiting(r);
}

/* Takes the messages of the user's side. One with descriptors is only looked at: this process would
 * be the last to have them, and closing such a file can take as long as the user likes. */
static void listen_to(struct relay *r)
{
	char bytes[2];
	struct iovec part = { bytes, sizeof(bytes) };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t n = recvmsg(r->sock, &m, MSG_DONTWAIT | MSG_PEEK);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n != 1 || bytes[0] != GRANT_INTERRUPT || m.msg_flags & MSG_CTRUNC) {
		cut_off(r, n > 0 ? "the user's side sent something else" :
				   "the connection was closed");
		return;
	}
	recv(r->sock, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (!r->ended)
		kill(r->s->pid, SIGINT);
}

static void wait_for_more(struct relay *r)
{
	short from = r->len ? 0 : POLLIN;
	struct pollfd fds[] = {
		{ .fd = r->ending ? -1 : r->sock, .events = POLLIN | (r->len ? POLLOUT : 0) },
		{ .fd = r->ended ? -1 : r->s->fd, .events = POLLIN },
		{ .fd = from ? r->sources[0].fd : -1, .events = from },
		{ .fd = from ? r->sources[1].fd : -1, .events = from },
	};
	int64_t ms = (r->ending ? r->kill_at : r->late_at) - now_ms();

	if (poll(fds, 4, ms < 0 ? 0 : ms < TURN_MS ? (int)ms : TURN_MS) <= 0)
		return;
	if (fds[0].revents & (POLLIN | POLLHUP | POLLERR))
		listen_to(r);
	if (fds[1].revents)
		reap(r);
}

/* Passes on what there is, a part of each source in turn. Returns whether the session has ended and
 * has nothing left. */
static bool turn(struct relay *r)
{
	bool more = true, was_ended = r->ended;

	for (int i = 0; i < PARTS_AT_ONCE && more && !r->ending; i++) {
		more = pass_on(r, &r->sources[0]);
		more |= pass_on(r, &r->sources[1]);
	}
	return was_ended && (r->ending || (!more && send_waiting(r)));
}

void relay_run(int sock, const struct started *s, const struct policy_limits *limits,
	       unsigned seconds, struct relay_end *ret)
{
	struct relay r = { .sock = sock, .s = s, .limits = limits, .end = ret,
			   .sources = { { s->output, GRANT_OUTPUT },
					{ s->messages, GRANT_MESSAGES } },
			   .late_at = now_ms() + ((int64_t)seconds + RELAY_LATE_SECONDS) * 1000 };

	*ret = (struct relay_end){ .status = 1 };
	while (!turn(&r)) {
		wait_for_more(&r);
		check_time(&r);
	}
	if (ret->why && !ret->status)
		ret->status = 1;
	r.answer[0] = GRANT_ENDED;
	r.answer[1] = (char)ret->status;
	r.len = 2;
	while (!send_waiting(&r) && !r.ending) {
		wait_for_more(&r);
		check_time(&r);
	}
	cut_off(&r, NULL);
}

void relay_refuse(int sock, const char *why, const char *next)
{
	char answer[2048];
	int n = snprintf(answer, sizeof(answer), "%c%s%c%s", GRANT_REFUSED, why, 0, next);

	if (n > 0 && (size_t)n < sizeof(answer))
		send(sock, answer, (size_t)n, MSG_NOSIGNAL | MSG_DONTWAIT);
}
