// SPDX-License-Identifier: GPL-2.0
// A function for each way in which C++ passes and returns values. Each prints its own arguments,
// "NAME PARAMETER=VALUE ...", and its result, "NAME.return return=VALUE": what a probe of it must
// see (testsuite/beside/conventions.py). Numbers are decimal, as a signed number of
// 64 bits.
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#define FUNCTION __attribute__((noinline))
#define told printf

struct Empty {};
struct Small { int x, y; };
struct Three { char c[3]; };
struct Twelve { int a, b, c; };
struct Sixteen { long a, b; };
struct Large { long a, b, c; };
struct Mixed { int n; double d; };
struct Bits { unsigned low : 3; int mid : 7; unsigned wide : 20; };
struct Point { double x, y; };
struct Packed { char c; int n; } __attribute__((packed));
struct alignas(16) Aligned { int n; };
typedef struct { int a; } Unnamed;
using Unnamed2 = struct { int b; };
struct Inner { Small s; short h; };
struct Derived : Small { int z; };

struct Copied { // a copy constructor of its own
	int v;
	explicit Copied(int n) : v(n) {}
	Copied(const Copied &from) : v(from.v) {}
};
struct Moved { // only moved
	int v;
	explicit Moved(int n) : v(n) {}
	Moved(Moved &&from) : v(from.v) { from.v = -1; }
	Moved(const Moved &) = delete;
};
struct Destroyed { // a destructor of its own
	int v;
	explicit Destroyed(int n) : v(n) {}
	~Destroyed() { v = -2; }
};
struct TrivialMove { // no copies, but trivial moves: in registers
	int v;
	explicit TrivialMove(int n) : v(n) {}
	TrivialMove(const TrivialMove &) = delete;
	TrivialMove(TrivialMove &&) = default;
};
struct Built { // a constructor of its own, but trivial copies: in registers
	int v;
	long w;
	Built(int n, long m) : v(n), w(m) {}
	Built() : v(0), w(0) {}
};
struct Defaulted { // all of them by default: in registers
	int v;
	Defaulted() = default;
	Defaulted(const Defaulted &) = default;
	Defaulted(Defaulted &&) = default;
	~Defaulted() = default;
};
struct Holder { // trivial but for a member
	int v;
	Copied inner;
	explicit Holder(int n) : v(n), inner(n + 1) {}
};
struct FromCopied : Copied { // trivial but for its base
	int w;
	explicit FromCopied(int n) : Copied(n), w(n + 1) {}
};
struct Virtual {
	int v;
	explicit Virtual(int n) : v(n) {}
	virtual int area(int by, Small s) const;
	virtual ~Virtual() {}
};
struct Root { int r = 77; };
struct Left : virtual Root {
	int l;
	explicit Left(int n) : l(n) {}
};

enum Plain { RED, GREEN = 5 };
enum class Signed : long { LOW = -5000000000 };
enum class Unsigned : unsigned long { HIGH = 0xfffffffffffffff0 };
enum class Byte : unsigned char { MANY = 200 };

// Values that a compiler does not know.
static volatile int zero;
static volatile long sink; // clang removes a result that nobody uses
static int as(int n) { return n + zero; }

