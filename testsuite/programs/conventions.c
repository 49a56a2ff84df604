/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A function for each way in which C passes and returns values, and for what compilers do to the
 * parameters of static functions: they drop those that are not used, and those that are the same
 * in each call. Each function prints its arguments, "NAME PARAMETER=VALUE ...", and its result,
 * "NAME.return return=VALUE": what a probe of it must see (testsuite/beside/conventions.py).
 */
#include <complex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define FUNCTION __attribute__((noinline))
#define KEPT __attribute__((noinline, used)) /* a static function as its source is */
#define told printf

struct one { char c; };
struct three { char c[3]; };
struct six { char c[6]; };
struct seven { int n; char c[3]; };
struct eight { int a, b; };
struct nine { long a; char b; };
struct twelve { int a, b, c; };
struct sixteen { long a, b; };
struct seventeen { long a, b; char c; };
struct large { int id; long v[7]; };
struct pair { float x, y; };
struct mixed { int n; float f; double d; };
struct bits { unsigned a : 5; signed b : 11; unsigned long c : 40; };
struct packed { char c; long n; } __attribute__((packed));
struct strict { int a; char c; } __attribute__((aligned(64)));
struct flexible { int n; char rest[]; };
struct around { struct flexible in; };
struct nested { struct { short a; union { int b; char c; }; } in; int d; };
union word { int n; char c[4]; };
union wide { long n[2]; char c; };
/* Words of two classes, one of which is that of a long double. */
union either { long double l; long n[2]; };
union half { long double l; int n; };
union real { long double l; double d; };
enum plain { FIRST = 1, LAST = 0x7fffffff };
enum below { BELOW = -3, ABOVE = 3 };
enum huge { HUGE_ONE = 0xffffffff00000000 };
enum __attribute__((packed)) tiny { TINY = 200 };
typedef int four __attribute__((vector_size(16)));
typedef double alone __attribute__((vector_size(8)));

static volatile int zero;
static volatile long sink; /* clang removes a result that nobody uses */
static int as(int n) { return n + zero; }

