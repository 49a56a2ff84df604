/* SPDX-License-Identifier: GPL-2.0 */
/* The ready-made scripts: in tools/ beside the tapsets, or installed as commands. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "doc/private.h"

static int is_script(const struct dirent *de)
{
	const char *dot = strrchr(de->d_name, '.');

	return dot && de->d_name[0] != '.' && strcmp(dot, ".kp") == 0;
}

/* A head that begins with "NAME - " has the name once more. */
static const char *text_of(struct arena *a, const struct source *src, const char *name)
{
	const char *head = doc_head(a, src);
	size_t len = strlen(name);

	return strncmp(head, name, len) == 0 && strncmp(head + len, " - ", 3) == 0 ?
	       head + len + 3 : head;
}

static void add_dir(struct state *s, struct doc_entries *to, const char *dir)
{
	struct dirent **list;
	int n = scandir(dir, &list, is_script, alphasort);

	for (int i = 0; i < n; i++) {
		const char *file = list[i]->d_name;
		const struct source *src =
			source_from_file(s->arena, arena_printf(s->arena, "%s/%s", dir, file));
		struct doc_entry one = { .kind = "tool", .src = src, .line = 1 };

		one.name = arena_strndup(s->arena, file, strlen(file) - strlen(".kp"));
		one.signature = arena_printf(s->arena, "%s.kp", one.name);
		if (src) {
			one.text = text_of(s->arena, src, one.name);
			vec_push(s->arena, &to->v, one);
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

void doc_tools(struct state *s, struct doc_entries *to)
{
	size_t before = to->v.n, len = strlen(s->tapset_dir) - strlen("tapsets");

	add_dir(s, to, arena_printf(s->arena, "%.*stools", (int)len, s->tapset_dir));
	if (to->v.n == before)
		add_dir(s, to, s->exe_dir);
}
