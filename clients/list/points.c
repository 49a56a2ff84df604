/* SPDX-License-Identifier: GPL-2.0 */
/* -l and -L: probe points, one in each line; -L adds the values that a handler can name there. */
#include <stdio.h>
#include <string.h>

#include "analyse/analyse.h"
#include "ast/print.h"
#include "base/map.h"
#include "list/list.h"
#include "list/private.h"
#include "analyse/locate/locate.h"
#include "parse/foreign.h"
#include "parse/parse.h"
#include "analyse/resolve/resolve.h"

/* Reports a pattern in the syntax of bpftrace or perf. */
static bool is_foreign(struct state *s)
{
	const char *what = s->opt.list_what;
	const char *point = foreign_translate(s->arena, what, strlen(what));
	bool of_perf = !point;

	if (of_perf)
		point = foreign_event(s->arena, what, strlen(what));
	/* Some have one name in both languages. */
	if (!point || strcmp(point, what) == 0)
		return false;
	diag_error(s->diag, (struct range){ 0 }, E_PROBE_POINT,
		   of_perf ? "'%s' is the name of a tracepoint as perf writes it" :
			     "'%s' is a probe point of bpftrace", what);
	diag_hint(s->diag, "in this language: probec -%c '%s'",
		  s->opt.list == LIST_VALUES ? 'L' : 'l', point);
	return true;
}

/* Parses the pattern as the probe of a script. Returns NULL after a report. */
static const struct probe_decl *read_pattern(struct state *s)
{
	const char *text = arena_printf(s->arena, "probe %s { }", s->opt.list_what);
	struct source *src = source_from_text(s->arena, "<pattern>", text, strlen(text));
	const struct script *sc;

	if (is_foreign(s))
		return NULL;
	sc = parse_source(s, src);
	if (!sc)
		return NULL;
	if (sc->order.n == 1 && sc->probes.n == 1 && !sc->probes.v[0]->body->u.block.n)
		return sc->probes.v[0];
	diag_error(s->diag, (struct range){ src, 0, 0, NULL }, E_OPTION,
		   "-%c takes a probe point, not '%s'", s->opt.list == LIST_VALUES ? 'L' : 'l',
		   s->opt.list_what);
	return NULL;
}

/* "struct file *" is written as "struct file*", because a space would end the type. */
static void put_value(struct buf *b, bool json, const char *name, const char *type,
		      const char *origin)
{
	size_t len = strlen(type);
	const char *stars = type + len;

	while (stars > type && stars[-1] == '*')
		stars--;
	if (json) {
		buf_puts(b, b->s[b->len - 1] == '[' ? "{\"name\":" : ",{\"name\":");
		list_json_text(b, name);
		buf_puts(b, ",\"type\":");
		list_json_text(b, type);
		if (origin) {
			buf_puts(b, ",\"by\":");
			list_json_text(b, origin);
		}
		buf_putc(b, '}');
	} else if (*stars && stars > type && stars[-1] == ' ') {
		buf_printf(b, " %s:%.*s%s", name, (int)(stars - 1 - type), type, stars);
	} else {
		buf_printf(b, " %s:%s", name, type);
	}
}

static void put_locals(struct state *s, struct buf *b, bool json, const struct listed *one)
{
	struct map seen;

	map_init(&seen, s->arena);
	for (size_t i = one->first; i < one->first + one->n; i++) {
		vec_each(it, &s->program->probes.v[i]->locals) {
			const struct symbol *sym = *it;

			if (sym->name[0] == '_' || map_get(&seen, sym->name))
				continue;
			map_set(&seen, sym->name, &seen);
			put_value(b, json, sym->name, print_type_name(sym->type), NULL);
		}
	}
}

/* Lists only available values, and structures whose members are: --explain gives the reasons for
 * the others. Returns whether some rest on a prototype alone. */
static bool put_values(struct state *s, struct buf *b, bool json, const struct listed *one)
{
	const struct probe *p = one->n ? s->program->probes.v[one->first] : NULL;
	const struct site *site = p && p->sites.n ? p->sites.v[0] : one->site;
	struct visible_list values = { 0 };
	bool by_prototype = false;

	put_locals(s, b, json, one);
	if (site)
		locate_context_values(s, site, p ? p->kind : one->kind, &values);
	vec_each(it, &values.v) {
		if (!it->access && !it->has_members)
			continue;
		put_value(b, json, it->name, it->type ? it->type : "unknown",
			  it->access ? list_origin(it->access) : NULL);
		by_prototype |= it->access && it->access->origin == ACCESS_PROTOTYPE;
	}
	return by_prototype;
}

/* Returns whether the point has values that rest on a prototype alone. */
static bool put_point(struct state *s, struct buf *b, const struct listed *one)
{
	bool json = s->opt.format && strcmp(s->opt.format, "json") == 0;
	bool values = s->opt.list == LIST_VALUES;
	bool by_prototype = false;

	if (!json) {
		buf_puts(b, one->point);
	} else {
		buf_puts(b, "{\"point\":");
		list_json_text(b, one->point);
		buf_puts(b, values ? ",\"values\":[" : "");
	}
	if (values)
		by_prototype = put_values(s, b, json, one);
	if (json)
		buf_puts(b, values ? "]}" : "}");
	return by_prototype;
}

int points_run(struct state *s, struct buf *out)
{
	const struct probe_decl *what = read_pattern(s);
	struct listed_points points = { 0 };
	struct list_lines lines = { 0 };
	unsigned by_prototype = 0;
	struct buf line;

	if (!what || resolve_list(s, what, s->opt.list == LIST_VALUES, &points) < 0)
		return 1;
	/* For the variables of aliases. */
	if (s->opt.list == LIST_VALUES)
		analyse_listed(s);
	buf_init(&line);
	vec_each(it, &points.v) {
		line.len = 0;
		by_prototype += put_point(s, &line, it);
		list_add(s, &lines, &line);
	}
	buf_deinit(&line);
	list_flush(&lines, out);
	if (points.copies)
		fprintf(stderr, "probec: hits may be more or fewer than calls: the compiler may "
			"have moved, merged or repeated the code of %zu inlined %s\n",
			points.copies, points.copies == 1 ? "copy" : "copies");
	if (by_prototype && s->opt.verbose)
		fprintf(stderr, "probec: at %u of the points, values are found by the prototype "
			"alone, which does not say whether the compiler removed a parameter\n",
			by_prototype);
	return 0;
}
