/* SPDX-License-Identifier: GPL-2.0 */
/*
 * litmus [-v] [-s] [-m] FILE... - checks the tests of files: each condition is reached where the
 * test says so, and each mutation makes one that is never reached otherwise reached where it says
 * so. -v lists the tests, -s shows an execution for each condition that is reached, -m wants a
 * mutation that reaches something for each test with a condition that is never reached.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus.h"

static const char *const verdicts[] = { [NEVER] = "never", [ON_ARM64] = "arm64",
					[ON_TSO] = "tso", [ON_BOTH] = "both" };

static struct {
	bool verbose, show, needs_mutations;
} options;

static unsigned tests, conditions, mutations, wrong;

static void compare(const struct test *t, unsigned line, const char *what, enum verdict want,
		    enum verdict got)
{
	if (want == got)
		return;
	wrong++;
	printf("%s:%u: %s: %s is reached: %s, expected: %s\n", t->file, line, t->name, what,
	       verdicts[got], verdicts[want]);
}

static void check_mutation(const char *begin, unsigned line, unsigned number, struct test *t)
{
	enum verdict got[MAX_GOALS], all = NEVER;

	litmus_parse(t, &begin, &line, number);
	litmus_reach(t, false, got);
	for (unsigned g = 0; g < t->ngoals; g++)
		if (t->goal[g].want == NEVER)
			all |= got[g];
	compare(t, t->mutation[number - 1].line, "by this mutation, something",
		t->mutation[number - 1].want, all);
	mutations++;
}

/* Whether the test has a condition that is never reached, and no mutation shows that it can be. */
static bool shows_nothing(const struct test *t)
{
	bool never = false;

	for (unsigned g = 0; g < t->ngoals; g++)
		never |= t->goal[g].want == NEVER;
	for (unsigned m = 0; m < t->nmutations; m++)
		never &= t->mutation[m].want == NEVER;
	return never;
}

static void check_test(struct test *t)
{
	enum verdict got[MAX_GOALS];

	litmus_reach(t, options.show, got);
	for (unsigned g = 0; g < t->ngoals; g++)
		compare(t, t->goal[g].line, g + 1 < t->ngoals ? "the condition" : "the end",
			t->goal[g].want, got[g]);
	if (options.needs_mutations && shows_nothing(t)) {
		wrong++;
		printf("%s:%u: %s: no mutation reaches anything\n", t->file, t->line, t->name);
	}
	if (options.verbose)
		printf("%s: %u conditions, %u mutations\n", t->name, t->ngoals - 1,
		       t->nmutations);
	tests++;
	conditions += t->ngoals - 1;
}

static void check_file(const char *file, const char *text)
{
	struct test *t = calloc(1, sizeof(*t));
	unsigned line = 1;

	if (!t)
		abort();
	t->file = file;
	for (;;) {
		const char *begin = text;
		unsigned begin_line = line, n;

		if (!litmus_parse(t, &text, &line, 0))
			break;
		check_test(t);
		n = t->nmutations;
		for (unsigned i = 1; i <= n; i++)
			check_mutation(begin, begin_line, i, t);
	}
	free(t);
}

static char *read_file(const char *name)
{
	FILE *f = fopen(name, "r");
	char *ret = NULL;
	size_t n = 0;

	if (!f || getdelim(&ret, &n, '\0', f) < 0)
		litmus_die(name, 0, "cannot be read");
	fclose(f);
	return ret;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (litmus_is(argv[i], "-v")) {
			options.verbose = true;
		} else if (litmus_is(argv[i], "-s")) {
			options.show = true;
		} else if (litmus_is(argv[i], "-m")) {
			options.needs_mutations = true;
		} else {
			char *text = read_file(argv[i]);

			check_file(argv[i], text);
			free(text);
		}
	}
	printf("%u tests: %u conditions, %u mutations, %u wrong\n", tests, conditions, mutations,
	       wrong);
	return wrong || !tests;
}
