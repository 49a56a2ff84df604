/* SPDX-License-Identifier: GPL-2.0 */
/* The ready-made scripts. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "doc/private.h"
#include "options/script.h"

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
