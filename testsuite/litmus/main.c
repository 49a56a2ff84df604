/* SPDX-License-Identifier: GPL-2.0 */
/*
 * litmus [-v] [-s] FILE... - checks the tests of files: each condition is reached where the test
 * says so, and each mutation makes one that is never reached otherwise reached where it says so.
 * -v lists the tests, -s shows an execution for each condition that is reached.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus.h"

static const char *const verdicts[] = { [NEVER] = "never", [ON_ARM64] = "arm64",
					[ON_TSO] = "tso", [ON_BOTH] = "both" };

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

static void check_file(const char *file, const char *text, bool verbose, bool show)
{
	struct test *t = calloc(1, sizeof(*t));
	enum verdict got[MAX_GOALS];
	unsigned line = 1, n;

	if (!t)
		abort();
	t->file = file;
	for (;;) {
		const char *begin = text;
		unsigned begin_line = line;

		if (!litmus_parse(t, &text, &line, 0))
			break;
		litmus_reach(t, show, got);
		for (unsigned g = 0; g < t->ngoals; g++)
			compare(t, t->goal[g].line,
				g + 1 < t->ngoals ? "the condition" : "the end", t->goal[g].want,
				got[g]);
		if (verbose)
			printf("%s: %u conditions, %u mutations\n", t->name, t->ngoals - 1,
			       t->nmutations);
		tests++;
		conditions += t->ngoals - 1;
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
	bool verbose = false, show = false;

	for (int i = 1; i < argc; i++) {
		if (litmus_is(argv[i], "-v")) {
			verbose = true;
		} else if (litmus_is(argv[i], "-s")) {
			show = true;
		} else {
			char *text = read_file(argv[i]);

			check_file(argv[i], text, verbose, show);
			free(text);
		}
	}
	printf("%u tests: %u conditions, %u mutations, %u wrong\n", tests, conditions, mutations,
	       wrong);
	return wrong || !tests;
}
