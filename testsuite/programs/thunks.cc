/* SPDX-License-Identifier: GPL-2.0 */
/* Virtual functions that are called by way of a second base class, and so by thunks, into which
 * compilers copy small functions; functions that are equal, which gcc -flto makes one; and one with
 * variants for several processors. The program counts the calls itself; its last line has the name
 * and the number of each function. */
#include <cstdio>

#define KEEP __attribute__((noinline))

static volatile long small_n, big_n, clone_n, gone_n, equal_n, same_n, chosen_n;
static volatile int sink;

struct First {
	int a = 1;
	virtual int first() { return a; }
	virtual ~First() {}
};
struct Second {
	int b = 2;
	virtual int small(int) = 0;
	virtual int big(int) = 0;
	virtual Second *clone() = 0;
	virtual ~Second() {}
};
struct Both : First, Second {
	int c = 3;
	int small(int n) override;
	int big(int n) override;
	Both *clone() override;
	~Both() override;
};

/* With another implementation, calls are not bound when the program is compiled. */
struct Other : Second {
	int small(int) override { return 1; }
	int big(int) override { return 2; }
	Second *clone() override { return new Other; }
};

int Both::small(int n)
{
	small_n = small_n + 1;
	return n + c;
}

int Both::big(int n)
{
	big_n = big_n + 1;
	for (int i = 0; i < n; i++) {
		sink = sink + i * c;
		if (sink % 5 == 2)
			printf("%s", "");
		sink = sink ^ a;
	}
	return sink;
}

Both *Both::clone()
{
	clone_n = clone_n + 1;
	return new Both(*this);
}

Both::~Both() { gone_n = gone_n + 1; }

KEEP int equal(int n) { return n * 3 + 1; }
KEEP int same(int n) { return n * 3 + 1; }

#if defined(__GNUC__) && !defined(__clang__)
__attribute__((target_clones("avx2", "default")))
#endif
KEEP int chosen(const int *p, int n)
{
	int sum = 0;

	chosen_n = chosen_n + 1;
	for (int i = 0; i < n; i++)
		sum += p[i] * p[i];
	return sum;
}

KEEP static int use(Second *s)
{
	Second *other = s->clone();
	int ret = s->small(3) + s->big(4) + other->small(1);

	delete other;
	return ret;
}

KEEP static int direct(Both *b, int n) { return b->small(n); }

int main(int argc, char **argv)
{
	const int numbers[] = { 1, 2, 3, argc };

	(void)argv;
	{
		Both both;

		for (int i = 0; i < 5; i++)
			sink = use(argc > 0 ? static_cast<Second *>(&both) : new Other);
		for (int i = 0; i < 3; i++)
			sink = direct(&both, i);
	}
	for (int i = 0; i < 5; i++) {
		equal_n = equal_n + 1;
		sink = equal(i + argc);
	}
	for (int i = 0; i < 7; i++) {
		same_n = same_n + 1;
		sink = same(i + argc);
	}
	for (int i = 0; i < 8; i++)
		sink = chosen(numbers, 4);
	printf("Both::small %ld Both::big %ld Both::clone %ld Both::~Both %ld equal %ld same %ld "
	       "chosen %ld\n", small_n, big_n, clone_n, gone_n, equal_n, same_n, chosen_n);
	return 0;
}
