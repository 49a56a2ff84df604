/* SPDX-License-Identifier: GPL-2.0 */
/* Tokens, expressions and places in the text of a test. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "litmus.h"

static void skip_space(struct text *x)
{
	while (*x->at == ' ' || *x->at == '\t')
		x->at++;
}

void litmus_word(struct text *x, char word[NAME])
{
	unsigned n = 0;

	skip_space(x);
	if (isalpha((unsigned char)*x->at) || *x->at == '_')
		for (; isalnum((unsigned char)*x->at) || *x->at == '_' || *x->at == '.'; x->at++)
			if (n < NAME - 1)
				word[n++] = *x->at;
	word[n] = '\0';
}

bool litmus_token(struct text *x, const char *token)
{
	size_t n = strlen(token);

	skip_space(x);
	if (strncmp(x->at, token, n) != 0)
		return false;
	x->at += n;
	return true;
}

void litmus_end(struct text *x)
{
	skip_space(x);
	if (*x->at != '\n' && *x->at != '~' && *x->at != '\0')
		litmus_die(x->test->file, x->line, "not understood: %.*s",
			   (int)strcspn(x->at, "\n"), x->at);
}

static const struct expr *make(struct text *x, enum expr_kind kind, int64_t value,
			       const struct expr *a, const struct expr *b)
{
	struct test *t = x->test;

	if (t->nexprs == MAX_EXPRS)
		litmus_die(t->file, x->line, "too many expressions");
	t->expr[t->nexprs] = (struct expr){ .kind = kind, .value = value, .a = a, .b = b };
	return &t->expr[t->nexprs++];
}

const struct expr *litmus_number(struct text *x, int64_t value)
{
	return make(x, NUMBER, value, NULL, NULL);
}

const struct expr *litmus_equal(struct text *x, unsigned reg, int64_t value)
{
	const struct expr *is = make(x, REGISTER, reg, NULL, NULL);

	return make(x, EQUAL, 0, is, litmus_number(x, value));
}

static int64_t address_of(struct text *x, const char *name)
{
	struct test *t = x->test;
	unsigned i;

	for (i = 0; i < t->nnames; i++)
		if (litmus_is(t->name_at[i], name))
			return (i + 1) * NAME_SIZE;
	if (i == MAX_NAMES)
		litmus_die(t->file, x->line, "too many names");
	strcpy(t->name_at[t->nnames++], name);
	return t->nnames * NAME_SIZE;
}

static unsigned register_of(struct text *x, unsigned code, const char *name)
{
	struct test *t = x->test;
	unsigned i;

	for (i = 0; i < t->nregisters; i++)
		if (t->register_code[i] == code && litmus_is(t->register_name[i], name))
			return i;
	if (x->is_goal)
		litmus_die(t->file, x->line, "%s has no register %s", t->code[code].name, name);
	if (i == MAX_REGISTERS)
		litmus_die(t->file, x->line, "too many registers");
	strcpy(t->register_name[i], name);
	t->register_code[i] = code;
	t->nregisters++;
	return i;
}

unsigned litmus_register(struct text *x)
{
	char word[NAME];

	litmus_word(x, word);
	if (!*word)
		litmus_die(x->test->file, x->line, "expected a register");
	return register_of(x, x->code, word);
}

const struct expr *litmus_place(struct text *x)
{
	char word[NAME];

	if (litmus_token(x, "*")) {
		litmus_word(x, word);
		return make(x, REGISTER, register_of(x, x->code, word), NULL, NULL);
	}
	litmus_word(x, word);
	if (!*word)
		litmus_die(x->test->file, x->line, "expected a place in memory");

	const struct expr *ret = make(x, ADDRESS, address_of(x, word), NULL, NULL);

	if (!litmus_token(x, "["))
		return ret;
	ret = make(x, PLUS, 0, ret, litmus_expr(x));
	if (!litmus_token(x, "]"))
		litmus_die(x->test->file, x->line, "expected ]");
	return ret;
}

/* In a condition: CODE:REGISTER. */
static const struct expr *register_of_code(struct text *x, const char *code)
{
	char word[NAME];

	for (unsigned i = 0; i < x->test->ncodes; i++) {
		if (!litmus_is(x->test->code[i].name, code))
			continue;
		litmus_word(x, word);
		return make(x, REGISTER, register_of(x, i, word), NULL, NULL);
	}
	litmus_die(x->test->file, x->line, "there is no thread %s", code);
}

static const struct expr *primary(struct text *x)
{
	char word[NAME];

	skip_space(x);
	if (isdigit((unsigned char)*x->at))
		return litmus_number(x, strtol(x->at, (char **)&x->at, 10));
	if (litmus_token(x, "!"))
		return make(x, NOT, 0, primary(x), NULL);
	if (litmus_token(x, "&"))
		return litmus_place(x);
	if (litmus_token(x, "(")) {
		const struct expr *ret = litmus_expr(x);

		if (!litmus_token(x, ")"))
			litmus_die(x->test->file, x->line, "expected )");
		return ret;
	}
	if (x->is_goal && litmus_token(x, "[")) {
		const struct expr *ret = make(x, MEMORY, 0, litmus_place(x), NULL);

		if (!litmus_token(x, "]"))
			litmus_die(x->test->file, x->line, "expected ]");
		return ret;
	}
	litmus_word(x, word);
	if (!*word)
		litmus_die(x->test->file, x->line, "expected a value");
	if (x->is_goal) {
		if (!litmus_token(x, ":"))
			litmus_die(x->test->file, x->line, "expected THREAD:REGISTER");
		return register_of_code(x, word);
	}
	return make(x, REGISTER, register_of(x, x->code, word), NULL, NULL);
}

/* Operators of two operands, in the order of their precedence; longer ones before their parts. */
static const struct {
	const char *token;
	enum expr_kind kind;
	int level;
} operators[] = {
	{ "||", EITHER, 1 }, { "&&", BOTH, 2 }, { "==", EQUAL, 3 }, { "!=", UNEQUAL, 3 },
	{ "<=", AT_MOST, 3 }, { "<", LESS, 3 }, { "^", XOR, 4 }, { "|", OR, 4 }, { "+", PLUS, 5 },
	{ "-", MINUS, 5 }, { "*", TIMES, 6 }, { "&", AND, 6 },
};

static const struct expr *binary(struct text *x, int level)
{
	const struct expr *ret = primary(x);

	for (;;) {
		const char *at = x->at;
		unsigned i, n = sizeof(operators) / sizeof(*operators);

		for (i = 0; i < n && !litmus_token(x, operators[i].token); i++)
			;
		if (i == n || operators[i].level < level) {
			x->at = at;
			return ret;
		}
		ret = make(x, operators[i].kind, 0, ret, binary(x, operators[i].level + 1));
	}
}

const struct expr *litmus_expr(struct text *x)
{
	return binary(x, 0);
}
