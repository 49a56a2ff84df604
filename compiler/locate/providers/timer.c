/* SPDX-License-Identifier: GPL-2.0 */
/* Timers of seconds and milliseconds, which run in the session's thread. */
#include <errno.h>

#include "locate/providers/provider.h"
#include "session.h"

#define SECOND 1000000000
#define MILLISECOND 1000000
#define SHORT "timers that run in the interrupt come later; timer.ms is the shortest"

static const struct form forms[] = {
	{ "timer.s(N)", NULL, SECOND },
	{ "timer.s(N).randomize(N)", NULL, SECOND },
	{ "timer.sec(N)", NULL, SECOND },
	{ "timer.sec(N).randomize(N)", NULL, SECOND },
	{ "timer.ms(N)", NULL, MILLISECOND },
	{ "timer.ms(N).randomize(N)", NULL, MILLISECOND },
	{ "timer.msec(N)", NULL, MILLISECOND },
	{ "timer.msec(N).randomize(N)", NULL, MILLISECOND },
	{ "timer.us(N).**", SHORT, 0 },
	{ "timer.usec(N).**", SHORT, 0 },
	{ "timer.ns(N).**", SHORT, 0 },
	{ "timer.nsec(N).**", SHORT, 0 },
	{ "timer.jiffies(N).**", SHORT, 0 },
	{ "timer.hz(N)", SHORT, 0 },
	{ "timer.profile.**", "profiling comes later", 0 },
};

static int bad_number(const struct located_request *rq, const struct pp_component *part,
		      const char *rule)
{
	if (!rq->quiet) {
		struct range r = part->arg ? part->arg->range : part->range;
		diag_error(rq->s->diag, r, E_PROBE_POINT, "'%s' of a timer must be %s", part->name,
			   rule);
	}
	return -EINVAL;
}

static int locate(const struct located_request *rq, struct located *ret)
{
	const struct pp_component *parts = rq->pp->parts.v;
	int64_t unit = rq->form->what, period = 0, randomize = 0;
	ret->kind = PK_TIMER;
	table_number(&parts[1], &period);
	/* Twice the period is the longest wait; it must fit into nanoseconds. */
	if (period < 1 || period > INT64_MAX / 2 / unit)
		return bad_number(rq, &parts[1], "at least 1 and at most some hundred years");
	if (rq->pp->parts.n > 2) {
		table_number(&parts[2], &randomize);
		if (randomize < 0 || randomize > period)
			return bad_number(rq, &parts[2], "between 0 and the period");
	}
	ret->period_ns = period * unit;
	ret->randomize_ns = randomize * unit;
	return 0;
}

const struct provider timer_provider = {
	"timer", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
