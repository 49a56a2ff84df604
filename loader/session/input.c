/* SPDX-License-Identifier: GPL-2.0 */
/* Standard input: input.h. */
#include "session/input.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/say.h"
#include "device/device.h"
#include "module/meta.h"
#include "records.h"
#include "shared/memory.h"

/* A string of a script has less (MAXSTRINGLEN). */
enum { INPUT_LINE = 8192, INPUT_READ = 4096 };

struct input {
	struct device *device;
	pthread_t thread;
	int stop;                /* an event: the thread is to end */
	bool lines, chars;       /* the script has probes of these */
	bool line_first;         /* one of lines comes first in it */
	char line[INPUT_LINE];   /* the beginning of an incomplete line */
	size_t len;
	size_t room;             /* the most bytes of a line: those of a string of the script */
};

/* Finds the probes of standard input. Returns whether there are any. */
static bool find_probes(const struct meta *m, struct input *in)
{
	for (uint32_t i = 0; i < m->nprobes; i++) {
		bool line = strcmp(m->probes[i].pp, "stdin.line") == 0;

		if (strcmp(m->probes[i].kind, "input") != 0)
			continue;
		in->line_first |= line && !in->chars;
		in->lines |= line;
		in->chars |= !line;
	}
	return in->lines || in->chars;
}

bool input_wanted(const struct meta *m)
{
	struct input none = { 0 };

	return find_probes(m, &none);
}

/* Returns whether the session goes on. */
static bool give(struct input *in, const char *text, size_t len, bool by_char)
{
	struct prt_input set = {
		.text = (uintptr_t)text, .len = (uint32_t)len, .by_char = by_char,
	};

	return device_input(in->device, &set) != -EIO;
}

static bool give_line(struct input *in)
{
	size_t len = in->len;

	in->len = 0;
	return !len || !in->lines || give(in, in->line, len, false);
}

/* The last character of a line goes to the handlers in the script's order. */
static bool add(struct input *in, char ch)
{
	bool ends = ch == '\n' || in->len + 1 == in->room;

	in->line[in->len++] = ch;
	if (ends && in->line_first && !give_line(in))
		return false;
	if (in->chars && !give(in, &ch, 1, true))
		return false;
	return !ends || give_line(in);
}

/* Returns the number of bytes, 0 at the end of the input or of the session. */
static size_t read_some(struct input *in, char *text, size_t size)
{
	struct pollfd fds[] = {
		{ .fd = in->stop, .events = POLLIN },
		{ .fd = STDIN_FILENO, .events = POLLIN },
	};
	ssize_t n = -1;

	while (n < 0) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return 0;
		if (fds[0].revents)
			return 0;
		if (fds[1].revents & POLLNVAL)
			return 0;
		if (fds[1].revents)
			n = read(STDIN_FILENO, text, size);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return 0;
	}
	return (size_t)n;
}

static void *serve(void *arg)
{
	struct input *in = arg;
	char text[INPUT_READ];
	size_t n;

	while ((n = read_some(in, text, sizeof(text))))
		for (size_t i = 0; i < n; i++)
			if (!add(in, text[i]))
				return NULL;
	give_line(in);
	return NULL;
}

struct input *input_start(struct device *d, const struct meta *m)
{
	struct input *in = memory_zeroed(1, sizeof(*in));
	sigset_t all, old;
	int err;

	in->device = d;
	find_probes(m, in);
	in->room = d->hello.text && d->hello.text < INPUT_LINE ? d->hello.text : INPUT_LINE;
	in->stop = eventfd(0, EFD_CLOEXEC);
	/* Signals are for the other thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = in->stop < 0 ? errno : pthread_create(&in->thread, NULL, serve, in);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!err)
		return in;
	say_error("E_INTERNAL", NULL, "can't make a thread: %s", strerror(err));
	if (in->stop >= 0)
		close(in->stop);
	free(in);
	return NULL;
}

void input_stop(struct input *in)
{
	uint64_t one = 1;

	if (!in)
		return;
	device_stop(in->device);
	if (write(in->stop, &one, sizeof(one)) < 0)
		say_step("the end of the input: %s", strerror(errno));
	pthread_join(in->thread, NULL);
	close(in->stop);
	free(in);
}
