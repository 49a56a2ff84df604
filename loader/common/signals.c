/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ending signals, counted. SIGHUP stays ignored under nohup; SIGINT counts even if a script's shell
 * has it ignored for its background processes, so that kill -INT works there.
 *
 * A signal that arrives twice at once counts once: a signal to a process group, as timeout(1) sends
 * it, reaches proberun both directly and by way of probec, which passes on the signals that it
 * gets. Users do not send a second one so soon.
 */
#include "common/signals.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "common/monotonic.h"

enum { TOGETHER_MS = 200 };

static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
static volatile sig_atomic_t count, last; /* last: 0 before the first signal */
static volatile int64_t counted_at; /* ms; only the handler uses it */

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
	/* write() reports a closed pipe as an error. */
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
