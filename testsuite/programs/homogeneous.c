/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions with floating-point numbers, alone and in structures: of numbers of one size, which
 * AAPCS64 passes in vector registers, of too many or different ones, and in too few registers; and
 * with what is too large for registers. As conventions.c, also in C++: each function prints its
 * arguments, "NAME PARAMETER=VALUE ...", and its result, "NAME.return return=VALUE", numbers with
 * three decimals.
 */
#include <stdio.h>
#ifdef __cplusplus
#include <string>
#endif

#define FUNCTION __attribute__((noinline)) void
#define RETURNS __attribute__((noinline))
#define told printf

struct one { float x; };
struct two { float x, y; };
struct three { float v[3]; };
struct four { double v[4]; };
struct five { float v[5]; };
struct inner { struct { double x; } a; double y; };
union both { double d; double v[2]; };
union other { double d; long n; };
struct mixed { float f; int n; };
struct unlike { float f; double d; };
struct large { long a, b; double d; int n; };

static volatile int zero;
static double as(double n) { return n + zero; }

FUNCTION of_numbers(float a, double b, int n, float c, long m)
{
	told("of_numbers a=%.3f b=%.3f n=%d c=%.3f m=%ld\n", a, b, n, c, m);
}
FUNCTION of_one(struct one a, int n, struct one b)
{
	told("of_one a->x=%.3f n=%d b->x=%.3f\n", a.x, n, b.x);
}
FUNCTION of_two(struct two a, double d, struct two b, int n)
{
	told("of_two a->x=%.3f a->y=%.3f d=%.3f b->x=%.3f b->y=%.3f n=%d\n", a.x, a.y, d, b.x, b.y,
	     n);
}
FUNCTION of_three(int n, struct three a, float f)
{
	told("of_three n=%d a->v[0]=%.3f a->v[1]=%.3f a->v[2]=%.3f f=%.3f\n", n, a.v[0], a.v[1],
	     a.v[2], f);
}
FUNCTION of_four(struct four a, long n, struct four b)
{
	told("of_four a->v[0]=%.3f a->v[3]=%.3f n=%ld b->v[0]=%.3f b->v[3]=%.3f\n", a.v[0], a.v[3],
	     n, b.v[0], b.v[3]);
}
FUNCTION of_inner(struct inner a, union both b, int n)
{
	told("of_inner a->a->x=%.3f a->y=%.3f b->v[1]=%.3f n=%d\n", a.a.x, a.y, b.v[1], n);
}
/* Not of one size and kind: in general registers, or in memory. */
FUNCTION of_others(struct five a, union other b, struct mixed c, struct unlike d, double e)
{
	told("of_others a->v[0]=%.3f a->v[4]=%.3f b->n=%ld c->f=%.3f c->n=%d e=%.3f\n", a.v[0],
	     a.v[4], b.n, c.f, c.n, e);
	zero = d.d == 0;
}
/* The third one is on the stack, although one register is left, and so are all later ones. */
FUNCTION of_full(struct four a, struct three b, struct two c, double d, float e, int n)
{
	told("of_full a->v[2]=%.3f b->v[2]=%.3f c->x=%.3f c->y=%.3f d=%.3f e=%.3f n=%d\n", a.v[2],
	     b.v[2], c.x, c.y, d, e, n);
}
FUNCTION of_large(struct large a, int n, struct large b, double d)
{
	told("of_large a->a=%ld a->d=%.3f a->n=%d n=%d b->b=%ld b->n=%d d=%.3f\n", a.a, a.d, a.n, n,
	     b.b, b.n, d);
}
/* The address of the last one is on the stack. */
FUNCTION of_many(int a, int b, int c, int d, int e, int f, int g, int h, struct large i, char j)
{
	told("of_many a=%d h=%d i->a=%ld i->n=%d j=%d\n", a, h, i.a, i.n, j);
	zero = b + c + d + e + f + g == 0;
}
RETURNS double number(float a)
{
	told("number a=%.3f\n", a);
	told("number.return return=%.3f a=%.3f\n", a * 2., a);
	return a * 2.;
}
RETURNS float small(double a)
{
	told("small a=%.3f\n", a);
	told("small.return return=%.3f a=%.3f\n", (float)a, a);
	return (float)a;
}
RETURNS struct two pair(struct two a)
{
	struct two r = { a.y, a.x };

	told("pair a->x=%.3f a->y=%.3f\n", a.x, a.y);
	told("pair.return return->x=%.3f return->y=%.3f a->x=%.3f a->y=%.3f\n", r.x, r.y, a.x, a.y);
	return r;
}
RETURNS struct four squares(double a)
{
	struct four r = { { a, a * a, a * a * a, 0 } };

	told("squares a=%.3f\n", a);
	told("squares.return return->v[0]=%.3f return->v[2]=%.3f return->v[3]=%.3f\n", r.v[0],
	     r.v[2], r.v[3]);
	return r;
}
RETURNS struct large big(long a, int n)
{
	struct large r = { a, -a, a * .5, n };

	told("big a=%ld n=%d\n", a, n);
	told("big.return return->a=%ld return->b=%ld return->d=%.3f return->n=%d a=%ld\n", r.a, r.b,
	     r.d, r.n, a);
	return r;
}