FUNCTION int by_small(int p, Small s, int q)
{
	told("by_small p=%d s->x=%d s->y=%d q=%d\n", p, s.x, s.y, q);
	return s.x;
}
FUNCTION void by_three(int p, Three s, int q)
{
	told("by_three p=%d s->c[0]=%d s->c[1]=%d s->c[2]=%d q=%d\n", p, s.c[0], s.c[1], s.c[2], q);
}
FUNCTION void by_twelve(int p, Twelve s, int q)
{
	told("by_twelve p=%d s->a=%d s->b=%d s->c=%d q=%d\n", p, s.a, s.b, s.c, q);
}
FUNCTION void by_sixteen(int p, Sixteen s, int q)
{
	told("by_sixteen p=%d s->a=%ld s->b=%ld q=%d\n", p, s.a, s.b, q);
}
FUNCTION void by_large(int p, Large s, int q)
{
	told("by_large p=%d s->a=%ld s->b=%ld s->c=%ld q=%d\n", p, s.a, s.b, s.c, q);
}
/* Debug information of clang leaves out what is passed by address and not used. */
FUNCTION void by_unused(Large, Copied, int p, long q)
{
	told("by_unused p=%d q=%ld\n", p, q);
}
FUNCTION void by_mixed(int p, Mixed s, int q)
{
	told("by_mixed p=%d s->n=%d q=%d\n", p, s.n, q);
}
FUNCTION void by_point(int p, Point s, int q)
{
	told("by_point p=%d q=%d\n", p, q);
	zero = (int)(s.x - s.x);
}
FUNCTION void by_bits(int p, Bits s, int q)
{
	told("by_bits p=%d s->low=%d s->mid=%d s->wide=%d q=%d\n", p, s.low, s.mid, s.wide, q);
}
FUNCTION void by_packed(int p, Packed s, int q)
{
	told("by_packed p=%d s->c=%d s->n=%d q=%d\n", p, s.c, s.n, q);
}
FUNCTION void by_aligned(int p, Aligned s, int q)
{
	told("by_aligned p=%d s->n=%d q=%d\n", p, s.n, q);
}
/* gcc gives such a type a name with a dot, as it does clones. */
FUNCTION __attribute__((used)) void by_unnamed(int p, Unnamed *s, Unnamed2 &t, int q)
{
	told("by_unnamed p=%d s->a=%d t->b=%d q=%d\n", p, s->a, t.b, q);
}
FUNCTION void by_inner(int p, Inner s, Derived d, int q)
{
	told("by_inner p=%d s->s->x=%d s->s->y=%d s->h=%d d->x=%d d->z=%d q=%d\n", p, s.s.x, s.s.y,
	     s.h, d.x, d.z, q);
}
FUNCTION void by_empty(int p, Empty, int q)
{
	told("by_empty p=%d q=%d\n", p, q);
}
FUNCTION void by_copied(int p, Copied s, int q)
{
	told("by_copied p=%d s->v=%d q=%d\n", p, s.v, q);
}
FUNCTION void by_moved(int p, Moved s, int q)
{
	told("by_moved p=%d s->v=%d q=%d\n", p, s.v, q);
}
FUNCTION void by_destroyed(int p, Destroyed s, int q)
{
	told("by_destroyed p=%d s->v=%d q=%d\n", p, s.v, q);
}
FUNCTION void by_trivial_move(int p, TrivialMove s, int q)
{
	told("by_trivial_move p=%d s->v=%d q=%d\n", p, s.v, q);
}
FUNCTION void by_built(int p, Built s, Defaulted d, int q)
{
	told("by_built p=%d s->v=%d s->w=%ld d->v=%d q=%d\n", p, s.v, s.w, d.v, q);
}
FUNCTION void by_holder(int p, Holder s, FromCopied d, int q)
{
	told("by_holder p=%d s->v=%d s->inner->v=%d d->v=%d d->w=%d q=%d\n", p, s.v, s.inner.v, d.v,
	     d.w, q);
}
FUNCTION void by_virtual(int p, Virtual s, Left d, int q)
{
	told("by_virtual p=%d s->v=%d d->l=%d q=%d\n", p, s.v, d.l, q);
}
FUNCTION void by_reference(const Copied &a, Small &&b, int *c, const int &d)
{
	told("by_reference a->v=%d b->x=%d c=%ld d=%ld\n", a.v, b.x, (long)c, (long)&d);
}
FUNCTION void by_member(int Small::*m, int (*f)(int), int q)
{
	told("by_member f=%ld q=%d\n", (long)f, q);
	zero = m == nullptr;
}
FUNCTION void by_narrow(bool b, char c, unsigned char u, short h, unsigned short w, unsigned n,
			signed char s)
{
	told("by_narrow b=%d c=%d u=%d h=%d w=%d n=%u s=%d\n", b, c, u, h, w, n, s);
}
FUNCTION void by_enum(Plain p, Signed s, Unsigned u, Byte b)
{
	told("by_enum p=%d s=%ld u=%ld b=%d\n", p, (long)s, (long)u, (int)b);
}
FUNCTION void by_wide(int p, __int128 w, int q)
{
	told("by_wide p=%d q=%d\n", p, q);
	zero = w == 5;
}
FUNCTION void by_many(int a, Small b, int c, Sixteen d, int e, Small f, Copied g, int h, Small i,
		      int j)
{
	told("by_many a=%d b->y=%d c=%d d->a=%ld d->b=%ld e=%d f->x=%d g->v=%d h=%d i->x=%d i->y=%d "
	     "j=%d\n", a, b.y, c, d.a, d.b, e, f.x, g.v, h, i.x, i.y, j);
}
FUNCTION void by_string(int p, std::string s, int q)
{
	told("by_string p=%d s->_M_string_length=%zu q=%d\n", p, s.size(), q);
}
FUNCTION void by_vector(int p, std::vector<int> s, int q)
{
	told("by_vector p=%d s->_M_impl->_M_start=%ld q=%d\n", p, (long)s.data(), q);
}
FUNCTION void by_unique(int p, std::unique_ptr<int> s, std::shared_ptr<int> d, int q)
{
	told("by_unique p=%d d->_M_ptr=%ld q=%d\n", p, (long)d.get(), q);
	zero = *s - *s;
}
FUNCTION void by_view(int p, std::string_view s, std::pair<int, long> d, int q)
{
	told("by_view p=%d s->_M_len=%zu s->_M_str=%ld d->first=%d d->second=%ld q=%d\n", p,
	     s.size(), (long)s.data(), d.first, d.second, q);
}
FUNCTION void by_optional(int p, std::optional<int> s, std::optional<std::string> d, int q)
{
	told("by_optional p=%d q=%d\n", p, q);
	zero = s.has_value() - d.has_value();
}
FUNCTION int by_rest(int p, ...)
{
	va_list rest;
	va_start(rest, p);
	told("by_rest p=%d\n", p);
	va_end(rest);
	return p;
}

