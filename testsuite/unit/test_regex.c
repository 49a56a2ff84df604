/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares regular expressions with two other implementations: the C library's regexec() decides
 * whether and where there is a match, and a backtracking matcher on the tree that the pattern was
 * made from decides what the groups are. Patterns and strings are random, from a fixed seed and a
 * small alphabet, so that matches are frequent.
 */
#include <ctype.h>
#include <regex.h>

#include "compiler/base/regex/regex.h"
#include "unit.h"

enum { ROUNDS = 6000, STRINGS = 12, PIECES = 400 };

static uint64_t seed = 88172645463325252ULL;

static unsigned random_below(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 33) % n;
}

/* ---- patterns ---- */

struct piece {
	enum { CHAR, DOT, SET, NOT_SET, BEGIN, END, EMPTY, SEQ, ALT, REPEAT, GROUP } kind;
	char c;
	int min, max, number;
	struct piece *a, *b;
};

struct pattern {
	struct piece room[PIECES];
	int n, groups, repeats;
	bool odd;            /* has an anchor within a repetition, where regexec() is wrong */
	struct piece *top;
	char text[4096];
	size_t len;
};

static struct piece *grow(struct pattern *p, int depth);

static struct piece *piece(struct pattern *p, int kind)
{
	struct piece *x = &p->room[p->n++];

	memset(x, 0, sizeof(*x));
	x->kind = kind;
	x->c = "abc"[random_below(3)];
	return x;
}

static struct piece *leaf(struct pattern *p)
{
	switch (random_below(12)) {
	case 0: return piece(p, DOT);
	case 1: return piece(p, SET);
	case 2: return piece(p, NOT_SET);
	case 3: return random_below(3) ? piece(p, CHAR) : piece(p, BEGIN);
	case 4: return random_below(3) ? piece(p, CHAR) : piece(p, END);
	default: return piece(p, CHAR);
	}
}

/* Makes an item that can be repeated without parentheses, or a group. */
static struct piece *atom_of(struct pattern *p, int depth)
{
	struct piece *g;

	if (depth <= 0 || p->groups > 8 || p->n > PIECES - 20)
		return piece(p, "\0\1\2\3"[random_below(4)]);
	g = piece(p, GROUP);
	g->number = ++p->groups;
	g->a = random_below(12) ? grow(p, depth - 1) : piece(p, EMPTY);
	return g;
}

static struct piece *grow(struct pattern *p, int depth)
{
	struct piece *x;

	if (depth <= 0 || p->n > PIECES - 20)
		return leaf(p);
	switch (random_below(6)) {
	case 0:
		x = piece(p, ALT);
		x->a = grow(p, depth - 1);
		x->b = grow(p, depth - 1);
		return x;
	case 1:
	case 2:
		x = piece(p, REPEAT);
		x->min = (int)random_below(3);
		x->max = random_below(2) ? -1 : x->min + (int)random_below(3);
		x->a = atom_of(p, depth - 1);
		return x;
	case 3:
		return atom_of(p, depth - 1);
	default:
		x = piece(p, SEQ);
		x->a = grow(p, depth - 1);
		x->b = grow(p, depth - 1);
		return x;
	}
}

static void say(struct pattern *p, const char *text)
{
	size_t n = strlen(text);

	assert_true(p->len + n < sizeof(p->text));
	memcpy(p->text + p->len, text, n + 1);
	p->len += n;
}

static void spell(struct pattern *p, const struct piece *x, int level)
{
	char buf[40];

	switch (x->kind) {
	case CHAR: snprintf(buf, sizeof(buf), "%c", x->c); say(p, buf); break;
	case DOT: say(p, "."); break;
	case SET: snprintf(buf, sizeof(buf), "[%cx-z]", x->c); say(p, buf); break;
	case NOT_SET: snprintf(buf, sizeof(buf), "[^%cx-z]", x->c); say(p, buf); break;
	case BEGIN: say(p, "^"); break;
	case END: say(p, "$"); break;
	case EMPTY: break;
	case SEQ:
		spell(p, x->a, 1);
		spell(p, x->b, 1);
		break;
	case ALT:
		assert_true(level == 0);
		spell(p, x->a, 0);
		say(p, "|");
		spell(p, x->b, 0);
		break;
	case REPEAT:
		spell(p, x->a, 2);
		if (x->min == 0 && x->max == -1)
			say(p, "*");
		else if (x->min == 1 && x->max == -1)
			say(p, "+");
		else if (x->min == 0 && x->max == 1)
			say(p, "?");
		else if (x->max == -1)
			snprintf(buf, sizeof(buf), "{%d,}", x->min), say(p, buf);
		else if (x->max == x->min)
			snprintf(buf, sizeof(buf), "{%d}", x->min), say(p, buf);
		else
			snprintf(buf, sizeof(buf), "{%d,%d}", x->min, x->max), say(p, buf);
		break;
	case GROUP:
		say(p, "(");
		spell(p, x->a, 0);
		say(p, ")");
		break;
	}
}

