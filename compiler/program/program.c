/* SPDX-License-Identifier: GPL-2.0 */
#include "program/program.h"

void program_walk(struct program *p, const struct visitor *v)
{
	vec_each(f, &p->functions)
		walk_stmt(&(*f)->body, v);
	vec_each(it, &p->probes) {
		walk_stmt(&(*it)->entry, v);
		walk_expr(&(*it)->cond, v);
		walk_stmt(&(*it)->body, v);
	}
}
