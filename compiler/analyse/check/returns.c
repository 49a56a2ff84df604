/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Returns of so many functions of the kernel that arming them takes long: a note, or beyond a limit
 * an error. The kernel walks all functions that ftrace knows for each kretprobe, and copies the
 * addresses of those that are armed already, so the time for one grows with their number.
 */
#include "analyse/check/check.h"
#include "analyse/check/facts.h"

/* 150 a second at first and 40 after 7,500, as seen on 6.1. */
#define FIRST_US 6700
#define EACH_US 2.4

#define LONG_SECONDS 10

static double seconds_for(size_t n)
{
	return (double)n * (FIRST_US + EACH_US * (double)n / 2) / 1e6;
}

static const char *time_text(const struct check *c, double seconds)
{
	if (seconds < 1.5)
		return "a second";
	return arena_printf(c->s->arena, "%.0f %s", seconds < 120 ? seconds : seconds / 60,
			    seconds < 120 ? "seconds" : "minutes");
}

/* Returns the number of functions; *@most: the probe with most of them. */
static size_t count(const struct check *c, const struct probe **most)
{
	struct arena *a = c->s->arena;
	struct map seen;
	size_t n = 0;

	map_init(&seen, a);
	vec_each(p, &c->p->probes) {
		if ((*p)->kind != PK_RETURN)
			continue;
		if (!*most || (*p)->sites.n > (*most)->sites.n)
			*most = *p;
		vec_each(it, &(*p)->sites) {
			const char *key = arena_printf(a, "%s:%s:%d", (*it)->object, (*it)->symbol,
						       (*it)->namesake);

			n += !map_get(&seen, key);
			map_set(&seen, key, *it);
		}
	}
	return n;
}

void returns_check(const struct check *c)
{
	const struct probe *most = NULL;
	size_t n = c->s->opt.direct ? 0 : count(c, &most);
	size_t limit = (size_t)c->s->opt.caps.maxreturns;
	double seconds = seconds_for(n);

	if (limit && n > limit) {
		diag_error(c->s->diag, most->range, E_LIMIT, "the script probes the returns of %zu "
							     "kernel functions; at most %zu are "
							     "allowed", n, limit);
		diag_hint(c->s->diag, "-D MAXRETURNS=%zu allows them; the kernel arms them one by "
			  "one, for about %s", n, time_text(c, seconds));
		diag_hint(c->s->diag, "entries are armed together, in a few seconds");
		return;
	}
	if (seconds < LONG_SECONDS)
		return;
	diag_remark(c->s->diag, most->range, E_ARM, "the kernel arms the returns of %zu functions "
						    "one by one, which takes about %s, and as long "
						    "again to disarm them", n,
		    time_text(c, seconds));
	diag_hint(c->s->diag, "entries are armed together, in a few seconds; ^C ends the session "
		  "at any time");
}