/* Wraps alternatives that stand in sequences in groups, and numbers the groups from the left. */
static struct piece *tidy(struct pattern *p, struct piece *x, int level)
{
	if (x->kind == ALT && level > 0) {
		struct piece *g = piece(p, GROUP);

		g->a = x;
		return tidy(p, g, 0);
	}
	if (x->kind == GROUP)
		x->number = ++p->groups;
	p->repeats += x->kind == REPEAT;
	p->odd |= p->repeats && (x->kind == BEGIN || x->kind == END);
	if (x->a)
		x->a = tidy(p, x->a, x->kind == SEQ ? 1 : x->kind == REPEAT ? 2 : 0);
	if (x->b)
		x->b = tidy(p, x->b, x->kind == SEQ ? 1 : 0);
	p->repeats -= x->kind == REPEAT;
	return x;
}

/* ---- the backtracking matcher ---- */

struct trial {
	const char *s;
	int len, end;        /* where the match has to end */
	int at[64];
	int result[64];
	long work;
	bool done;
};

struct next {
	void (*go)(struct trial *t, int pos, const struct next *self);
	const struct piece *x;
	int i, from;
	const struct next *then;
};

static void try_piece(struct trial *t, const struct piece *x, int pos, const struct next *then);

static void go_on(struct trial *t, int pos, const struct next *then)
{
	then->go(t, pos, then);
}

static void go_second(struct trial *t, int pos, const struct next *self)
{
	try_piece(t, self->x->b, pos, self->then);
}

static void go_close(struct trial *t, int pos, const struct next *self)
{
	int *at = &t->at[2 * self->x->number], start = at[0], end = at[1];

	at[0] = self->from;
	at[1] = pos;
	go_on(t, pos, self->then);
	if (!t->done) {
		at[0] = start;
		at[1] = end;
	}
}

static void try_repeat(struct trial *t, const struct piece *x, int i, int pos,
		       const struct next *then);

static void go_repeat(struct trial *t, int pos, const struct next *self)
{
	/* An empty round of a star changes nothing. */
	if (self->x->max < 0 && self->i > self->x->min && pos == self->from)
		return;
	try_repeat(t, self->x, self->i, pos, self->then);
}

static void try_repeat(struct trial *t, const struct piece *x, int i, int pos,
		       const struct next *then)
{
	struct next again = { go_repeat, x, i + 1, pos, then };

	if (x->max < 0 || i < x->max)
		try_piece(t, x->a, pos, &again);
	if (!t->done && i >= x->min)
		go_on(t, pos, then);
}

static void try_piece(struct trial *t, const struct piece *x, int pos, const struct next *then)
{
	char c = pos < t->len ? t->s[pos] : 0;
	bool in = c && (c == x->c || (c >= 'x' && c <= 'z'));

	if (t->done || t->work-- < 0)
		return;
	switch (x->kind) {
	case CHAR: if (c && c == x->c) go_on(t, pos + 1, then); break;
	case DOT: if (c) go_on(t, pos + 1, then); break;
	case SET: if (in) go_on(t, pos + 1, then); break;
	case NOT_SET: if (c && !in) go_on(t, pos + 1, then); break;
	case BEGIN: if (pos == 0) go_on(t, pos, then); break;
	case END: if (pos == t->len) go_on(t, pos, then); break;
	case EMPTY: go_on(t, pos, then); break;
	case SEQ: {
		struct next second = { go_second, x, 0, 0, then };

		try_piece(t, x->a, pos, &second);
		break;
	}
	case ALT:
		try_piece(t, x->a, pos, then);
		if (!t->done)
			try_piece(t, x->b, pos, then);
		break;
	case REPEAT:
		try_repeat(t, x, 0, pos, then);
		break;
	case GROUP: {
		struct next close = { go_close, x, 0, pos, then };

		try_piece(t, x->a, pos, &close);
		break;
	}
	}
}

