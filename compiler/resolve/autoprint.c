/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shows globals that are written and never read when the session ends. The last end probe does so,
 * which is made as script text and parsed like any other. It names globals by their C names, which
 * are unique in all files. The timers that print globals as metrics follow it (metrics.c).
 */
#include "base/buf.h"
#include "parse/parse.h"
#include "program/program.h"
#include "resolve/guess.h"
#include "resolve/private.h"

/* Most elements of an array that is shown with a histogram for each: buckets take 1 KiB per
 * element, twice on each processor. */
enum { HISTOGRAMS_MAX = 4096 };

static const char *conversion(enum type t)
{
	return t == T_STRING ? "\\\"%s\\\"" : t == T_STACK ? "%s" : "%d";
}

/* One local for all keys of a position and type; the underscore keeps it apart from globals. */
static const char *key_name(struct resolver *r, const struct symbol *g, int i)
{
	const char *name = g->key_type[i] == T_STRING ? "s" :
			   g->key_type[i] == T_STACK ? "b" : "k";

	name = arena_printf(r->s->arena, "%s%d", name, i + 1);
	while (map_get(&r->globals, name))
		name = arena_printf(r->s->arena, "_%s", name);
	return name;
}

const char *autoprint_keys(struct resolver *r, const struct symbol *g)
{
	const char *list = "";

	for (int i = 0; i < g->nkeys; i++)
		list = arena_printf(r->s->arena, "%s%s%s", list, i ? "," : "", key_name(r, g, i));
	return list;
}

/* Whether the aggregate @gi is shown with a histogram: not if that would have one bar, nor if its
 * buckets, which the script did not ask for, would take too much memory. */
static bool has_histogram(struct resolver *r, const struct global_info *gi)
{
	const struct symbol *g = gi->sym;
	int64_t size = g->size ? g->size : r->s->opt.caps.maxmapentries;

	return gi->varied && (!g->is_array || size <= HISTOGRAMS_MAX);
}

/* @keys: the formats before the value, or "". */
static void print_stats(struct buf *b, const char *keys, const char *value, bool histogram)
{
	buf_puts(b, " @count=%d @min=%d @avg=%d @max=%d @sum=%d\\n\"");
	if (*keys)
		buf_printf(b, ", %s", keys);
	buf_printf(b, ", @count(%s), @min(%s), @avg(%s), @max(%s), @sum(%s)", value, value, value,
		   value, value);
	if (histogram)
		buf_printf(b, ", @hist_log(%s)", value);
	buf_puts(b, ")\n");
}

static void print_scalar(struct resolver *r, struct buf *b, const struct global_info *gi)
{
	const struct symbol *g = gi->sym;

	if (!gi->stats) {
		buf_printf(b, "\tprintf(\"%s=%s\\n\", %s)\n", g->name, conversion(g->type),
			   g->cname);
		return;
	}
	buf_printf(b, "\tif (@count(%s)) printf(\"%s", g->cname, g->name);
	print_stats(b, "", g->cname, has_histogram(r, gi));
	buf_printf(b, "\telse printf(\"%s @count=%%d\\n\", @count(%s))\n", g->name, g->cname);
}

static void print_array(struct resolver *r, struct buf *b, const struct global_info *gi)
{
	const struct symbol *g = gi->sym;
	const char *keys = autoprint_keys(r, g);
	const char *value = arena_printf(r->s->arena, "%s[%s]", g->cname, keys);

	buf_printf(b, "\tforeach ([%s] in %s%s)\n\t\tprintf(\"%s[", keys, g->cname,
		   gi->stats ? " @count-" : "-", g->name);
	for (int i = 0; i < g->nkeys; i++)
		buf_printf(b, "%s%s", i ? "," : "", conversion(g->key_type[i]));
	buf_putc(b, ']');
	if (gi->stats) {
		print_stats(b, keys, value, has_histogram(r, gi));
		return;
	}
	buf_printf(b, "=%s\\n\", %s, %s)\n", conversion(g->type), keys, value);
}

static void write_probe(struct resolver *r, struct buf *b)
{
	bool any = false;

	buf_puts(b, "probe end(9223372036854775807) {\n");
	map_each(it, &r->globals) {
		struct global_info *gi = it->value;
		struct symbol *g = gi->sym;

		if (gi->script->src->in_tapset || gi->read || !gi->written ||
		    (g->is_array && !g->nkeys))
			continue;
		/* It is used as both: check reports this at the user's code. */
		if (gi->stats && g->type != T_STATS)
			continue;
		if (g->is_array)
			print_array(r, b, gi);
		else
			print_scalar(r, b, gi);
		gi->read = any = true;
	}
	buf_puts(b, "}\n");
	if (!any)
		b->len = 0;
}

void autoprint_add(struct resolver *r)
{
	const bool metrics = options_want_snapshots(&r->s->opt);
	struct guesses guesses = { 0 };
	struct script *sc;
	struct buf b;

	if (r->s->opt.no_display && !metrics)
		return;
	buf_init(&b);
	guess_types(r, &guesses);
	if (!r->s->opt.no_display)
		write_probe(r, &b);
	r->p->metrics_at = (uint32_t)b.len;
	if (metrics)
		metrics_write(r, &b);
	guess_undo(&guesses);
	if (b.len) {
		r->auto_src = source_from_text(r->s->arena, PROGRAM_AUTO_PRINT, b.s, b.len);
		sc = parse_source(r->s, r->auto_src);
		if (sc)
			vec_each(d, &sc->probes)
				probes_declare(r, *d);
	}
	buf_deinit(&b);
}
