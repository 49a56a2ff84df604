/* SPDX-License-Identifier: GPL-2.0 */
/* A session of probec-grant with a program that stands for proberun: what it is given, what passes
 * between it and the user, and its ends. */
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "relay.h"
#include "unit.h"

static char stub[] = "/tmp/probec-unit.XXXXXX";

/* All that the user's side got. */
struct got {
	char output[1 << 20], messages[4096];
	size_t noutput, nmessages;
	int status;            /* -1: none came */
};

struct session {
	pid_t helper;          /* runs the relay */
	int sock;              /* the user's side */
	struct request request;
	struct policy_limits limits;
	struct got got;
};

static const struct peer alice = { .uid = 1234, .gid = 4321 };

static struct session *prepare(void)
{
	struct session *s = calloc(1, sizeof(*s));

	s->limits = (struct policy_limits){ .seconds = 60, .memory = 5 << 20, .output = 1 << 20 };
	s->got.status = -1;
	return s;
}

/* Starts the shell script @text in the place of proberun. The status of the helper is 0 if the
 * session ended with 0, and 1 otherwise. */
static void start(struct session *s, const char *text)
{
	int socks[2], module = memfd_create("test", 0), fd;
	struct content content = { .fd = module };
	struct relay_end end;
	struct started started;

	strcpy(stub + strlen(stub) - 6, "XXXXXX");
	fd = mkstemp(stub);
	dprintf(fd, "#!/bin/sh\n%s\n", text);
	fchmod(fd, 0755);
	close(fd);
	assert_int_equal(write(module, "abc", 3), 3);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, socks), 0);
	s->helper = fork();
	if (!s->helper) {
		close(socks[0]);
		/* Variables that a user might set have no effect. */
		setenv("LD_PRELOAD", "/nonsense", 1);
		setenv("PROBERUN_MODULE_OPTIONS", "fail=1", 1);
		if (start_proberun(stub, &alice, &s->request, &s->limits, &content, &started))
			_exit(2);
		relay_run(socks[1], &started, &s->limits, 1, &end);
		_exit(end.status);
	}
	close(socks[1]);
	close(module);
	s->sock = socks[0];
}

static void take(char *to, size_t *n, size_t size, const char *from, size_t len)
{
	assert_true(*n + len < size);
	memcpy(to + *n, from, len);
	*n += len;
	to[*n] = '\0';
}

/* Reads until the end, or, with @one, one answer. */
static void follow(struct session *s, bool one)
{
	static char answer[GRANT_ANSWER_MAX + 1];
	struct got *g = &s->got;
	ssize_t n;

	while (g->status < 0 && (n = recv(s->sock, answer, sizeof(answer), 0)) > 0) {
		assert_true(n <= GRANT_ANSWER_MAX);
		if (*answer == GRANT_OUTPUT)
			take(g->output, &g->noutput, sizeof(g->output), answer + 1, (size_t)n - 1);
		else if (*answer == GRANT_MESSAGES)
			take(g->messages, &g->nmessages, sizeof(g->messages), answer + 1,
			     (size_t)n - 1);
		else if (*answer == GRANT_ENDED)
			g->status = (unsigned char)answer[1];
		else
			fail_msg("an answer of kind %d", *answer);
		if (one)
			break;
	}
}

