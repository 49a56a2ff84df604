/* SPDX-License-Identifier: GPL-2.0 */
/*
 * @perf("NAME"): the value of the counter that the probe point perf....counter("NAME") defines.
 * Both use a number, which the first of them assigns.
 */
#include <string.h>

#include "ast/walk.h"
#include "parse/parse.h"
#include "analyse/resolve/tapset.h"
#include "analyse/resolve/values.h"

static struct counter *by_name(struct resolver *r, const char *name)
{
	struct counter *c;

	vec_each(it, &r->counters)
		if (strcmp((*it)->name, name) == 0)
			return *it;
	c = NEW(r->s->arena, struct counter);
	c->name = name;
	c->number = (int)r->counters.n;
	vec_push(r->s->arena, &r->counters, c);
	return c;
}

void counters_define(struct resolver *r, struct probe *p)
{
	struct counter *c = by_name(r, p->event->counter);

	p->counter = c->number;
	if (c->defined) {
		diag_error(r->s->diag, p->range, E_REDEFINED, "the counter '%s' is defined twice",
			   c->name);
		diag_note(r->s->diag, c->probe, "first defined here");
	}
	c->defined = true;
	c->probe = p->range;
}

void counters_read(struct resolver *r, struct expr *e)
{
	const char *name = parse_counter(r->s->diag, e);
	struct counter *c;
	struct expr *number;

	if (!name)
		return;
	if (e->u.at.path.n || e->u.at.pretty || e->u.at.address) {
		diag_error(r->s->diag, e->range, E_BAD_ACCESS,
			   "a counter is a number, without members and without an address");
		diag_hint(r->s->diag, "write @perf(\"%s\") alone", name);
		return;
	}
	c = by_name(r, name);
	if (!c->used)
		c->use = e->range;
	c->used = true;
	number = ast_number(r->s->arena, e->range, c->number);
	memset(&e->u, 0, sizeof(e->u));
	e->kind = EX_CALL;
	e->u.call.name = "__perf";
	e->u.call.name_range = e->range;
	vec_push(r->s->arena, &e->u.call.args, number);
}

static void report_missing(struct resolver *r, const struct counter *c)
{
	struct suggestions sug = { 0 };
	const char *near;

	diag_error(r->s->diag, c->use, E_NO_MATCH, "no probe has a counter '%s'", c->name);
	vec_each(it, &r->counters)
		if ((*it)->defined)
			vec_push(r->s->arena, &sug.v, (*it)->name);
	near = diag_nearest(c->name, sug.v.v, sug.v.n);
	if (near)
		diag_hint(r->s->diag, "did you mean '%s'?", near);
	else
		diag_hint(r->s->diag, "probe perf.hw.instructions.counter(\"%s\") { } would be one",
			  c->name);
}

void counters_check(struct resolver *r)
{
	vec_each(it, &r->counters) {
		if (!(*it)->defined)
			report_missing(r, *it);
		else if (!(*it)->used)
			diag_warn(r->s->diag, (*it)->probe, E_UNUSED,
				  "the counter '%s' is never read: @perf(\"%s\") does", (*it)->name,
				  (*it)->name);
	}
}
