// SPDX-License-Identifier: GPL-2.0
// Functions whose parameters and results are of every kind that C++ passes in its own way, called
// with known values. A comment "//= FUNCTION NAME=VALUE ..." has what each of them gets; *VALUE is
// the first number of an object. Each prints its values, "FUNCTION VALUE ...", too.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noipa))
#endif

struct plain { int v, w; };
struct large { long v, w, x; };
struct copied { int v; copied(int x) : v(x) {} copied(const copied &o) : v(o.v) {} };
struct moved { int v; moved(int x) : v(x) {} moved(moved &&o) : v(o.v) {} };
struct destroyed { int v; ~destroyed(); };
struct defaulted { int v; ~defaulted() = default; defaulted(const defaulted &) = default; defaulted(int x) : v(x) {} };
struct move_only { int v; move_only(int x) : v(x) {} move_only(const move_only &) = delete; move_only(move_only &&) = default; };
struct has_copied { copied c; };
struct of_copied : copied { using copied::copied; };
struct virtual_one { int v; virtual int get(int more, int last); };
struct empty { };
struct floats { float v, w; };
struct mixed { double v; long w; };
template <typename T> struct holder { T v; holder(T x) : v(x) {} holder(const holder &o) : v(o.v) {} };
struct base { int b; };
struct derived : virtual base { int v; KEPT derived(int first, copied c, int last); };
typedef int vector4 __attribute__((vector_size(16)));

destroyed::~destroyed() { v = 0; }

//= by_plain p=9 q=11
KEPT int by_plain(int p, plain s, int q) { return printf("by_plain %d %d %d %d\n", p, s.v, s.w, q); }
//= by_large p=9 q=11
KEPT int by_large(int p, large s, int q) { return printf("by_large %d %ld %ld %d\n", p, s.v, s.x, q); }
//= by_copied p=9 s=*-10 q=11
KEPT int by_copied(int p, copied s, int q) { return printf("by_copied %d %d %d\n", p, s.v, q); }
//= by_moved p=9 s=*-11 q=11
KEPT int by_moved(int p, moved s, int q) { return printf("by_moved %d %d %d\n", p, s.v, q); }
//= by_destroyed p=9 s=*-12 q=11
KEPT int by_destroyed(int p, destroyed s, int q) { return printf("by_destroyed %d %d %d\n", p, s.v, q); }
//= by_defaulted p=9 q=11
KEPT int by_defaulted(int p, defaulted s, int q) { return printf("by_defaulted %d %d %d\n", p, s.v, q); }
//= by_move_only p=9 q=11
KEPT int by_move_only(int p, move_only s, int q) { return printf("by_move_only %d %d %d\n", p, s.v, q); }
//= by_has_copied p=9 s=*-15 q=11
KEPT int by_has_copied(int p, has_copied s, int q) { return printf("by_has_copied %d %d %d\n", p, s.c.v, q); }
//= by_of_copied p=9 s=*-16 q=11
KEPT int by_of_copied(int p, of_copied s, int q) { return printf("by_of_copied %d %d %d\n", p, s.v, q); }
//= by_virtual p=9 q=11
KEPT int by_virtual(int p, virtual_one s, int q) { return printf("by_virtual %d %d %d\n", p, s.v, q); }
//= by_holder p=9 s=*-18 q=11
KEPT int by_holder(int p, holder<int> s, int q) { return printf("by_holder %d %d %d\n", p, s.v, q); }
//= by_empty p=9 q=11
KEPT int by_empty(int p, empty s, int q) { (void)s; return printf("by_empty %d %d\n", p, q); }
//= by_floats p=9 q=11
KEPT int by_floats(int p, floats s, int q) { return printf("by_floats %d %d\n", p, q + (s.v > 2)); }
//= by_mixed p=9 q=11
KEPT int by_mixed(int p, mixed s, int q) { return printf("by_mixed %d %ld %d\n", p, s.w, q); }
//= by_vector p=9 q=11
KEPT int by_vector(int p, vector4 s, int q) { return printf("by_vector %d %d %d\n", p, s[0], q); }
//= by_wide p=9 q=11
KEPT int by_wide(int p, __int128 s, int q) { return printf("by_wide %d %d %d\n", p, (int)s, q); }
//= by_long_double p=9 q=11
KEPT int by_long_double(int p, long double s, int q) { return printf("by_long_double %d %d %d\n", p, (int)s, q); }
//= by_member p=9 q=11
KEPT int by_member(int p, int plain::*s, int q) { return printf("by_member %d %d %d\n", p, s == &plain::w, q); }
//= by_method p=9 q=11
KEPT int by_method(int p, int (virtual_one::*s)(int, int), int q) { return printf("by_method %d %d %d\n", p, s == &virtual_one::get, q); }
//= by_null p=9 q=11
KEPT int by_null(int p, std::nullptr_t s, int q) { return printf("by_null %d %d %d\n", p, s == nullptr, q); }
//= by_reference p=9 s=*-20 q=11
KEPT int by_reference(int p, const plain &s, int q) { return printf("by_reference %d %d %d\n", p, s.v, q); }
//= by_string p=9 q=11
KEPT int by_string(int p, std::string s, int q) { return printf("by_string %d %s %d\n", p, s.c_str(), q); }
//= by_unique p=9 q=11
KEPT int by_unique(int p, std::unique_ptr<int> s, int q) { return printf("by_unique %d %d %d\n", p, *s, q); }
//= by_ten a=1 b=2 c=3 d=4 e=5 f=*6 g=7 h=*8
KEPT int by_ten(int a, int b, int c, int d, int e, copied f, int g, copied h) { return printf("by_ten %d %d %d %d %d %d %d %d\n", a, b, c, d, e, f.v, g, h.v); }
//= nine_floats last=31
KEPT int nine_floats(double a, double b, double c, double d, double e, double f, double g, double h, double i, int r, int s, int t, int u, int v, int w, int last) { return printf("nine_floats %d %d\n", r + s + t + u + v + w + (a + b + c + d + e + f + g + h + i > 0), last); }

