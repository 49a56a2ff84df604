/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The syntax: POSIX extended. What POSIX leaves undefined (a repetition of nothing, an escaped
 * letter, a brace that is not a count) is refused, because tools differ about it.
 */
#include <ctype.h>
#include <string.h>

#include "base/regex/tree.h"

#define COUNT_MAX 255 /* of {N}, as POSIX has it */
#define DEPTH_MAX 100 /* nesting of groups */
#define STACKED_MAX 10 /* nesting of repetitions */

struct parse {
	struct arena *a;
	const char *s;
	size_t len, pos;
	unsigned ngroups;
	int depth;
	struct regex_error *err;
	bool failed;
};

static struct regex_node *either(struct parse *p);

static struct regex_node *node(struct parse *p, enum regex_kind kind)
{
	struct regex_node *n = NEW(p->a, struct regex_node);

	n->kind = kind;
	return n;
}

static void fail(struct parse *p, size_t from, size_t to, const char *text, const char *hint)
{
	if (p->failed)
		return;
	p->failed = true;
	*p->err = (struct regex_error){ .from = from, .to = to, .text = text, .hint = hint };
}

static bool more(const struct parse *p)
{
	return p->pos < p->len && !p->failed;
}

static bool at(const struct parse *p, char c)
{
	return more(p) && p->s[p->pos] == c;
}

static void set_add(struct regex_set *set, unsigned char c)
{
	set->bits[c / 8] |= (prt_u8)(1u << c % 8);
}

/* ---- [...] ---- */

static const struct { const char *name; int (*has)(int c); } classes[] = {
	{ "alnum", isalnum }, { "alpha", isalpha }, { "blank", isblank }, { "cntrl", iscntrl },
	{ "digit", isdigit }, { "graph", isgraph }, { "lower", islower }, { "print", isprint },
	{ "punct", ispunct }, { "space", isspace }, { "upper", isupper }, { "xdigit", isxdigit },
};

/* The position is at "[:". */
static void named_class(struct parse *p, struct regex_set *set)
{
	size_t from = p->pos, i;
	const char *name = p->s + p->pos + 2;
	const char *end = memmem(name, p->len - p->pos - 2, ":]", 2);

	if (!end) {
		fail(p, from, from + 2, "the class '[:' has no end", "write [[:digit:]]");
		return;
	}
	p->pos = (size_t)(end + 2 - p->s);
	for (i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		if (strlen(classes[i].name) != (size_t)(end - name) ||
		    memcmp(classes[i].name, name, (size_t)(end - name)) != 0)
			continue;
		/* Bytes above 127 are in no class, whatever the locale. */
		for (int c = 0; c < 128; c++)
			if (classes[i].has(c))
				set_add(set, (unsigned char)c);
		return;
	}
	fail(p, from, p->pos, "there is no such class of characters",
	     "classes are alnum alpha blank cntrl digit graph lower print punct space upper "
	     "xdigit");
}

/* Reads a character, or the range that begins with it. */
static void set_range(struct parse *p, struct regex_set *set)
{
	size_t from = p->pos;
	unsigned char first = (unsigned char)p->s[p->pos++], last = first;

	if (p->pos + 1 < p->len && p->s[p->pos] == '-' && p->s[p->pos + 1] != ']') {
		last = (unsigned char)p->s[p->pos + 1];
		p->pos += 2;
		if (last == '[' && p->pos < p->len && strchr(":.=", p->s[p->pos])) {
			fail(p, from, p->pos + 1, "a range can't end in a class", NULL);
			return;
		}
	}
	if (last < first) {
		fail(p, from, p->pos, "the range is empty: its end comes before its start", NULL);
		return;
	}
	for (unsigned c = first; c <= last; c++)
		set_add(set, (unsigned char)c);
}

/* The position is at "[". */
static struct regex_node *bracket(struct parse *p)
{
	struct regex_node *n = node(p, RE_SET);
	size_t from = p->pos++, first;
	bool negate = at(p, '^');

	p->pos += negate;
	first = p->pos;
	/* A "]" in the first position is one of the characters. */
	while (more(p) && (p->s[p->pos] != ']' || p->pos == first)) {
		const char *rest = p->s + p->pos;
		char kind = p->len - p->pos >= 2 && rest[0] == '[' ? rest[1] : 0;

		if (kind == ':')
			named_class(p, &n->set);
		else if (kind == '.' || kind == '=')
			fail(p, p->pos, p->pos + 2, "collating elements are not supported",
			     "write the characters themselves");
		else
			set_range(p, &n->set);
	}
	if (!at(p, ']')) {
		fail(p, from, from + 1, "the bracket '[' is never closed", NULL);
		return n;
	}
	p->pos++;
	for (int i = 0; negate && i < 32; i++)
		n->set.bits[i] = (prt_u8)~n->set.bits[i];
	return n;
}

/* ---- atoms and what repeats them ---- */

static struct regex_node *group(struct parse *p)
{
	struct regex_node *n = node(p, RE_GROUP);
	size_t from = p->pos++;

