/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pass 2b in order: formats, regular expressions, types, aggregates, facts, named checks, storage,
 * conditions, numbers of print statements.
 */
#include "check/check.h"
#include "check/private.h"

static void start_globals(struct program *p)
{
	int n = 0;

	vec_each(it, &p->globals) {
		(*it)->index = n++;
		(*it)->reads = (*it)->writes = 0;
	}
	n = 0;
	vec_each(it, &p->probes)
		(*it)->index = n++;
}

int check_program(struct state *s)
{
	struct check c = { .s = s, .p = s->program };
	unsigned before = diag_errors(s->diag);

	start_globals(c.p);
	formats_check(s, c.p);
	regexes_compile(s, c.p);
	types_infer(s, c.p);
	entries_check(&c);
	aggregates_collect(s, c.p);
	facts_collect(&c);
	rules_run(&c);
	if (diag_errors(s->diag) != before)
		return -1;
	storage_choose(&c);
	gates_choose(&c);
	formats_number(s, c.p);
	return diag_errors(s->diag) == before ? 0 : -1;
}
