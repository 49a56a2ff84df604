/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that the tests share: random numbers, threads, failing. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <linux/smp.h>

#include "machine.h"
#include "twin.h"

struct twin_test *twin_tests;
const char *twin_running = "";

static u64 seed, effort = 1;
static __thread u64 state;
static const u8 *fed, *fed_end;

void twin_add(struct twin_test *test)
{
	test->next = twin_tests;
	twin_tests = test;
}

void twin_fail(const char *file, int line, const char *cond, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s:%d: %s failed: ", file, line, cond);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\nagain: TWIN_SEED=%llu TWIN_EFFORT=%llu and the test '%s'\n", seed,
		effort, twin_running);
	/* abort() makes debuggers stop here. */
	abort();
}

static u64 number_from_environment(const char *name, u64 otherwise)
{
	const char *s = getenv(name);

	return s && *s ? strtoull(s, NULL, 0) : otherwise;
}

u64 twin_begin(void)
{
	effort = number_from_environment("TWIN_EFFORT", 1);
	seed = number_from_environment("TWIN_SEED", (u64)time(NULL) % 1000000);
	twin_seed_thread(0);
	return seed;
}

void twin_feed(const u8 *data, size_t size)
{
	fed = data;
	fed_end = data + size;
}

bool twin_hungry(void)
{
	return fed && fed == fed_end;
}

/* Takes the next @n bytes that were fed; behind their end every byte is 0. */
static u64 eat(u32 n)
{
	u64 v = 0;

	while (n-- && fed < fed_end)
		v = v << 8 | *fed++;
	return v;
}

u64 twin_random(void)
{
	u64 z;

	if (fed)
		return eat(8);
	z = state += 0x9e3779b97f4a7c15ull;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

void twin_seed_thread(u64 number)
{
	state = seed + (number << 40);
}

u64 twin_below(u64 n)
{
	if (fed)
		return eat(n <= 256 ? 1 : n <= 65536 ? 2 : 8) % n;
	return twin_random() % n;
}

s64 twin_value(void)
{
	static const s64 edges[] = { 0, 1, -1, S64_MAX, S64_MIN, S64_MIN + 1, 255, 256, -256 };

	switch (twin_below(4)) {
	case 0:
		return edges[twin_below(sizeof(edges) / sizeof(edges[0]))];
	case 1:
		return (s64)twin_random() >> twin_below(64);
	default:
		return (s64)twin_below(41) - 20;
	}
}

void twin_bytes(char *to, size_t len)
{
	bool few = twin_below(2);
	size_t i;

	for (i = 0; i < len; i++)
		to[i] = few ? (char)('a' + twin_below(2)) : (char)twin_random();
}

u32 twin_length(u32 max)
{
	switch (twin_below(8)) {
	case 0:
		return max;
	case 1:
		return (u32)twin_below(max + 1);
	default:
		return (u32)twin_below(max < 20 ? max + 1 : 20);
	}
}

u64 twin_rounds(u64 n)
{
	return n * effort;
}

struct thread {
	pthread_t id;
	int nr;
	void (*f)(int nr);
};

static void *thread_main(void *arg)
{
	struct thread *t = arg;

	twin_seed_thread(t->nr + 1);
	machine_be_cpu(t->nr);
	t->f(t->nr);
	return NULL;
}

void twin_threads(int n, void (*f)(int nr))
{
	struct thread *t = calloc(n, sizeof(*t));
	int i;

	for (i = 0; i < n; i++) {
		t[i].nr = i;
		t[i].f = f;
		CHECK(pthread_create(&t[i].id, NULL, thread_main, &t[i]) == 0, "no thread");
	}
	for (i = 0; i < n; i++)
		pthread_join(t[i].id, NULL);
	free(t);
}
