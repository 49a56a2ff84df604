/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 1: one text to one tree. */
#include "parse/feed.h"
#include "passes.h"
#include "grammar/script.tab.h"

struct script *parse_source(struct session *s, struct source *src)
{
	struct parser p = {
		.session = s, .arena = s->arena, .diag = s->diag, .src = src,
		.script = NEW(s->arena, struct script),
	};
	int err;

	src->id = (int)s->sources.n;
	vec_push(s->arena, &s->sources, src);
	p.script->src = src;
	feed_init(&p);
	err = script_parse(&p);
	feed_deinit(&p);
	return err || p.errors ? NULL : p.script;
}