#ifdef __cplusplus
struct base { float x; };
struct derived : base { float y; };
struct nothing { };
struct lonely : nothing { float x, y; };
struct Shape {
	double w, h;
	RETURNS double area(double by) const
	{
		told("Shape::area by=%.3f this->w=%.3f\n", by, w);
		told("Shape::area.return return=%.3f\n", w * h * by);
		return w * h * by;
	}
	RETURNS Shape scaled(float by) const
	{
		Shape r = { w * by, h * by };

		told("Shape::scaled by=%.3f this->h=%.3f\n", by, h);
		told("Shape::scaled.return return->w=%.3f return->h=%.3f\n", r.w, r.h);
		return r;
	}
};
FUNCTION of_derived(derived a, lonely b, int n)
{
	told("of_derived a->y=%.3f b->x=%.3f b->y=%.3f n=%d\n", a.y, b.x, b.y, n);
}
FUNCTION of_string(std::string s, Shape a, int n)
{
	told("of_string s->_M_string_length=%zu a->w=%.3f a->h=%.3f n=%d\n", s.size(), a.w, a.h, n);
}
RETURNS std::string text(int n)
{
	told("text n=%d\n", n);
	told("text.return return->_M_string_length=%d n=%d\n", n, n);
	return std::string(n, 'x');
}
static void of_cpp(void)
{
	derived a;
	lonely b;
	Shape s = { as(1.5), as(2.5) };

	a.x = as(1), a.y = as(2.25), b.x = as(3.125), b.y = as(-4);
	of_derived(a, b, as(5));
	of_string("some text that is not short", s, as(6));
	zero = s.area(as(3)) == 0;
	zero = s.scaled(as(.5)).w == 0;
	zero = text(as(40)).size() == 0;
}
#else
static void of_cpp(void) { }
#endif

int main(void)
{
	struct one one = { (float)as(1.5) };
	struct two two = { (float)as(2.5), (float)as(-3.25) };
	struct three three = { { (float)as(4), (float)as(5.5), (float)as(6.125) } };
	struct four four = { { as(7), as(8), as(9.75), as(1e6) } };
	struct five five = { { (float)as(11), 0, 0, 0, (float)as(12.5) } };
	struct inner inner = { { as(13) }, as(14.5) };
	union both both = { as(15) };
	union other other = { as(16) };
	struct mixed mixed = { (float)as(17.5), (int)as(18) };
	struct unlike unlike = { (float)as(19), as(20) };
	struct large large = { (long)as(21), (long)as(22), as(23.5), (int)as(24) };

	both.v[1] = as(25.125);
	of_numbers(as(-1.5), as(2.25), as(3), as(4.5), as(5));
	of_one(one, as(1), one);
	of_two(two, as(.5), two, as(2));
	of_three(as(3), three, as(3.5));
	of_four(four, as(4), four);
	of_inner(inner, both, as(5));
	of_others(five, other, mixed, unlike, as(6.5));
	of_full(four, three, two, as(7.5), as(8.5), as(9));
	of_large(large, as(10), large, as(11.5));
	of_many(as(1), 2, 3, 4, 5, 6, 7, as(8), large, as(9));
	zero = number(as(1.25)) == 0;
	zero = small(as(-2.5)) == 0;
	zero = pair(two).x == 0;
	zero = squares(as(3)).v[0] == 0;
	zero = big(as(31), as(-32)).n == 0;
	of_cpp();
	return 0;
}
