/* SPDX-License-Identifier: GPL-2.0 */
/* doc/errors.md names every id of errors.def, in its order, and no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"

static const char *const ids[] = {
#define ERR(name, text) #name,
#include "base/errors.def"
#undef ERR
};

static void every_id_is_documented(void **state)
{
	FILE *f = fopen("doc/errors.md", "r");
	char line[1024], name[64];
	size_t n = 0;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "| `%63[A-Z_]` |", name) != 1)
			continue;
		assert_true(n < DIAG_ID_COUNT);
		assert_string_equal(name, ids[n]);
		n++;
	}
	fclose(f);
	assert_int_equal(n, DIAG_ID_COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_id_is_documented) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
