/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frame of a unit test, which is one program: a file of tests. They run in the order in which
 * they stand there. This header has main().
 */
#ifndef UNIT_UNIT_H
#define UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Tests of the compiler are about x86-64, on any machine, but for those that choose. */
bool arch_choose(const char *machine) __attribute__((weak));

/* TEST(name) { ... } - A test. */
#define TEST(name) UNIT_TEST(name, NULL, NULL, unused)

/* TEST_WITH(name, setup, teardown) { ... } - A test that runs between two functions; *state is
 * what @setup has stored there. */
#define TEST_WITH(name, setup, teardown) UNIT_TEST(name, setup, teardown, state)

#define UNIT_TEST(name, setup, teardown, argument)                                             \
	static void test_##name(void **argument);                                              \
	static void __attribute__((constructor)) add_##name(void)                              \
	{                                                                                      \
		unit_add(__LINE__, #name, test_##name, setup, teardown);                       \
	}                                                                                      \
	static void test_##name(void **argument __attribute__((unused)))

/* UNIT_AROUND(setup, teardown) - All tests of the file run between these two functions. */
#define UNIT_AROUND(setup, teardown)                                                           \
	static void __attribute__((constructor)) add_around(void)                              \
	{                                                                                      \
		unit_setup = setup;                                                            \
		unit_teardown = teardown;                                                      \
	}

enum { UNIT_TESTS_MAX = 64 };
static struct CMUnitTest unit_tests[UNIT_TESTS_MAX];
static int unit_lines[UNIT_TESTS_MAX]; /* where each test stands, ascending */
static int unit_count;
static CMFixtureFunction unit_setup, unit_teardown;

/* Constructors run in any order, so each test is put where its line belongs. */
static inline void unit_add(int line, const char *name, CMUnitTestFunction test,
			    CMFixtureFunction setup, CMFixtureFunction teardown)
{
	int i = unit_count++;

	if (i == UNIT_TESTS_MAX)
		abort();
	for (; i > 0 && unit_lines[i - 1] > line; i--) {
		unit_lines[i] = unit_lines[i - 1];
		unit_tests[i] = unit_tests[i - 1];
	}
	unit_lines[i] = line;
	unit_tests[i] = (struct CMUnitTest){ name, test, setup, teardown, NULL };
}

int main(void)
{
	if (arch_choose)
		arch_choose("x86_64");
	return _cmocka_run_group_tests("tests", unit_tests, (size_t)unit_count, unit_setup,
				       unit_teardown);
}

#endif
