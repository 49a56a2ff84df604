/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of the processor and of the kernel, on every processor. A probe is hit once in so many
 * events or so many times a second, or never, if handlers read the counter. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "ast/points.h"
#include "base/subprocess.h"
#include "analyse/locate/points/provider.h"
#include "state.h"

enum { BY_DEFAULT, BY_EVENTS, BY_FREQUENCY, TO_BE_READ };

#define EVENTS_BY_DEFAULT 1000000
#define HIGHEST_FREQUENCY 100000

/* The forms of one event: for all processes, for target(), for a program. */
#define WHOSE(text, what)                                                                          \
	{ "perf.type(N).config(N)" text, NULL, what },                                             \
	{ "perf.type(N).config(N)" text ".process", NULL, what },                                  \
	{ "perf.type(N).config(N)" text ".process(S)", NULL, what }

static const struct form forms[] = {
	WHOSE("", BY_DEFAULT),
	WHOSE(".sample(N)", BY_EVENTS),
	WHOSE(".hz(N)", BY_FREQUENCY),
	{ "perf.type(N).config(N).counter(S)", NULL, TO_BE_READ },
	{ "perf.type(N).config(N).process.counter(S)", NULL, TO_BE_READ },
	{ "perf.type(N).config(N).process(S).counter(S)", NULL, TO_BE_READ },
};

static int bad_number(const struct located_request *rq, const struct pp_component *part,
		      const char *rule)
{
	return provider_bad_number(rq, part, "perf", rule);
}

static int bad_name(const struct located_request *rq, const struct expr *name,
			   const char *why, const char *hint)
{
	if (!rq->quiet) {
		diag_error(rq->s->diag, name->range, E_NO_MATCH, "%s '%s'", why, name->u.str.s);
		diag_hint(rq->s->diag, "%s", hint);
	}
	return -ENOENT;
}

/* Finds the path under which the program exists where the script runs. A name without a slash is
 * searched in PATH on this machine, as a shell does. */
static int find_program(const struct located_request *rq, const char **ret)
{
	const struct pp_component *part = points_part(rq->pp, "process");
	const char *name = part && part->arg ? part->arg->u.str.s : NULL;

	*ret = part ? "" : NULL;
	if (!name)
		return 0;
	if (!*name || (strchr(name, '/') && name[0] != '/'))
		return bad_name(rq, part->arg, "not an absolute path:",
				       "a path begins with /, a name without / is found in PATH");
	*ret = name[0] == '/' ? name : subprocess_find(rq->s->arena, name);
	if (!*ret)
		return bad_name(rq, part->arg, "no such program in PATH:",
				       "give the whole path of the program where the script runs");
	return 0;
}

static int locate(const struct located_request *rq, struct located *ret)
{
	const struct pp_component *parts = rq->pp->parts.v;
	struct event *event = NEW(rq->s->arena, struct event);
	int64_t type = 0, config = 0, sample = EVENTS_BY_DEFAULT;
	int err = find_program(rq, &event->program);

	if (err)
		return err;
	provider_number(&parts[1], &type);
	provider_number(&parts[2], &config);
	if (type < 0 || type > UINT32_MAX)
		return bad_number(rq, &parts[1], "a number of 32 bits");
	if (rq->form->what == BY_EVENTS || rq->form->what == BY_FREQUENCY)
		provider_number(&parts[3], &sample);
	if (sample < 1)
		return bad_number(rq, &parts[3], "at least 1");
	if (rq->form->what == BY_FREQUENCY && sample > HIGHEST_FREQUENCY)
		return bad_number(rq, &parts[3], "at most 100000");
	if (rq->form->what == TO_BE_READ) {
		const struct expr *name = points_part(rq->pp, "counter")->arg;

		if (!name->u.str.len)
			return bad_name(rq, name, "a counter needs a name, not",
					       "@perf(\"NAME\") reads .counter(\"NAME\")");
		event->counter = name->u.str.s;
		sample = 0;
	}
	event->type = (uint32_t)type;
	event->config = (uint64_t)config;
	event->sample = (uint64_t)sample;
	event->is_frequency = rq->form->what == BY_FREQUENCY;
	event->text = arena_printf(rq->s->arena, "event %" PRIu32 ":%#" PRIx64, event->type,
				   event->config);
	if (event->sample)
		event->text = arena_printf(rq->s->arena, "%s %s %" PRIu64, event->text,
					   event->is_frequency ? "hz" : "each", event->sample);
	ret->kind = PK_PERF;
	ret->event = event;
	provider_add_site(rq, ret);
	return 0;
}

const struct provider perf_provider = {
	"perf", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
