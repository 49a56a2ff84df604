/* SPDX-License-Identifier: GPL-2.0 */
/* Questions to probec. */
#include <string.h>

#include "base/subprocess.h"
#include "base/vec.h"
#include "lsp/private.h"
#include "shared/buf.h"

char *ask_probec(struct server *s, struct arena *a, const char *const *words, bool messages)
{
	VEC(const char *) argv = { 0 };
	struct buf out, err;
	char *text;

	vec_push(a, &argv, s->program);
	/* Completion has its options after its own word. */
	if (strcmp(words[0], "--complete") == 0)
		vec_push(a, &argv, *words++);
	for (int i = 0; i < s->noptions; i++)
		vec_push(a, &argv, s->options[i]);
	while (*words)
		vec_push(a, &argv, *words++);
	vec_push(a, &argv, NULL);
	buf_init(&out);
	buf_init(&err);
	subprocess_run(argv.v, NULL, &out, &err);
	text = messages ? err.s : out.s;
	text = arena_strdup(a, text ? text : "");
	buf_deinit(&out);
	buf_deinit(&err);
	return text;
}
