/* SPDX-License-Identifier: GPL-2.0 */
/* The forms of probe points, described component by component. */
#include <string.h>

#include "ast/ast.h"
#include "doc/private.h"
#include "analyse/locate/locate.h"

static const struct point_row {
	const char *first, *component, *text;
} rows[] = {
#define POINT(first, component, text) { first, component, text },
#include "doc/points.def"
};

static const char *describe(const char *first, const char *component)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if ((!*rows[i].first || strcmp(rows[i].first, first) == 0) &&
		    strcmp(rows[i].component, component) == 0)
			return rows[i].text;
	return NULL;
}

/* The last component comes first, because it says the most; a list shows nothing else. */
static const char *form_doc(struct state *s, const struct probe_point *form, const char **signature)
{
	const char *text = "", *whole = "";

	vec_each(part, &form->parts) {
		const char *one = arena_printf(s->arena, "%s%s", part->name, !part->has_arg ? "" :
					       part->arg->kind == EX_STR ? "(string)" : "(number)");
		const char *about = describe(form->parts.v[0].name, one);

		whole = arena_printf(s->arena, "%s%s%s", whole, *whole ? "." : "", one);
		if (!about && part == &form->parts.v[form->parts.n - 1])
			return *signature = whole, "";
		if (about && part == &form->parts.v[form->parts.n - 1])
			text = arena_printf(s->arena, "%s%s%s", about, *text ? "\n\n" : "", text);
		else if (about)
			text = arena_printf(s->arena, "%s%s%s: %s", text, *text ? "\n\n" : "", one,
					    about);
	}
	*signature = whole;
	return text;
}

void doc_points(struct state *s, struct doc_entries *to)
{
	struct form_list forms = { 0 };

	locate_forms(s, &forms);
	vec_each(form, &forms.v) {
		struct doc_entry one = { .kind = "probe point" };

		one.text = form_doc(s, *form, &one.signature);
		one.name = doc_plain_name(s->arena, one.signature);
		vec_push(s->arena, &to->v, one);
	}
}