/* Ends the user's side. Returns the status of the helper. */
static int finish(struct session *s)
{
	int status;

	close(s->sock);
	assert_int_equal(waitpid(s->helper, &status, 0), s->helper);
	unlink(stub);
	free(s);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void shows(struct session *s, const char *words)
{
	if (!strstr(s->got.output, words))
		fail_msg("no '%s': %s%s", words, s->got.output, s->got.messages);
}

TEST(gives_little)
{
	struct session *s = prepare();

	s->request.head.pid = 77;
	s->request.head.format = 1;
	s->request.head.flags = GRANT_TIMING | GRANT_NO_WARNINGS | GRANT_ESCAPE;
	s->request.globals[s->request.nglobals++] = "a=x y";
	start(s, "exec 2>&1; for a; do echo \"<$a>\"; done; cat /proc/self/fd/3; echo; cat; pwd\n"
		 "umask; ls /proc/self/fd; env; ulimit -c; ps -o sid= $$ | tr -d ' '; echo $$");
	follow(s, false);
	shows(s, "<--granted=1234:4321,5242880,timed>\n<-T>\n<60.000>\n<--format>\n"
		 "<json>\n"
		 "<--escape>\n<always>\n<-t>\n<-w>\n<-x>\n<77>\n<-->\n</proc/self/fd/3>\n<a=x y>\n"
		 "abc\n/\n0077\n0\n1\n2\n3\n");
	shows(s, "SUDO_UID=1234\n");
	shows(s, "SUDO_GID=4321\n");
	shows(s, "PATH=/usr/sbin:/usr/bin:/sbin:/bin\n");
	assert_null(strstr(s->got.output, "LD_PRELOAD"));
	assert_null(strstr(s->got.output, "PROBERUN"));
	assert_string_equal(s->got.messages, "");
	assert_int_equal(s->got.status, 0);
	assert_int_equal(finish(s), 0);
	s = prepare();
	s->request.head.milliseconds = 1500;
	s->limits.guru = true;
	start(s, "echo $*");
	follow(s, false);
	assert_string_equal(s->got.output,
			    "--granted=1234:4321,5242880,guru -T 1.500 --format text "
			    "--escape never -- /proc/self/fd/3\n");
	assert_int_equal(finish(s), 0);
}

TEST(passes_on)
{
	struct session *s = prepare();

	start(s, "echo out; echo said >&2; exit 7");
	follow(s, false);
	assert_string_equal(s->got.output, "out\n");
	assert_string_equal(s->got.messages, "said\n");
	assert_int_equal(s->got.status, 7);
	assert_int_equal(finish(s), 7);
	/* A process that outlives it holds its pipes. */
	s = prepare();
	start(s, "sleep 1000 & echo $!; head -c 500000 /dev/zero | tr '\\0' x; kill -9 $$");
	follow(s, false);
	assert_int_equal(strspn(strchr(s->got.output, '\n') + 1, "x"), 500000);
	assert_int_equal(s->got.status, 128 + SIGKILL);
	kill(atoi(s->got.output), SIGKILL);
	assert_int_equal(finish(s), 128 + SIGKILL);
}

static const char waits[] = "trap '' PIPE; trap 'echo end; exit 3' INT TERM; echo begun\n"
			    "while :; do sleep 0.05; done";

TEST(interrupts)
{
	struct session *s = prepare();
	char byte = GRANT_INTERRUPT;

	start(s, waits);
	follow(s, true);
	assert_string_equal(s->got.output, "begun\n");
	assert_int_equal(send(s->sock, &byte, 1, 0), 1);
	follow(s, false);
	assert_string_equal(s->got.output, "begun\nend\n");
	assert_int_equal(s->got.status, 3);
	assert_int_equal(finish(s), 3);
}

TEST(ends_with_user)
{
	static const char *const wrong[] = { "x", "ii", "" };
	struct session *s = prepare();

	start(s, waits);
	follow(s, true);
	assert_int_equal(finish(s), 3);
	/* Messages that proberun does not send end it as well. */
	for (size_t i = 0; i < 3; i++) {
		s = prepare();
		start(s, waits);
		follow(s, true);
		send(s->sock, wrong[i], strlen(wrong[i]), 0);
		assert_int_equal(finish(s), 3);
	}
	/* It writes without end, and the user leaves. */
	s = prepare();
	start(s, "exec yes");
	follow(s, true);
	assert_true(finish(s) > 128);
}

/* A socket whose close waits for a reader that never reads. */
static int lingering(int *reader)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct linger linger = { .l_onoff = 1, .l_linger = 10000 };
	socklen_t len = sizeof(a);
	int listener = socket(AF_INET, SOCK_STREAM, 0), ret = socket(AF_INET, SOCK_STREAM, 0);
	static char bytes[4096];

	assert_int_equal(bind(listener, (void *)&a, sizeof(a)) | listen(listener, 1), 0);
	assert_int_equal(getsockname(listener, (void *)&a, &len), 0);
	assert_int_equal(connect(ret, (void *)&a, sizeof(a)), 0);
	*reader = accept(listener, NULL, NULL);
	close(listener);
	setsockopt(ret, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	while (send(ret, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
	return ret;
}

/* The last to have a descriptor waits for whatever its close waits for. */
TEST(takes_no_descriptors)
{
	struct session *s = prepare();
	int reader, passed;
	char control[CMSG_SPACE(sizeof(int))] = "", byte = GRANT_INTERRUPT;
	struct iovec part = { &byte, 1 };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control,
			    .msg_controllen = sizeof(control) };

	start(s, waits);
	follow(s, true);
	passed = lingering(&reader);
	*CMSG_FIRSTHDR(&m) = (struct cmsghdr){ CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS };
	memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &passed, sizeof(passed));
	kill(s->helper, SIGSTOP);
	assert_int_equal(sendmsg(s->sock, &m, 0), 1);
	/* It is in flight, so this does not wait. */
	close(passed);
	kill(s->helper, SIGCONT);
	assert_int_equal(finish(s), 3);
	close(reader);
}

TEST(limits_output)
{
	struct session *s = prepare();

	s->limits.output = 100000;
	start(s, "exec yes");
	follow(s, false);
	assert_true(s->got.noutput <= 100000 && s->got.noutput > 50000);
	assert_non_null(strstr(s->got.messages, "[E_GRANT]"));
	assert_true(s->got.status > 128);
	assert_true(finish(s) > 128);
	s = prepare();
	s->limits.output = 6;
	start(s, "echo out; sleep 0.2; echo x >&2");
	follow(s, false);
	assert_string_equal(s->got.output, "out\n");
	assert_string_equal(s->got.messages, "x\n");
	assert_int_equal(s->got.status, 0);
	assert_int_equal(finish(s), 0);
}

/* If the helper is killed, proberun gets SIGTERM. */
TEST(ends_with_helper)
{
	struct session *s = prepare();
	int status;

	start(s, "trap exit TERM; echo $$; while :; do sleep 0.05; done");
	follow(s, true);
	kill(s->helper, SIGKILL);
	waitpid(s->helper, &status, 0);
	for (int i = 0; i < 200 && !kill(atoi(s->got.output), 0); i++)
		poll(NULL, 0, 50);
	assert_int_not_equal(kill(atoi(s->got.output), 0), 0);
	close(s->sock);
	unlink(stub);
	free(s);
}
