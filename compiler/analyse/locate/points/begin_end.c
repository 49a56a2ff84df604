/* SPDX-License-Identifier: GPL-2.0 */
/* begin, end and error, each with an optional order, snapshot and never. */
#include "analyse/locate/points/provider.h"
#include "state.h"

enum { IS_INIT = 100 };

static const struct form forms[] = {
	{ "begin", NULL, PK_BEGIN },
	{ "begin(N)", NULL, PK_BEGIN },
	{ "end", NULL, PK_END },
	{ "end(N)", NULL, PK_END },
	{ "error", NULL, PK_ERROR },
	{ "error(N)", NULL, PK_ERROR },
	{ "snapshot", NULL, PK_SNAPSHOT },
	{ "never", NULL, PK_NEVER },
	{ "init", NULL, IS_INIT },
	{ "oneshot", "write `probe begin { ... exit() }`", 0 },
};

static int locate(const struct located_request *rq, struct located *ret)
{
	if (rq->form->what == IS_INIT) {
		ret->kind = PK_BEGIN;
		ret->order = INT64_MIN;
		return 0;
	}
	ret->kind = (enum probe_kind)rq->form->what;
	provider_number(&rq->pp->parts.v[0], &ret->order);
	return 0;
}

const struct provider begin_end_provider = {
	"begin_end", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