static void go_finish(struct trial *t, int pos, const struct next *self)
{
	(void)self;
	if (pos != t->end)
		return;
	memcpy(t->result, t->at, sizeof(t->result));
	t->done = true;
}

/* Finds the groups of the match [start, end). Returns 1 for a match, 0 for none, -1 if the search
 * took too long. */
static int backtrack(const struct piece *top, const char *s, int start, int end, int *ret)
{
	struct trial t = { .s = s, .len = (int)strlen(s), .end = end, .work = 200000 };
	struct next finish = { go_finish, NULL, 0, 0, NULL };

	memset(t.at, 0xff, sizeof(t.at));
	try_piece(&t, top, start, &finish);
	if (!t.done)
		return t.work < 0 ? -1 : 0;
	memcpy(ret, t.result, sizeof(t.result));
	return 1;
}

/* Finds the leftmost, then longest match; returns what backtrack() does. */
static int search(const struct piece *top, const char *s, regmatch_t *ret)
{
	int len = (int)strlen(s), groups[64];

	for (ret->rm_so = 0; ret->rm_so <= len; ret->rm_so++) {
		for (ret->rm_eo = len; ret->rm_eo >= ret->rm_so; ret->rm_eo--) {
			int found = backtrack(top, s, ret->rm_so, ret->rm_eo, groups);

			if (found)
				return found;
		}
	}
	return 0;
}

/* ---- the comparison ---- */

static void tables(const struct regex *re, struct prt_regex *ret)
{
	*ret = (struct prt_regex){
		.ninsts = (prt_u16)re->insts.n,
		.ngroups = (prt_u16)re->ngroups, .nrows = (prt_u16)re->nrows,
		.nclasses = (prt_u16)re->nclasses, .insts = re->insts.v,
		.sets = (const prt_u8 (*)[32])re->sets.v, .classes = re->classes,
		.next = re->next, .at_end = re->at_end,
	};
}

struct tally { int matches, misses, groups, tables, compared; };

static void compare(const struct pattern *p, const struct prt_regex *re,
		    const regex_t *posix, const char *s, struct tally *tally)
{
	void *scratch = malloc(PRT_REGEX_SCRATCH(re->ninsts, re->ngroups));
	size_t len = strlen(s);
	struct prt_match m;
	regmatch_t want;
	int groups[64];
	bool found = prt_regex_find(re, s, (prt_u32)len, scratch, &m);
	int expected = p->odd ? search(p->top, s, &want) : regexec(posix, s, 1, &want, 0) == 0;

	free(scratch);
	if (expected < 0)
		return;
	if (found != expected)
		fail_msg("'%s' on '%s': found %d, not %d", p->text, s, found, expected);
	if (re->nrows && prt_regex_test(re, s, (prt_u32)len) != expected)
		fail_msg("'%s' on '%s': the table says %d", p->text, s, !expected);
	tally->tables += re->nrows != 0;
	tally->matches += found;
	tally->misses += !found;
	if (!found)
		return;
	if (m.at[0] != want.rm_so || m.at[1] != want.rm_eo)
		fail_msg("'%s' on '%s': %u-%u, not %d-%d", p->text, s, m.at[0], m.at[1],
			 (int)want.rm_so, (int)want.rm_eo);
	if (backtrack(p->top, s, want.rm_so, want.rm_eo, groups) <= 0)
		return;
	tally->compared++;
	for (unsigned i = 1; i < m.ngroups; i++) {
		int from = m.at[2 * i] == PRT_REGEX_NONE ? -1 : m.at[2 * i];
		int to = m.at[2 * i] == PRT_REGEX_NONE ? -1 : m.at[2 * i + 1];
		bool empty = from == to, want_empty = groups[2 * i] == groups[2 * i + 1];

		tally->groups += from >= 0;
		/* A script cannot distinguish a group without a match from an empty one. */
		if (empty && want_empty)
			continue;
		if (from != groups[2 * i] || to != groups[2 * i + 1])
			fail_msg("'%s' on '%s': group %u is %d-%d, not %d-%d", p->text, s, i, from,
				 to, groups[2 * i], groups[2 * i + 1]);
	}
}

