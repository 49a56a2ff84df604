/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of which one call runs several pieces of code. The program counts the calls itself; its
 * last line has the name and the number of each function. */
#include <cstdio>

#define KEEP __attribute__((noinline))

static volatile long split_n, whole_n, again_n;
static volatile long base_c, base_d, derived_c, derived_d, virtual_c, virtual_d, inner_c, inner_d;
static volatile long node_c, node_d, box_c, box_d;

KEEP int heavy(int n)
{
	volatile int sum = 0;

	for (int i = 0; i < n; i++)
		sum = sum + i;
	return sum;
}

/* gcc -O2 inlines the beginning and moves the rest to split.part.0. */
static int split(int n)
{
	split_n = split_n + 1;
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

/* The rest is inlined again at -O3 and -Os. */
int whole(int n)
{
	whole_n = whole_n + 1;
	if (__builtin_expect(n < 3, 1))
		return n;

	int sum = heavy(n) + heavy(n + 1);

	for (int i = 0; i < n; i++) {
		sum += heavy(i) * (i + 1);
		printf("%s", "");
	}
	return sum;
}

/* Copies of it within itself are calls. */
static int again(int n)
{
	again_n = again_n + 1;
	if (n < 2)
		return n;
	heavy(n);
	return again(n - 1) + heavy(n);
}

struct Base {
	int x;
	Base(int a) : x(a) { base_c = base_c + 1; }
	virtual ~Base() { base_d = base_d + 1; }
};
struct Derived : Base {
	int y;
	Derived(int a);
	~Derived() override;
};
Derived::Derived(int a) : Base(a), y(a) { derived_c = derived_c + 1; }
Derived::~Derived() { derived_d = derived_d + 1; }
struct Inner {
	int v;
	Inner() : v(1) { inner_c = inner_c + 1; }
	~Inner() { inner_d = inner_d + 1; }
};
struct Virtual : virtual Inner {
	int w;
	Virtual() : w(1) { virtual_c = virtual_c + 1; }
	~Virtual() { virtual_d = virtual_d + 1; }
};
struct Below : Virtual {
	Below() { }
	~Below() { }
};
struct Node final {
	Node *next;
	Node(int n) : next(n ? new Node(n - 1) : nullptr) { node_c = node_c + 1; }
	virtual ~Node()
	{
		node_d = node_d + 1;
		delete next;
	}
};
template <class T> struct Box {
	T value;
	Box(T v) : value(v) { box_c = box_c + 1; }
	~Box() { box_d = box_d + 1; }
};

KEEP void use(void *object)
{
	__asm__ volatile("" : : "r"(object) : "memory");
}

KEEP int one(int n) { return split(n) + 1; }
KEEP int two(int n) { return split(n) * 3; }
KEEP int three(int n) { return whole(n + 2) * 3; }

KEEP int four(int n) { return whole(n); }
KEEP int five(int n) { return again(n); }

/* Functions of their own, because debug information has one copy where the compiler made several of
 * one in the source, as in loops that it unrolls. */
KEEP void bases(int i)
{
	Base b(i);
	use(&b);
}

KEEP void derived(int i)
{
	Derived b(i);
	use(&b);
}

KEEP Base *new_base(int i) { return new Base(i); }
KEEP Base *new_derived(int i) { return new Derived(i); }

KEEP void deleted(int i)
{
	Base *b = i & 1 ? new_base(i) : new_derived(i);
	use(b);
	delete b;
}

KEEP void virtuals()
{
	Virtual v;
	Below b;
	use(&v);
	use(&b);
}

KEEP void nodes()
{
	Node n(3), *other = new Node(2);
	use(&n);
	use(other);
	delete other;
}

KEEP void boxes()
{
	Box<int> b(3);
	Box<char> c('x');
	use(&b);
	use(&c);
}

int main()
{
	int sum = 0;

	for (int i = 0; i < 10; i++) {
		sum += one(i % 4) + two(i % 5) + three(i) + four(i % 4) + five(i);
		bases(i);
		derived(i);
		deleted(i);
		virtuals();
		nodes();
		boxes();
	}
	printf("split %ld whole %ld again %ld ", split_n, whole_n, again_n);
	printf("Base::Base %ld Base::~Base %ld Derived::Derived %ld Derived::~Derived %ld ", base_c,
	       base_d, derived_c, derived_d);
	printf("Virtual::Virtual %ld Virtual::~Virtual %ld Inner::Inner %ld Inner::~Inner %ld ",
	       virtual_c, virtual_d, inner_c, inner_d);
	printf("Node::Node %ld Node::~Node %ld Box::Box %ld Box::~Box %ld\n", node_c, node_d, box_c,
	       box_d);
	return sum == 12345;
}
