/* SPDX-License-Identifier: GPL-2.0 */
/* A program of all kinds of names that C++ has, for host/names. */
#include <cstdio>

#define KEEP __attribute__((noinline, noclone))

namespace ns {

struct Class {
	int v;
	Class(int x);
	~Class();
	int method(int a);
	int method(int a, char b);
	int get() const { return v; }
	static int helper(int q) { return q * 3; }
	Class operator+(const Class &o) const;
	bool operator<(const Class &o) const;
	int operator()(int x);
	int operator[](int x);
	operator int() const;
};

KEEP Class::Class(int x) : v(x) { }
KEEP Class::~Class() { puts("gone"); }
KEEP int Class::method(int a) { return a + v; }
KEEP int Class::method(int a, char b) { return a + v * b; }
KEEP Class Class::operator+(const Class &o) const { return Class(v + o.v); }
KEEP bool Class::operator<(const Class &o) const { return v < o.v; }
KEEP int Class::operator()(int x) { return v * x; }
KEEP int Class::operator[](int x) { return v - x; }
KEEP Class::operator int() const { return v + 7; }

/* The complete object and the base object have constructors of their own. */
struct Virtual : virtual Class {
	int w;
	Virtual(int x);
	virtual int turn(int x);
};

KEEP Virtual::Virtual(int x) : Class(x), w(x) { }
KEEP int Virtual::turn(int x) { return w - x; }

template <typename T> KEEP T largest(T a, T b) { return a < b ? b : a; }

template <typename T> struct Box {
	T v;
	KEEP T take(T x) { return v + x; }
};

inline int inlined(int x) { return x * 7; }

inline namespace v1 { KEEP int versioned(int x) { return x | 8; } }

}

namespace {

KEEP int hidden(int x) { return x ^ 5; }
inline int hidden_copy(int x) { return x ^ 0x55; }
struct Local { KEEP int go(int x) { return x << 2; } };

}

extern "C" KEEP int plain(int x) { return x + 1; }
static KEEP int own(int x) { return x - 1; }

int main(int argc, char **)
{
	ns::Class c(argc), d(argc + 1), e = c + d;
	ns::Virtual virt(argc);
	ns::Box<int> ints{ argc };
	ns::Box<double> doubles{ 1.5 };
	Local local;
	auto closure = [&](int x) KEEP { return x + c.v; };
	int all = c.method(1) + c.method(1, 'a') + e.get() + ns::Class::helper(argc) + (c < d) +
		  c(3) + c[2] + int(d) + virt.turn(2) + ns::largest(argc, 3) +
		  int(ns::largest(1.5, double(argc))) + ints.take(2) + int(doubles.take(2.5)) +
		  ns::inlined(argc) + ns::versioned(argc) + hidden(argc) + hidden_copy(argc) +
		  local.go(argc) + plain(argc) + own(argc) + closure(4);

	printf("%d\n", all);
}
