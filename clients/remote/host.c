/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One host: its ssh, and what is said over it. Only standard input of the ssh decides how long the
 * session lasts, so nothing that happens to this process leaves one behind.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/packages.h"
#include "base/subprocess.h"
#include "remote/merge.h"
#include "remote/private.h"
#include "shared/remote.h"
#include "state.h"

enum { EARLY_MAX = 1 << 16, SSH_FAILED = 255, NOT_FOUND = 127 };

static void fail(struct host *h, const char *reason, const char *hint)
{
	if (h->reason)
		return;
	h->reason = reason;
	h->hint = hint;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Closes a pipe of the host. */
static void close_pipe(struct host *h, enum watch_set set, int *fd)
{
	if (*fd >= 0)
		watch_remove(h->watch, set, *fd);
	close_end(fd);
}

/* ---- its ssh ---- */

/* Runs in the child. ^C and the end of the terminal are for this program, which asks the sessions
 * to end; ssh leaves ignored signals ignored. */
static void run_ssh(const char *const *words, const int in[2], const int out[2], const int err[2])
{
	sigset_t none;

	dup2(in[0], 0);
	dup2(out[1], 1);
	dup2(err[1], 2);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	execvp(words[0], (char *const *)words);
	fprintf(stderr, "can't start %s: %s\n", words[0], strerror(errno));
	fflush(stderr);
	_exit(NOT_FOUND);
}

static void close_pair(int p[2])
{
	close_end(&p[0]);
	close_end(&p[1]);
}

void host_start(struct state *s, struct host *h)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 };
	const char *const *words = launcher_words(s, h);

	if (!subprocess_find(s->arena, words[0])) {
		fail(h, arena_printf(s->arena, "'%s' is not installed", words[0]),
		     strcmp(words[0], "ssh") == 0 ? packages_hint(s->arena, "openssh-client") :
						    "--ssh and PROBEC_SSH name another program");
		h->pid = 0;
		h->phase = HOST_ENDED;
		return;
	}
	if (pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0)
		h->pid = fork();
	else
		h->pid = -1;
	if (h->pid == 0)
		run_ssh(words, in, out, err);
	if (h->pid < 0) {
		fail(h, arena_printf(s->arena, "can't start %s: %s", words[0], strerror(errno)),
		     "raise the limits of processes and open files: ulimit -u, ulimit -n");
		close_pair(in);
		close_pair(out);
		close_pair(err);
		h->pid = 0;
		h->phase = HOST_ENDED;
		return;
	}
	close_end(&in[0]);
	close_end(&out[1]);
	close_end(&err[1]);
	fcntl(in[1], F_SETFL, O_NONBLOCK);
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	fcntl(err[0], F_SETFL, O_NONBLOCK);
	h->in = in[1];
	h->out = out[0];
	h->err = err[0];
	h->phase = HOST_CONNECTS;
	if (!watch_add(h->watch, WATCH_OUT, h->out, h) &&
	    !watch_add(h->watch, WATCH_ERR, h->err, h))
		return;
	fail(h, arena_printf(s->arena, "can't wait for it: %s", strerror(errno)),
	     "raise the limit /proc/sys/fs/epoll/max_user_watches");
	host_kill(h);
}

/* ---- from the host ---- */

