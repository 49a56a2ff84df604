/* SPDX-License-Identifier: GPL-2.0 */
/* kernel.data: watchpoints of the processor on addresses and variables of the kernel. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "target/arch/names.h"
#include "target/btf/btf.h"
#include "analyse/locate/points/provider.h"
#include "state.h"

enum { ON_WRITE, ON_ACCESS };

static const struct form forms[] = {
	{ "kernel.data(N).write", NULL, ON_WRITE },
	{ "kernel.data(N).rw", NULL, ON_ACCESS },
	{ "kernel.data(N).length(N).write", NULL, ON_WRITE },
	{ "kernel.data(N).length(N).rw", NULL, ON_ACCESS },
	{ "kernel.data(S).write", NULL, ON_WRITE },
	{ "kernel.data(S).rw", NULL, ON_ACCESS },
	{ "kernel.data(S).length(N).write", NULL, ON_WRITE },
	{ "kernel.data(S).length(N).rw", NULL, ON_ACCESS },
};

static int refuse_arg(const struct located_request *rq, const struct pp_component *part,
		      const char *what)
{
	if (!rq->quiet)
		diag_error(rq->s->diag, part->arg->range, E_PROBE_POINT, "%s", what);
	return -EINVAL;
}

static int check_watchpoints(const struct located_request *rq)
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

/* Returns -EINVAL for a pattern: a processor has only a few watchpoints. */
static int check_name(const struct located_request *rq, const struct pp_component *data)
{
	if (data->arg->kind != EX_STR || !strpbrk(data->arg->u.str.s, "*?["))
		return 0;
	return refuse_arg(rq, data, "a watchpoint is on one variable: patterns are not allowed");
}

static bool is_length(int64_t n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

/* Computes the length of a watchpoint. The processor compares it with whole accesses; a length of
 * one byte matches every access that begins there. */
static int length_of(const struct located_request *rq, uint32_t *ret)
{
	const struct pp_component *data = &rq->pp->parts.v[1], *next = &rq->pp->parts.v[2];
	struct variable variable;
	int64_t length = 1;

	*ret = 1;
	if (strcmp(next->name, "length") == 0) {
		table_number(next, &length);
		*ret = (uint32_t)length;
		if (is_length(length))
			return 0;
		return refuse_arg(rq, next, "a watchpoint has a length of 1, 2, 4 or 8 bytes");
	}
	if (data->arg->kind != EX_STR || locate_variable(rq->s, data->arg->u.str.s, &variable))
		return 0;
	if (variable.per_cpu)
		return refuse_arg(rq, data, "each processor has this variable at another address: "
				  "kernel.data(ADDRESS) watches one of them");

	struct btf_shape shape = btf_types_shape(variable.type.db, variable.type.id);

	if (is_length((int64_t)shape.size))
		*ret = (uint32_t)shape.size;
	return 0;
}

static int locate(const struct located_request *rq, struct located *ret)
{
	const struct pp_component *data = &rq->pp->parts.v[1];
	struct event *event = NEW(rq->s->arena, struct event);
	int64_t address = 0;
	int err = check_watchpoints(rq);

	if (!err)
		err = check_name(rq, data);

	if (!err)
		err = length_of(rq, &event->length);
	if (err)
		return err;
	table_number(data, &address);
	if (data->arg->kind != EX_STR && address % event->length != 0)
		return refuse_arg(rq, data, "the address of a watchpoint must be a multiple of its "
				  "length");
	event->is_access = rq->form->what == ON_ACCESS;
	event->text = arena_printf(rq->s->arena, "watch %s %" PRIu32,
				   event->is_access ? "rw" : "write", event->length);
	ret->kind = PK_WATCH;
	ret->event = event;

	struct site *site = table_add_site(rq, ret);

	site->symbol = data->arg->kind == EX_STR ? data->arg->u.str.s : "";
	site->offset = (uint64_t)address;
	return 0;
}

const struct provider data_provider = {
	"data", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
