/* SPDX-License-Identifier: GPL-2.0 */
/* Calls between two segments with code, which segments.ld makes, for ever. */
#define KEPT __attribute__((noinline, noclone))
#define MORE __attribute__((noinline, noclone, section(".more")))

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
