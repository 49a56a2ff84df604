/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the arithmetic on numbers of type double (runtime/floating.c) with the processor's, bit
 * for bit, and their text with the C library's and MPFR's, which gcc needs, so that it is where gcc
 * is. Operands are random, and many are subnormal, next
 * to each other or to a power of two, zeros, infinities and NaNs. FLOATING_EFFORT=N does N times
 * as much.
 */
#include <dlfcn.h>
#include <stdbool.h>

#include "format.h"
#include "runtime/floating.c"
#include "unit.h"

enum { PAIRS = 250000, TEXTS = 40000, ROOM = 3000 };

static uint64_t state = 88172645463325252ULL;

static uint64_t any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static double number(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d;
}

static uint64_t bits_of(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	return bits;
}

static uint64_t with_exponent(uint64_t r, uint64_t biased)
{
	return (r & (PRT_FP_SIGN | PRT_FP_FRACTION)) | biased << 52;
}

static uint64_t operand(void)
{
	static const uint64_t edges[] = {
		0, 1, PRT_FP_INFINITY, PRT_FP_INFINITY | 1ULL << 51, PRT_FP_INFINITY | 1,
		1023ULL << 52, PRT_FP_INFINITY - 1, 1ULL << 52, PRT_FP_FRACTION,
	};
	uint64_t r = any();

	switch (any() % 8) {
	case 0: return r;
	case 1: return with_exponent(r, 963 + any() % 120);
	case 2: return with_exponent(r, 0);
	case 3: return edges[r % 9] | (any() & PRT_FP_SIGN);
	case 4: return bits_of((double)(int64_t)(r >> (any() % 64)));
	case 5: return with_exponent(r & ~(PRT_FP_FRACTION >> 20), any() % 2047);
	default: return with_exponent(r, 1020 + any() % 6);
	}
}

