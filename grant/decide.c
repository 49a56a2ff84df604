/* SPDX-License-Identifier: GPL-2.0 */
#include "decide.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trusted.h"

/* How far rules came, in ascending order. */
enum stage {
	STAGE_NONE,            /* no rule is about this user */
	STAGE_SUBJECT,         /* but about another module */
	STAGE_NEAR,            /* the module might be meant */
	STAGE_OBJECT,          /* it is meant, but an option is not allowed */
};

struct search {
	const struct peer *peer;
	const struct request *request;
	struct content *content;
	struct refusal *why;
	enum stage stage;
};

static void set_texts(struct refusal *r, const char *next, const char *fmt, va_list ap)
{
	vsnprintf(r->why, sizeof(r->why), fmt, ap);
	snprintf(r->next, sizeof(r->next), "%s", next);
}

void decide_refuse(struct refusal *r, const char *next, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_texts(r, next, fmt, ap);
	va_end(ap);
}

/* Keeps the reason of the first rule that came that far. */
static void note(struct search *s, enum stage stage, const char *next, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
static void note(struct search *s, enum stage stage, const char *next, const char *fmt, ...)
{
	va_list ap;

	if (stage <= s->stage)
		return;
	s->stage = stage;
	va_start(ap, fmt);
	set_texts(s->why, next, fmt, ap);
	va_end(ap);
}

/* ---- one rule ---- */

static bool is_about(const struct policy_rule *rule, const struct peer *peer)
{
	if (rule->subject == POLICY_USER)
		return strcmp(rule->name, peer->name) == 0;
	for (size_t i = 0; i < peer->ngroups; i++)
		if (strcmp(rule->name, peer->groups[i]) == 0)
			return true;
	return false;
}

static bool is_in_directory(struct search *s, const struct policy_rule *rule)
{
	struct trusted_problem problem;
	const char *wrong;
	int fd;

	if (!*s->request->name) {
		note(s, STAGE_NEAR, "name such a module by its file name alone",
		     "line %u of the policy allows the modules in %s, and this is a file of your "
		     "own", rule->line, rule->path);
		return false;
	}
	fd = trusted_open(rule->path, s->request->name, &problem);
	if (fd < 0) {
		note(s, fd == -ENOENT ? STAGE_NEAR : STAGE_OBJECT, fd == -ENOENT ?
		     "name a file there, or with a slash in its path a file of your own" :
		     "the administrator can change its owner and its mode",
		     "line %u of the policy: %s", rule->line, problem.text);
		return false;
	}
	content_deinit(s->content);
	wrong = content_open(fd, false, s->content);
	if (wrong)
		note(s, STAGE_OBJECT, "the administrator can put another file there",
		     "line %u of the policy: '%s/%s' is not a module: %s", rule->line,
		     rule->path, s->request->name, wrong);
	return !wrong;
}

static bool has_signature(struct search *s, const struct policy_rule *rule)
{
	struct trusted_problem problem;
	const char *wrong = NULL;
	char *key = NULL;
	size_t len;
	int fd;

	if (*s->request->name)
		return false;
	if (!s->request->is_signed) {
		note(s, STAGE_NEAR, "put its signature into FILE.sig beside it",
		     "line %u of the policy allows modules signed with %s, and this one came "
		     "without a signature", rule->line, rule->path);
		return false;
	}
	fd = trusted_open(rule->path, NULL, &problem);
	if (fd < 0)
		wrong = problem.text;
	else if (trusted_read(fd, CONTENT_KEY_BYTES_MAX, &key, &len))
		wrong = "the key can't be read";
	else
		wrong = content_check_signature(s->content, s->request->signature, key, len);
	free(key);
	if (fd >= 0)
		close(fd);
	if (wrong)
		note(s, STAGE_NEAR, "sign this module again, or ask the administrator for a rule",
		     "line %u of the policy allows modules signed with %s: %s", rule->line,
		     rule->path, wrong);
	return !wrong;
}

static bool is_meant(struct search *s, const struct policy_rule *rule)
{
	switch (rule->object) {
	case POLICY_DIRECTORY:
		return is_in_directory(s, rule);
	case POLICY_SIGNED:
		return has_signature(s, rule);
	default:
		return !*s->request->name &&
		       memcmp(rule->hash, s->content->hash, sizeof(rule->hash)) == 0;
	}
}

static bool allows_options(struct search *s, const struct policy_rule *rule)
{
	const struct request *r = s->request;
	uint64_t most = (uint64_t)rule->limits.seconds * 1000;

	if (r->nglobals && !rule->limits.globals)
		note(s, STAGE_OBJECT, "leave it out, or ask the administrator to add 'globals'",
		     "line %u of the policy allows this module without NAME=VALUE", rule->line);
	else if (r->head.pid && !rule->limits.process)
		note(s, STAGE_OBJECT, "leave it out, or ask the administrator to add 'process'",
		     "line %u of the policy allows this module without -x", rule->line);
	else if (r->head.milliseconds > most)
		note(s, STAGE_OBJECT, "use a shorter -T, or none",
		     "line %u of the policy allows sessions of %u seconds", rule->line,
		     rule->limits.seconds);
	else
		return true;
	return false;
}

/* ---- all rules ---- */

/* A rule that would allow it, for the administrator. */
static void propose(struct search *s)
{
	char hash[CONTENT_HEX_SIZE], first[256];

	if (s->content->fd < 0 || s->stage >= STAGE_OBJECT)
		return;
	content_hex(s->content, hash);
	snprintf(first, sizeof(first), "%.200s%s", s->why->next, *s->why->next ? "; or " : "");
	snprintf(s->why->next, sizeof(s->why->next),
		 "%sask the administrator for this line in " POLICY_FILE
		 ": allow user %.128s sha256 %s", first, s->peer->name, hash);
}

static void begin(struct search *s)
{
	const char *user = s->peer->name;

	decide_refuse(s->why, *s->request->name ?
		      "ask the administrator for a rule; a file of your own has a slash in its "
		      "path" :
		      "", "no rule of the policy applies to the user %s or their groups", user);
}

const struct policy_rule *decide_rule(const struct policy *policy, const struct peer *peer,
				      const struct request *request, struct content *content,
				      struct refusal *why)
{
	struct search s = { peer, request, content, why, STAGE_NONE };

	begin(&s);
	for (size_t i = 0; i < policy->n; i++) {
		const struct policy_rule *rule = &policy->rules[i];

		if (!is_about(rule, peer))
			continue;
		note(&s, STAGE_SUBJECT, *request->name ? "a file of your own has a slash in its "
							 "path: ./FILE" : "",
		     "no rule for the user %s allows this module", peer->name);
		if (is_meant(&s, rule) && allows_options(&s, rule))
			return rule;
	}
	propose(&s);
	return NULL;
}
