/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frame of the tests in this folder: a test is a function that does random things to the
 * runtime and to a naive twin of it, and compares the two. A failure says the seed; TWIN_SEED=N
 * repeats it (what threads do in which order is not repeated), TWIN_EFFORT=N does N times as much.
 */
#ifndef TWIN_TWIN_H
#define TWIN_TWIN_H

#include <linux/types.h>

/* TWIN_TEST(name) { ... } - found by itself, run by its name. */
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
extern const char *twin_running; /* for messages */

/* CHECK(condition, "what it means", ...): else the seed is said, and the program ends. */
#define CHECK(cond, ...)                                                                       \
	do {                                                                                   \
		if (!(cond))                                                                   \
			twin_fail(__FILE__, __LINE__, #cond, __VA_ARGS__);                     \
	} while (0)
void __attribute__((noreturn, format(printf, 4, 5)))
twin_fail(const char *file, int line, const char *cond, const char *fmt, ...);

/** twin_begin - takes seed and effort from the environment; returns the seed. */
u64 twin_begin(void);
/** twin_feed - from now on all that is random is read from @data, which a fuzzer chose; behind its
 * end everything is 0 and twin_hungry() true. */
void twin_feed(const u8 *data, size_t size);
bool twin_hungry(void);
/** twin_random - 64 bits; a thread has its own sequence, which twin_seed_thread(number) begins. */
u64 twin_random(void);
void twin_seed_thread(u64 number);
/** twin_below - 0 .. n - 1. */
u64 twin_below(u64 n);
/** twin_value - a number as scripts have them: often small or at an edge. */
s64 twin_value(void);
/** twin_bytes - @len bytes into @to: often few different ones, so that equal strings are met. */
void twin_bytes(char *to, size_t len);
/** twin_length - 0 .. max, short ones and max itself more often. */
u32 twin_length(u32 max);
/** twin_rounds - @n times the effort. */
u64 twin_rounds(u64 n);
/** twin_threads - runs f(0) .. f(n - 1), each in a thread that is processor number n; returns when
 * all are done. */
void twin_threads(int n, void (*f)(int nr));

/** twin_array - a random array with at most @ops random operations (test_map.c). */
void twin_array(u32 ops);

#endif