FUNCTION void by_size(struct one a, struct three b, struct seven c, struct eight d, int q)
{
	told("by_size a->c=%d b->c[2]=%d c->n=%d c->c[1]=%d d->a=%d d->b=%d q=%d\n", a.c, b.c[2],
	     c.n, c.c[1], d.a, d.b, q);
}
FUNCTION void by_more(struct nine a, struct sixteen b, struct twelve c, int q)
{
	told("by_more a->a=%ld a->b=%d b->a=%ld b->b=%ld c->a=%d c->c=%d q=%d\n", a.a, a.b, b.a,
	     b.b, c.a, c.c, q);
}
FUNCTION void by_large(int p, struct seventeen s, struct large t, int q)
{
	told("by_large p=%d s->b=%ld s->c=%d t->id=%d t->v[6]=%ld q=%d\n", p, s.b, s.c, t.id,
	     t.v[6], q);
}
FUNCTION void by_pair(int p, struct pair s, int q)
{
	told("by_pair p=%d q=%d\n", p, q);
	zero = s.x == 0;
}
FUNCTION void by_mixed(int p, struct mixed s, int q)
{
	told("by_mixed p=%d s->n=%d q=%d\n", p, s.n, q);
	zero = s.d == 0;
}
FUNCTION void by_bits(int p, struct bits s, int q)
{
	told("by_bits p=%d s->a=%d s->b=%d s->c=%ld q=%d\n", p, s.a, s.b, (long)s.c, q);
}
FUNCTION void by_packed(int p, struct packed s, int q)
{
	told("by_packed p=%d s->c=%d s->n=%ld q=%d\n", p, s.c, s.n, q);
}
FUNCTION void by_nested(int p, struct nested s, int q)
{
	told("by_nested p=%d s->in->a=%d s->in->b=%d s->d=%d q=%d\n", p, s.in.a, s.in.b, s.d, q);
}
/* clang passes it on the stack, gcc as one without the array. */
FUNCTION void by_flexible(int p, struct flexible s, int q, struct around t, int r)
{
	told("by_flexible p=%d s->n=%d q=%d t->in->n=%d r=%d\n", p, s.n, q, t.in.n, r);
}
FUNCTION void by_union(int p, union word s, union wide t, int q)
{
	told("by_union p=%d s->n=%d s->c[1]=%d t->n[0]=%ld t->n[1]=%ld q=%d\n", p, s.n, s.c[1],
	     t.n[0], t.n[1], q);
}
FUNCTION void by_either(int p, union either s, union half t, union real u, int q)
{
	told("by_either p=%d s->n[0]=%ld s->n[1]=%ld t->n=%d q=%d\n", p, s.n[0], s.n[1], t.n, q);
	zero = u.d == 0;
}
FUNCTION void by_narrow(bool b, char c, unsigned char u, short h, unsigned short w, unsigned n)
{
	told("by_narrow b=%d c=%d u=%d h=%d w=%d n=%u\n", b, c, u, h, w, n);
}
FUNCTION void by_stack(int a, int b, int c, int d, int e, int f, bool g, char h, unsigned short i,
		       int j, long k)
{
	told("by_stack a=%d b=%d c=%d d=%d e=%d f=%d g=%d h=%d i=%d j=%d k=%ld\n", a, b, c, d, e, f,
	     g, h, i, j, k);
}
FUNCTION void by_enum(enum plain a, enum below b, enum huge c, enum tiny d)
{
	told("by_enum a=%d b=%d c=%ld d=%d\n", a, b, (long)c, d);
}
FUNCTION void by_real(int p, float f, double d, long double l, int q)
{
	told("by_real p=%d q=%d\n", p, q);
	zero = f + d + l == 0;
}
FUNCTION void by_complex(int p, double complex d, int q, float complex f, int r)
{
	told("by_complex p=%d q=%d r=%d\n", p, q, r);
	zero = creal(d) + crealf(f) == 0;
}
FUNCTION void by_vector(int p, four v, int q)
{
	told("by_vector p=%d q=%d\n", p, q);
	zero = v[0] == 0;
}
FUNCTION void by_wide(int p, __int128 w, int q, unsigned __int128 x, int r, int s)
{
	told("by_wide p=%d q=%d r=%d s=%d\n", p, q, r, s);
	zero = w == 0 || x == 0;
}
FUNCTION void by_large_complex(int p, long double complex l, int q, alone v, int r, long double m,
			       int a, int b, int c, int d, int e)
{
	told("by_large_complex p=%d q=%d r=%d a=%d b=%d c=%d d=%d e=%d\n", p, q, r, a, b, c, d, e);
	zero = creall(l) + v[0] + m == 0;
}
/* Where one register is left for two words, LLVM before 18 uses it. */
FUNCTION void by_split(long a, long b, long c, long d, long e, __int128 w, long f, long g)
{
	told("by_split a=%ld b=%ld c=%ld d=%ld e=%ld f=%ld g=%ld\n", a, b, c, d, e, f, g);
	zero = w == 0;
}
FUNCTION void by_full(int a, int b, int c, int d, int e, struct sixteen s, int f, struct eight t)
{
	told("by_full a=%d b=%d c=%d d=%d e=%d s->a=%ld s->b=%ld f=%d t->a=%d t->b=%d\n", a, b, c,
	     d, e, s.a, s.b, f, t.a, t.b);
}
FUNCTION void by_pointer(const char *text, int array[4], int (*f)(int, ...), void *none)
{
	told("by_pointer text=%ld array=%ld f=%ld none=%ld text[1]=%d array[2]=%d\n", (long)text,
	     (long)array, (long)f, (long)none, text[1], array[2]);
}
FUNCTION int by_rest(int p, ...)
{
	va_list rest;

	va_start(rest, p);
	told("by_rest p=%d\n", p);
	p += va_arg(rest, int);
	va_end(rest);
	told("by_rest.return return=%d\n", p);
	return p;
}
FUNCTION int by_old(a, b, c)
	char a;
	short b;
	long c;
{
	told("by_old a=%d b=%d c=%ld\n", a, b, c);
	return a;
}
/* Callers pass a double. */
FUNCTION int by_promoted(x, n)
	float x;
	int n;
{
	told("by_promoted x=%d n=%d\n", (int)x, n);
	return n;
}
__attribute__((ms_abi)) FUNCTION void by_microsoft(int a, long b, int c, int d, int e)
{
	told("by_microsoft a=%d b=%ld c=%d d=%d e=%d\n", a, b, c, d, e);
}
__attribute__((ms_abi)) FUNCTION void by_microsoft_one(long a)
{
	told("by_microsoft_one a=%ld\n", a);
}
__attribute__((ms_abi)) FUNCTION void by_microsoft_first(int a, long b, char c, unsigned d)
{
	(void)b, (void)c, (void)d;
	told("by_microsoft_first a=%d\n", a);
}
__attribute__((ms_abi)) FUNCTION void by_microsoft_double(double x, long a)
{
	told("by_microsoft_double a=%ld\n", a);
	zero = x == 0;
}
/* These two do nothing else, so parameters stay in their registers; main() tells. */
__attribute__((ms_abi)) FUNCTION void by_microsoft_leaf(long a, long b) { sink = a * 3 + b; }
FUNCTION void by_leaf(long a, long b, long c, long d) { sink = a * 3 + b - c * d; }
/* One has the size of a double. */
FUNCTION void by_small_complex(float _Complex a, int n, double _Complex b, long m)
{
	told("by_small_complex a=%d n=%d m=%ld\n", (int)__real__ a, n, m);
	zero = __imag__ a == __real__ b;
}
#if !defined(__clang__) && !defined(__aarch64__)
FUNCTION void by_decimal(int n, _Decimal64 a, int m)
{
	told("by_decimal n=%d a=%d m=%d\n", n, (int)a, m);
}
#else
#define by_decimal(n, a, m)
#endif
#ifdef __clang__
FUNCTION void by_bitint(_BitInt(33) a, int n, unsigned _BitInt(12) b, long m)
{
	told("by_bitint a=%ld n=%d b=%u m=%ld\n", (long)a, n, (unsigned)b, m);
}
/* Both have the other one's register at once, as debug information has it. */
FUNCTION void by_exchange(long a, long b)
{
	long c = a;

	a = b;
	b = c;
	sink = a - b;
}
#endif
/* A parameter gets another value at once: that of another one, a constant, what is computed, and
 * what a call returns. clang's callers need not pass it. */
