/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Switches of probes, which --monitor asks for: a byte for each probe, which the loader sets while
 * the session runs. The runtime arms and disarms by them as by gates, and each handler tests its
 * own, because a point stays armed for its other probes. Without --monitor, nothing is emitted.
 */
#include "emit/probe.h"

bool emit_switch_has(const struct emit *e, const struct probe *p)
{
	if (!e->s->opt.monitor || site_kind_is_alone(p->kind))
		return false;
	/* Handlers of other probes need what these two save or count. */
	if (p->helper || (p->event && p->event->counter))
		return false;
	/* The timers of a snapshot. */
	if (p->always)
		return false;
	/* A process that reads or writes the file expects that it is handled, as does proberun. */
	return p->kind != PK_PROCFS_READ && p->kind != PK_PROCFS_WRITE && p->kind != PK_INPUT;
}

bool emit_switch_any(const struct emit *e)
{
	vec_each(it, &e->p->probes)
		if (emit_switch_has(e, *it))
			return true;
	return false;
}

void emit_switch_table(struct emit *e)
{
	if (emit_switch_any(e))
		buf_printf(e->out, "static u8 switches[%zu];\n\n", e->p->probes.n);
}

/* A full entry can fail, and print, so it does not run either. Others only save values, which a
 * handler that is switched on before the return needs. */
static bool has_entry(const struct emit *e, const struct probe *p)
{
	return e->entries[p->index].full && emit_switch_has(e, p);
}

void emit_switch_put_entry(struct emit *e, const struct probe *p)
{
	if (has_entry(e, p))
		buf_printf(e->out, "PRT_SWITCHED_ENTRY(%d)\n\n", p->index);
}

const char *emit_switch_entry(const struct emit *e, const struct probe *p)
{
	return has_entry(e, p) ? "switched_entry" : "entry";
}
