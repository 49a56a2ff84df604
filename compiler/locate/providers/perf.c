/* SPDX-License-Identifier: GPL-2.0 */
/* perf: counters of the processor and of the kernel, on every processor; a hit each so many
 * events, or so many times a second; or none, where handlers read the counter. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "locate/providers/provider.h"
#include "session.h"

#define EVENTS_BY_DEFAULT 1000000
#define HIGHEST_FREQUENCY 100000

/* The parts that may follow, in this order. */
static const struct form forms[] = {
	{ "perf.type(N).config(N)", NULL, 0 },
	{ "perf.type(N).config(N).counter(S)", NULL, 0 },
	{ "perf.type(N).config(N).process", NULL, 0 },
	{ "perf.type(N).config(N).process(S)", NULL, 0 },
	{ "perf.type(N).config(N).process.counter(S)", NULL, 0 },
	{ "perf.type(N).config(N).process(S).counter(S)", NULL, 0 },
	{ "perf.type(N).config(N).sample(N)", NULL, 0 },
	{ "perf.type(N).config(N).sample(N).process", NULL, 0 },
	{ "perf.type(N).config(N).sample(N).process(S)", NULL, 0 },
	{ "perf.type(N).config(N).hz(N)", NULL, 0 },
	{ "perf.type(N).config(N).hz(N).process", NULL, 0 },
	{ "perf.type(N).config(N).hz(N).process(S)", NULL, 0 },
};

static int bad_number(const struct located_request *rq, const struct pp_component *part,
		      const char *rule)
{
	return table_bad_number(rq, part, "perf", rule);
}

/* .sample(N), .hz(N) */
static int locate_rate(const struct located_request *rq, const struct pp_component *part,
		       struct event *event)
{
	int64_t n = 0;

	table_number(part, &n);
	event->is_frequency = strcmp(part->name, "hz") == 0;
	if (n < 1)
		return bad_number(rq, part, "at least 1");
	if (event->is_frequency && n > HIGHEST_FREQUENCY)
		return bad_number(rq, part, "at most 100000");
	event->sample = (uint64_t)n;
	return 0;
}

/* .process("PATH"): a name without a directory is looked for as a shell does. */
static int locate_program(const struct located_request *rq, const struct pp_component *part,
			  struct event *event)
{
	struct arena *a = rq->s->arena;
	const char *name = part->arg ? part->arg->u.str.s : "", *path = getenv("PATH");

	event->program = name;
	if (*name == '/' || !part->arg)
		return 0;
	while (path && *path && *name && !strchr(name, '/')) {
		size_t len = strcspn(path, ":");
		const char *file = arena_printf(a, "%.*s/%s", (int)len, path, name);

		if (*path == '/' && access(file, X_OK) == 0) {
			event->program = file;
			return 0;
		}
		path += len + (path[len] == ':');
	}
	if (!rq->quiet) {
		diag_error(rq->s->diag, part->arg->range, E_NO_MATCH, "there is no program '%s'",
			   name);
		diag_hint(rq->s->diag, "give its whole path, as it is where the script runs");
	}
	return -ENOENT;
}

static int locate(const struct located_request *rq, struct located *ret)
{
	const struct pp_component *parts = rq->pp->parts.v;
	struct event *event = NEW(rq->s->arena, struct event);
	int64_t type = 0, config = 0;
	int err = 0;
	table_number(&parts[1], &type);
	table_number(&parts[2], &config);
	if (type < 0 || type > UINT32_MAX)
		return bad_number(rq, &parts[1], "a number of 32 bits");
	event->type = (uint32_t)type;
	event->config = (uint64_t)config;
	event->sample = EVENTS_BY_DEFAULT;
	for (size_t i = 3; i < rq->pp->parts.n && !err; i++) {
		if (strcmp(parts[i].name, "counter") == 0) {
			event->counter = parts[i].arg->u.str.s;
			event->sample = 0;
		} else if (strcmp(parts[i].name, "process") == 0) {
			err = locate_program(rq, &parts[i], event);
		} else {
			err = locate_rate(rq, &parts[i], event);
		}
	}
	if (err)
		return err;
	ret->kind = PK_PERF;
	ret->event = event;
	table_add_site(rq, ret);
	return 0;
}

const struct provider perf_provider = {
	"perf", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