FUNCTION void by_assigned(long a, long b, long c)
{
	b = a;
	sink = b;
	sink = a * c;
	sink = b;
}
/* With link-time optimisation, other functions are static, and debug information then has the
 * constant for what all callers pass as well. */
FUNCTION __attribute__((used)) void by_constant(long a, long b)
{
	b = 5;
	sink = b + a;
	sink = b;
}
FUNCTION void by_computed(long a, long b)
{
	b = a * 3 + 1;
	sink = b;
	sink = a;
	sink = b;
}
FUNCTION void by_call(long a, long b, long c)
{
	b = puts("# called") + a;
	sink = b + c;
}
FUNCTION void by_part(struct sixteen s, long c)
{
	s.a = c;
	sink = s.a;
	sink = s.b;
	sink = c;
}
FUNCTION void by_real_other(double d, double e, long c)
{
	e = d;
	sink = (long)e;
	sink = c + (long)d;
}
FUNCTION void by_slot(long a, long b, long c, long d, long e, long f, long g, long h, long i)
{
	i = g;
	puts("# called");
	sink = a + b + c + d + e + f;
	sink = g + i;
	h++;
	sink = h;
}
/* The same in functions whose parameters a compiler may remove. */
static FUNCTION void of_another(long a, long b, long c)
{
	b = a;
	sink = b;
	sink = a - c;
	sink = b;
}
static FUNCTION void of_next(long a, long b, long c)
{
	a = b;
	sink = a;
	sink = b * c;
	sink = a;
}
/* The first one moves to the register of another that is not used, the second one stays. */
static FUNCTION void of_less(void *unused, struct six s, struct large t)
{
	sink = s.c[0];
	sink = s.c[4];
	sink = t.id;
}
/* A structure with an alignment of its own, which the caller's stack follows. */
FUNCTION void by_strict(int a, int b, int c, int d, int e, int f, int g, struct strict s, int h)
{
	told("by_strict a=%d f=%d g=%d s->a=%d s->c=%d h=%d\n", a, f, g, s.a, s.c, h);
	zero = b + c + d + e == 0;
}

