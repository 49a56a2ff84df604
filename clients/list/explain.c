/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --explain of a script: the sites of each probe with their mechanism, and each value that a
 * handler can name there, with its location or the reason why it is not available.
 */
#include <inttypes.h>
#include <string.h>

#include "target/arch/arch.h"
#include "base/source.h"
#include "target/dwarf/dwarf.h"
#include "target/kernel/kernel.h"
#include "list/list.h"
#include "list/private.h"
#include "analyse/locate/locate.h"
#include "target/object/object.h"

enum { SITES_SHOWN = 50 };

/* Whether ftrace may reach it: it is the beginning of a function. */
static bool is_beginning(const struct probe *p, const struct site *site)
{
	return p->kind == PK_ENTRY || (p->kind == PK_PLACE && *site->symbol && !site->offset);
}

static const char *mechanism(struct state *s, const struct probe *p, const struct site *site)
{
	bool of_kernel = strcmp(site->object, "kernel") == 0;

	if (site->exits && !site->exits->why)
		return arena_printf(s->arena, "breakpoints at its %zu instruction%s that return%s",
				    site->exits->offsets.n, site->exits->offsets.n == 1 ? "" : "s",
				    site->exits->offsets.n == 1 ? "s" : "");
	if (site->exits)
		return arena_printf(s->arena, "a uretprobe, as %s", site->exits->why);
	if (site->user || !is_beginning(p, site))
		return site_kind(probe_kind_emitted(p))->mechanism;
	if (!of_kernel)
		return "ftrace, or a kprobe where ftrace can't trace it";
	return kernel_forbids(s->kernel, site->symbol) ? "a kprobe" :
							 site_kind(PK_ENTRY)->mechanism;
}

static void put_site(struct state *s, struct buf *out, const struct probe *p,
		     const struct site *site)
{
	const struct dwarf_place *place = site->place;

	if (site_kind(p->kind)->site != PRT_SITE_CODE) {
		buf_printf(out, "  by %s%s%s\n", mechanism(s, p, site), site->system ? " " : "",
			   site->system ? site->symbol : "");
		return;
	}
	buf_printf(out, "  at %s+0x%" PRIx64, site->symbol, site->offset);
	if (site->namesake)
		buf_printf(out, " (function %d of that name)", site->namesake + 1);
	if (site->user)
		buf_printf(out, " of %s", site->object);
	else if (strcmp(site->object, "kernel") != 0)
		buf_printf(out, " of module %s", site->object);
	if (site->syscall)
		buf_printf(out, ", for system call %u", site->syscall - 1);
	if (place && place->file)
		buf_printf(out, ", %s", place->file);
	if (place && place->file && place->line)
		buf_printf(out, ":%u", place->line);
	if (place && place->inlined)
		buf_printf(out, ", a copy of %s", place->function);
	buf_printf(out, ": by %s\n", mechanism(s, p, site));
}

/* ---- values ---- */

static void put_location(struct buf *out, const struct location *l)
{
	const struct location_piece *p = &l->pieces.v[0];

	if (access_uses(l, LO_THREAD) || access_uses(l, LO_THREAD_BLOCK)) {
		buf_puts(out, "in thread-local memory of the thread");
	} else if (l->pieces.n > 1) {
		buf_printf(out, "in %zu pieces", l->pieces.n);
	} else if (p->ops.n == 1 && p->ops.v[0].kind == LO_CONST) {
		buf_printf(out, "always %" PRId64, p->ops.v[0].n);
	} else if (p->ops.n && p->ops.v[0].kind == LO_REG) {
		buf_printf(out, "%s register %s", p->is_value && p->ops.n == 1 ? "in" :
			   p->is_value ? "computed from" : "in memory, by", p->ops.v[0].name);
	} else if (p->ops.n == 1 && p->ops.v[0].kind == LO_SIMD) {
		buf_printf(out, "in vector register %" PRId64, p->ops.v[0].n);
	} else if (l->entry_reg) {
		buf_printf(out, "%s register %s at the function's entry, which a probe there keeps",
			   !p->is_value ? "in memory, by" : p->ops.n == 1 ? "in" : "computed from",
			   l->entry_reg);
	} else if (p->ops.n && p->ops.v[0].kind == LO_PROGRAM) {
		buf_printf(out, "in memory of the processes that run %s",
			   p->ops.v[0].program->program);
	} else if (p->ops.n && p->ops.v[0].kind == LO_SYMBOL) {
		buf_printf(out, "in memory, at %s", p->ops.v[0].name);
	} else {
		buf_printf(out, "computed in %zu steps", p->ops.n);
	}
}

