/* SPDX-License-Identifier: GPL-2.0 */
/* compiler/locate/namelist: looking through the text and asking the set give the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "locate/namelist.h"

/* "TYPE NAME", of type t. */
static size_t pick(const char *line, size_t len, const char **name)
{
	*name = line + 2;
	return len > 2 && line[0] == 't' ? len - 2 : 0;
}

static const struct { const char *name; unsigned n; } names[] = {
	{ "read", 2 }, { "re", 0 }, { "ad", 0 }, { "vfs_read", 1 }, { "aa", 0 }, { "aaaa", 1 },
	{ "data", 0 }, { "t read", 1 }, { "last", 1 }, { "l", 0 }, { "", 0 }, { "nope", 0 },
};

static void expect(struct namelist *l)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_int_equal(namelist_count(l, names[i].name), names[i].n);
}

static void test_counts(void **state)
{
	/* The last line has no newline, and nothing lies behind it. */
	static const char text[] =
		"t read\nt vfs_read\nT data\n\nt\nt aaaa\nt t read\nt read\nt last";
	char exact[sizeof(text) - 1];
	struct namelist l;

	(void)state;
	memcpy(exact, text, sizeof(exact));
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		namelist_init(&l, exact, sizeof(exact), pick);
		assert_int_equal(namelist_count(&l, names[i].name), names[i].n);
		assert_int_equal(l.set.nslots, 0);
		namelist_deinit(&l);
	}
	namelist_init(&l, exact, sizeof(exact), pick);
	namelist_set(&l);
	expect(&l);
	namelist_deinit(&l);

	/* Who goes on asking gets the set. */
	namelist_init(&l, exact, sizeof(exact), pick);
	expect(&l);
	assert_int_not_equal(l.set.nslots, 0);
	expect(&l);
	assert_int_equal(l.set.n, 5);
	namelist_deinit(&l);
}

static void test_starting(void **state)
{
	static const char text[] = "t f.isra.0\nt xf.a\nT f.no\nt f\nt f.b";
	struct namelist l, none = { 0 };
	size_t from = 0, len;
	const char *name;

	(void)state;
	namelist_init(&l, text, sizeof(text) - 1, pick);
	name = namelist_starting(&l, "f.", &from, &len);
	assert_true(name == text + 2 && len == 8);
	name = namelist_starting(&l, "f.", &from, &len);
	assert_true(name && len == 3 && !memcmp(name, "f.b", 3));
	assert_null(namelist_starting(&l, "f.", &from, &len));
	from = 0;
	assert_null(namelist_starting(&none, "f.", &from, &len));
}

static void test_unknown(void **state)
{
	struct namelist l = { 0 };

	(void)state;
	assert_int_equal(namelist_count(&l, "read"), 0);
	assert_int_equal(namelist_set(&l)->n, 0);
	namelist_deinit(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_starting),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
