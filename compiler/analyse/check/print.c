/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints the output of -p2: the analysed program in the order of the script, one fact in each line.
 * With -v it adds the reason for the storage of each global, and the most steps of a hit.
 */
#include <inttypes.h>

#include "ast/print.h"
#include "analyse/check/check.h"
#include "program/program.h"
#include "state.h"

static const char *storage_name(enum storage st)
{
	switch (st) {
	case STORE_PERCPU: return "per-cpu";
	case STORE_LOCKED: return "locked";
	case STORE_UNLOCKED: return "unlocked";
	case STORE_NONE: break;
	}
	return "none";
}

static void put_stat_ops(struct buf *b, const struct symbol *g)
{
	static const char *const names[] = { "count", "sum", "min", "max", "avg", "variance",
					     "hist_log", "hist_linear", "quantile", "hist_exp" };
	const char *sep = " ";

	for (unsigned op = 0; op < sizeof(names) / sizeof(names[0]); op++) {
		if (!(g->stat_ops & (1u << op)))
			continue;
		buf_printf(b, "%s%s", sep, names[op]);
		if (op == AGG_HIST_LINEAR)
			buf_printf(b, "(%" PRId64 ",%" PRId64 ",%" PRId64 ")", g->hist_low,
				   g->hist_high, g->hist_width);
		sep = ",";
	}
}

static void put_global(struct state *s, struct buf *b, const struct symbol *g)
{
	buf_puts(b, g->name);
	for (int i = 0; g->is_array && i < g->nkeys; i++)
		buf_printf(b, "%c%s", i ? ',' : '[', print_type_name(g->key_type[i]));
	buf_printf(b, "%s: %s %s", g->is_array ? "]" : "", print_type_name(g->type),
		   storage_name(g->storage));
	put_stat_ops(b, g);
	if (g->size)
		buf_printf(b, " size %" PRId64, g->size);
	if (g->wrap)
		buf_puts(b, " wrap");
	if (g->g_value) {
		buf_printf(b, " = %s", g->g_value);
	} else if (g->init) {
		buf_puts(b, " = ");
		print_expr(b, g->init);
	}
	if (s->opt.verbose && g->storage_why)
		buf_printf(b, "  # %s", g->storage_why);
	buf_putc(b, '\n');
}

static void put_locals(struct buf *b, struct symbol *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(b, "\tlocal %s:%s\n", v[i]->name, print_type_name(v[i]->type));
}

static void put_function(struct buf *b, const struct function *f)
{
	buf_printf(b, "%s:%s (", f->name, print_type_name(f->ret));
	for (size_t i = 0; i < f->params.n; i++)
		buf_printf(b, "%s%s:%s", i ? ", " : "", f->params.v[i]->name,
			   print_type_name(f->params.v[i]->type));
	buf_printf(b, ")%s%s%s\n", f->embedded ? " embedded" : "", f->recursive ? " recursive" : "",
		   f->pure ? " pure" : "");
	put_locals(b, f->locals.v, f->locals.n);
}

static void put_settings(struct buf *b, const struct probe *p)
{
	const char *unit = p->in_jiffies ? "jiffies" : "ns";

	if (p->order)
		buf_printf(b, "\torder %" PRId64 "\n", p->order);
	if (p->period_ns)
		buf_printf(b, "\tperiod %" PRId64 " %s\n", p->period_ns, unit);
	if (p->randomize_ns)
		buf_printf(b, "\trandomize %" PRId64 " %s\n", p->randomize_ns, unit);
	if (p->each_cpu)
		buf_puts(b, "\ton each processor\n");
	if (p->event)
		buf_printf(b, "\t%s", p->event->text);
	if (p->event && p->event->counter)
		buf_printf(b, " counter %d", p->counter);
	if (p->event)
		buf_putc(b, '\n');
	if (p->event && p->event->program)
		buf_printf(b, "\tprocesses of %s\n",
			   *p->event->program ? p->event->program : "target()");
	if (p->most_calls > 1 || (p->most_calls && site_kind_is_return(p->kind)))
		buf_printf(b, "\tchains of at most %u call%s\n", p->most_calls,
			   p->most_calls > 1 ? "s" : "");
	if (p->channel && p->channel->umask)
		buf_printf(b, "\tumask %#o\n", p->channel->umask);
	if (p->channel && p->channel->size)
		buf_printf(b, "\tsize %" PRIu32 "\n", p->channel->size);
	if (p->hook)
		buf_printf(b, "\tpf %u hook %u priority %" PRId32 "\n", p->hook->pf, p->hook->hook,
			   p->hook->priority);
	if (p->maxactive)
		buf_printf(b, "\tmaxactive %" PRId64 "\n", p->maxactive);
	if (p->cond) {
		buf_puts(b, "\tif ");
		print_expr(b, p->cond);
		buf_putc(b, '\n');
	}
	if (p->gate) {
		buf_puts(b, "\tarmed while ");
		print_expr(b, p->gate);
		buf_putc(b, '\n');
	}
	if (p->changes_gates)
		buf_puts(b, "\tchanges what is armed\n");
}

static void put_probe(struct state *s, struct buf *b, const struct probe *p)
{
	buf_printf(b, "%s: %s\n", probe_kind_word(p), p->pp);
	put_settings(b, p);
	vec_each(it, &p->sites) {
		buf_printf(b, "\tsite %s %s+%" PRIu64, (*it)->object, (*it)->symbol, (*it)->offset);
		if ((*it)->namesake)
			buf_printf(b, " namesake %d", (*it)->namesake);
		if ((*it)->syscall)
			buf_printf(b, " system call %u", (*it)->syscall - 1);
		buf_putc(b, '\n');
	}
	put_locals(b, p->locals.v, p->locals.n);
	vec_each(it, &p->saved)
		buf_printf(b, "\tsaved %s %u\n", it->base == AB_REG_ARG ? "argument" :
			   it->base == AB_SIMD_ARG ? "vector register" : "stack slot",
			   it->n);
	vec_each(it, &p->entries)
		buf_printf(b, "\tentry %s:%s\n", (*it)->name, print_type_name((*it)->type));
	vec_each(it, &p->locks)
		buf_printf(b, "\tlock %s\n", (*it)->name);
	if (p->reads_percpu)
		buf_puts(b, "\treads per-cpu globals\n");
	if (s->opt.verbose && p->bounded)
		buf_printf(b, "\tat most %u step%s\n", p->steps, p->steps == 1 ? "" : "s");
}

void check_print_program(struct state *s, struct buf *b)
{
	struct program *p = s->program;

	buf_puts(b, "# globals\n");
	vec_each(it, &p->globals)
		put_global(s, b, *it);
	buf_puts(b, "# functions\n");
	vec_each(it, &p->functions)
		put_function(b, *it);
	buf_puts(b, "# probes\n");
	vec_each(it, &p->probes)
		put_probe(s, b, *it);
}
