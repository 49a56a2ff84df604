/* SPDX-License-Identifier: GPL-2.0 */
/* The HTTP server of metrics among clients that mean no good: whoever asks properly is answered. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "metrics/clients.h"
#include "metrics/private.h"
#include "unit.h"

enum { NOBODY = 65534, TEXT = 100000 };

/* ---- a source: texts are ready up to a number ---- */

static atomic_ullong wanted, ready;
static atomic_bool at_once = true, ended;

static uint64_t want(void *of, enum metrics_format format)
{
	uint64_t n = ++wanted;

	(void)of;
	(void)format;
	if (at_once)
		ready = n;
	return n;
}

static int take(void *of, uint64_t number, enum metrics_format format, char **ret, size_t *len)
{
	(void)of;
	(void)format;
	if (ended)
		return -ENODATA;
	if (ready < number)
		return -EAGAIN;
	*ret = malloc(TEXT);
	memset(*ret, 'x', TEXT);
	*len = TEXT;
	return 0;
}

/* ---- clients ---- */

static struct sockaddr_in where;
static bool users_known; /* the kernel has sock_diag: found by users() */

static struct server *start(void)
{
	const struct server_source source = { .want = want, .take = take };
	socklen_t len = sizeof(where);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct server *s;

	where = (struct sockaddr_in){ .sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	assert_int_equal(bind(fd, (void *)&where, sizeof(where)), 0);
	assert_int_equal(listen(fd, 128), 0);
	assert_int_equal(getsockname(fd, (void *)&where, &len), 0);
	s = server_start(fd, &source);
	assert_non_null(s);
	return s;
}

static int dial(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (void *)&where, sizeof(where)), 0);
	return fd;
}

static void ask(int fd)
{
	static const char request[] = "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
				      "\r\n";

	assert_int_equal(send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL),
			 sizeof(request) - 1);
}

/* Reads the answer to its end. Returns its status, and the length of what came. */
static int answer(int fd, size_t *len)
{
	char head[4096] = "", rest[4096];
	ssize_t n;

	*len = 0;
	while ((n = recv(fd, *len ? rest : head, sizeof(rest) - 1, 0)) > 0)
		*len += (size_t)n;
	close(fd);
	return strncmp(head, "HTTP/1.1 ", 9) == 0 ? atoi(head + 9) : 0;
}

static void assert_answered(void)
{
	size_t len;
	int fd = dial();

	ask(fd);
	assert_int_equal(answer(fd, &len), 200);
	assert_true(len > TEXT);
}

/* A child that runs @go as another user, to be ended by end_child(). It has begun, and is where
 * it calls pause(), when this returns. */
static pid_t child_of(void (*go)(int begun))
{
	int fds[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		close(fds[0]);
		if (geteuid() == 0 && setuid(NOBODY))
			_exit(1);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		go(fds[1]);
		for (;;)
			pause();
	}
	close(fds[1]);
	assert_int_equal(read(fds[0], &c, 1), 1);
	close(fds[0]);
	return pid;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* More than the server keeps, each of which has begun a request and goes on with it as slowly as
 * it can. */
static void be_slow(int begun)
{
	static int fds[CLIENTS_MAX];

	for (int i = 0; i < CLIENTS_MAX; i++) {
		fds[i] = dial();
		send(fds[i], "GET /met", 8, MSG_NOSIGNAL);
	}
	(void)!write(begun, "", 1);
	for (;;) {
		usleep(100000);
		for (int i = 0; i < CLIENTS_MAX; i++)
			send(fds[i], "r", 1, MSG_NOSIGNAL);
	}
}

/* Whole requests, whose answers are never read. */
static void read_nothing(int begun)
{
	for (int i = 0; i < CLIENTS_MAX; i++) {
		int fd = dial(), least = 1;

		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &least, sizeof(least));
		ask(fd);
	}
	(void)!write(begun, "", 1);
}

/* 10,000 connections, as fast as they can be had. */
static void storm(int begun)
{
	const struct rlimit files = { 20000, 20000 };

	setrlimit(RLIMIT_NOFILE, &files);
	for (int i = 0; i < 10000; i++) {
		dial();
		if (i == CLIENTS_MAX)
			(void)!write(begun, "", 1);
	}
}

static void against(void (*go)(int begun))
{
	struct server *s = start();
	pid_t pid = child_of(go);

	for (int i = 0; i < 20; i++)
		assert_answered();
	end_child(pid);
	assert_answered();
	server_stop(s);
}

