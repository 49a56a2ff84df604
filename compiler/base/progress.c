/* SPDX-License-Identifier: GPL-2.0 */
/* The thread that says what takes long. */
#include "base/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"

enum { FIRST = 1, NEXT = 5 }; /* seconds */

struct progress {
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	const char *step;     /* NULL: end */
	unsigned number;      /* of the step */
	bool stopped;         /* only for the owner */
};

static void say(const char *step, unsigned seconds)
{
	char line[128];
	int n = snprintf(line, sizeof(line), "probec: %s: %u s\n", step, seconds);

	if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
		return;
}

/* Waits for the end of step @number, at most @until; returns the number of the current one. */
static unsigned wait_for_change(struct progress *p, unsigned number, struct timespec until)
{
	int err = 0;

	while (p->step && p->number == number && !err)
		err = pthread_cond_timedwait(&p->changed, &p->lock, &until);
	return p->number;
}

static void *run(void *arg)
{
	struct progress *p = arg;

	pthread_mutex_lock(&p->lock);
	while (p->step) {
		unsigned number = p->number, seconds = FIRST;
		struct timespec until;

		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec += FIRST;
		while (wait_for_change(p, number, until) == number && p->step) {
			say(p->step, seconds);
			until.tv_sec += NEXT;
			seconds += NEXT;
		}
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static int start_thread(struct progress *p)
{
	pthread_condattr_t attr;
	sigset_t all, before;
	int err;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, &attr);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&p->thread, NULL, run, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

struct progress *progress_start(struct arena *a, const char *step)
{
	struct progress *p;

	if (!isatty(STDERR_FILENO))
		return NULL;
	p = NEW(a, struct progress);
	p->step = step;
	return start_thread(p) ? NULL : p;
}

void progress_step(struct progress *p, const char *step)
{
	if (!p || p->stopped)
		return;
	pthread_mutex_lock(&p->lock);
	p->step = step;
	p->number++;
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

void progress_stop(struct progress *p)
{
	if (!p || p->stopped)
		return;
	progress_step(p, NULL);
	pthread_join(p->thread, NULL);
	p->stopped = true;
}
