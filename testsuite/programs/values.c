/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Variables of all kinds, for vm/values-gdb: each run does the same. It prints what its variables
 * of files are before the return of work().
 */
#include <stdio.h>

#define KEEP __attribute__((noinline, noclone))

enum colour { RED, GREEN = 5, BLUE = -2 };
typedef unsigned char byte;

struct inner { short s; byte b[4]; };
struct item {
	int id : 5;
	unsigned flags : 11;
	long long wide : 40;
	enum colour colour;
	struct inner inner[2];
	struct item *next;
	union { int i; unsigned char c[4]; } u;
};

static struct item list[3] = {
	{ -3, 1025, -1LL << 30, GREEN, { { -7, { 1, 2, 3, 255 } }, { 8, { 4 } } }, &list[1],
	  { 77 } },
	{ 15, 3, 1LL << 35, BLUE, { { 9, { 5 } } }, &list[2], { -1 } },
	{ -16, 2047, 0, RED, { { 0 } }, NULL, { 1 } },
};
int counter = 11;
static long shared = 7;
static unsigned long long big = 1ULL << 63 | 5;

static inline int twist(int x, byte b)
{
	static int turns;
	int y = x * 3;

	turns++;
	if (b > 2)
		y ^= turns;
	return y + b;
}

static inline long sum(const struct item *p)
{
	long all = 0;

	for (int i = 0; p; p = p->next, i++) {
		long part = p->id + p->inner[0].s * i;

		all += part;
	}
	return all;
}

KEEP static long work(struct item *p, long n, short s, byte b, enum colour c, float f, unsigned u)
{
	static int calls = 40;
	long local = n * 2 + s;
	int t = twist((int)local, b);

	calls++;
	counter += (int)n;
	shared -= b;
	if (c == GREEN)
		t += twist(t, (byte)(b + 1));
	p->inner[1].s++;
	local += sum(p) + (long)f + u;
	printf("work %d %ld %d %d\n", counter, shared, calls, list[0].inner[1].s);
	return local + t;
}

KEEP static int many(int a, int b, int c, int d, int e, int f, int g, char h)
{
	int all = a + b * c;

	for (int i = 0; i < d; i++)
		all += i * e - f;
	return all + g - h;
}

/* Sets what the calls before left on the stack to 0. */
KEEP static void scrub(void)
{
	volatile char room[8192];

	for (unsigned i = 0; i < sizeof(room); i++)
		room[i] = 0;
}

KEEP static void run(int argc)
{
	long all = 0;

	for (int i = 0; i < 4; i++) {
		enum colour c = i % 2 ? GREEN : BLUE;

		scrub();
		all += work(&list[i % 3], i, (short)(-i), (byte)(i + 1), c, 1.5f * i, 3000000000u);
		scrub();
		all += many(i, 2, 3, i, 5, -6, argc, (char)(i + 'a'));
		big += (unsigned long long)all;
	}
	printf("%ld %llu\n", all, big);
}

int main(int argc, char **argv)
{
	scrub();
	run(argc + !argv);
	return 0;
}