/* Instructions with fixed operands: which NaN they return depends on the order. */
#define OPERATION(name)                                                                        \
	static uint64_t own_##name(uint64_t x, uint64_t y)                                     \
	{                                                                                      \
		double a = number(x), b = number(y);                                           \
											       \
		__asm__ volatile(#name "sd %1, %0" : "+x"(a) : "x"(b));                        \
		return bits_of(a);                                                             \
	}
#ifdef __x86_64__
OPERATION(add)
OPERATION(sub)
OPERATION(mul)
OPERATION(div)
#endif

static long effort(void)
{
	const char *n = getenv("FLOATING_EFFORT");

	return n ? atol(n) : 1;
}

TEST(operations)
{
#ifdef __x86_64__
	for (long i = 0; i < PAIRS * effort(); i++) {
		int64_t x = (int64_t)operand(), y = (int64_t)operand();

		if (any() % 16 == 0)
			y = x + (int64_t)(any() % 5) - 2;
		assert_int_equal(prt_fp_add(x, y), own_add((uint64_t)x, (uint64_t)y));
		assert_int_equal(prt_fp_sub(x, y), own_sub((uint64_t)x, (uint64_t)y));
		assert_int_equal(prt_fp_mul(x, y), own_mul((uint64_t)x, (uint64_t)y));
		assert_int_equal(prt_fp_div(x, y), own_div((uint64_t)x, (uint64_t)y));
	}
#else
	skip();
#endif
}

TEST(comparisons)
{
	for (long i = 0; i < PAIRS * effort(); i++) {
		int64_t x = (int64_t)operand(), y = any() % 4 ? (int64_t)operand() : x;
		double a = number((uint64_t)x), b = number((uint64_t)y);

		assert_int_equal(prt_fp_eq(x, y), a == b);
		assert_int_equal(prt_fp_ne(x, y), a != b);
		assert_int_equal(prt_fp_lt(x, y), a < b);
		assert_int_equal(prt_fp_le(x, y), a <= b);
		assert_int_equal(prt_fp_gt(x, y), a > b);
		assert_int_equal(prt_fp_ge(x, y), a >= b);
	}
}

TEST(conversions)
{
	for (long i = 0; i < PAIRS * effort(); i++) {
		int64_t x = (int64_t)operand(), n = (int64_t)(any() >> any() % 64);
		uint32_t f = (uint32_t)any();
		volatile float single;
		double a = number((uint64_t)x);

		memcpy((void *)&single, &f, sizeof(f));
		assert_int_equal(prt_fp_of_long(n), bits_of((double)n));
		assert_int_equal(prt_fp_of_float(f), bits_of((double)single));
		assert_int_equal(prt_fp_fits_long(x), a >= -0x1p63 && a < 0x1p63);
		if (prt_fp_fits_long(x))
			assert_int_equal(prt_fp_to_long(x), (int64_t)a);
	}
}

/* A number that lies in the middle of two texts: the even one is right. */
static uint64_t middle(void)
{
	return bits_of((double)((int64_t)(any() % 20001) - 10000) / (double)(1 << any() % 12));
}

TEST(text)
{
	static const char *const flags[] = { "", "-", "0", "+", " ", "#", "#0", "-+", "0+" };
	char format[64], want[ROOM], got[ROOM];

	for (long i = 0; i < TEXTS * effort(); i++) {
		uint64_t x = any() % 6 ? operand() : middle();
		int precision = any() % 50 ? (int)(any() % 30) : 1100;
		int len = sprintf(format, "[%%%s", flags[any() % 9]);
		long n;

		if (any() % 4 == 0)
			len += sprintf(format + len, "%d", 1 + (int)(any() % 40));
		if (any() % 8)
			len += sprintf(format + len, ".%d", precision);
		sprintf(format + len, "%c]", "fegFEG"[any() % 6]);
		snprintf(want, sizeof(want), format, number(x));
		n = prt_format(got, sizeof(got) - 1, format, strlen(format), "d", &x, sizeof(x));
		assert_in_range(n, 1, sizeof(got) - 1);
		got[n] = '\0';
		assert_string_equal(got, want);
	}
}

/* The needed part of <mpfr.h>, for libmpfr.so.6. */
struct big { long precision; int sign; long exponent; void *limbs; };
struct mpfr {
	void (*init)(struct big *x, long precision);
	int (*set)(struct big *x, double d, int rounding);
	int (*print)(char *to, size_t room, const char *format, ...);
};

static bool open_mpfr(struct mpfr *ret)
{
	void *library = dlopen("libmpfr.so.6", RTLD_NOW);

	if (!library)
		return false;
	*(void **)&ret->init = dlsym(library, "mpfr_init2");
	*(void **)&ret->set = dlsym(library, "mpfr_set_d");
	*(void **)&ret->print = dlsym(library, "mpfr_snprintf");
	return ret->init && ret->set && ret->print;
}

/* MPFR's NaNs and infinities have no sign, and its "#" and its default precision are others than
 * C's. */
TEST(text_beside_mpfr)
{
	static const char *const flags[] = { "", "-", "0", "+", " ", "-+", "0+" };
	char format[64], theirs[64], want[ROOM], got[ROOM];
	struct mpfr mpfr = { 0 };
	struct big big;

	if (!open_mpfr(&mpfr))
		skip();
	mpfr.init(&big, 53);
	for (long i = 0; i < TEXTS * effort(); i++) {
		uint64_t x = any() % 6 ? operand() : middle();
		int precision = any() % 50 ? (int)(any() % 30) : 1100;
		const char *flag = flags[any() % 7];
		int width = (int)(any() % 40);
		char conversion = "fegFEG"[any() % 6];
		long n;

		if ((x & PRT_FP_INFINITY) == PRT_FP_INFINITY)
			continue;
		sprintf(format, "[%%%s%d.%d%c]", flag, width + 1, precision, conversion);
		sprintf(theirs, "[%%%s%d.%dR%c]", flag, width + 1, precision, conversion);
		mpfr.set(&big, number(x), 0);
		mpfr.print(want, sizeof(want), theirs, &big);
		n = prt_format(got, sizeof(got) - 1, format, strlen(format), "d", &x, sizeof(x));
		assert_in_range(n, 1, sizeof(got) - 1);
		got[n] = '\0';
		assert_string_equal(got, want);
	}
}
