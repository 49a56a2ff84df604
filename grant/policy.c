/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the policy: a rule is a line of words. */
#include "policy.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES_MAX = 255 };

static const struct policy_limits defaults = { .seconds = 60, .sessions = 1, .memory = 64 << 20,
					       .output = 64 << 20 };

struct reader {
	const char *line;      /* its first byte */
	char *at;              /* the rest of it */
	const char *word;      /* the last word that was taken */
	struct policy_mistake *wrong;
};

/* ---- words ---- */

/* Returns -1. */
static int mistake(struct reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int mistake(struct reader *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->wrong->text, sizeof(r->wrong->text), fmt, ap);
	va_end(ap);
	r->wrong->col = (unsigned)(r->word - r->line) + 1;
	return -1;
}

/* Cuts the next word out of the line, or returns NULL at its end. */
static const char *next_word(struct reader *r)
{
	r->at += strspn(r->at, " \t");
	r->word = r->at;
	if (!*r->at)
		return NULL;
	r->at += strcspn(r->at, " \t");
	if (*r->at)
		*r->at++ = '\0';
	return r->word;
}

/* ---- what a rule is about ---- */

static int take_subject(struct reader *r, struct policy_rule *rule)
{
	const char *word = next_word(r);

	if (!word || (strcmp(word, "user") != 0 && strcmp(word, "group") != 0))
		return mistake(r, "'user NAME' or 'group NAME' is expected here");
	rule->subject = *word == 'u' ? POLICY_USER : POLICY_GROUP;
	rule->name = next_word(r);
	if (!rule->name)
		return mistake(r, "the name of a %s is expected here", word);
	if (strlen(rule->name) > NAME_BYTES_MAX)
		return mistake(r, "the name is longer than %d bytes", NAME_BYTES_MAX);
	return 0;
}

static int take_hash(struct reader *r, struct policy_rule *rule)
{
	size_t len = strlen(r->word);

	if (len != 2 * POLICY_HASH_BYTES)
		return mistake(r, "a hash has %d hexadecimal digits, as sha256sum prints them",
			       2 * POLICY_HASH_BYTES);
	if (sodium_hex2bin(rule->hash, sizeof(rule->hash), r->word, len, NULL, NULL, NULL))
		return mistake(r, "a hash consists of hexadecimal digits");
	return 0;
}

/* A path has one form only: what the rule says is what is opened. */
static int take_path(struct reader *r, struct policy_rule *rule)
{
	const char *path = r->word;
	size_t len = strlen(path);

	if (*path != '/')
		return mistake(r, "the path of a %s begins with '/'",
			       rule->object == POLICY_SIGNED ? "key" : "directory");
	if (len >= PATH_MAX)
		return mistake(r, "the path is too long");
	for (const char *part = path; part; part = strchr(part, '/')) {
		size_t n = strcspn(++part, "/");

		if (!n || (n == 1 && *part == '.') || (n == 2 && strncmp(part, "..", 2) == 0))
			return mistake(r, "the path has an empty part, '.' or '..'");
	}
	rule->path = path;
	return 0;
}

static int take_object(struct reader *r, struct policy_rule *rule)
{
	static const char *const words[] = { "sha256", "directory", "signed" };
	const char *word = next_word(r);
	unsigned object = 0;

	while (word && object < 3 && strcmp(word, words[object]) != 0)
		object++;
	if (!word || object == 3)
		return mistake(r, "'sha256 HASH', 'directory PATH' or 'signed KEY' is expected "
				  "here");
	rule->object = (enum policy_object)object;
	if (!next_word(r))
		return mistake(r, "%s is expected here", object == POLICY_SHA256 ? "a hash" :
			       object == POLICY_SIGNED ? "the path of a key" :
			       "the path of a directory");
	return rule->object == POLICY_SHA256 ? take_hash(r, rule) : take_path(r, rule);
}

/* ---- limits ---- */

static int take_number(struct reader *r, const char *s, bool bytes, uint64_t max, uint64_t *ret)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;

	errno = 0;
	*ret = strtoull(s, &end, 10);
	if (!isdigit((unsigned char)*s) || errno)
		return mistake(r, "a number is expected after '='");
	unit = *end && bytes ? strchr(units, *end) : NULL;
	if (unit) {
		unsigned shift = 10 * (unsigned)(unit - units + 1);

		if (*ret > max >> shift)
			*ret = max + 1;
		else
			*ret <<= shift;
		end++;
	}
	if (*end)
		return mistake(r, bytes ? "a size is a number, optionally followed by K, M or "
					  "G" : "only digits are expected after '='");
	if (!*ret || *ret > max)
		return mistake(r, "the value is not from 1 to %llu", (unsigned long long)max);
	return 0;
}

