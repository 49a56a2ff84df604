/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frame of the tests in this folder: a test is a function that does random things to the
 * runtime and to a naive twin of it, and compares the two. A failure prints the seed; TWIN_SEED=N
 * repeats it (but not the order in which threads run), and TWIN_EFFORT=N does N times as much.
 */
#ifndef TWIN_TWIN_H
#define TWIN_TWIN_H

#include <linux/types.h>

/* TWIN_TEST(name) { ... } - Registers a test; main.c runs it by its name. */
#define TWIN_TEST(name)                                                                        \
	static void test_##name(void);                                                         \
	static struct twin_test entry_##name = { #name, test_##name, NULL };                   \
	static void __attribute__((constructor)) add_##name(void)                              \
	{                                                                                      \
		twin_add(&entry_##name);                                                       \
	}                                                                                      \
	static void test_##name(void)

struct twin_test {
	const char *name;
	void (*run)(void);
	struct twin_test *next;
};
void twin_add(struct twin_test *test);
extern struct twin_test *twin_tests;
extern const char *twin_running; /* name of the running test, for messages */

/* CHECK(condition, "what it means", ...): if the condition is false, prints the seed and ends the
 * program. */
#define CHECK(cond, ...)                                                                       \
	do {                                                                                   \
		if (!(cond))                                                                   \
			twin_fail(__FILE__, __LINE__, #cond, __VA_ARGS__);                     \
	} while (0)
void __attribute__((noreturn, format(printf, 4, 5)))
twin_fail(const char *file, int line, const char *cond, const char *fmt, ...);

/** twin_begin - Takes the seed and the effort from the environment; returns the seed. */
u64 twin_begin(void);
/** twin_feed - Takes all random numbers from @data, which a fuzzer chose, from now on. Behind its
 * end they are 0 and twin_hungry() returns true. */
void twin_feed(const u8 *data, size_t size);
bool twin_hungry(void);
/** twin_random - Returns 64 bits. A thread has its own sequence, which twin_seed_thread(number)
 * starts. */
u64 twin_random(void);
void twin_seed_thread(u64 number);
/** twin_below - Returns a number from 0 to n - 1. */
u64 twin_below(u64 n);
/** twin_value - Returns a number as scripts have them: often small or at an edge. */
s64 twin_value(void);
/** twin_bytes - Fills @to with @len bytes, often of few different values, so that equal strings
 * occur. */
void twin_bytes(char *to, size_t len);
/** twin_length - Returns 0 .. max; short lengths and max itself are more frequent. */
u32 twin_length(u32 max);
/** twin_rounds - Returns @n times the effort. */
u64 twin_rounds(u64 n);
/** twin_threads - Runs f(0) .. f(n - 1), each in a thread that is processor number n; returns when
 * all have ended. */
void twin_threads(int n, void (*f)(int nr));

/** twin_array - Makes a random array with at most @ops random operations (test_map.c). */
void twin_array(u32 ops);

#endif
