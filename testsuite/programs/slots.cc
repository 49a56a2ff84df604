// SPDX-License-Identifier: GPL-2.0
// A function that gets the address of an object on the stack, as its seventh argument, and has the
// object on several lines: s.v is 77, s.w is 78. t is on the stack itself: 80, 81.
#include <cstdio>

struct Copied {
	long v, w;
	explicit Copied(long n) : v(n), w(n + 1) {}
	Copied(const Copied &from) : v(from.v), w(from.w) {}
};
struct Large { long v, w, x; };

static volatile long zero, sink;

__attribute__((noinline)) long many(long a, long b, long c, long d, long e, long f, Copied s, Large t)
{
	sink = a + b;
	sink = s.v + t.v;
	puts("# called");
	sink = s.w + t.w;
	return c + d + e + f;
}

int main()
{
	long n = zero;

	sink = many(n + 1, 2, 3, 4, 5, 6, Copied(n + 77), Large{n + 80, n + 81, 82});
	return 0;
}
