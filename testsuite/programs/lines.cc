/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that compilers inline into each other, for host/lines. */
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace shapes {

struct point {
	long x, y;

	long length() const { return x * x + y * y; }
	point operator+(const point &o) const { return { x + o.x, y + o.y }; }
};

template <typename T>
static inline T clamp(T v, T low, T high)
{
	if (v < low)
		return low;
	return v > high ? high : v;
}

class path {
public:
	void add(point p)
	{
		if (!points.empty())
			p = p + points.back();
		points.push_back(p);
	}
	long sum() const
	{
		long n = 0;

		for (const point &p : points)
			n += clamp(p.length(), 0L, 1000L);
		return n;
	}

private:
	std::vector<point> points;
};

} // namespace shapes

__attribute__((noinline)) static long walk(int n)
{
	shapes::path path;

	for (int i = 0; i < n; i++)
		path.add({ i, n - i });
	return path.sum();
}

__attribute__((noinline)) static long count_words(const std::string &text)
{
	std::map<std::string, int> words;
	std::string word;

	for (char c : text)
		if (c == ' ') {
			words[word]++;
			word.clear();
		} else {
			word += c;
		}
	return std::count_if(words.begin(), words.end(),
			     [](const auto &it) { return it.second > 1; });
}

int main(int argc, char **argv)
{
	long n = walk(argc * 10) + count_words("to be or not to be ");

	std::printf("%s %ld\n", argv[0], n);
	return n == 0;
}