FUNCTION bool truth(int a, int b)
{
	told("truth a=%d b=%d\n", a, b);
	told("truth.return return=%d a=%d b=%d\n", a > b, a, b);
	return a > b;
}
FUNCTION signed char narrow(int a)
{
	told("narrow a=%d\n", a);
	told("narrow.return return=%d a=%d\n", (signed char)a, a);
	return (signed char)a;
}
FUNCTION unsigned short narrow_unsigned(int a)
{
	told("narrow_unsigned a=%d\n", a);
	told("narrow_unsigned.return return=%d a=%d\n", (unsigned short)a, a);
	return (unsigned short)a;
}
FUNCTION struct eight eight(int a)
{
	told("eight a=%d\n", a);
	told("eight.return return->a=%d return->b=%d a=%d\n", a, a + 1, a);
	return (struct eight){ a, a + 1 };
}
FUNCTION struct sixteen sixteen(int a)
{
	told("sixteen a=%d\n", a);
	told("sixteen.return return->a=%d return->b=%d a=%d\n", a, a + 1, a);
	return (struct sixteen){ a, a + 1 };
}
FUNCTION struct seventeen seventeen(int a)
{
	told("seventeen a=%d\n", a);
	told("seventeen.return return->a=%d return->c=%d a=%d\n", a, (char)(a + 2), a);
	return (struct seventeen){ a, a + 1, (char)(a + 2) };
}
FUNCTION struct flexible flexible(int a)
{
	told("flexible a=%d\n", a);
	told("flexible.return return->n=%d a=%d\n", a, a);
	return (struct flexible){ .n = a };
}
FUNCTION union either either(int a)
{
	told("either a=%d\n", a);
	told("either.return return->n[0]=%d return->n[1]=%d a=%d\n", a, a + 1, a);
	return (union either){ .n = { a, a + 1 } };
}
FUNCTION union half half(int a)
{
	told("half a=%d\n", a);
	told("half.return return->n=%d a=%d\n", a, a);
	return (union half){ .n = a };
}
FUNCTION union real real_union(int a)
{
	told("real_union a=%d\n", a);
	return (union real){ .d = a };
}
FUNCTION struct mixed mixed(int a)
{
	told("mixed a=%d\n", a);
	told("mixed.return return->n=%d a=%d\n", a, a);
	return (struct mixed){ a, 1.5f, 2.5 };
}
FUNCTION double real(double d, int a)
{
	told("real a=%d\n", a);
	return d + a;
}
FUNCTION enum huge huge(int a)
{
	told("huge a=%d\n", a);
	told("huge.return return=%ld a=%d\n", (long)HUGE_ONE, a);
	return a ? HUGE_ONE : 0;
}

static int given; /* what the caller passes as a parameter that the function does not use */
static KEPT int kept(int unused, const char *who, int cents, int fixed)
{
	told("kept unused=%d who=%ld cents=%d fixed=%d\n", given, (long)who, cents, fixed);
	return cents + fixed;
}
static FUNCTION int charge(int unused, const char *who, int cents, int fixed)
{
	told("charge unused=%d who=%ld cents=%d fixed=%d\n", given, (long)who, cents, fixed);
	return cents + fixed;
}
static FUNCTION int middle(int a, long unused, struct eight s, int fixed, int e)
{
	told("middle a=%d unused=%d s->a=%d fixed=%d e=%d\n", a, given, s.a, fixed, e);
	told("middle.return return=%d\n", a + s.a + e);
	return a + s.a + e;
}
static FUNCTION int by_content(const struct sixteen *s, const int *n, int q)
{
	told("by_content s->a=%ld q=%d\n", s->a, q);
	return (int)s->a + *n + q;
}
static FUNCTION void nothing(int unused, int last)
{
	told("nothing unused=%d last=%d\n", given, last);
}
static FUNCTION int ignored(int a, int b)
{
	told("ignored a=%d b=%d\n", a, b);
	told("ignored.return return=%d a=%d b=%d\n", a * b, a, b);
	return a * b; /* nobody looks */
}
static FUNCTION struct sixteen part(int a)
{
	told("part a=%d\n", a);
	told("part.return return->a=%d return->b=%d a=%d\n", a, a + 1, a);
	return (struct sixteen){ a, a + 1 }; /* only the second half is used */
}
static FUNCTION struct large memory(int a)
{
	told("memory a=%d\n", a);
	told("memory.return return->id=%d a=%d\n", a, a);
	return (struct large){ a, { a } };
}

