/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stacks of all kinds, for ever, for host/unwind-walks: frames of variable size, realigned ones,
 * recursion, exceptions that pass through them, signals on another stack that come at any
 * instruction, calls through the procedure linkage table, callbacks of libc.
 */
#include <alloca.h>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/time.h>

#define KEPT __attribute__((noinline, noclone))

static volatile unsigned long sum;
static sigjmp_buf back;

struct wide { alignas(64) unsigned char bytes[64]; };

KEPT static void touch(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sum = sum + p[i];
}

KEPT static void realigned(unsigned n)
{
	wide w;

	memset(&w, (int)n, sizeof(w));
	touch(w.bytes, sizeof(w.bytes));
}

KEPT static void variable(unsigned n)
{
	unsigned char *p = static_cast<unsigned char *>(alloca(16 + n % 300));

	memset(p, (int)n, 16 + n % 300);
	touch(p, 16);
	realigned(n);
}

KEPT static unsigned deep(unsigned n)
{
	if (n == 0) {
		variable(n + 7);
		return 1;
	}
	return 1 + deep(n - 1) * 3;
}

struct guard {
	unsigned n;
	~guard() { realigned(n); }
};

KEPT static void thrower(unsigned n)
{
	guard g = { n };

	if (n == 0)
		throw 1;
	thrower(n - 1);
}

KEPT static int compare(const void *a, const void *b)
{
	unsigned x = *static_cast<const unsigned *>(a), y = *static_cast<const unsigned *>(b);

	variable(x);
	return x < y ? -1 : x > y;
}

KEPT static void sort_some(void)
{
	unsigned v[40];

	for (unsigned i = 0; i < 40; i++)
		v[i] = i * 7919 % 41;
	qsort(v, 40, sizeof(*v), compare);
}

static void on_alarm(int)
{
	variable(9);
	deep(5);
}

int main()
{
	static unsigned char stack[65536];
	stack_t other = {};
	struct sigaction action = {};
	itimerval often = { { 0, 500 }, { 0, 500 } };

	other.ss_sp = stack;
	other.ss_size = sizeof(stack);
	sigaltstack(&other, nullptr);
	action.sa_handler = on_alarm;
	action.sa_flags = SA_ONSTACK | SA_RESTART;
	sigaction(SIGPROF, &action, nullptr);
	setitimer(ITIMER_PROF, &often, nullptr);
	for (unsigned i = 0;; i++) {
		char text[64];

		if (sigsetjmp(back, 0) == 0 && i % 16 == 15)
			siglongjmp(back, 1);
		deep(i % 50);
		try {
			thrower(i % 20);
		} catch (int) {
			sum = sum + 1;
		}
		sort_some();
		snprintf(text, sizeof(text), "%lu %g", sum, i / 7.0);
		touch(reinterpret_cast<unsigned char *>(text), strlen(text));
	}
}