static void put_origin(struct buf *out, const struct access *a)
{
	const char *origin = list_origin(a);

	if (origin)
		buf_printf(out, ", by %s", origin);
}

static void put_where(struct buf *out, const struct probe *p, const struct access *a)
{
	/* The value in the register or slot is the address of the object. */
	const char *in = a->object_size && !a->steps.n ? "at the address in" : "in";

	if (a->base == AB_SYSCALL_ARG) {
		buf_puts(out, "in the register that the interface of the call has for it");
		return;
	}
	if (site_kind_is_trace(p->kind)) {
		buf_puts(out, "an argument of the tracepoint");
		return;
	}
	if (site_kind_is_hook(p->kind)) {
		buf_puts(out, "given to the hook");
		return;
	}
	switch (a->base) {
	case AB_REG_ARG:
		buf_printf(out, "%s register %s at the entry", in,
			   arch_argument_name(a->n) ? arch_argument_name(a->n) : "?");
		break;
	case AB_STACK_ARG:
		buf_printf(out, "%s slot %u of the caller's stack at the entry", in, a->n);
		break;
	case AB_STACK_ARG_32:
	case AB_STACK_PAIR_32:
		buf_printf(out, "in the caller's stack at the entry, at esp + %u", 4 * (a->n + 1));
		break;
	case AB_SIMD_ARG:
		buf_printf(out, "in vector register %u at the entry", a->n);
		break;
	case AB_SIMD_RETURN:
		buf_printf(out, "in vector register %u at the return", a->n);
		break;
	case AB_RETURN:
		buf_printf(out, "%s register ax at the return", in);
		break;
	case AB_LOCATION:
		put_location(out, a->location);
		break;
	default:
		buf_puts(out, "passed to the probe");
	}
	if (a->at_entry_saved)
		buf_puts(out, ", kept for the return");
	put_origin(out, a);
}

/* The reason, as in the error that a use of the value would cause. */
static const char *why_not(struct state *s, const struct probe *p, const char *name)
{
	struct expr e = { .kind = EX_CONTEXT };
	const char *text;

	e.u.context.name = name;
	diag_hold(s->diag);
	locate_context(s, p->sites.v[0], p->kind, &e, false);
	text = diag_held_text(s->diag);
	diag_release(s->diag);
	return text ? text : "not available";
}

static void put_values(struct state *s, struct buf *out, const struct probe *p)
{
	struct visible_list values = { 0 };

	locate_context_values(s, p->sites.v[0], p->kind, &values);
	vec_each(it, &values.v) {
		buf_printf(out, "    %s", it->name);
		if (it->type)
			buf_printf(out, ": %s", it->type);
		buf_puts(out, ", ");
		if (it->access)
			put_where(out, p, it->access);
		else
			buf_puts(out, why_not(s, p, it->name));
		buf_putc(out, '\n');
	}
	if (!values.v.n)
		buf_puts(out, "    no $variables\n");
}

void explain_program(struct state *s, struct buf *out)
{
	vec_each(it, &s->program->probes) {
		const struct probe *p = *it;
		size_t n = 0;

		buf_puts(out, p->pp);
		if (p->range.src)
			buf_printf(out, "  (%s:%u)", p->range.src->name,
				   source_linecol(p->range.src, p->range.start).line);
		buf_putc(out, '\n');
		vec_each(site, &p->sites)
			if (n++ < SITES_SHOWN)
				put_site(s, out, p, *site);
		if (n > SITES_SHOWN)
			buf_printf(out, "  and at %zu more places\n", n - SITES_SHOWN);
		if (n > 1)
			buf_puts(out, "  one handler for all of them; at the first:\n");
		if (n)
			put_values(s, out, p);
		else
			buf_puts(out, "  in the session's thread\n");
	}
}