TEST(random)
{
	struct tally tally = { 0 };
	struct pattern *p = malloc(sizeof(*p));

	for (int round = 0; round < ROUNDS; round++) {
		struct regex_error err;
		struct prt_regex re;
		struct arena *a = arena_create();
		struct regex *made;
		regex_t posix;

		p->n = p->groups = p->repeats = 0;
		p->odd = false;
		p->len = 0;
		p->top = grow(p, 4);
		p->groups = 0;
		p->top = tidy(p, p->top, 0);
		spell(p, p->top, 0);
		made = regex_compile(a, p->text, p->len, &err);
		if (!made) {
			if (!err.limit)
				fail_msg("'%s': %s", p->text, err.text);
			arena_destroy(a);
			continue;
		}
		if (regcomp(&posix, p->text, REG_EXTENDED)) {
			arena_destroy(a);
			continue;
		}
		tables(made, &re);
		for (int i = 0; i < STRINGS; i++) {
			char s[16];
			unsigned n = random_below(12);

			for (unsigned k = 0; k < n; k++)
				s[k] = "aaabbbccxd"[random_below(10)];
			s[n] = 0;
			compare(p, &re, &posix, s, &tally);
		}
		regfree(&posix);
		arena_destroy(a);
	}
	free(p);
	print_message("%d matches, %d misses, %d groups, %d by tables, %d backtracked\n",
		      tally.matches, tally.misses, tally.groups, tally.tables, tally.compared);
	assert_true(tally.matches > 10000 && tally.misses > 5000 && tally.groups > 5000);
	assert_true(tally.compared > tally.matches / 2);
}

/* Any bytes give a program and maybe a table, which both end, or an error with its position. */
TEST(noise)
{
	static const char set[] = "ab(((())))[[]]^$.*+?{},|\\:alpha:-019\0\377";
	int made = 0, refused = 0;

	for (int round = 0; round < 20000; round++) {
		struct arena *a = arena_create();
		struct regex_error err = { .to = SIZE_MAX };
		char text[24], scratch[PRT_REGEX_SCRATCH(PRT_REGEX_INSTS, PRT_REGEX_GROUPS)];
		unsigned n = random_below(sizeof(text));
		struct regex *re;

		for (unsigned i = 0; i < n; i++)
			text[i] = set[random_below(sizeof(set))];
		re = regex_compile(a, text, n, &err);
		if (re) {
			struct prt_regex run;
			struct prt_match m;

			made++;
			tables(re, &run);
			assert_int_equal(prt_regex_find(&run, text, n, scratch, &m),
					 run.nrows ? prt_regex_test(&run, text, n) : m.ngroups > 0);
		} else {
			refused++;
			assert_true(err.from <= err.to && err.to <= n && err.text);
		}
		arena_destroy(a);
	}
	assert_true(made > 2000 && refused > 2000);
}

/* Every byte is compared with the classes of the C locale. */
TEST(classes)
{
	static const struct { const char *re; int (*has)(int c); } cases[] = {
		{ "[[:alnum:]]", isalnum }, { "[[:alpha:]]", isalpha }, { "[[:blank:]]", isblank },
		{ "[[:cntrl:]]", iscntrl }, { "[[:digit:]]", isdigit }, { "[[:graph:]]", isgraph },
		{ "[[:lower:]]", islower }, { "[[:print:]]", isprint }, { "[[:punct:]]", ispunct },
		{ "[[:space:]]", isspace }, { "[[:upper:]]", isupper },
		{ "[[:xdigit:]]", isxdigit },
	};
	struct arena *a = arena_create();
	struct regex_error err;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct prt_regex re;

		tables(regex_compile(a, cases[i].re, strlen(cases[i].re), &err), &re);
		for (int c = 0; c < 256; c++) {
			char s = (char)c;

			assert_int_equal(prt_regex_test(&re, &s, 1), c < 128 && cases[i].has(c));
		}
	}
	arena_destroy(a);
}

/* A table that would have 2^13 rows is not made; the program works without one. */
TEST(too_many_rows)
{
	static const char text[] = "(a|b)*a(a|b){12}";
	struct arena *a = arena_create();
	struct regex_error err;
	struct regex *made = regex_compile(a, text, strlen(text), &err);
	struct prt_match m;
	struct prt_regex re;
	char s[40] = "bbbbbbbbbbbbbbbbbbbbbbbbbbbb", *scratch;

	assert_non_null(made);
	assert_int_equal(made->nrows, 0);
	tables(made, &re);
	scratch = malloc(PRT_REGEX_SCRATCH(re.ninsts, re.ngroups));
	assert_false(prt_regex_find(&re, s, 28, scratch, &m));
	s[5] = 'a';
	assert_true(prt_regex_find(&re, s, 28, scratch, &m));
	assert_int_equal(m.at[0], 0);
	assert_int_equal(m.at[1], 18);
	free(scratch);
	arena_destroy(a);
}
