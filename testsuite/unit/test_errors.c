/* SPDX-License-Identifier: GPL-2.0 */
/* Checks that doc/errors.md lists the errors of errors.def in their order and wording. */
#include "base/diag.h"
#include "unit.h"

static const char *const rows[] = {
#define ERR(name, text, todo) "| `" #name "` | " text " | " todo " |\n",
#include "base/errors.def"
#undef ERR
};

TEST(every_id_is_documented)
{
	FILE *f = fopen("doc/errors.md", "r");
	char line[1024];
	size_t n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (strncmp(line, "| `E_", 5) != 0)
			continue;
		assert_true(n < DIAG_ID_COUNT);
		assert_string_equal(line, rows[n]);
		n++;
	}
	fclose(f);
	assert_int_equal(n, DIAG_ID_COUNT);
}
