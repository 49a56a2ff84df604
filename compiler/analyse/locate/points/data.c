/* SPDX-License-Identifier: GPL-2.0 */
/* kernel.data: watchpoints of the processor on addresses and variables of the kernel. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "ast/points.h"
#include "target/arch/names.h"
#include "target/btf/btf.h"
#include "analyse/locate/points/data.h"
#include "state.h"

static const struct form forms[] = {
	{ "kernel.data(N).write", NULL, 0 },
	{ "kernel.data(N).rw", NULL, 0 },
	{ "kernel.data(N).length(N).write", NULL, 0 },
	{ "kernel.data(N).length(N).rw", NULL, 0 },
	{ "kernel.data(S).write", NULL, 0 },
	{ "kernel.data(S).rw", NULL, 0 },
	{ "kernel.data(S).length(N).write", NULL, 0 },
	{ "kernel.data(S).length(N).rw", NULL, 0 },
};

int data_refuse(const struct located_request *rq, const struct pp_component *part, const char *what)
{
	if (!rq->quiet)
		diag_error(rq->s->diag, part->arg->range, E_PROBE_POINT, "%s", what);
	return -EINVAL;
}

static int check_processor(const struct located_request *rq)
{
	if (!arch_names->no_watchpoints)
		return 0;
	if (!rq->quiet) {
		diag_error(rq->s->diag, rq->pp->range, E_NOT_SUPPORTED,
			   "watchpoints are not supported for %s: %s", arch_names->machine,
			   arch_names->no_watchpoints);
		diag_hint(rq->s->diag, "probe the functions that change the variable");
	}
	return -ENOTSUP;
}

/* A processor has only a few watchpoints. */
int data_check(const struct located_request *rq)
{
	const struct pp_component *data = points_part(rq->pp, "data");
	int err = check_processor(rq);

	if (err || data->arg->kind != EX_STR || !strpbrk(data->arg->u.str.s, "*?["))
		return err;
	return data_refuse(rq, data, "a watchpoint watches one variable: patterns are not allowed");
}

static bool is_length(int64_t n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

int data_length(const struct located_request *rq, uint64_t size, uint32_t *ret)
{
	const struct pp_component *part = points_part(rq->pp, "length");
	int64_t length = is_length((int64_t)size) ? (int64_t)size : 1;

	if (part)
		provider_number(part, &length);
	*ret = (uint32_t)length;
	if (is_length(length))
		return 0;
	return data_refuse(rq, part, "a watchpoint has a length of 1, 2, 4 or 8 bytes");
}

struct event *data_event(const struct located_request *rq, uint32_t length)
{
	struct event *event = NEW(rq->s->arena, struct event);

	event->length = length;
	event->is_access = strcmp(rq->pp->parts.v[rq->pp->parts.n - 1].name, "rw") == 0;
	event->text = arena_printf(rq->s->arena, "watch %s %" PRIu32,
				   event->is_access ? "rw" : "write", length);
	return event;
}

/* Computes the length of a watchpoint. The processor compares it with whole accesses; a length of
 * one byte matches every access that begins there. */
static int length_of(const struct located_request *rq, uint32_t *ret)
{
	const struct pp_component *data = &rq->pp->parts.v[1];
	struct btf_shape shape = { 0 };
	struct variable variable;

	if (points_part(rq->pp, "length") || data->arg->kind != EX_STR ||
	    locate_variable(rq->s, data->arg->u.str.s, &variable))
		return data_length(rq, 0, ret);
	if (variable.per_cpu)
		return data_refuse(rq, data, "each processor has this variable at another address: "
				   "kernel.data(ADDRESS) watches one of them");
	shape = btf_types_shape(variable.type.db, variable.type.id);
	return data_length(rq, shape.size, ret);
}

static int locate(const struct located_request *rq, struct located *ret)
{
	const struct pp_component *data = &rq->pp->parts.v[1];
	uint32_t length = 0;
	int64_t address = 0;
	int err = data_check(rq);

	if (!err)
		err = length_of(rq, &length);
	if (err)
		return err;
	provider_number(data, &address);
	if (data->arg->kind != EX_STR && address % length != 0)
		return data_refuse(rq, data, DATA_NOT_ALIGNED);
	ret->kind = PK_WATCH;
	ret->event = data_event(rq, length);

	struct site *site = provider_add_site(rq, ret);

	site->symbol = data->arg->kind == EX_STR ? data->arg->u.str.s : "";
	site->offset = (uint64_t)address;
	return 0;
}

const struct provider data_provider = {
	"data", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