	n->min = (int)p->ngroups++;
	if (n->min >= PRT_REGEX_GROUPS) {
		fail(p, from, from + 1, "too many groups: at most 15 are allowed", NULL);
		p->err->limit = true;
	} else if (++p->depth > DEPTH_MAX) {
		fail(p, from, from + 1, "groups are nested too deeply", NULL);
		p->err->limit = true;
	}
	if (p->failed)
		return n;
	n->a = either(p);
	p->depth--;
	if (!at(p, ')'))
		fail(p, from, from + 1, "the group '(' is never closed", NULL);
	p->pos++;
	return n;
}

static struct regex_node *escape(struct parse *p)
{
	struct regex_node *n = node(p, RE_BYTE);
	size_t from = p->pos++;
	unsigned char c;

	if (p->pos == p->len) {
		fail(p, from, p->len, "nothing follows the '\\'", NULL);
		return n;
	}
	c = (unsigned char)p->s[p->pos++];
	if (isdigit(c))
		fail(p, from, p->pos, "back-references are not supported", NULL);
	else if (isalpha(c))
		fail(p, from, p->pos, "there is no such escape",
		     "write a class in brackets: [0-9], [[:space:]]");
	n->byte = c;
	return n;
}

static struct regex_node *atom(struct parse *p)
{
	static const char repeats[] = "*+?{";
	struct regex_node *n;
	char c = p->s[p->pos];

	switch (c) {
	case '(':
		return group(p);
	case '[':
		return bracket(p);
	case '\\':
		return escape(p);
	case '.':
		p->pos++;
		return node(p, RE_ANY);
	case '^':
		p->pos++;
		return node(p, RE_BEGIN);
	case '$':
		p->pos++;
		return node(p, RE_END);
	default:
		if (memchr(repeats, c, sizeof(repeats) - 1))
			fail(p, p->pos, p->pos + 1, "there is nothing to repeat",
			     "a \\ before it makes it an ordinary character: \"\\\\*\"");
		n = node(p, RE_BYTE);
		n->byte = (unsigned char)c;
		p->pos++;
		return n;
	}
}

/* Reads a number. Returns -1 if there is none. */
static int count(struct parse *p)
{
	int v = -1;

	for (; more(p) && isdigit((unsigned char)p->s[p->pos]); p->pos++)
		if (v <= COUNT_MAX)
			v = (v < 0 ? 0 : v) * 10 + (p->s[p->pos] - '0');
	return v;
}

/* The position is at "{". */
static void counts(struct parse *p, int *min, int *max)
{
	size_t from = p->pos++;

	*min = *max = count(p);
	if (*min >= 0 && at(p, ',')) {
		p->pos++;
		*max = count(p);
	}
	if (*min < 0 || !at(p, '}')) {
		fail(p, from, from + 1, "'{' begins a count: {2}, {2,} or {2,5}",
		     "a \\ before it makes it an ordinary character: \"\\\\{\"");
		return;
	}
	p->pos++;
	if (*min > COUNT_MAX || *max > COUNT_MAX)
		fail(p, from, p->pos, "the count is too large: at most 255 is allowed", NULL);
	else if (*max >= 0 && *max < *min)
		fail(p, from, p->pos, "the maximum is less than the minimum", NULL);
}

static struct regex_node *repeated(struct parse *p)
{
	struct regex_node *n = atom(p);
	int stacked = 0;

	while (more(p) && strchr("*+?{", p->s[p->pos]) && p->s[p->pos]) {
		struct regex_node *r = node(p, RE_REPEAT);
		char c = p->s[p->pos];

		if (++stacked > STACKED_MAX) {
			fail(p, p->pos, p->pos + 1, "repetitions are nested too deeply", NULL);
			p->err->limit = true;
			break;
		}
		r->a = n;
		r->min = c == '+';
		r->max = c == '?' ? 1 : -1;
		if (c == '{')
			counts(p, &r->min, &r->max);
		else
			p->pos++;
		n = r;
	}
	return n;
}

static struct regex_node *pair(struct parse *p, enum regex_kind kind, struct regex_node *a,
			       struct regex_node *b)
{
	struct regex_node *n = node(p, kind);

	n->a = a;
	n->b = b;
	return n;
}

static struct regex_node *sequence(struct parse *p)
{
	struct regex_node *n = NULL;

	/* A ")" without a "(" is an error, not a character. */
	while (more(p) && !at(p, '|') && !at(p, ')')) {
		struct regex_node *next = repeated(p);

		n = n ? pair(p, RE_CONCAT, n, next) : next;
	}
	return n ? n : node(p, RE_EMPTY);
}

static struct regex_node *either(struct parse *p)
{
	struct regex_node *n = sequence(p);

	while (at(p, '|')) {
		p->pos++;
		n = pair(p, RE_EITHER, n, sequence(p));
	}
	return n;
}

struct regex_node *regex_parse(struct arena *a, const char *re, size_t len, unsigned *ngroups,
			       struct regex_error *err)
{
	struct parse p = { .a = a, .s = re, .len = len, .ngroups = 1, .err = err };
	struct regex_node *n = either(&p);

	if (more(&p))
		fail(&p, p.pos, p.pos + 1, "the ')' closes no group",
		     "a \\ before it makes it an ordinary character: \"\\\\)\"");
	*ngroups = p.ngroups;
	return p.failed ? NULL : n;
}
