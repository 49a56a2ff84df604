/* SPDX-License-Identifier: GPL-2.0 */
/* Counting the free states of the kernel's hotplug in its list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/hotplug.h"

static const char list[] =
	"  0: offline\n"
	" 99: below:100\n"
	"100: workqueue:prepare\n"
	"101: probec:prepare\n"
	"103: probec:prepare\n"
	"104: above\n"
	"230: online\n";

static void test_counts_free_states(void **state)
{
	const struct prt_hotplug range = { 100, 103, 1 }, other = { 200, 219, 1 };

	(void)state;
	assert_int_equal(hotplug_free(list, &range), 1);
	assert_int_equal(hotplug_free(list, &other), 20);
	assert_int_equal(hotplug_free("", &range), 4);
	assert_int_equal(hotplug_free("nothing of it", &range), 4);
}

static void test_counts_no_more_than_all(void **state)
{
	const struct prt_hotplug one = { 100, 100, 1 };

	(void)state;
	assert_int_equal(hotplug_free("100: a\n100: b\n100: c", &one), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts_free_states),
		cmocka_unit_test(test_counts_no_more_than_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
