/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timers. Those of a millisecond or more run in the session's thread; shorter ones, and those on
 * each processor, interrupt the running code.
 */
#include <errno.h>

#include "analyse/locate/points/provider.h"
#include "state.h"

#define SECOND 1000000000
#define MILLISECOND 1000000
#define MICROSECOND 1000

/* A shorter period would leave no time for anything else. */
#define SHORTEST (10 * MICROSECOND)

/* Units other than a number of nanoseconds. */
enum { HERTZ = -1, JIFFIES = -2, PROFILE = -3, PROFILE_HERTZ = -4 };

static const struct form forms[] = {
	{ "timer.s(N)", NULL, SECOND },
	{ "timer.s(N).randomize(N)", NULL, SECOND },
	{ "timer.sec(N)", NULL, SECOND },
	{ "timer.sec(N).randomize(N)", NULL, SECOND },
	{ "timer.ms(N)", NULL, MILLISECOND },
	{ "timer.ms(N).randomize(N)", NULL, MILLISECOND },
	{ "timer.msec(N)", NULL, MILLISECOND },
	{ "timer.msec(N).randomize(N)", NULL, MILLISECOND },
	{ "timer.us(N)", NULL, MICROSECOND },
	{ "timer.us(N).randomize(N)", NULL, MICROSECOND },
	{ "timer.usec(N)", NULL, MICROSECOND },
	{ "timer.usec(N).randomize(N)", NULL, MICROSECOND },
	{ "timer.ns(N)", NULL, 1 },
	{ "timer.ns(N).randomize(N)", NULL, 1 },
	{ "timer.nsec(N)", NULL, 1 },
	{ "timer.nsec(N).randomize(N)", NULL, 1 },
	{ "timer.jiffies(N)", NULL, JIFFIES },
	{ "timer.jiffies(N).randomize(N)", NULL, JIFFIES },
	{ "timer.hz(N)", NULL, HERTZ },
	{ "timer.profile", NULL, PROFILE },
	{ "timer.profile.tick", NULL, PROFILE },
	{ "timer.profile.freq(N)", NULL, PROFILE_HERTZ },
	{ "timer.profile.freq.hz(N)", NULL, PROFILE_HERTZ },
};

static int bad_number(const struct located_request *rq, const struct pp_component *part,
		      const char *rule)
{
	return provider_bad_number(rq, part, "a timer", rule);
}

/* timer.hz, timer.profile.freq.hz: the last component has the number. */
static int locate_frequency(const struct located_request *rq, struct located *ret)
{
	const struct pp_component *last = &rq->pp->parts.v[rq->pp->parts.n - 1];
	int64_t hz = 0;

	provider_number(last, &hz);
	if (hz < 1 || hz > SECOND / SHORTEST)
		return bad_number(rq, last, "at least 1 and at most 100000");
	ret->period_ns = SECOND / hz;
	return 0;
}

static int locate_period(const struct located_request *rq, struct located *ret)
{
	const struct pp_component *parts = rq->pp->parts.v;
	int64_t unit = rq->form->what, period = 0, randomize = 0;
	/* A jiffy has 10 milliseconds at most. */
	int64_t most = INT64_MAX / 2 / (unit == JIFFIES ? 10 * MILLISECOND : unit);

	provider_number(&parts[1], &period);
	/* Twice the period is the longest wait; it must fit into nanoseconds. */
	if (period < 1 || period > most)
		return bad_number(rq, &parts[1], "from 1 to a few hundred years");
	if (unit > 0 && period * unit < SHORTEST)
		return bad_number(rq, &parts[1], "10 microseconds or more");
	if (rq->pp->parts.n > 2) {
		provider_number(&parts[2], &randomize);
		if (randomize < 0 || randomize > period)
			return bad_number(rq, &parts[2], "between 0 and the period");
	}
	ret->in_jiffies = unit == JIFFIES;
	ret->period_ns = period * (unit > 0 ? unit : 1);
	ret->randomize_ns = randomize * (unit > 0 ? unit : 1);
	return 0;
}

static int locate(const struct located_request *rq, struct located *ret)
{
	int64_t unit = rq->form->what;
	int err = 0;

	ret->each_cpu = unit == PROFILE || unit == PROFILE_HERTZ;
	if (unit == HERTZ || unit == PROFILE_HERTZ) {
		err = locate_frequency(rq, ret);
	} else if (unit == PROFILE) {
		ret->in_jiffies = true;
		ret->period_ns = 1;
	} else {
		err = locate_period(rq, ret);
	}
	if (err)
		return err;

	bool in_thread = !ret->each_cpu && (ret->in_jiffies || ret->period_ns >= MILLISECOND);

	ret->kind = in_thread ? PK_TIMER : PK_CLOCK;
	if (!in_thread)
		provider_add_site(rq, ret);
	return 0;
}

const struct provider timer_provider = {
	"timer", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