#include "conventions_results.h"

int main()
{
	int n = as(41);
	by_small(as(1), Small{as(2), as(-3)}, as(4));
	by_three(as(1), Three{{(char)as(2), (char)as(-3), 4}}, as(5));
	by_twelve(as(1), Twelve{as(2), as(3), as(-4)}, as(5));
	by_sixteen(as(1), Sixteen{as(2), as(-3)}, as(4));
	by_large(as(1), Large{as(2), as(3), as(-4)}, as(5));
	by_unused(Large{1, 2, 3}, Copied(4), as(5), as(-6));
	by_mixed(as(1), Mixed{as(2), 2.5}, as(3));
	by_point(as(1), Point{as(2) + .5, 2.5}, as(3));
	by_bits(as(1), Bits{(unsigned)as(5), as(-60), (unsigned)as(1000000)}, as(3));
	by_packed(as(1), Packed{(char)as(2), as(-3)}, as(4));
	by_aligned(as(1), Aligned{as(2)}, as(3));
	Unnamed unnamed = { as(2) };
	Unnamed2 unnamed2 = { as(3) };
	by_unnamed(as(1), &unnamed, unnamed2, as(4));
	by_inner(as(1), Inner{{as(2), as(3)}, (short)as(-4)}, Derived{{as(5), 6}, as(7)}, as(8));
	by_empty(as(1), Empty{}, as(2));
	by_copied(as(9), Copied(as(-10)), as(11));
	by_moved(as(9), Moved(as(-10)), as(11));
	by_destroyed(as(9), Destroyed(as(-10)), as(11));
	by_trivial_move(as(9), TrivialMove(as(-10)), as(11));
	by_built(as(9), Built(as(-10), as(12)), Defaulted{}, as(11));
	by_holder(as(9), Holder(as(-10)), FromCopied(as(20)), as(11));
	by_virtual(as(9), Virtual(as(-10)), Left(as(12)), as(11));
	by_reference(Copied(as(1)), Small{as(2), 3}, &n, as(4));
	by_member(as(0) ? &Small::x : &Small::y, results::doubled, as(3));
	by_narrow(as(1), (char)as(-2), (unsigned char)as(200), (short)as(-300),
		  (unsigned short)as(60000), (unsigned)as(-5), (signed char)as(-7));
	by_enum(as(1) ? GREEN : RED, as(1) ? Signed::LOW : Signed{}, as(1) ? Unsigned::HIGH : Unsigned{},
		as(1) ? Byte::MANY : Byte{});
	by_wide(as(1), as(2), as(3));
	by_many(as(1), Small{2, as(3)}, as(4), Sixteen{as(5), as(6)}, as(7), Small{as(8), 9},
		Copied(as(10)), as(-11), Small{as(12), as(13)}, as(14));
	by_string(as(1), std::string(as(30), 'x'), as(2));
	by_vector(as(1), std::vector<int>(as(3), as(4)), as(2));
	by_unique(as(1), std::make_unique<int>(as(2)), std::make_shared<int>(as(3)), as(4));
	by_view(as(1), std::string_view("words", as(3)), std::make_pair(as(6), (long)as(-7)), as(2));
	by_optional(as(1), std::optional<int>(as(3)), std::optional<std::string>("x"), as(2));
	by_rest(as(1), as(2), 2.5);
	Virtual *v = as(1) ? new Virtual(as(12)) : nullptr;
	v->area(as(2), Small{as(-3), 4});
	results::all(as(0));
	return 0;
}