TEST(slow_clients)
{
	against(be_slow);
}

TEST(clients_that_do_not_read)
{
	against(read_nothing);
}

TEST(ten_thousand)
{
	against(storm);
}

/* A request that was there first is answered, though another user has come with more clients than
 * the server keeps since then. */
TEST(the_first_stays)
{
	struct server *s = start();
	int fd;
	size_t len;
	pid_t pid;

	if (geteuid() != 0 || !users_known) {
		server_stop(s);
		skip();
	}
	at_once = false;
	fd = dial();
	ask(fd);
	while (!wanted)
		usleep(1000);
	pid = child_of(be_slow);
	at_once = true;
	ready = wanted;
	server_made(s);
	assert_int_equal(answer(fd, &len), 200);
	end_child(pid);
	server_stop(s);
}

/* Waiting requests share one text. Those that still wait when the session ends get 503. */
TEST(waiting)
{
	struct server *s;
	int fds[10];
	uint64_t before = wanted;
	size_t len;

	at_once = false;
	s = start();
	for (int i = 0; i < 10; i++) {
		fds[i] = dial();
		ask(fds[i]);
	}
	while (wanted < before + 10)
		usleep(1000);
	ready = before + 5;
	server_made(s);
	for (int i = 0, status; i < 5; i++) {
		status = answer(fds[i], &len);
		assert_int_equal(status, 200);
	}
	ended = true;
	server_stop(s);
	for (int i = 5; i < 10; i++)
		assert_int_equal(answer(fds[i], &len), 503);
	ended = false;
	at_once = true;
}

/* The same connection serves several requests. */
TEST(kept_alive)
{
	static const char request[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
	struct server *s = start();
	int fd = dial();
	char text[1024];

	for (int i = 0; i < 3; i++) {
		ssize_t n = 0;

		send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL);
		do {
			ssize_t more = recv(fd, text + n, sizeof(text) - 1 - (size_t)n, 0);

			assert_true(more > 0);
			n += more;
			text[n] = '\0';
		} while (!strstr(text, "/metrics.\n"));
		assert_int_equal(strncmp(text, "HTTP/1.1 200", 12), 0);
	}
	close(fd);
	server_stop(s);
}

/* ---- which client goes ---- */

static struct http_client *add(struct clients *c, uint8_t address, uint32_t uid, int64_t now)
{
	struct peer peer = { .address = { address }, .uid = uid };

	return clients_add(c, -1, peer, now);
}

TEST(excess)
{
	struct clients c = { .n = 0 };
	struct http_client *first = add(&c, 1, 0, 1), *out = NULL;

	for (int i = 0; i < CLIENTS_KEPT / 2; i++)
		add(&c, 1, 1000, 100 + i);
	for (int i = 0; i < CLIENTS_KEPT / 2 - 1; i++)
		add(&c, 2, UINT32_MAX, 10 + i);
	assert_null(clients_excess(&c));
	add(&c, 2, UINT32_MAX, 200);
	/* 32 clients each: the one that waits for longest of both. */
	out = clients_excess(&c);
	assert_non_null(out);
	assert_int_equal(out->since, 10);
	out->leaving = true;
	assert_null(clients_excess(&c));
	/* Now another peer has more. */
	add(&c, 3, 0, 300);
	out = clients_excess(&c);
	assert_int_equal(out->since, 100);
	assert_ptr_equal(clients_overdue(&c, 11, 10), first);
	assert_null(clients_overdue(&c, 10, 10));
	while (c.n)
		clients_remove(&c, c.v[0]);
}

TEST(users)
{
	int diag = peer_diag(), listening = socket(AF_INET, SOCK_STREAM, 0), fd, mine;
	socklen_t len = sizeof(where);
	struct peer peer;

	where = (struct sockaddr_in){ .sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	assert_int_equal(bind(listening, (void *)&where, sizeof(where)), 0);
	assert_int_equal(listen(listening, 1), 0);
	assert_int_equal(getsockname(listening, (void *)&where, &len), 0);
	mine = dial();
	fd = accept(listening, NULL, NULL);
	peer = peer_find(fd, diag);
	assert_int_equal(peer.address[12], 127);
	/* A kernel without sock_diag names no user. */
	users_known = peer.uid != UINT32_MAX;
	if (users_known)
		assert_int_equal(peer.uid, geteuid());
	peer = peer_find(fd, -1);
	assert_int_equal(peer.uid, UINT32_MAX);
	close(mine);
	close(fd);
	close(listening);
	close(diag);
}
