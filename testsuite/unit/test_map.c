/* SPDX-License-Identifier: GPL-2.0 */
/* The compiler's hash table: what is set is found again, in the order in which it was set. */
#include "base/map.h"
#include "unit.h"

enum { MANY = 5000 };

static int setup(void **state)
{
	*state = arena_create();
	return 0;
}

static int teardown(void **state)
{
	arena_destroy(*state);
	return 0;
}

TEST_WITH(names, setup, teardown)
{
	struct arena *a = *state;
	struct map m;
	int values[MANY], n = 0;

	map_init(&m, a);
	assert_null(map_get(&m, "0"));
	for (int i = 0; i < MANY; i++)
		map_set(&m, arena_printf(a, "%d", i), &values[i]);
	map_set(&m, "17", &values[0]);
	for (int i = 0; i < MANY; i++)
		assert_ptr_equal(map_get(&m, arena_printf(a, "%d", i)), &values[i == 17 ? 0 : i]);
	assert_null(map_get(&m, "-1"));
	assert_int_equal(m.n, MANY);
	map_each(it, &m)
		assert_string_equal(it->key, arena_printf(a, "%d", n++));
	assert_int_equal(n, MANY);
}

TEST_WITH(numbers, setup, teardown)
{
	struct map m;
	int values[MANY], n = 0;

	map_init(&m, *state);
	assert_null(map_get_number(&m, 0));
	/* 0 is a number as any; these differ in their highest bits alone. */
	for (uint64_t i = 0; i < MANY; i++)
		map_set_number(&m, i << 48, &values[i]);
	map_set_number(&m, (uint64_t)17 << 48, &values[0]);
	for (uint64_t i = 0; i < MANY; i++)
		assert_ptr_equal(map_get_number(&m, i << 48), &values[i == 17 ? 0 : i]);
	assert_null(map_get_number(&m, 1));
	assert_int_equal(m.n, MANY);
	map_each(it, &m)
		assert_int_equal(it->number, (uint64_t)n++ << 48);
	assert_int_equal(n, MANY);
}