static void statics(void)
{
	struct sixteen s = { as(5), 6 };
	int n = as(7);

	given = as(11);
	kept(given, as(1) ? "ann" : "bob", as(250), 7);
	charge(given, as(1) ? "ann" : "bob", as(250), 7);
	charge(given, as(1) ? "cid" : "bob", as(-251), 7);
	sink = middle(as(1), given, (struct eight){ as(2), 3 }, 9, as(4));
	sink = middle(as(5), given, (struct eight){ as(6), 3 }, 9, as(8));
	by_content(&s, &n, as(8));
	by_content(&s, &n, as(9));
	nothing(given, as(3));
	ignored(as(3), as(-4));
	sink = part(as(5)).b;
	sink = memory(as(6)).id;
}

static void results(void)
{
	sink = (long)truth(as(3), as(2));
	sink = (long)narrow(as(0x1ff80));
	sink = (long)narrow_unsigned(as(0x1ff80));
	sink = (long)eight(as(-3)).b;
	sink = (long)sixteen(as(-3)).b;
	sink = (long)seventeen(as(-3)).c;
	sink = (long)flexible(as(-3)).n;
	sink = (long)either(as(-3)).n[1];
	sink = (long)half(as(-3)).n;
	sink = (long)real_union(as(-3)).d;
	sink = (long)mixed(as(-3)).n;
	sink = (long)real(as(1) + .5, as(-3));
	sink = (long)huge(as(1));
}

static void replaced(void)
{
	told("by_assigned a=%d b=%d c=%d\n", as(18), as(19), as(20));
	by_assigned(as(18), as(19), as(20));
	told("by_constant a=%d b=%d\n", as(21), as(22));
	by_constant(as(21), as(22));
	told("by_computed a=%d b=%d\n", as(23), as(24));
	by_computed(as(23), as(24));
	told("by_call a=%d b=%d c=%d\n", as(25), as(26), as(27));
	by_call(as(25), as(26), as(27));
	told("by_part s->a=%d s->b=%d c=%d\n", as(28), as(29), as(30));
	by_part((struct sixteen){ as(28), as(29) }, as(30));
	told("by_real_other c=%d\n", as(31));
	by_real_other(as(1), as(2), as(31));
	told("by_slot a=%d f=%d g=%d h=%d i=%d\n", as(32), as(33), as(34), as(35), as(36));
	by_slot(as(32), 2, 3, 4, 5, as(33), as(34), as(35), as(36));
	told("of_another a=%d b=%d c=%d\n", as(37), as(38), as(39));
	of_another(as(37), as(38), as(39));
	told("of_next a=%d b=%d c=%d\n", as(40), as(41), as(42));
	of_next(as(40), as(41), as(42));
	told("of_less s->c[0]=%d s->c[4]=%d t->id=%d\n", as(43), as(44), as(45));
	of_less(&given, (struct six){ { (char)as(43), 2, 3, 4, (char)as(44) } },
		(struct large){ as(45) });
}

