/* SPDX-License-Identifier: GPL-2.0 */
/* The statements of a test, and its mutations. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus.h"

enum { MAX_DEPTH = 8 };

struct parser {
	struct text x;
	struct test *test;
	unsigned blocks[MAX_DEPTH], depth;   /* the UNLESS or JUMP that waits for its target */
	unsigned mutation;                   /* that is to be made */
	bool called;                         /* the code is that of an `ipi` */
};

void litmus_die(const char *file, unsigned line, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s:%u: ", file, line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

static void die(const struct parser *p, const char *what)
{
	litmus_die(p->test->file, p->x.line, "%s", what);
}

static struct statement *add(struct parser *p, enum statement_kind kind)
{
	struct test *t = p->test;

	if (t->nstatements == MAX_STATEMENTS)
		die(p, "too many statements");
	t->statement[t->nstatements] = (struct statement){ .kind = kind };
	return &t->statement[t->nstatements++];
}

/* ---- words ---- */

static enum order order_of(const struct parser *p, const char *suffix, enum order otherwise)
{
	static const struct {
		const char *name;
		enum order order;
	} orders[] = {
		{ "", PLAIN }, { "relaxed", PLAIN }, { "acquire", ACQUIRE }, { "rcpc", ACQUIRE_PC },
		{ "release", RELEASE }, { "acqrel", ACQUIRE_RELEASE }, { "full", FULL },
	};

	if (!*suffix)
		return otherwise;
	for (unsigned i = 0; i < sizeof(orders) / sizeof(*orders); i++)
		if (litmus_is(orders[i].name, suffix))
			return orders[i].order == ACQUIRE && p->test->rcpc ? ACQUIRE_PC :
									     orders[i].order;
	litmus_die(p->test->file, p->x.line, "unknown order %s", suffix);
}

static bool verdict_of(const char *word, enum verdict *ret)
{
	static const char *const names[] = { [NEVER] = "never", [ON_ARM64] = "arm64",
					     [ON_TSO] = "tso", [ON_BOTH] = "both" };

	for (unsigned i = 0; i < 4; i++) {
		if (!litmus_is(names[i], word))
			continue;
		*ret = i;
		return true;
	}
	return false;
}

/* ---- statements ---- */

static void access_statement(struct parser *p, enum statement_kind kind, enum order order)
{
	struct statement *s = add(p, kind);
	bool reads = kind != STORE && kind != ADD_HERE;

	s->order = order;
	if (reads) {
		s->reg = litmus_register(&p->x);
		litmus_token(&p->x, ",");
	}
	s->address = litmus_place(&p->x);
	if (kind == LOAD)
		return;
	litmus_token(&p->x, ",");
	if (kind == COMPARE_EXCHANGE) {
		s->old = litmus_expr(&p->x);
		litmus_token(&p->x, ",");
	}
	s->value = litmus_expr(&p->x);
}

static void fence_statement(struct parser *p)
{
	static const char *const names[] = { "full", "read", "write", "isync" };
	char word[NAME];
	struct statement *s = add(p, FENCE);

	litmus_word(&p->x, word);
	for (s->fence = 0; s->fence < 4 && !litmus_is(names[s->fence], word); s->fence++)
		;
	if (s->fence == 4)
		die(p, "unknown fence");
}

/* A load of the word by which an interrupt is requested (1) and reported as done (2). */
static void signal_load(struct parser *p, const char *name, int64_t value)
{
	struct text x = p->x;
	char text[2 * NAME];
	struct statement *s = add(p, LOAD);

	snprintf(text, sizeof(text), "%s.called %s.called", name, name);
	x.at = text;
	s->order = ACQUIRE_PC;
	s->reg = litmus_register(&x);
	s->address = litmus_place(&x);
	add(p, ASSUME)->value = litmus_equal(&x, s->reg, value);
}

static void signal_store(struct parser *p, const char *name, int64_t value)
{
	struct text x = p->x;
	char text[2 * NAME];
	struct statement *s = add(p, STORE);

	snprintf(text, sizeof(text), "%s.called", name);
	x.at = text;
	s->order = RELEASE;
	s->address = litmus_place(&x);
	s->value = litmus_number(&x, value);
}

static void begin_block(struct parser *p, struct statement *s)
{
	if (p->depth == MAX_DEPTH)
		die(p, "too many blocks");
	p->blocks[p->depth++] = s - p->test->statement;
}

static void end_block(struct parser *p, unsigned target)
{
	if (!p->depth)
		die(p, "no block is open");
	p->test->statement[p->blocks[--p->depth]].target = target;
}

static bool control_statement(struct parser *p, const char *word)
{
	struct test *t = p->test;
	struct statement *s;

	if (litmus_is(word, "if")) {
		s = add(p, UNLESS);
		s->value = litmus_expr(&p->x);
		begin_block(p, s);
	} else if (litmus_is(word, "else")) {
		s = add(p, JUMP);
		end_block(p, t->nstatements);
		begin_block(p, s);
	} else if (litmus_is(word, "end")) {
		end_block(p, t->nstatements);
	} else if (litmus_is(word, "stop")) {
		add(p, JUMP)->target = MAX_STATEMENTS;
	} else if (litmus_is(word, "assume") || litmus_is(word, "until")) {
		s = add(p, *word == 'a' ? ASSUME : UNTIL);
		s->value = litmus_expr(&p->x);
	} else if (litmus_is(word, "let")) {
		s = add(p, LET);
		s->reg = litmus_register(&p->x);
		litmus_token(&p->x, ",");
		s->value = litmus_expr(&p->x);
	} else {
		return false;
	}
	return true;
}

static bool signal_statement(struct parser *p, const char *word)
{
	char name[NAME];

	if (litmus_is(word, "call")) {
		litmus_word(&p->x, name);
		signal_store(p, name, 1);
	} else if (litmus_is(word, "await")) {
		litmus_word(&p->x, name);
		signal_load(p, name, 2);
	} else if (litmus_is(word, "irqs")) {
		litmus_word(&p->x, name);
		add(p, IRQS)->on = litmus_is(name, "on");
	} else {
		return false;
	}
	return true;
}

static void statement(struct parser *p)
{
	static const struct {
		const char *name;
		enum statement_kind kind;
		enum order order;
	} accesses[] = {
		{ "load", LOAD, PLAIN }, { "store", STORE, PLAIN }, { "xchg", EXCHANGE, FULL },
		{ "cmpxchg", COMPARE_EXCHANGE, FULL }, { "add", ADD, PLAIN },
		{ "add_here", ADD_HERE, PLAIN },
	};
	char word[NAME], *suffix;

	litmus_word(&p->x, word);
	if (control_statement(p, word) || signal_statement(p, word))
		return;
	if (litmus_is(word, "fence")) {
		fence_statement(p);
		return;
	}
	if (litmus_is(word, "nothing"))
		return;
	suffix = strchr(word, '.');
	if (suffix)
		*suffix++ = '\0';
	for (unsigned i = 0; i < sizeof(accesses) / sizeof(*accesses); i++) {
		if (!litmus_is(accesses[i].name, word))
			continue;
		access_statement(p, accesses[i].kind,
				 order_of(p, suffix ? suffix : "", accesses[i].order));
		return;
	}
	litmus_die(p->test->file, p->x.line, "unknown statement %s", word);
}

/* A statement, or the mutation of it that is to be made: STATEMENT [~ VERDICT STATEMENT]... */
static void mutable_statement(struct parser *p)
{
	struct test *t = p->test;
	struct text begin = p->x;
	const char *chosen = p->x.at, *end = chosen + strcspn(chosen, "\n");

	for (const char *at = chosen; (at = memchr(at, '~', end - at)) != NULL; ) {
		struct mutation *m = &t->mutation[t->nmutations];
		char word[NAME];

		if (t->nmutations == MAX_MUTATIONS)
			die(p, "too many mutations");
		p->x.at = at + 1;
		litmus_word(&p->x, word);
		if (!verdict_of(word, &m->want))
			die(p, "expected ~ VERDICT STATEMENT");
		m->line = p->x.line;
		at = p->x.at;
		if (++t->nmutations == p->mutation)
			chosen = at;
	}
	p->x = begin;
	p->x.at = chosen;
	statement(p);
	litmus_end(&p->x);
}

/* ---- the parts of a test ---- */

static void end_code(struct parser *p)
{
	struct test *t = p->test;
	struct code *c = &t->code[t->ncodes ? t->ncodes - 1 : 0];

	if (!t->ncodes || c->end)
		return;
	if (p->depth)
		die(p, "a block is not ended");
	if (p->called)
		signal_store(p, c->name, 2);
	c->end = t->nstatements;
}

static unsigned thread_named(const struct parser *p, const char *name)
{
	for (unsigned i = 0; i < p->test->ncodes; i++)
		if (litmus_is(p->test->code[i].name, name))
			return i;
	litmus_die(p->test->file, p->x.line, "there is no thread %s", name);
}

static void begin_code(struct parser *p, const char *word)
{
	struct test *t = p->test;
	char name[NAME];

	end_code(p);
	if (t->ncodes == MAX_CODES)
		die(p, "too many threads");

	struct code *c = &t->code[t->ncodes];

	litmus_word(&p->x, c->name);
	c->first = t->nstatements;
	c->thread = t->ncodes;
	c->kind = litmus_is(word, "thread") ? THREAD : litmus_is(word, "nmi") ? NMI : INTERRUPT;
	if (c->kind == THREAD) {
		if (t->ncodes != t->nthreads++)
			die(p, "threads precede what interrupts them");
	} else {
		litmus_word(&p->x, name);
		if (!litmus_is(name, "on"))
			die(p, "expected on THREAD");
		litmus_word(&p->x, name);
		c->thread = thread_named(p, name);
	}
	p->x.code = t->ncodes++;
	p->called = litmus_is(word, "ipi");
	if (p->called)
		signal_load(p, c->name, 1);
}

static void initial_values(struct parser *p)
{
	struct test *t = p->test;

	do {
		if (t->ninitial == MAX_PLACES)
			die(p, "too many initial values");

		const struct expr *place = litmus_place(&p->x);

		t->initial[t->ninitial].address = litmus_value(place, NULL, NULL, NULL, NULL);
		litmus_token(&p->x, "=");
		t->initial[t->ninitial++].value =
			litmus_value(litmus_expr(&p->x), NULL, NULL, NULL, NULL);
	} while (litmus_token(&p->x, ","));
}

static void add_goal(struct parser *p, enum verdict want, const struct expr *cond)
{
	struct test *t = p->test;

	if (t->ngoals == MAX_GOALS)
		die(p, "too many conditions");
	t->goal[t->ngoals++] =
		(struct goal){ .want = want, .cond = cond, .line = p->x.line };
}

static void goal(struct parser *p, enum verdict want)
{
	end_code(p);
	p->x.is_goal = true;
	add_goal(p, want, litmus_expr(&p->x));
	p->x.is_goal = false;
}

/* Lines that say which forms of instructions the processor has. */
static bool form(struct parser *p, const char *word)
{
	char value[NAME];

	if (litmus_is(word, "acquires")) {
		litmus_word(&p->x, value);
		p->test->rcpc = litmus_is(value, "rcpc");
	} else if (litmus_is(word, "atomics")) {
		litmus_word(&p->x, value);
		p->test->models[litmus_is(value, "lse") ? ARM64_EXCLUSIVE : ARM64_LSE] = false;
	} else {
		return false;
	}
	return true;
}

static void line(struct parser *p)
{
	struct text begin = p->x;
	enum verdict want;
	char word[NAME];

	litmus_word(&p->x, word);
	if (litmus_is(word, "thread") || litmus_is(word, "interrupt") || litmus_is(word, "ipi") ||
	    litmus_is(word, "nmi")) {
		begin_code(p, word);
	} else if (litmus_is(word, "init")) {
		initial_values(p);
	} else if (verdict_of(word, &want)) {
		goal(p, want);
	} else if (!form(p, word)) {
		p->x = begin;
		if (!p->test->ncodes)
			die(p, "expected a thread");
		mutable_statement(p);
		return;
	}
	litmus_end(&p->x);
}

bool litmus_parse(struct test *t, const char **text, unsigned *number, unsigned mutation)
{
	struct parser p = { .test = t, .x = { .test = t, .at = *text, .line = *number },
			    .mutation = mutation };
	bool begun = false;

	*t = (struct test){ .file = t->file, .models = { true, true, true } };
	for (; *p.x.at; p.x.line++) {
		struct text here = p.x;
		char word[NAME];

		litmus_word(&p.x, word);
		if (litmus_is(word, "test")) {
			if (begun) {
				p.x = here;
				break;
			}
			begun = true;
			p.x.at += strspn(p.x.at, " ");
			snprintf(t->name, sizeof(t->name), "%.*s", (int)strcspn(p.x.at, "\n"),
				 p.x.at);
			t->line = p.x.line;
		} else if (*word || *p.x.at == '~') {
			p.x = here;
			line(&p);
		} else if (*p.x.at != '\n' && *p.x.at != '#') {
			die(&p, "not understood");
		}
		p.x.at += strcspn(p.x.at, "\n");
		p.x.at += *p.x.at == '\n';
	}
	*text = p.x.at;
	*number = p.x.line;
	if (!begun)
		return false;
	if (!t->ngoals)
		litmus_die(t->file, t->line, "%s has no condition", t->name);
	/* A test without any execution says nothing. */
	p.x.line = t->line;
	add_goal(&p, ON_BOTH, litmus_number(&p.x, 1));
	return true;
}
