/* SPDX-License-Identifier: GPL-2.0 */
/* What people write who come from C, Python or awk. */
#include "parse/foreign.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *words, *hint;
} rows[] = {
	{ " switch case default ", "there is no switch here: if (...) ... else if (...)" },
	{ " elif elseif elsif ", "write 'else if'" },
	{ " do ", "there is no 'do': while (...) { } tests first" },
	{ " NULL null nil None false False ", "write 0" },
	{ " true True ", "write 1" },
	{ " int char unsigned bool var let auto ",
	  "variables need no declaration here: write NAME = VALUE" },
};

const char *foreign_word(const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (const char *at = rows[i].words; (at = strstr(at, word)); at++)
			if (at > rows[i].words && at[-1] == ' ' && at[len] == ' ')
				return rows[i].hint;
	return NULL;
}
