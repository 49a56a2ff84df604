/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Named checks as data: a small function and a row for each. A row applies to expressions,
 * statements or both; the walk (rules.c) visits every body once and calls the functions.
 */
#ifndef CHECK_RULES_H
#define CHECK_RULES_H

#include "analyse/check/facts.h"

/* The position of the walk. */
struct rule_at {
	struct body *body;
	bool condition;                      /* in the if (...) of a probe point */
	unsigned loops;                      /* number of loops around the current node */
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

/* A table for each topic, which ends with an empty row. */
extern const struct rule rules_flow[];   /* rules_flow.c: jumps and loops */
extern const struct rule rules_value[];  /* rules_value.c: targets of assignments, literals */
/* rules_probe.c: which constructs fit which kind of probe */
extern const struct rule rules_probe[];

/** rules_literal - warn of a literal that is longer than strings are. */
void rules_literal(struct check *c, const struct expr *e);

#endif
