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

#include "shared/clock.h"

enum { TOGETHER_MS = 200 };

static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
/* write() reports a closed pipe as an error. */
static const int ignored[] = { SIGPIPE, SIGXFSZ };

enum {
	ENDING = sizeof(ending) / sizeof(ending[0]),
	IGNORED = sizeof(ignored) / sizeof(ignored[0]),
};

static struct sigaction before[ENDING + IGNORED]; /* the actions that this process was given */
static volatile sig_atomic_t count, last; /* last: 0 before the first signal */
static volatile sig_atomic_t snapshot; /* enum signals_asked */
static volatile int64_t counted_at; /* ms; only the handler uses it */

static void on_signal(int n)
{
	int64_t now = clock_ns() / 1000000;

	if (n == last && now - counted_at < TOGETHER_MS)
		return;
	counted_at = now;
	count = count + 1;
	last = n;
}

void signals_init(void)
{
	struct sigaction count_it = { .sa_handler = on_signal };
	const struct sigaction ignore_it = { .sa_handler = SIG_IGN };

	/* Handlers do not interrupt each other. */
	for (size_t i = 0; i < ENDING; i++)
		sigaddset(&count_it.sa_mask, ending[i]);
	for (size_t i = 0; i < ENDING; i++) {
		sigaction(ending[i], NULL, &before[i]);
		if (ending[i] != SIGHUP || before[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &count_it, NULL);
	}
	for (size_t i = 0; i < IGNORED; i++)
		sigaction(ignored[i], &ignore_it, &before[ENDING + i]);
}

static void on_snapshot(int n, siginfo_t *info, void *context)
{
	(void)n;
	(void)context;
	snapshot = info->si_code == SI_QUEUE && info->si_value.sival_int == SIGNALS_FLEET ?
			   SIGNALS_FLEET : SIGNALS_USER;
}

void signals_catch_snapshot(void)
{
	const struct sigaction ask = { .sa_sigaction = on_snapshot, .sa_flags = SA_SIGINFO };

	sigaction(SIGUSR2, &ask, NULL);
}

enum signals_asked signals_snapshot(void)
{
	enum signals_asked ret = (enum signals_asked)snapshot;

	/* One that comes between these two reads is kept. */
	if (ret)
		snapshot = SIGNALS_NOBODY;
	return ret;
}

void signals_reset(void)
{
	for (size_t i = 0; i < ENDING; i++)
		sigaction(ending[i], &before[i], NULL);
	for (size_t i = 0; i < IGNORED; i++)
		sigaction(ignored[i], &before[ENDING + i], NULL);
}

int signals_count(void)
{
	return count;
}

int signals_last(void)
{
	return last;
}
