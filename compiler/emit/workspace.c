/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many bytes of the workspace a script needs: the most that one of its probes does with the
 * functions that it calls. Functions that don't recurse run only below the last level of a
 * recursion, so they count once.
 */
#include "emit/graph.h"
#include "emit/probe.h"
#include "emit/tables.h"

static void add_call(struct emit_finfo *fi, void *data);

static struct emit_deepest below(struct emit_finfo *fi)
{
	struct emit_deepest d = { 0, 0 };

	/* In progress: its workspace is counted by the depth of recursion instead. */
	if (fi->visiting)
		return d;
	if (fi->below_known)
		return fi->below;
	fi->visiting = true;
	vec_each(it, &fi->callees)
		add_call(*it, &d);
	fi->visiting = false;
	if (!fi->func->recursive)
		d.plain += fi->workspace_size;
	else if (d.recursive < fi->workspace_size)
		d.recursive = fi->workspace_size;
	/* The depth below a function in a cycle depends on where the cycle is entered. */
	fi->below_known = !fi->func->recursive;
	fi->below = d;
	return d;
}

static void add_call(struct emit_finfo *fi, void *data)
{
	struct emit_deepest *d = data, one = below(fi);

	if (d->plain < one.plain)
		d->plain = one.plain;
	if (d->recursive < one.recursive)
		d->recursive = one.recursive;
}

uint64_t emit_workspace_size(struct emit *e)
{
	uint64_t most = 0;

	for (size_t i = 0; i < e->p->probes.n; i++) {
		struct probe *p = e->p->probes.v[i];
		struct emit_deepest d = { 0, 0 };
		uint64_t sum;

		emit_entry_callees(e, p, add_call, &d);
		sum = e->probes.v[i].workspace_size + d.plain + (uint64_t)d.recursive *
		      (uint64_t)e->s->opt.caps.maxnesting;
		if (most < sum)
			most = sum;
	}
	return most;
}
