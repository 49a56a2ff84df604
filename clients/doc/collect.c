/* SPDX-License-Identifier: GPL-2.0 */
/* The collectors of what has a description: words and operators of the language, limits of -D and
 * ids of messages; the forms of probe points, component by component; the ready-made scripts. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/locate/locate.h"
#include "ast/ast.h"
#include "base/diag.h"
#include "doc/private.h"
#include "options/options.h"
#include "options/script.h"

/* ---- words ---- */

static const struct doc_entry words[] = {
#define WORD(kind, name, written, text) { kind, name, written, text, NULL, NULL, 0 },
#include "doc/words.def"
};

static const char *const ids[] = {
#define ERR(name, text, todo) #name,
#include "base/errors.def"
#undef ERR
};

static void add_limits(struct state *s, struct doc_entries *to)
{
	struct options_limit limit;

	for (size_t i = 0; options_limit(i, &limit); i++) {
		struct doc_entry one = { .kind = "limit", .name = limit.name };

		one.signature = arena_printf(s->arena, "-D %s=%lld", limit.name,
					     (long long)limit.init);
		one.text = limit.max == INT64_MAX ?
			   arena_printf(s->arena, "%s\n\nThe default is %lld; the least is %lld.",
					limit.help, (long long)limit.init, (long long)limit.min) :
			   arena_printf(s->arena, "%s\n\nThe default is %lld; from %lld to %lld.",
					limit.help, (long long)limit.init, (long long)limit.min,
					(long long)limit.max);
		vec_push(s->arena, &to->v, one);
	}
}

static void add_ids(struct state *s, struct doc_entries *to)
{
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		struct doc_entry one = { .kind = "message", .name = ids[i], .signature = ids[i] };
		const char *text = diag_explain(s->arena, ids[i]) + strlen(ids[i]) + strlen(": ");

		/* Each of its lines is a paragraph. */
		one.text = "";
		for (size_t len; *text; text += len + 1) {
			len = strcspn(text, "\n");
			one.text = arena_printf(s->arena, "%s%s%.*s", one.text,
						*one.text ? "\n\n" : "", (int)len, text);
		}
		vec_push(s->arena, &to->v, one);
	}
}

void doc_words(struct state *s, struct doc_entries *to)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		vec_push(s->arena, &to->v, words[i]);
	add_limits(s, to);
	add_ids(s, to);
}

/* ---- probe points ---- */

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

/* ---- scripts ---- */

static int is_script(const struct dirent *de)
{
	const char *dot = strrchr(de->d_name, '.');

	return dot && de->d_name[0] != '.' && strcmp(dot, ".kp") == 0;
}

/* The title and the description of a script. */
static const char *text_of(struct state *s, struct source *src)
{
	const struct script_head *head;
	const char *text;

	diag_hold(s->diag);
	head = script_head_read(s, src);
	diag_release(s->diag);
	text = head->title ? head->title : "";
	vec_each(line, &head->text) {
		const char *separator = !*text ? "" : line == head->text.v ? "\n\n" : "\n";

		text = arena_printf(s->arena, "%s%s%s", text, separator, *line);
	}
	return text;
}

void doc_tools(struct state *s, struct doc_entries *to)
{
	struct dirent **list;
	int n = scandir(s->tool_dir, &list, is_script, alphasort);

	for (int i = 0; i < n; i++) {
		const char *file = list[i]->d_name;
		struct source *src = source_from_file(
			s->arena, arena_printf(s->arena, "%s/%s", s->tool_dir, file));
		struct doc_entry one = { .kind = "tool", .src = src, .line = 1 };

		one.name = arena_strndup(s->arena, file, strlen(file) - strlen(".kp"));
		one.signature = arena_printf(s->arena, "%s.kp", one.name);
		if (src) {
			one.text = text_of(s, src);
			vec_push(s->arena, &to->v, one);
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}
