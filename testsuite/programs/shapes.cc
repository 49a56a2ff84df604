/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Structures, arrays, bit-fields, unions, classes with bases, references and inlined copies, for
 * vm/values-gdb: each run does the same.
 */
#include <cstdio>

#define KEEP __attribute__((noinline, noclone))

typedef unsigned char byte;
enum colour { RED, GREEN = 5, BLUE = -2 };
enum class size : unsigned short { SMALL = 3, LARGE = 65000 };

struct bits {
	int low : 5;
	unsigned mid : 11;
	long long wide : 40;
	unsigned long long top : 3;
	bool yes : 1;
};

struct point { short x, y; };

union word {
	int i;
	byte c[4];
	point p;
};

struct box {
	point corner[2];
	int grid[2][3];
	long many[7];
	char name[8];
	const char *text;
	word w;
	colour c;
	size s;
	bits b;
	struct { int inside; union { long first; int second; }; };
	box *next;
	point &ref;
};

namespace shapes {

class base {
public:
	virtual ~base() {}
	KEEP virtual long area(int scale) const { return id * scale; }
	long id;
protected:
	short kind = 9;
};

struct mixin { int flags = 0x55; byte tag[3] = { 1, 2, 3 }; };

template <typename T> class derived : public base, public mixin {
public:
	derived(T v, point &at) : value(v), where(at) { id = 77; count++; }
	KEEP long area(int scale) const override
	{
		long sum = value * scale + id + flags;

		sum += where.x;
		return sum;
	}
	inline long twice(const point &by) const
	{
		long all = value + by.x;

		for (int i = 0; i < 2; i++)
			all += by.y * i + tag[i];
		return all * 2;
	}
	T value;
	point &where;
	static int count;
};

template <typename T> int derived<T>::count = 40;

} // namespace shapes

static point origin = { -3, 4 };
static box boxes[2] = {
	{ { { 1, -2 }, { 3, -4 } }, { { 1, 2, 3 }, { -4, -5, -6 } }, { 9, 8, 7, -6, 5, 4, 3 }, "eight b",
	  "text", { -1 }, BLUE, size::LARGE, { -16, 2047, -1LL << 30, 5, true }, { 12, { 1L << 40 } },
	  &boxes[1], origin },
	{ { { 5, 6 } }, { { 0 } }, { 1 }, "", nullptr, { 0x01020304 }, GREEN, size::SMALL,
	  { 15, 1, 1LL << 38, 2, false }, { -1, { -1 } }, nullptr, boxes[0].corner[1] },
};

/* Sets what the calls before left on the stack to 0. */
KEEP static void scrub()
{
	volatile char room[8192];

	for (unsigned i = 0; i < sizeof(room); i++)
		room[i] = 0;
}

static inline int pick(const box &from, unsigned i)
{
	point corner = from.corner[i % 2];
	word w = from.w;

	w.i ^= corner.x;
	return w.c[0] + corner.y;
}

KEEP static long by_value(point p, word w, bits b, const point (&list)[2])
{
	return p.x + w.i + b.low +
	       list[1].y;
}

KEEP static long by_reference(box &one, const shapes::base &shape, box *&next)
{
	int grid[2][3] = { { one.grid[0][0], 1, 2 }, { 3, 4, one.grid[1][2] } };
	int (&row)[3] = grid[1];
	long sum = 0;

	for (int i = 0; i < 3; i++)
		sum += row[i] + one.many[i];
	scrub();
	sum += shape.area(3) + (next ? next->b.low : 0);
	one.many[6] += sum;
	return sum + pick(one, 1) + pick(*next, 0);
}

KEEP static void run()
{
	shapes::derived<int> whole(12, origin);
	shapes::derived<char> small('c', boxes[1].corner[0]);
	long all = 0;

	for (int i = 0; i < 3; i++) {
		box *next = &boxes[(i + 1) % 2];

		scrub();
		all += by_reference(boxes[i % 2], i % 2 ? (shapes::base &)small : whole, next);
		scrub();
		all += by_value(boxes[0].corner[1], boxes[1].w, boxes[i % 2].b, boxes[0].corner);
		scrub();
		all += whole.twice(origin) + small.twice(boxes[0].corner[0]);
		origin.x++;
	}
	printf("%ld\n", all);
}

int main()
{
	scrub();
	run();
	return 0;
}
