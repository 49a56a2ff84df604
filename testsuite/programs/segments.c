/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls between two segments with code, for ever: outer(5), in_text(6), in_more(7), leaf(8).
 * segments.ld makes the segments; some linkers do so by themselves if MORE asks for a section that
 * can be written (vm/segments).
 */
#define KEPT __attribute__((noinline, noclone))
#ifndef MORE
#define MORE __attribute__((noinline, noclone, section(".more")))
#endif

static volatile int sum;

KEPT static int leaf(int n)
{
	for (int i = 0; i < 50; i++)
		sum += n;
	return sum;
}

MORE static int in_more(int n)
{
	int r = leaf(n + 1);

	sum++;
	return r + sum;
}

KEPT static int in_text(int n)
{
	int r = in_more(n + 1);

	sum++;
	return r;
}

MORE static int outer(int n)
{
	int r = in_text(n + 1);

	for (int i = 0; i < 50; i++)
		sum += n;
	return r;
}

int main(void)
{
	for (;;)
		sum = outer(5);
}
