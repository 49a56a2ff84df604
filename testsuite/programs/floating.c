/* SPDX-License-Identifier: GPL-2.0 */
/* Floating-point parameters, results, members and locals: each function prints what it gets, and
 * main() prints the results. vm/floating compares this with what probes see. */
#include <math.h>
#include <stdio.h>

#define FUNCTION __attribute__((noinline))

struct point { double x, y; };
struct pair { float a, b; };
struct members { int n; float f; double d; };

double everywhere = 2.25;
float nearby = -0.5f;

FUNCTION double scale(double x, float f)
{
	printf("scale %.17g %.17g\n", x, (double)f);
	return x * (double)f;
}

FUNCTION float half(float f)
{
	printf("half %.17g\n", (double)f);
	return f / 2;
}

/* The last two are on the stack. */
FUNCTION double many(double a, double b, double c, double d, double e, double f, double g,
		     double h, double i, float j)
{
	printf("many %g %g %g %.17g\n", a, h, i, (double)j);
	return a + b + c + d + e + f + g + h + i + (double)j;
}

FUNCTION double mixed(int n, double x, const char *s, float f, long k)
{
	printf("mixed %d %g %s %g %ld\n", n, x, s, (double)f, k);
	return n + x + (double)f + (double)k;
}

FUNCTION struct point move(struct point p, double by)
{
	printf("move %g %g %g\n", p.x, p.y, by);
	return (struct point){ p.x + by, p.y - by };
}

FUNCTION struct pair swap(struct pair p)
{
	printf("swap %.17g %.17g\n", (double)p.a, (double)p.b);
	return (struct pair){ p.b, p.a };
}

FUNCTION double member(const struct members *m)
{
	printf("member %d %.17g %.17g %g %g\n", m->n, (double)m->f, m->d, everywhere,
	       (double)nearby);
	return (double)m->f + m->d;
}

FUNCTION long double wide(long double w, double x)
{
	printf("wide %g\n", x);
	return w + (long double)x;
}

int main(void)
{
	struct members m = { 3, 1.1f, -1e300 };
	struct point p = move((struct point){ 1.25, -7.5 }, 0.5);

	printf("moved %g %g\n", p.x, p.y);
	printf("scaled %.17g\n", scale(3.14159, 2.5f));
	printf("scaled %.17g\n", scale(NAN, 1));
	printf("scaled %.17g\n", scale(-INFINITY, 1));
	printf("scaled %.17g\n", scale(-0.0, 1e-45f));
	printf("halved %.17g\n", (double)half(0.1f));
	printf("sum %.17g\n", many(1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.25, 10.1f));
	printf("mix %.17g\n", mixed(7, 0.25, "abc", -0.75f, 9));

	struct pair q = swap((struct pair){ 0.1f, 3e-40f });

	printf("swapped %.17g %.17g\n", (double)q.a, (double)q.b);
	printf("membered %.17g\n", member(&m));
	wide(1.0L, 4.75);
	return 0;
}
