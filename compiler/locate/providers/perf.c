/* SPDX-License-Identifier: GPL-2.0 */
/* perf: counters of the processor and of the kernel, on every processor; a hit each so many
 * events, or so many times a second; or none, where handlers read the counter. */
#include <errno.h>

#include "locate/providers/provider.h"
#include "session.h"

enum { BY_DEFAULT, BY_EVENTS, BY_FREQUENCY, TO_BE_READ };

#define EVENTS_BY_DEFAULT 1000000
#define HIGHEST_FREQUENCY 100000

#define PROCESS "counters of one process come with probes in user space"

static const struct form forms[] = {
	{ "perf.type(N).config(N)", NULL, BY_DEFAULT },
	{ "perf.type(N).config(N).sample(N)", NULL, BY_EVENTS },
	{ "perf.type(N).config(N).hz(N)", NULL, BY_FREQUENCY },
	{ "perf.type(N).config(N).counter(S)", NULL, TO_BE_READ },
	{ "perf.type(N).config(N).process.**", PROCESS, 0 },
	{ "perf.type(N).config(N).process(S).**", PROCESS, 0 },
	{ "perf.type(N).config(N).sample(N).process.**", PROCESS, 0 },
	{ "perf.type(N).config(N).sample(N).process(S).**", PROCESS, 0 },
	{ "perf.type(N).config(N).hz(N).process.**", PROCESS, 0 },
	{ "perf.type(N).config(N).hz(N).process(S).**", PROCESS, 0 },
};

static int bad_number(const struct located_request *rq, const struct pp_component *part,
		      const char *rule)
{
	return table_bad_number(rq, part, "perf", rule);
}

static int locate(const struct located_request *rq, struct located *ret)
{
	const struct pp_component *parts = rq->pp->parts.v;
	struct event *event = NEW(rq->s->arena, struct event);
	int64_t type = 0, config = 0, sample = EVENTS_BY_DEFAULT;
	table_number(&parts[1], &type);
	table_number(&parts[2], &config);
	if (type < 0 || type > UINT32_MAX)
		return bad_number(rq, &parts[1], "a number of 32 bits");
	if (rq->form->what == BY_EVENTS || rq->form->what == BY_FREQUENCY)
		table_number(&parts[3], &sample);
	if (sample < 1)
		return bad_number(rq, &parts[3], "at least 1");
	if (rq->form->what == BY_FREQUENCY && sample > HIGHEST_FREQUENCY)
		return bad_number(rq, &parts[3], "at most 100000");
	if (rq->form->what == TO_BE_READ) {
		event->counter = parts[3].arg->u.str.s;
		sample = 0;
	}
	event->type = (uint32_t)type;
	event->config = (uint64_t)config;
	event->sample = (uint64_t)sample;
	event->is_frequency = rq->form->what == BY_FREQUENCY;
	ret->kind = PK_PERF;
	ret->event = event;
	table_add_site(rq, ret);
	return 0;
}

const struct provider perf_provider = {
	"perf", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
