/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Named checks as data: one small function and one row each. A row hooks into expressions,
 * statements or both; the walk (rules.c) visits every body once and calls the hooks.
 */
#ifndef CHECK_RULES_H
#define CHECK_RULES_H

#include "check/private.h"

/* The position of the walk. */
struct rule_at {
	struct body *body;
	bool condition;                      /* in the if (...) of a probe point */
	unsigned loops;                      /* loops around this place */
	VEC(const struct foreach *) foreach; /* the foreach loops among them, outermost first */
};

struct rule {
	const char *name;
	enum diag_id id;
	void (*expr)(struct check *c, const struct rule *r, const struct rule_at *at,
		     struct expr *e);
	void (*stmt)(struct check *c, const struct rule *r, const struct rule_at *at,
		     struct stmt *s);
};

/* One table a topic; each ends with an empty row. */
extern const struct rule rules_flow[];   /* rules_flow.c: jumps and loops */
extern const struct rule rules_value[];  /* rules_value.c: what can be assigned */
extern const struct rule rules_probe[];  /* rules_probe.c: what fits which kind of probe */

#endif