int main(void)
{
	int array[4] = { 1, 2, as(3), 4 };
	struct large l = { as(20), { 1, 2, 3, 4, 5, 6, as(-7) } };

	by_size((struct one){ (char)as(-1) }, (struct three){ { 1, 2, (char)as(-3) } },
		(struct seven){ as(-70000), { 1, (char)as(2), 3 } },
		(struct eight){ as(-8), as(9) }, as(10));
	by_more((struct nine){ as(-1), (char)as(-2) }, (struct sixteen){ as(-3), as(4) },
		(struct twelve){ as(5), 6, as(-7) }, as(8));
	by_large(as(1), (struct seventeen){ 2, as(-3), (char)as(4) }, l, as(5));
	by_pair(as(1), (struct pair){ as(1) + .5f, 2 }, as(2));
	by_mixed(as(1), (struct mixed){ as(-2), 1.5f, as(2) + .5 }, as(3));
	by_bits(as(1), (struct bits){ as(21) & 31, as(-500), (unsigned long)as(9) << 36 }, as(3));
	by_packed(as(1), (struct packed){ (char)as(2), as(-3) }, as(4));
	by_nested(as(1), (struct nested){ { (short)as(-2), { as(-3) } }, as(4) }, as(5));
	by_flexible(as(1), (struct flexible){ .n = as(-2) }, as(3),
		    (struct around){ { .n = as(4) } }, as(-5));
	by_union(as(1), (union word){ as(0x1234) }, (union wide){ { as(-2), as(3) } }, as(4));
	by_narrow(as(1), (char)as(-2), (unsigned char)as(0x1c8), (short)as(0x1fed4),
		  (unsigned short)as(0x5ea60), (unsigned)as(-5));
	by_stack(as(1), as(-2), as(3), as(-4), as(5), as(-6), as(7), (char)as(-8),
		 (unsigned short)as(-9), as(-10), as(-11));
	by_enum(as(1) ? LAST : FIRST, as(1) ? BELOW : ABOVE, as(1) ? HUGE_ONE : 0,
		as(1) ? TINY : 0);
	by_real(as(1), 1.5f, as(2) + .5, as(3) + .5L, as(4));
	by_complex(as(1), as(2) + 3 * I, as(4), (float)as(5) + 6 * I, as(7));
	by_vector(as(1), (four){ as(1), 2, 3, 4 }, as(2));
	by_either(as(1), (union either){ .n = { as(-2), as(3) } }, (union half){ .n = as(-4) },
		  (union real){ .d = as(5) }, as(6));
	by_large_complex(as(1), as(2), as(3), (alone){ as(4) }, as(5), as(6), as(7), as(8), as(-9),
			 as(10), as(-11));
	by_wide(as(1), as(-2), as(3), (unsigned)as(4), as(5), as(6));
	by_split(as(1), as(2), as(3), as(4), as(5), as(6), as(7), as(8));
	by_full(as(1), as(2), as(3), as(4), as(5), (struct sixteen){ as(6), as(-7) }, as(8),
		(struct eight){ as(9), as(10) });
	by_pointer(as(1) ? "text" : "none", array, by_rest, as(0) ? array : NULL);
	sink = by_rest(as(1), as(-2), as(3) + .5);
	by_old((char)as(-1), (short)as(-2), (long)as(-3));
	sink = by_promoted((float)as(5), as(-6));
	by_microsoft(as(1), as(-2), as(3), as(4), as(5));
	by_microsoft_one(as(-6));
	by_microsoft_first(as(7), 8, 9, 10);
	by_microsoft_double(as(1) + .5, as(-11));
	by_small_complex(as(1), as(2), as(3), as(-4));
	by_decimal(as(1), as(2), as(3));
#ifdef __clang__
	by_bitint(as(-5), as(6), as(2000), as(-7));
	told("by_exchange a=%d b=%d\n", as(8), as(9));
	by_exchange(as(8), as(9));
#endif
	told("by_microsoft_leaf a=%d b=%d\n", as(12), as(13));
	by_microsoft_leaf(as(12), as(13));
	told("by_leaf a=%d b=%d c=%d d=%d\n", as(14), as(15), as(16), as(17));
	by_leaf(as(14), as(15), as(16), as(17));
	replaced();
	by_strict(as(1), 2, 3, 4, 5, as(6), as(-7), (struct strict){ as(-8), as(9) }, as(10));
	results();
	statics();
	return 0;
}