//= gives_plain a=1 b=2
KEPT plain gives_plain(int a, int b) { printf("gives_plain %d %d\n", a, b); return { a * 10, b }; }
//= gives_copied a=3 b=4
KEPT copied gives_copied(int a, int b) { printf("gives_copied %d %d\n", a, b); return copied(a * 10 + b); }
//= gives_large a=5 b=6
KEPT large gives_large(int a, int b) { printf("gives_large %d %d\n", a, b); return { a * 10 + b, 0, 0 }; }
//= gives_vector a=2 b=8
KEPT std::vector<int> gives_vector(int a, int b) { printf("gives_vector %d %d\n", a, b); return std::vector<int>(a, b); }

struct object {
	int v;

	KEPT copied gives(int a, copied s, int b);
	KEPT int takes(copied s, int b) const;
	KEPT static int shared(int a, moved s, int b);
};

//= object::gives this=*5 a=1 s=*-21 b=12
KEPT copied object::gives(int a, copied s, int b) { printf("object::gives %d %d %d %d\n", v, a, s.v, b); return copied(v + a); }
//= object::takes this=*5 s=*-22 b=13
KEPT int object::takes(copied s, int b) const { return printf("object::takes %d %d %d\n", v, s.v, b); }
//= object::shared a=1 s=*-23 b=14
KEPT int object::shared(int a, moved s, int b) { return printf("object::shared %d %d %d\n", a, s.v, b); }
//= virtual_one::get more=15 last=16
KEPT int virtual_one::get(int more, int last) { return printf("virtual_one::get %d %d\n", more, last); }
//= _ZN7derivedC1Ei6copiedi first=17 c=*-24 last=18
KEPT derived::derived(int first, copied c, int last) : v(c.v) { printf("derived::derived %d %d %d\n", first, c.v, last); }
//= many first=19 second=*-25
KEPT int many(int first, copied second, ...) { return printf("many %d %d\n", first, second.v); }

int main()
{
	plain one = { -20, 1 };
	object o = { 5 };
	virtual_one v;

	v.v = -17;
	by_plain(9, { -7, 8 }, 11);
	by_large(9, { -8, 1, 2 }, 11);
	by_copied(9, copied(-10), 11);
	by_moved(9, moved(-11), 11);
	by_destroyed(9, destroyed{ -12 }, 11);
	by_defaulted(9, defaulted(-13), 11);
	by_move_only(9, move_only(-14), 11);
	by_has_copied(9, has_copied{ copied(-15) }, 11);
	by_of_copied(9, of_copied(-16), 11);
	by_virtual(9, v, 11);
	by_holder(9, holder<int>(-18), 11);
	by_empty(9, empty(), 11);
	by_floats(9, { 1, 2 }, 11);
	by_mixed(9, { 1, -19 }, 11);
	by_vector(9, vector4{ 1, 2, 3, 4 }, 11);
	by_wide(9, -6, 11);
	by_long_double(9, 1, 11);
	by_member(9, &plain::w, 11);
	by_method(9, &virtual_one::get, 11);
	by_null(9, nullptr, 11);
	by_reference(9, one, 11);
	by_string(9, "text", 11);
	by_unique(9, std::make_unique<int>(-26), 11);
	by_ten(1, 2, 3, 4, 5, copied(6), 7, copied(8));
	nine_floats(1, 2, 3, 4, 5, 6, 7, 8, 9, 21, 22, 23, 24, 25, 26, 31);
	gives_plain(1, 2);
	gives_copied(3, 4);
	gives_large(5, 6);
	gives_vector(2, 8);
	o.gives(1, copied(-21), 12);
	o.takes(copied(-22), 13);
	object::shared(1, moved(-23), 14);
	v.get(15, 16);
	derived d(17, copied(-24), 18);
	many(19, copied(-25), 1, 2);
	return d.v != -24;
}
