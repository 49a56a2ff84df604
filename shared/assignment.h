/* SPDX-License-Identifier: GPL-2.0 */
/* Words of the form NAME=VALUE: an identifier, '=', and anything. */
#ifndef SHARED_ASSIGNMENT_H
#define SHARED_ASSIGNMENT_H

#include <ctype.h>
#include <stdbool.h>

/** is_assignment - whether @word has that form. */
static inline bool is_assignment(const char *word)
{
	const char *p = word;

	if (!isalpha((unsigned char)*p) && *p != '_')
		return false;
	while (isalnum((unsigned char)*p) || *p == '_')
		p++;
	return *p == '=';
}

#endif
