/* SPDX-License-Identifier: GPL-2.0 */
#include "shared/word.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool word_is_assignment(const char *word)
{
	const char *p = word;

	if (!isalpha((unsigned char)*p) && *p != '_')
		return false;
	while (isalnum((unsigned char)*p) || *p == '_')
		p++;
	return *p == '=';
}

bool word_is_for_shell(const char *word)
{
	static const char *const words[] = {
		"!", ".", ":", "alias", "bg", "break", "case", "cd", "command", "continue",
		"coproc", "declare", "do", "done", "elif", "else", "esac", "eval", "exec", "exit",
		"export", "fc", "fg", "fi", "for", "function", "getopts", "hash", "if", "jobs",
		"let", "local", "read", "readonly", "return", "select", "set", "shift", "shopt",
		"source", "then", "time", "times", "trap", "type", "typeset", "ulimit", "umask",
		"unalias", "unset", "until", "wait", "while", "[[", "{", "}",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return false;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t word_distance(const char *a, const char *b, size_t limit)
{
	size_t rows[3][WORD_DISTANCE_MAX + 1], la = strlen(a), lb = strlen(b);

	if (la > WORD_DISTANCE_MAX || lb > WORD_DISTANCE_MAX ||
	    (la > lb ? la - lb : lb - la) > limit)
		return limit + 1;
	for (size_t j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *two = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]),
				       least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], two[j - 2] + 1);
		}
	}
	return rows[la % 3][lb];
}

unsigned word_interval_ms(const char *seconds)
{
	char *end;
	double ms = strtod(seconds, &end) * 1000 + 0.5;

	if (end == seconds || *end || strspn(seconds, "0123456789.") != (size_t)(end - seconds))
		return 0;
	return ms >= INTERVAL_MS_LEAST && ms < INTERVAL_MS_MOST + 1 ? (unsigned)ms : 0;
}
