/* SPDX-License-Identifier: GPL-2.0 */
/* Commands of system(), and their output. */
#include "session/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/say.h"
#include "common/shell.h"
#include "common/signals.h"
#include "show/output.h"
#include "show/show.h"

enum { LINE_MAX_BYTES = 1 << 16, TURN_MS = 50, SAID_AFTER_TURNS = 20 };

void commands_init(struct commands *c, struct show *show)
{
	*c = (struct commands){ .show = show, .fd = -1 };
}

/* ---- start ---- */

/* Runs in the child. Once it belongs to the user, the user can stop it: it must not keep the device
 * open then. */
static void run(int to, const char *command)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), err = 0;

	say_sink(NULL, NULL);
	say_before(NULL, NULL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(to, STDOUT_FILENO) < 0 ||
	    close_range(STDERR_FILENO + 1, ~0u, 0))
		err = -errno;
	if (!err)
		err = shell_become_user();
	if (!err)
		err = shell_exec(command);
	say_error("E_COMMAND", NULL, "a command of system() could not be started: %s",
		  strerror(-err));
	_exit(127);
}

static int start(struct commands *c, const char *command)
{
	struct command *new = &c->v[c->n];
	struct epoll_event event = { .events = EPOLLIN };
	int fds[2];

	if (c->fd < 0)
		c->fd = epoll_create1(EPOLL_CLOEXEC);
	if (c->fd < 0 || pipe2(fds, O_CLOEXEC) != 0)
		return -errno;
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	*new = (struct command){ .from = fds[0] };
	if (epoll_ctl(c->fd, EPOLL_CTL_ADD, fds[0], &event) != 0 || (new->pid = fork()) < 0) {
		int err = -errno;

		close(fds[0]);
		close(fds[1]);
		return err;
	}
	if (!new->pid)
		run(fds[1], command);
	close(fds[1]);
	c->n++;
	return 0;
}

void commands_start(struct commands *c, const char *command, size_t len)
{
	const char *why = "64 of them are running";
	char *text;
	int err;

	output_flush(c->show->out);
	commands_turn(c);
	if (c->n < COMMANDS_AT_ONCE) {
		text = strndup(command, len);
		err = text ? start(c, text) : -ENOMEM;
		free(text);
		if (!err)
			return;
		why = strerror(-err);
	}
	if (!c->refused)
		say_warn("E_COMMAND", "use fewer or shorter ones",
			 "a command of system() was not started: %s", why);
	c->refused = true;
}

/* ---- output ---- */

/* Shows whole lines; with @all, or if it is too long, also an incomplete line. */
static void show_lines(struct commands *c, struct buf *t, int all)
{
	char *at = t->s, *end = t->s + t->len, *line;

	while (at < end && (line = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		show_command(c->show, at, (size_t)(line + 1 - at));
		at = line + 1;
	}
	if (at < end && (all || end - at >= LINE_MAX_BYTES)) {
		show_command(c->show, at, (size_t)(end - at));
		at = end;
	}
	if (at < end)
		memmove(t->s, at, (size_t)(end - at));
	t->len = (size_t)(end - at);
}

/* Returns true if there will be no more output. */
static bool read_some(struct commands *c, struct command *one)
{
	size_t room = LINE_MAX_BYTES;
	char buf[4096];
	ssize_t n;

	while (room && ((n = read(one->from, buf, sizeof(buf))) > 0 || (n < 0 && errno == EINTR))) {
		if (n < 0)
			continue;
		buf_write(&one->line, buf, (size_t)n);
		room -= sizeof(buf);
	}
	show_lines(c, &one->line, room && n == 0);
	return room && n == 0;
}

void commands_turn(struct commands *c)
{
	for (unsigned i = 0; i < c->n;) {
		struct command *one = &c->v[i];

		if (one->pid && waitpid(one->pid, NULL, WNOHANG) != 0)
			one->pid = 0;
		if (one->from >= 0 && read_some(c, one)) {
			close(one->from);
			one->from = -1;
			buf_deinit(&one->line);
		}
		if (one->pid || one->from >= 0)
			i++;
		else
			*one = c->v[--c->n];
	}
}

/* ---- the end ---- */

static bool any_runs(const struct commands *c)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->v[i].pid)
			return true;
	return false;
}

void commands_wait(struct commands *c)
{
	struct pollfd fd = { .fd = c->fd, .events = POLLIN };
	static const char note[] = "proberun: waiting for commands of system(); ^C leaves them\n";
	int signals = signals_count(), turns = 0;

	commands_turn(c);
	while (any_runs(c) && !c->show->out->broken && signals_count() == signals) {
		output_flush(c->show->out);
		if (turns++ == SAID_AFTER_TURNS)
			say_text(note, sizeof(note) - 1);
		poll(&fd, 1, TURN_MS);
		commands_turn(c);
	}
}

void commands_deinit(struct commands *c)
{
	for (unsigned i = 0; i < c->n; i++) {
		if (c->v[i].from < 0)
			continue;
		show_lines(c, &c->v[i].line, 1);
		close(c->v[i].from);
		buf_deinit(&c->v[i].line);
	}
	if (c->fd >= 0)
		close(c->fd);
}
