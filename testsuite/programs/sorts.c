/* SPDX-License-Identifier: GPL-2.0 */
/* Sorts and prints words for ever: callbacks of the C library, and a recursion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 300, ROOM = 16 };

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int nest(int n, const char *text)
{
	char own[64];

	snprintf(own, sizeof(own), "%d %s", n, text);
	return n ? nest(n - 1, own) + own[0] : (int)strlen(own);
}

int main(void)
{
	static char words[WORDS][ROOM];
	unsigned sum = 0;

	for (unsigned round = 0;; round++) {
		for (unsigned i = 0; i < WORDS; i++)
			snprintf(words[i], ROOM, "%x", i * 7919 % 1000 + round);
		qsort(words, WORDS, ROOM, compare);
		sum += (unsigned)nest(20, words[0]);
		free(calloc(sum % 1000, 3));
	}
}
