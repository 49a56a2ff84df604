/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Each host is reached by a launcher, a program that runs a command there. "ssh -F FILE" gets what
 * ssh gets: options, the host, and one line for the login shell there. A template has {} for the
 * host ("kubectl exec -i {} --"), and gets three words after it, sh -c TEXT, which it has to pass
 * on as they are.
 */
#include <string.h>

#include "base/vec.h"
#include "remote/private.h"
#include "state.h"

#define HOST_PLACE "{}"

/* @word with the name of the host at each {}. */
static const char *with_host(struct state *s, const char *word, const char *host)
{
	const char *text = "";

	for (const char *at; (at = strstr(word, HOST_PLACE)); word = at + strlen(HOST_PLACE))
		text = arena_printf(s->arena, "%s%.*s%s", text, (int)(at - word), word, host);
	return arena_printf(s->arena, "%s%s", text, word);
}

bool launcher_is_template(const struct state *s)
{
	return strstr(s->opt.ssh, HOST_PLACE) != NULL;
}

/* A host that asks for a password would keep others waiting, so with more than one host nothing is
 * asked. */
const char *const *launcher_words(struct state *s, const struct host *h)
{
	char *save = NULL, *text = arena_strdup(s->arena, s->opt.ssh);
	const char *command = answer_command(s->arena, h->number, h->name);
	VEC(const char *) w = { 0 };

	for (char *p = strtok_r(text, " \t", &save); p; p = strtok_r(NULL, " \t", &save))
		vec_push(s->arena, &w, with_host(s, p, h->name));
	if (launcher_is_template(s)) {
		vec_push(s->arena, &w, "sh");
		vec_push(s->arena, &w, "-c");
	} else {
		vec_push(s->arena, &w, "-T");
		if (s->opt.remotes.n > 1) {
			vec_push(s->arena, &w, "-o");
			vec_push(s->arena, &w, "BatchMode=yes");
		}
		vec_push(s->arena, &w, "--");
		vec_push(s->arena, &w, h->name);
	}
	vec_push(s->arena, &w, command);
	vec_push(s->arena, &w, NULL);
	return w.v;
}

const char *launcher_trial(struct state *s, const struct host *h)
{
	const char *command = with_host(s, s->opt.ssh, h->name);

	return launcher_is_template(s) ?
		arena_printf(s->arena, "try the same with '%s true'", command) :
		arena_printf(s->arena, "try the same with '%s %s true'", command, h->name);
}

const char *launcher_name(struct state *s)
{
	const char *word = s->opt.ssh + strspn(s->opt.ssh, " \t");
	size_t len = strcspn(word, " \t");
	const char *slash = memrchr(word, '/', len);

	if (!slash)
		return arena_strndup(s->arena, word, len);
	return arena_strndup(s->arena, slash + 1, len - (size_t)(slash + 1 - word));
}
