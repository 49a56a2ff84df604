/* SPDX-License-Identifier: GPL-2.0 */
/* Recognizes syntax of C, Python, awk and other tracers, and names its counterpart here. */
#include "parse/foreign.h"

#include <stddef.h>
#include <string.h>

enum position { WORD, TYPE, CALL, NAME, POINT };

static const struct row {
	enum position position;
	const char *words, *hint;
} rows[] = {
#define WORD(words, hint) { WORD, words, hint },
#define TYPE(words, hint) { TYPE, words, hint },
#define CALL(words, hint) { CALL, words, hint },
#define NAME(words, hint) { NAME, words, hint },
#define POINT(words, hint) { POINT, words, hint },
#include "parse/foreign_hints.def"
};

static const char *find_hint(enum position position, const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; len && i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].position != position)
			continue;
		for (const char *at = rows[i].words; (at = strstr(at, word)); at++)
			if (at > rows[i].words && at[-1] == ' ' && at[len] == ' ')
				return rows[i].hint;
	}
	return NULL;
}

const char *foreign_word(const char *word)
{
	return find_hint(WORD, word);
}

const char *foreign_type(const char *word)
{
	return find_hint(TYPE, word);
}

const char *foreign_call(const char *word)
{
	const char *hint = find_hint(CALL, word);

	return hint ? hint : foreign_word(word);
}

const char *foreign_name(const char *word)
{
	const char *hint = find_hint(NAME, word);

	return hint ? hint : foreign_word(word);
}

const char *foreign_point(const char *word)
{
	return find_hint(POINT, word);
}
