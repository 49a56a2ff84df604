/* SPDX-License-Identifier: GPL-2.0 */
/* Inlined functions whose code compilers repeat, by unrolling, peeling and turning loops and by
 * copying what follows a branch. The program counts the calls itself; its last line has the name
 * and the number of each function. */
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))
#define COUNT(function) (function##_n = function##_n + 1)

static volatile long leaf_n, below_n, odd_n, first_n, part_n, tail_n, kind_n, flip_n, deep_n,
	deeper_n, same_n, step_n;

KEEP int heavy(int n)
{
	volatile int sum = 0;

	for (int i = 0; i < n; i++)
		sum = sum + i;
	return sum;
}

static int leaf(int n)
{
	COUNT(leaf);
	return n * 3 + 1;
}

static int below(int n)
{
	COUNT(below);
	return n < 7;
}

static int odd(int n)
{
	COUNT(odd);
	return n & 1 ? heavy(n) : n;
}

static int first(const char *text)
{
	COUNT(first);
	return text ? *text + heavy(3) : -1;
}

static int part(int n)
{
	COUNT(part);
	if (__builtin_expect(n < 3, 1))
		return n;

	int sum = heavy(n) + heavy(n + 1);

	for (int i = 0; i < n; i++) {
		sum += heavy(i) * (i + 1);
		sum ^= heavy(sum & 7);
		printf("%s", "");
	}
	return sum + heavy(n + 2) + heavy(sum & 3);
}

static int tail(int n)
{
	COUNT(tail);
	return heavy(n);
}

static int kind(int n)
{
	COUNT(kind);
	switch (n) {
	case 0: return 3;
	case 1: return heavy(2);
	case 2: abort();
	case 3: return 9;
	default: return n;
	}
}

static int flip(int n)
{
	COUNT(flip);
	return n ^ 5;
}

static int deep(int n)
{
	COUNT(deep);
	return leaf(n) + 1;
}

static int deeper(int n)
{
	COUNT(deeper);
	return deep(n) * 2;
}

static int same(int n)
{
	static int last;

	COUNT(same);
	if (last == n)
		return 1;
	last = n;
	return 0;
}

static int step(int *n)
{
	COUNT(step);
	return (*n)++;
}

KEEP int leaves(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += leaf(i);
	for (int i = 0; i < 4; i++)
		sum += leaf(i);
	return sum;
}

KEEP int conditions(int n)
{
	int sum = 0;

	for (int i = n; below(i); i++)
		sum += heavy(i);
	while (below(n))
		sum += n++;
	return sum;
}

KEEP int branches(int n, const char *text)
{
	int sum = first(text);

	if (text)
		sum += first(text + 1);
	for (int i = 0; i < n; i++)
		sum += odd(i) + kind(i == 2 ? 7 : i);
	return sum;
}

KEEP int parts(int n)
{
	int sum = part(n);

	for (int i = 0; i < n; i++)
		sum += part(i);
	return sum;
}

KEEP int tails(int n)
{
	return n ? tail(n) : tail(3);
}

KEEP int turns(int n, int m)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		if (m)
			sum += flip(i);
		else
			sum -= flip(i + 1);
	}
	return sum;
}

KEEP int nested(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += deeper(i) + (same(i / 2) ? 1 : 2);
	return sum;
}

KEEP int steps(int n)
{
	int x = 0, y = 0;

	while (step(&x) < n)
		;
	do {
		heavy(1);
	} while (step(&y) < n && y < 6);
	return x + y;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 10; i++)
		sum += leaves(i) + conditions(i) + branches(i, i & 1 ? "ab" : NULL) + parts(i % 6) +
		       tails(i & 1) + turns(i, i & 1) + nested(i) + steps(i);
	printf("leaf %ld below %ld odd %ld first %ld part %ld tail %ld ", leaf_n, below_n, odd_n,
	       first_n, part_n, tail_n);
	printf("kind %ld flip %ld deep %ld deeper %ld same %ld step %ld\n", kind_n, flip_n, deep_n,
	       deeper_n, same_n, step_n);
	return sum == 12345;
}
