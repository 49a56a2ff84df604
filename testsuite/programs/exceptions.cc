/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Throws exceptions of many types, and counts what it throws, catches and throws again, by type. It
 * prints a line for each type: THROWN CAUGHT RETHROWN NAME, with the name that std::type_info has.
 */
#include <cstdio>
#include <cxxabi.h>
#include <exception>
#include <future>
#include <ios>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

struct counts {
	long thrown, caught, rethrown;
};

static std::map<std::string, counts> all;
static std::mutex lock;

static void count(const std::type_info &type, long counts::*what)
{
	std::lock_guard<std::mutex> held(lock);
	const char *name = type.name();

	all[name].*what += 1;
}

/* For a handler. */
static void count_caught()
{
	count(*abi::__cxa_current_exception_type(), &counts::caught);
}

template <typename T> [[noreturn]] static void throws(T what)
{
	count(typeid(T), &counts::thrown);
	throw what;
}

[[noreturn]] static void rethrows()
{
	count(*abi::__cxa_current_exception_type(), &counts::rethrown);
	throw;
}

namespace shop {
struct error : std::runtime_error {
	using std::runtime_error::runtime_error;
};
template <typename T> struct wrong {
	T value;
};
}

namespace {
struct hidden {};
}

struct first {
	long a[3];
	virtual ~first() = default;
};
struct second {
	long b;
	virtual ~second() = default;
};
struct both : first, second {};

template <typename F> static void catches(F f)
{
	try {
		f();
	} catch (...) {
		count_caught();
	}
}

static void ordinary(int n)
{
	struct local {};

	for (int i = 0; i < n; i++)
		catches([] { throws(std::runtime_error("one")); });
	for (int i = 0; i < 2 * n; i++)
		catches([] { throws(shop::error("two")); });
	catches([] { throws(42); });
	catches([] { throws((const char *)"text"); });
	catches([] { throws(shop::wrong<std::string>{ "three" }); });
	catches([] { throws(hidden()); });
	catches([] { throws(std::ios_base::failure("four")); });
	catches([] { throws(local()); });
	/* What libstdc++ throws itself. */
	catches([] {
		count(typeid(std::out_of_range), &counts::thrown);
		std::vector<int>().at(1);
	});
	/* The handler is for a base class that is no beginning of the object. */
	try {
		throws(both());
	} catch (second &) {
		count_caught();
	}
}

static void again(int n)
{
	for (int i = 0; i < n; i++)
		catches([] {
			try {
				throws(shop::error("again"));
			} catch (std::exception &) {
				count_caught();
				rethrows();
			}
		});
	/* References to an exception, which are thrown again in turn. */
	std::exception_ptr kept;
	try {
		throws(both());
	} catch (second &) {
		count_caught();
		kept = std::current_exception();
	}
	for (int i = 0; i < n; i++)
		catches([&] {
			try {
				std::rethrow_exception(kept);
			} catch (second &) {
				count_caught();
				rethrows();
			}
		});
	/* libstdc++ keeps an exception of a thread; its own handler there catches it as well. */
	std::future<int> result = std::async(std::launch::async, []() -> int { throws(7L); });
	count(typeid(long), &counts::caught);
	catches([&] { result.get(); });
}

int main()
{
	ordinary(100);
	again(50);
	for (auto &[name, n] : all)
		printf("%ld %ld %ld %s\n", n.thrown, n.caught, n.rethrown, name.c_str());
}