/* Returns the number of bytes; 0: nothing now, or never again, when the pipe is closed. */
static size_t read_pipe(struct host *h, enum watch_set set, int *fd, char *to, size_t size)
{
	ssize_t n = read(*fd, to, size);

	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		close_pipe(h, set, fd);
	return n > 0 ? (size_t)n : 0;
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Between the question and its answer, the host has read its clock. */
static void compare_clocks(struct host *h)
{
	int64_t now = now_ns(), half = (now - h->offered_at) / 2;

	if (!h->answer.clock || !h->offered_at || h->within || half < 0)
		return;
	h->ahead = h->answer.clock + h->answer.coarse / 2 - (h->offered_at + half);
	h->within = half + h->answer.coarse / 2 + 1;
}

static void take_answer(struct state *s, struct host *h, const char *line, size_t len)
{
	switch (answer_take(s->arena, &h->answer, line, len)) {
	case ANSWER_MORE:
		compare_clocks(h);
		break;
	case ANSWER_READY:
		h->phase = HOST_ANSWERED;
		break;
	case ANSWER_STARTED:
		if (h->phase != HOST_TAKES)
			fail(h, "it has started a session that nobody has sent", NULL);
		h->phase = HOST_RUNS;
		break;
	case ANSWER_WRONG:
		fail(h, h->answer.wrong, NULL);
		break;
	}
	if (h->reason)
		host_kill(h);
}

/* Before the session, lines are the host's answer. Returns how many bytes were that. */
static size_t take_answers(struct state *s, struct host *h, const char *data, size_t n)
{
	struct buf *part = &h->output.part;
	size_t at = 0;

	while (at < n && h->phase < HOST_RUNS && !h->reason) {
		const char *end = memchr(data + at, '\n', n - at);
		size_t len = end ? (size_t)(end - data) - at : n - at;

		buf_write(part, data + at, len);
		at += len + (end != NULL);
		/* Without an end, it is no answer, and answer_take() says so. */
		if (end || part->len > EARLY_MAX) {
			take_answer(s, h, part->s ? part->s : "", part->len);
			part->len = 0;
		}
	}
	return at;
}

void host_read_output(struct state *s, struct host *h, struct screen *to)
{
	char chunk[1 << 16];
	size_t n = read_pipe(h, WATCH_OUT, &h->out, chunk, sizeof(chunk)), used = 0;

	if (h->phase < HOST_RUNS)
		used = take_answers(s, h, chunk, n);
	if (h->phase == HOST_RUNS)
		output_take(to, &h->output, h->name, chunk + used, n - used);
}

/* Whether a line is no message, but says that the session takes a snapshot. */
static bool is_trigger(const char *line, size_t len)
{
	return len == strlen(REMOTE_TRIGGER) && memcmp(line, REMOTE_TRIGGER, len) == 0;
}

/* Shows the complete lines of @b, and keeps the rest if it is not too long for a message. */
static void show_messages(struct screen *to, struct host *h, struct buf *b)
{
	const char *host = h->name;

	size_t at = 0;

	for (const char *end; at < b->len &&
	     (end = memchr(b->s + at, '\n', b->len - at)); at = (size_t)(end - b->s) + 1) {
		if (is_trigger(b->s + at, (size_t)(end - b->s) - at))
			h->triggered = true;
		else
			output_message(to, host, b->s + at, (size_t)(end - b->s) - at);
	}
	memmove(b->s, b->s + at, b->len - at);
	b->len -= at;
	if (b->len > EARLY_MAX) {
		output_message(to, host, b->s, b->len);
		b->len = 0;
	}
}

void host_read_messages(struct host *h, struct screen *to)
{
	char chunk[1 << 14];
	size_t n = read_pipe(h, WATCH_ERR, &h->err, chunk, sizeof(chunk));

	if (!n)
		return;
	if (h->phase < HOST_RUNS) {
		if (h->early.len < EARLY_MAX)
			buf_write(&h->early, chunk, n);
		return;
	}
	buf_write(&h->message, chunk, n);
	show_messages(to, h, &h->message);
}

/* ---- to the host ---- */

void host_offer(struct state *s, struct host *h)
{
	const char *lacks = bundles_lacks(s, h->bundle, &h->answer);

	if (lacks) {
		fail(h, lacks, h->bundle->failed ? NULL :
		     "run `proberun --describe > FILE` there, and give the file here: -r FILE");
		host_kill(h);
		return;
	}
	h->head.len = 0;
	buf_printf(&h->head, "%zu\n", h->bundle->size);
	h->sent = 0;
	h->phase = HOST_TAKES;
	if (h->in < 0 || !watch_add(h->watch, WATCH_IN, h->in, h))
		return;
	fail(h, arena_printf(s->arena, "can't wait for it: %s", strerror(errno)), NULL);
	host_kill(h);
}

static size_t to_send(const struct host *h)
{
	return h->phase == HOST_TAKES ? h->head.len + h->bundle->size - h->sent : 0;
}

void host_send(struct host *h)
{
	bool head = h->sent < h->head.len;
	size_t at = head ? h->sent : h->sent - h->head.len;
	const char *from = head ? h->head.s : h->bundle->image;
	ssize_t n;

	if (!to_send(h)) {
		watch_remove(h->watch, WATCH_IN, h->in);
		return;
	}
	if (!h->sent)
		h->offered_at = now_ns();
	n = write(h->in, from + at, (head ? h->head.len : h->bundle->size) - at);

	if (n > 0)
		h->sent += (size_t)n;
	else if (n < 0 && errno != EINTR && errno != EAGAIN)
		close_pipe(h, WATCH_IN, &h->in);
}

/* A pipe that is full has many of these already. */
static void say(struct host *h, char what)
{
	if (h->in >= 0 && write(h->in, &what, 1) < 0 && errno != EAGAIN && errno != EINTR)
		close_pipe(h, WATCH_IN, &h->in);
}

void host_alive(struct host *h)
{
	if (h->phase == HOST_RUNS)
		say(h, REMOTE_ALIVE);
}

void host_snapshot(struct host *h)
{
	if (h->phase == HOST_RUNS)
		say(h, REMOTE_SNAPSHOT);
}

void host_stop(struct host *h)
{
	if (h->told)
		return;
	h->told = true;
	if (h->phase == HOST_RUNS) {
		say(h, REMOTE_STOP);
		return;
	}
	if (h->phase == HOST_ENDED)
		return;
	fail(h, "it was killed before its session began", NULL);
	if (h->phase == HOST_WAITS)
		h->phase = HOST_ENDED;
	else
		host_kill(h);
}

/* A host that has answered reads its input, and cleans up when it ends: its ssh is killed only if
 * it was told that before. */
void host_kill(struct host *h)
{
	bool told = h->in < 0;

	fail(h, "the connection was closed before its session had ended", NULL);
	close_pipe(h, WATCH_IN, &h->in);
	if (h->pid > 0 && !h->dead &&
	    (told || h->phase == HOST_CONNECTS || h->phase == HOST_RUNS))
		kill(h->pid, SIGTERM);
}

/* ---- the end ---- */

/* The last line of what came before the session, which is the reason as ssh, sudo or a shell there
 * gives it; the lines before it are shown. Returns NULL if there is none. */
static const char *last_words(struct state *s, struct host *h, struct screen *to)
{
	struct buf *b = &h->early;
	char *last;

	while (b->len && strchr("\r\n", b->s[b->len - 1]))
		b->len--;
	if (!b->len)
		return NULL;
	b->s[b->len] = '\0';
	last = memrchr(b->s, '\n', b->len);
	last = last ? last + 1 : b->s;
	last = arena_strndup(s->arena, last, strnlen(last, 400));
	b->len -= strlen(last);
	show_messages(to, h, b);
	for (char *p = last; *p; p++)
		if ((unsigned char)*p < ' ')
			*p = ' ';
	return last;
}

static void explain_early_end(struct state *s, struct host *h, struct screen *to)
{
	const char *words = h->reason ? NULL : last_words(s, h, to);
	int code = WIFEXITED(h->status) ? WEXITSTATUS(h->status) : SSH_FAILED;

	if (words && strstr(words, "sudo"))
		fail(h, words, "log in as root, or let sudo run sh there without a password: "
		     "NOPASSWD in sudoers");
	else if (words)
		fail(h, words, NULL);
	else if (h->phase == HOST_ANSWERED || h->phase == HOST_TAKES)
		fail(h, "the connection was lost before its session began", NULL);
	else
		fail(h, arena_printf(s->arena, "%s ended with status %d before the host answered",
				     launcher_name(s), code),
		     launcher_trial(s, h));
}

void host_finish(struct state *s, struct host *h, struct screen *to)
{
	int code = WIFEXITED(h->status) ? WEXITSTATUS(h->status) : SSH_FAILED;

	close_pipe(h, WATCH_IN, &h->in);
	close_pipe(h, WATCH_OUT, &h->out);
	close_pipe(h, WATCH_ERR, &h->err);
	if (h->phase < HOST_RUNS) {
		explain_early_end(s, h, to);
	} else {
		output_end(to, &h->output, h->name);
		if (to->merge)
			merge_drop(to->merge, &h->output);
		if (h->output.reason)
			fail(h, h->output.reason, "merge fewer hosts, or fewer elements");
		if (h->message.len)
			output_message(to, h->name, h->message.s, h->message.len);
		if (code == SSH_FAILED)
			fail(h, "the connection was lost",
			     "the session there ends by itself and leaves nothing");
		else if (code && launcher_is_template(s))
			fail(h, arena_printf(s->arena, "%s ended with status %d: its session "
					     "failed, or the connection was lost",
					     launcher_name(s), code),
			     "messages of the session are above; it leaves nothing there");
		else if (code)
			fail(h, arena_printf(s->arena, "its session failed with status %d", code),
			     "its messages are above");
	}
	output_deinit(&h->output);
	buf_deinit(&h->early);
	buf_deinit(&h->message);
	buf_deinit(&h->head);
	h->phase = HOST_ENDED;
}
