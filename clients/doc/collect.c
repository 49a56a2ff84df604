/* SPDX-License-Identifier: GPL-2.0 */
/* Words and operators of the language, limits of -D, ids of messages. */
#include <string.h>

#include "base/diag.h"
#include "doc/private.h"
#include "options/options.h"

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
