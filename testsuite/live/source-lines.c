/* SPDX-License-Identifier: GPL-2.0 */
/* For source-lines.sh, which finds the lines by their comments. */
#include <string.h>

static volatile int sink;
static char text[] = "lines";

static inline __attribute__((always_inline)) int inner(int n)
{
	strfry(text); /* line of inner */
	sink += n;
	return text[0] + n;
}

static inline __attribute__((always_inline)) int outer(int n)
{
	int m = inner(n * 5); /* line of outer */

	return m + sink;
}

__attribute__((noipa)) static int caller(int n)
{
	int m = outer(n); /* line of caller */

	return m ^ sink;
}

int main(void)
{
	int n = caller(3); /* line of main */

	return n == 12345;
}
