/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls functions whose implementation is chosen when the program starts (STT_GNU_IFUNC): of libc,
 * of libm, and its own, each a known number of times: host/indirect, vm/indirect.
 *
 * MOVES: also calls memmove, which shares implementations with memcpy in glibc, and the obsolete
 * version of memcpy.
 *
 * With an argument, it prints a line and waits for the end of its standard input.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

typedef int calculation(int, int);

static int plus(int x, int y) { return x + y; }
static int minus(int x, int y) { return x - y; }

static calculation *choose(void)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx2") ? plus : minus;
}

static calculation *choose_by_call(void)
{
	calculation *chosen = choose();

	return chosen;
}

int add(int x, int y) __attribute__((ifunc("choose")));
int sum(int x, int y) __attribute__((ifunc("choose_by_call")));

/* The value of a variable decides which one it is. */
static calculation *known[] = { plus, minus };
volatile int number;

static calculation *choose_by_number(void)
{
	return known[number];
}

int count(int x, int y) __attribute__((ifunc("choose_by_number")));

__attribute__((target_clones("default", "avx2", "avx512f"))) int multiply(int x, int y)
{
	return x * y;
}

static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static size_t (*volatile length)(const char *) = strlen;
static int (*volatile compare)(const void *, const void *, size_t) = memcmp;
/* Its address is kept where only the linker writes. */
static size_t (*const span)(const char *, const char *) = strspn;
static float (*volatile power)(float) = expf;

#ifdef MOVES
__asm__(".symver obsolete, memcpy@GLIBC_2.2.5");
void *obsolete(void *, const void *, size_t);
static void *(*volatile move)(void *, const void *, size_t) = memmove;
static void *(*volatile copy_again)(void *, const void *, size_t) = obsolete;
#endif

int main(int argc, char **argv)
{
	char from[64] = "hello", to[64];
	volatile float f = 1;
	volatile int n = argc;

	(void)argv;
	if (argc > 1 && write(1, "begun\n", 6) == 6)
		while (read(0, to, 1) == 1)
			;
	for (int i = 0; i < 1000; i++)
		copy(to, from, 33);
	for (int i = 0; i < 300; i++)
		n += (int)length(to);
	for (int i = 0; i < 200; i++)
		n += compare(from, to, 20);
	for (int i = 0; i < 110; i++)
		f += power(-1);
	for (int i = 0; i < 70; i++)
		n = add(n, argc);
	for (int i = 0; i < 60; i++)
		n = sum(n, argc);
	for (int i = 0; i < 80; i++)
		n = multiply(n, argc);
	n += (int)(*(size_t (*const volatile *)(const char *, const char *))&span)(from, to);
	n = count(n, argc);
#ifdef MOVES
	for (int i = 0; i < 50; i++)
		move(to, from, 33);
	for (int i = 0; i < 20; i++)
		copy_again(to, from, 33);
#endif
	return 0;
}