static int take_limit(struct reader *r, struct policy_limits *limits)
{
	static const char *const flags[] = { "globals", "process", "guru" };
	static const char *const names[] = { "seconds", "sessions", "memory", "output" };
	static const uint64_t max[] = { POLICY_SECONDS_MAX, POLICY_SESSIONS_MAX,
					POLICY_BYTES_LIMIT_MAX, POLICY_BYTES_LIMIT_MAX };
	bool *flag[] = { &limits->globals, &limits->process, &limits->guru };
	size_t len = strcspn(r->word, "=");
	uint64_t value;

	for (unsigned i = 0; i < 3; i++) {
		if (strcmp(r->word, flags[i]) != 0)
			continue;
		*flag[i] = true;
		return 0;
	}
	for (unsigned i = 0; i < 4; i++) {
		if (strlen(names[i]) != len || strncmp(r->word, names[i], len) != 0 ||
		    !r->word[len])
			continue;
		if (take_number(r, r->word + len + 1, i >= 2, max[i], &value))
			return -1;
		if (i == 0)
			limits->seconds = (unsigned)value;
		else if (i == 1)
			limits->sessions = (unsigned)value;
		else
			*(i == 2 ? &limits->memory : &limits->output) = value;
		return 0;
	}
	return mistake(r, "'%.32s' is none of seconds=N sessions=N memory=BYTES output=BYTES "
			  "globals process guru", r->word);
}

/* ---- lines ---- */

static int take_rule(struct reader *r, struct policy_rule *rule)
{
	rule->limits = defaults;
	if (strcmp(r->word, "allow") != 0)
		return mistake(r, "a rule begins with 'allow'");
	if (take_subject(r, rule) || take_object(r, rule))
		return -1;
	while (next_word(r))
		if (take_limit(r, &rule->limits))
			return -1;
	return 0;
}

/* Names of users may have bytes above 127. */
static int check_bytes(struct reader *r)
{
	for (const char *p = r->line; *p; p++) {
		if ((unsigned char)*p >= ' ' && *p != 127 && *p != '"' && *p != '\\')
			continue;
		if (*p == '\t')
			continue;
		r->word = p;
		return mistake(r, "quotes, backslashes and control characters have no meaning "
				  "here");
	}
	return 0;
}

static int take_line(struct reader *r, struct policy *p)
{
	struct policy_rule *rules;

	r->at[strcspn(r->at, "#")] = '\0';
	if (check_bytes(r))
		return -1;
	if (!next_word(r))
		return 0;
	if (p->n == POLICY_RULES_MAX)
		return mistake(r, "there are more than %d rules", POLICY_RULES_MAX);
	rules = reallocarray(p->rules, p->n + 1, sizeof(*rules));
	if (!rules)
		return mistake(r, "there is no memory for the rules");
	p->rules = rules;
	rules[p->n] = (struct policy_rule){ .line = r->wrong->line };
	return take_rule(r, &rules[p->n++]);
}

int policy_parse(char *text, size_t len, struct policy *ret, struct policy_mistake *wrong)
{
	struct reader r = { .wrong = wrong };

	*ret = (struct policy){ .text = text };
	*wrong = (struct policy_mistake){ .line = 1 };
	text[len] = '\0';
	for (char *at = text, *end = text + len, *next; at < end; at = next, wrong->line++) {
		char *newline = memchr(at, '\n', (size_t)(end - at));
		int err;

		next = newline ? newline + 1 : end;
		if (newline)
			*newline = '\0';
		r.line = r.at = at;
		r.word = at + strlen(at);
		/* A NUL would hide what follows it. */
		err = r.word < (newline ? newline : end) ?
			      mistake(&r, "a NUL byte is not allowed") : take_line(&r, ret);
		if (err) {
			ret->n = 0;
			return -1;
		}
	}
	return 0;
}

void policy_deinit(struct policy *p)
{
	free(p->text);
	free(p->rules);
	*p = (struct policy){ 0 };
}
