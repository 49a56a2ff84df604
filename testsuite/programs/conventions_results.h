/* SPDX-License-Identifier: GPL-2.0 */
/* The second part of conventions.cc: methods, and results of each kind. */

namespace results {

FUNCTION int doubled(int n)
{
	told("results::doubled n=%d\n", n);
	told("results::doubled.return return=%d n=%d\n", n * 2, n);
	return n * 2;
}
FUNCTION Small small(int a, int b)
{
	told("results::small a=%d b=%d\n", a, b);
	told("results::small.return return->x=%d return->y=%d a=%d b=%d\n", a, b, a, b);
	return Small{a, b};
}
FUNCTION Sixteen sixteen(int a, int b)
{
	told("results::sixteen a=%d b=%d\n", a, b);
	told("results::sixteen.return return->a=%d return->b=%d a=%d b=%d\n", a, b, a, b);
	return Sixteen{a, b};
}
FUNCTION Large large(int a, int b)
{
	told("results::large a=%d b=%d\n", a, b);
	told("results::large.return return->a=%d return->b=%d return->c=%d a=%d b=%d\n", a, b,
	     a + b, a, b);
	return Large{a, b, a + b};
}
FUNCTION Mixed mixed(int a, int b)
{
	told("results::mixed a=%d b=%d\n", a, b);
	told("results::mixed.return return->n=%d a=%d b=%d\n", a, a, b);
	return Mixed{a, b + .5};
}
FUNCTION Empty empty(int a, int b)
{
	told("results::empty a=%d b=%d\n", a, b);
	return Empty{};
}
FUNCTION Copied copied(int a, int b)
{
	told("results::copied a=%d b=%d\n", a, b);
	told("results::copied.return return->v=%d a=%d b=%d\n", a + b, a, b);
	return Copied(a + b);
}
FUNCTION Moved moved(int a, int b)
{
	told("results::moved a=%d b=%d\n", a, b);
	told("results::moved.return return->v=%d a=%d b=%d\n", a + b, a, b);
	return Moved(a + b);
}
FUNCTION Destroyed destroyed(int a, int b)
{
	told("results::destroyed a=%d b=%d\n", a, b);
	told("results::destroyed.return return->v=%d a=%d b=%d\n", a + b, a, b);
	return Destroyed(a + b);
}
FUNCTION TrivialMove trivial_move(int a, int b)
{
	told("results::trivial_move a=%d b=%d\n", a, b);
	told("results::trivial_move.return return->v=%d a=%d b=%d\n", a + b, a, b);
	return TrivialMove(a + b);
}
FUNCTION Virtual virtual_one(int a, int b)
{
	told("results::virtual_one a=%d b=%d\n", a, b);
	told("results::virtual_one.return return->v=%d a=%d b=%d\n", a + b, a, b);
	return Virtual(a + b);
}
FUNCTION std::string string(int a, int b)
{
	told("results::string a=%d b=%d\n", a, b);
	told("results::string.return return->_M_string_length=%d a=%d b=%d\n", a + b, a, b);
	return std::string(a + b, 'y');
}
FUNCTION std::unique_ptr<int> unique(int a, int b)
{
	told("results::unique a=%d b=%d\n", a, b);
	return std::make_unique<int>(a + b);
}
FUNCTION const Small &reference(const Small &of, int a)
{
	told("results::reference of->x=%d a=%d\n", of.x, a);
	told("results::reference.return return->x=%d return->y=%d a=%d\n", of.x, of.y, a);
	return of;
}
FUNCTION bool truth(int a, bool b)
{
	told("results::truth a=%d b=%d\n", a, b);
	told("results::truth.return return=%d a=%d b=%d\n", a > 2 || b, a, b);
	return a > 2 || b;
}
FUNCTION short narrow(int a, char b)
{
	told("results::narrow a=%d b=%d\n", a, b);
	told("results::narrow.return return=%d a=%d b=%d\n", (short)(a * b), a, b);
	return (short)(a * b);
}
FUNCTION double real(int a, double b, int c)
{
	told("results::real a=%d c=%d\n", a, c);
	return a * b + c;
}

class Shape {
	int id;
	Small at;
public:
	FUNCTION Shape(int i, Copied c, int j) : id(i + j), at{c.v, j}
	{
		told("results::Shape::Shape i=%d c->v=%d j=%d\n", i, c.v, j);
	}
	FUNCTION ~Shape()
	{
		told("results::Shape::~Shape this->id=%d this->at->x=%d\n", id, at.x);
	}
	FUNCTION int set(int n, Copied by)
	{
		told("results::Shape::set this->id=%d this->at->y=%d n=%d by->v=%d\n", id, at.y, n,
		     by.v);
		return id = n + by.v;
	}
	FUNCTION Copied copied(int a, Small s) const
	{
		told("results::Shape::copied this->id=%d a=%d s->x=%d s->y=%d\n", id, a, s.x, s.y);
		told("results::Shape::copied.return return->v=%d a=%d\n", id + a, a);
		return Copied(id + a);
	}
	FUNCTION static Large shared(int a, Copied c, int b)
	{
		told("results::Shape::shared a=%d c->v=%d b=%d\n", a, c.v, b);
		told("results::Shape::shared.return return->c=%d a=%d b=%d\n", c.v, a, b);
		return Large{a, b, c.v};
	}
	FUNCTION int operator()(int a) const
	{
		told("results::Shape::operator() this->id=%d a=%d\n", id, a);
		return id + a;
	}
};

template <typename T> FUNCTION int templated(T a, Copied s, int b)
{
	told("results::templated<int> a=%d s->v=%d b=%d\n", a, s.v, b);
	return a + b;
}

FUNCTION void all(int n)
{
	sink = doubled(n + 21);
	sink = small(n + 1, n - 2).y;
	sink = sixteen(n + 1, n - 2).b;
	sink = large(n + 1, n - 2).c;
	sink = mixed(n + 1, n - 2).n;
	empty(n + 1, n - 2);
	sink = copied(n + 1, n + 2).v;
	sink = moved(n + 1, n + 2).v;
	sink = destroyed(n + 1, n + 2).v;
	sink = trivial_move(n + 1, n + 2).v;
	sink = virtual_one(n + 1, n + 2).v;
	sink = string(n + 1, n + 2).size();
	sink = string(n + 10, n + 20).size();
	sink = *unique(n + 1, n + 2);
	Small here{n + 5, n - 6};
	sink = reference(here, n + 3).y;
	sink = truth(n + 1, n + 1);
	sink = narrow(n + 300, (char)(n - 7));
	sink = (long)real(n + 2, 2.5, n - 3);
	Shape s(n + 1, Copied(n + 2), n + 3);
	s.set(n + 4, Copied(n + 5));
	sink = s.copied(n + 6, Small{n + 7, n - 8}).v;
	sink = s.shared(n + 1, Copied(n + 2), n + 3).c;
	sink = s(n + 4);
	templated(n + 1, Copied(n + 2), n + 3);
}

} // namespace results

FUNCTION int Virtual::area(int by, Small s) const
{
	told("Virtual::area this->v=%d by=%d s->x=%d\n", v, by, s.x);
	return v * by;
}
