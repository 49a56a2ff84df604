/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target ROUNDS MS - A program to be probed, which counts what a probe should see: host/programs,
 * vm/programs. It sleeps MS milliseconds between two rounds. At its end it prints in one line: the
 * calls of work(), the sum of the results of work(), the markers that were passed while a probe
 * used them, and the calls that left by longjmp.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct item {
	int id;
	const char *name;
	struct item *next;
	long weight;
	unsigned small : 3, large : 13;
};

static long calls, sum, marked, jumped;
static jmp_buf back;
static volatile unsigned short round_users __attribute__((section(".probes"), used));

/* An SDT marker as <sys/sdt.h> writes it, with the operands that the test needs. */
#define MARK(name, users, operands)                                                                \
	"990: nop\n"                                                                              \
	".pushsection .note.stapsdt,\"\",\"note\"\n"                                              \
	".balign 4\n .4byte 992f-991f, 994f-993f, 3\n"                                            \
	"991: .asciz \"stapsdt\"\n 992: .balign 4\n"                                              \
	"993: .8byte 990b, _.stapsdt.base, " users "\n"                                           \
	".asciz \"target\"\n .asciz \"" name "\"\n .asciz \"" operands "\"\n"                     \
	"994: .balign 4\n .popsection\n"                                                          \
	".ifndef _.stapsdt.base\n"                                                                \
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"                   \
	".weak _.stapsdt.base\n .hidden _.stapsdt.base\n"                                         \
	"_.stapsdt.base: .space 1\n .size _.stapsdt.base,1\n .popsection\n .endif\n"

__attribute__((noinline)) int work(int a, const char *text, long c, long d, long e, long f, long g,
				   unsigned char h)
{
	calls++;
	return (int)(a + (long)strlen(text) + c + d + e + f + g + h) * -1;
}

__attribute__((noinline)) static int factorial(int n)
{
	int below = n < 2 ? 1 : factorial(n - 1);

	__asm__ volatile("" : "+r"(below));
	return n < 2 ? 1 : n * below;
}

__attribute__((noipa)) static long weigh(const struct item *item)
{
	long all = 0;

	for (; item; item = item->next)
		all += item->weight;
	return all;
}

__attribute__((noinline)) static void leave(int n)
{
	jumped++;
	__asm__ volatile("" : : "r"(n) : "memory");
	longjmp(back, n);
}

#ifdef __aarch64__
__attribute__((noinline)) static void mark(long i, const char *text)
{
	if (round_users)
		marked++;
	__asm__ volatile(MARK("round", "round_users", "-8@%x0 8@%x1")
			 : : "r"(i * i), "r"(text) : "memory");
}
#else
__attribute__((noinline)) static void mark(long i, const char *text)
{
	long square = i * i, on_stack[2] = { i + 1, i + 2 };
	double half = (double)i + 0.5, there = -half;
	float quarter = (float)i + 0.25f;

	if (round_users)
		marked++;
	__asm__ volatile(MARK("round", "round_users",
			      "-8@%1 8@%2 -4@$-7 -8@8(%3) -8@calls(%%rip) 2@%w1 -8@(%3,%4,8)")
			 : : "m"(on_stack), "r"(square), "r"(text), "r"(on_stack), "r"(1l)
			 : "memory");

	register double last __asm__("xmm15") = half * 1e10;

	__asm__ volatile(MARK("floating", "0", "8f@%0 4f@%1 8f@%2 8f@%3 4f@%4")
			 : : "x"(half), "x"(quarter), "m"(there), "x"(last), "r"(quarter)
			 : "memory");
}
#endif

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1, pause = argc > 2 ? atoi(argv[2]) : 0;
	struct item second = { 2, "second", NULL, 20, 5, 4711 };
	struct item first = { 1, "first", &second, 10, 3, 1234 };
	struct timespec time = { pause / 1000, pause % 1000 * 1000000l };

	for (int i = 0; i < rounds; i++) {
		sum += work(i, "text", 1, 2, 3, 4, i, (unsigned char)i);
		if (weigh(&first) != 30 || factorial(5) != 120)
			return 1;
		mark(i, "marked");
		if (!setjmp(back))
			leave(i + 1);
		if (pause)
			nanosleep(&time, NULL);
	}
	printf("%ld %ld %ld %ld\n", calls, sum, marked, jumped);
	return 0;
}
