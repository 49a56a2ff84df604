/* SPDX-License-Identifier: GPL-2.0 */
/* Compares what a script uses on each kernel with what it uses on the first one on which it
 * works. */
#include <string.h>

#include "check/private.h"

struct fact {
	const char *kind, *point, *what;
};

/* @key: "KIND\tPOINT\tWHAT". */
static struct fact split(struct state *s, const char *key)
{
	char *save = NULL, *text = arena_strdup(s->arena, key);
	struct fact f;

	f.kind = strtok_r(text, "\t", &save);
	f.point = strtok_r(NULL, "\t", &save);
	f.what = strtok_r(NULL, "\t", &save);
	f.point = f.point ? f.point : "";
	f.what = f.what ? f.what : "";
	return f;
}

/* A fact that only one of two kernels has; @here: it is the one that is described. */
static const char *describe_one(struct state *s, const char *key, bool here)
{
	static const struct { const char *kind, *here, *not_here; } texts[] = {
		{ "point", "is there as well", "is not there" },
		{ "value", "is used here only", "is not used" },
		{ "copies", "is inlined at some places", "is inlined nowhere" },
	};
	struct fact f = split(s, key);
	size_t i = 0;

	while (i + 1 < sizeof(texts) / sizeof(texts[0]) && strcmp(texts[i].kind, f.kind) != 0)
		i++;
	return arena_printf(s->arena, "%s: %s %s", f.point, f.what,
			    here ? texts[i].here : texts[i].not_here);
}

static const char *describe_both(struct state *s, const char *key, const char *here,
				 const char *there)
{
	struct fact f = split(s, key);

	return arena_printf(s->arena, "%s: %s is of type %s instead of %s", f.point, f.what, here,
			    there);
}

static bool is_copies(const char *key)
{
	return strncmp(key, "copies\t", strlen("copies\t")) == 0;
}

static void compare(struct state *s, const struct check_result *like, struct check_result *ret,
		    bool know_copies)
{
	map_each(it, &like->facts) {
		const char *how = map_get(&ret->facts, it->key);

		if (is_copies(it->key) && !know_copies)
			continue;
		if (!how)
			vec_push(s->arena, &ret->differences, describe_one(s, it->key, false));
		else if (strcmp(how, it->value) != 0)
			vec_push(s->arena, &ret->differences,
				 describe_both(s, it->key, how, it->value));
	}
	map_each(it, &ret->facts) {
		if (is_copies(it->key) && !know_copies)
			continue;
		if (!map_get(&like->facts, it->key))
			vec_push(s->arena, &ret->differences, describe_one(s, it->key, true));
	}
}

void check_compare(struct state *s, const struct check_request *r, struct check_script *script)
{
	while (script->like < r->kernels.n && script->on[script->like].error)
		script->like++;
	for (size_t i = script->like + 1; i < r->kernels.n; i++)
		if (!script->on[i].error)
			compare(s, &script->on[script->like], &script->on[i],
				r->kernels.v[script->like].knows_copies &&
				r->kernels.v[i].knows_copies);
}
