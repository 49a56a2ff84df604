/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ending signals, counted. SIGHUP stays ignored under nohup; SIGINT counts even where a script's
 * shell had it ignored for what it starts in the background, so that kill -INT works there.
 *
 * A signal that comes twice at once is one: who signals a process group, as timeout(1) does,
 * reaches us directly and by probec, which passes on what it is sent. Nobody asks a second time so
 * soon.
 */
#include "common/signals.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "common/monotonic.h"

enum { TOGETHER_MS = 200 };

static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
static volatile sig_atomic_t count, last; /* last: 0 before there was one */
static volatile int64_t counted_at; /* ms; only the handler looks at it */

static void on_signal(int n)
{
	int64_t now = monotonic_ns() / 1000000;

	if (n == last && now - counted_at < TOGETHER_MS)
		return;
	counted_at = now;
	count = count + 1;
	last = n;
}

void signals_init(void)
{
	struct sigaction sa = { .sa_handler = on_signal }, old;

	/* Handlers do not interrupt each other. */
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		sigaddset(&sa.sa_mask, ending[i]);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (ending[i] != SIGHUP ||
		    (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN))
			sigaction(ending[i], &sa, NULL);
	/* write() reports the same by its error. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

void signals_reset(void)
{
	struct sigaction old;

	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler == on_signal)
			signal(ending[i], SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
}

int signals_count(void)
{
	return count;
}

int signals_last(void)
{
	return last;
}
