/* SPDX-License-Identifier: GPL-2.0 */
/* --dump-functions, --dump-probe-types, --dump-probe-aliases: what the library and this build
 * have. */
#include <string.h>

#include "analyse/analyse.h"
#include "ast/print.h"
#include "list/list.h"
#include "list/private.h"
#include "analyse/locate/locate.h"
#include "analyse/resolve/resolve.h"

static bool is_json(const struct state *s)
{
	return s->opt.format && strcmp(s->opt.format, "json") == 0;
}

static void put_pair(struct state *s, struct buf *b, const char *key, const char *value)
{
	if (!is_json(s))
		return;
	buf_printf(b, "%s\"%s\":", b->len ? "," : "{", key);
	list_json_text(b, value);
}

/* ---- functions ---- */

static void put_function(struct state *s, struct buf *b, const struct function *f)
{
	bool json = is_json(s);

	if (json) {
		put_pair(s, b, "name", f->name);
		put_pair(s, b, "type", print_type_name(f->ret));
		buf_puts(b, ",\"parameters\":[");
	} else {
		buf_printf(b, "%s:%s (", f->name, print_type_name(f->ret));
	}
	for (size_t i = 0; i < f->params.n; i++)
		buf_printf(b, json ? "%s{\"name\":\"%s\",\"type\":\"%s\"}" : "%s%s:%s",
			   !i ? "" : json ? "," : ", ", f->params.v[i]->name,
			   print_type_name(f->params.v[i]->type));
	buf_puts(b, json ? "]}" : ")");
}

static int functions(struct state *s, struct list_lines *lines, struct buf *line)
{
	if (resolve_library(s) < 0)
		return 1;
	analyse_listed(s);
	vec_each(sc, &s->scripts) {
		vec_each(it, &(*sc)->functions) {
			const struct function *f = *it;

			if (f->is_private || f->name[0] == '_')
				continue;
			line->len = 0;
			put_function(s, line, f);
			list_add(s, lines, line);
		}
	}
	return 0;
}

/* ---- aliases ---- */

static void put_alias(struct state *s, struct buf *b, const struct probe_decl *alias,
		      const struct probe_point *name)
{
	struct buf text, points;

	buf_init(&text);
	buf_init(&points);
	print_probe_point(&text, name);
	vec_each(it, &alias->points) {
		buf_puts(&points, it == alias->points.v ? "" : ", ");
		print_probe_point(&points, *it);
	}
	if (is_json(s)) {
		put_pair(s, b, "alias", text.s);
		put_pair(s, b, "points", points.s);
		buf_putc(b, '}');
	} else {
		buf_printf(b, "%s %s %s", text.s, alias->epilogue_form ? "+=" : "=", points.s);
	}
	buf_deinit(&points);
	buf_deinit(&text);
}

static int aliases(struct state *s, struct list_lines *lines, struct buf *line)
{
	struct alias_list list = { 0 };

	if (resolve_aliases(s, &list))
		return 1;
	vec_each(alias, &list.v) {
		vec_each(name, &(*alias)->names) {
			line->len = 0;
			put_alias(s, line, *alias, *name);
			list_add(s, lines, line);
		}
	}
	return 0;
}

/* ---- probe types ---- */

static int types(struct state *s, struct list_lines *lines, struct buf *line)
{
	struct form_list forms = { 0 };

	locate_forms(s, &forms);
	vec_each(it, &forms.v) {
		struct buf text;

		buf_init(&text);
		vec_each(part, &(*it)->parts)
			buf_printf(&text, "%s%s%s", text.len ? "." : "", part->name,
				   !part->has_arg ? "" :
				   part->arg->kind == EX_STR ? "(string)" : "(number)");
		line->len = 0;
		put_pair(s, line, "type", text.s);
		buf_puts(line, is_json(s) ? "}" : text.s);
		list_add(s, lines, line);
		buf_deinit(&text);
	}
	return 0;
}

int dump_run(struct state *s, struct buf *out)
{
	struct list_lines lines = { 0 };
	struct buf line;
	int status;

	buf_init(&line);
	status = s->opt.list == LIST_FUNCTIONS ? functions(s, &lines, &line) :
		 s->opt.list == LIST_ALIASES ? aliases(s, &lines, &line) : types(s, &lines, &line);
	buf_deinit(&line);
	list_flush(&lines, out);
	return status;
}
