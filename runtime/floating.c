/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arithmetic on numbers of type `double` by integers; abi/floating.h is the contract.
 *
 * A number is fraction * 2^exponent with a fraction of 53 bits; a subnormal one has fewer. Each
 * operation computes more bits than fit, sets the lowest one if anything is below it (a "sticky"
 * bit), and leaves the rounding to prt_fp_make().
 */
#include "abi/floating.h"

#ifdef __KERNEL__
#include <linux/kprobes.h>
#else
#define NOKPROBE_SYMBOL(name) struct prt_fp_no_kprobe
#endif

enum { FP_BIAS = 1023, FP_BITS = 52 };

static inline prt_u64 magnitude(prt_s64 x)
{
	return (prt_u64)x & ~PRT_FP_SIGN;
}

static inline int is_nan(prt_s64 x)
{
	return magnitude(x) > PRT_FP_INFINITY;
}

static inline prt_u64 fraction(prt_s64 x)
{
	prt_u64 low = (prt_u64)x & PRT_FP_FRACTION;

	return magnitude(x) >> FP_BITS ? low | 1ULL << FP_BITS : low;
}

static inline prt_s64 exponent(prt_s64 x)
{
	prt_s64 biased = (prt_s64)(magnitude(x) >> FP_BITS);

	return (biased ? biased : 1) - FP_BIAS - FP_BITS;
}

/* The result of an operation with a NaN, or of an invalid one. */
static prt_s64 nan_of(prt_s64 x, prt_s64 y)
{
	const prt_u64 quiet = 1ULL << (FP_BITS - 1);

	if (is_nan(x))
		return (prt_s64)((prt_u64)x | quiet);
	if (is_nan(y))
		return (prt_s64)((prt_u64)y | quiet);
	return (prt_s64)(PRT_FP_SIGN | PRT_FP_INFINITY | quiet);
}
NOKPROBE_SYMBOL(nan_of);

prt_s64 prt_fp_make(prt_s64 negative, prt_s64 exponent_of, prt_u64 n)
{
	prt_u64 sign = negative ? PRT_FP_SIGN : 0, kept, rest, half;
	prt_s64 biased = exponent_of + 63 + FP_BIAS;
	prt_u32 drop = 63 - FP_BITS, shift;

	if (!n)
		return (prt_s64)sign;
	shift = (prt_u32)__builtin_clzll(n);
	n <<= shift;
	biased -= shift;
	if (biased >= 2047)
		return (prt_s64)(sign | PRT_FP_INFINITY);
	if (biased <= 0) {
		/* A subnormal number, or 0. */
		if (biased < -53)
			return (prt_s64)sign;
		drop += 1 - (prt_u32)biased;
		biased = 1;
	}
	kept = drop > 63 ? 0 : n >> drop;
	rest = drop > 63 ? n : n & ((1ULL << drop) - 1);
	if (drop <= 64) {
		half = 1ULL << (drop - 1);
		kept += rest > half || (rest == half && (kept & 1));
	}
	/* The highest bit of a normal number adds 1 to the exponent. */
	return (prt_s64)(sign | (((prt_u64)(biased - 1) << FP_BITS) + kept));
}
NOKPROBE_SYMBOL(prt_fp_make);

/* The fraction has 9 more bits, of which the lowest is sticky. */
static prt_s64 add_finite(prt_s64 x, prt_s64 y)
{
	prt_s64 shift = exponent(x) - exponent(y);
	prt_u64 n = fraction(x) << 9, m = fraction(y) << 9;

	m = shift > 62 ? m != 0 : m >> shift | ((m & ((1ULL << shift) - 1)) != 0);
	n = (x ^ y) < 0 ? n - m : n + m;
	if (!n)
		return (prt_s64)((prt_u64)x & (prt_u64)y & PRT_FP_SIGN);
	return prt_fp_make(x < 0, exponent(x) - 9, n);
}
NOKPROBE_SYMBOL(add_finite);

prt_s64 prt_fp_add(prt_s64 x, prt_s64 y)
{
	if (is_nan(x) || is_nan(y))
		return nan_of(x, y);
	if (magnitude(x) == PRT_FP_INFINITY)
		return magnitude(y) == PRT_FP_INFINITY && x != y ? nan_of(x, y) : x;
	if (magnitude(y) == PRT_FP_INFINITY)
		return y;
	return magnitude(x) < magnitude(y) ? add_finite(y, x) : add_finite(x, y);
}
NOKPROBE_SYMBOL(prt_fp_add);

prt_s64 prt_fp_sub(prt_s64 x, prt_s64 y)
{
	return is_nan(y) ? nan_of(x, y) : prt_fp_add(x, (prt_s64)((prt_u64)y ^ PRT_FP_SIGN));
}
NOKPROBE_SYMBOL(prt_fp_sub);

/* The fraction of a number that is not 0, made 53 bits long. */
static inline prt_u64 whole_fraction(prt_s64 x, prt_s64 *e)
{
	prt_u64 n = fraction(x);
	int shift = __builtin_clzll(n) - (63 - FP_BITS);

	*e = exponent(x) - shift;
	return n << shift;
}

prt_s64 prt_fp_mul(prt_s64 x, prt_s64 y)
{
	prt_u64 sign = ((prt_u64)x ^ (prt_u64)y) & PRT_FP_SIGN;
	unsigned __int128 product;
	prt_s64 e, f;

	if (is_nan(x) || is_nan(y))
		return nan_of(x, y);
	if (magnitude(x) == PRT_FP_INFINITY || magnitude(y) == PRT_FP_INFINITY)
		return magnitude(x) && magnitude(y) ? (prt_s64)(PRT_FP_INFINITY | sign) :
						      nan_of(x, y);
	if (!magnitude(x) || !magnitude(y))
		return (prt_s64)sign;
	product = (unsigned __int128)whole_fraction(x, &e) * whole_fraction(y, &f);
	/* Up to 106 bits, of which 64 are kept. */
	return prt_fp_make(sign != 0, e + f + 42,
			   (prt_u64)(product >> 42) | ((prt_u64)product << 22 != 0));
}
NOKPROBE_SYMBOL(prt_fp_mul);

/* n * 2^55 / m for numbers of 53 bits, with a sticky lowest bit; 11 bits of it at a time, since a
 * rest has 53. */
static prt_u64 quotient(prt_u64 n, prt_u64 m)
{
	prt_u64 ret = n / m;
	int i;

	n %= m;
	for (i = 0; i < 5; i++) {
		n <<= 11;
		ret = ret << 11 | n / m;
		n %= m;
	}
	return ret << 1 | (n != 0);
}
NOKPROBE_SYMBOL(quotient);

prt_s64 prt_fp_div(prt_s64 x, prt_s64 y)
{
	prt_u64 sign = ((prt_u64)x ^ (prt_u64)y) & PRT_FP_SIGN, n, m;
	prt_s64 e, f;

	if (is_nan(x) || is_nan(y))
		return nan_of(x, y);
	if (magnitude(x) == PRT_FP_INFINITY)
		return magnitude(y) == PRT_FP_INFINITY ? nan_of(x, y) :
							 (prt_s64)(PRT_FP_INFINITY | sign);
	if (!magnitude(y))
		return magnitude(x) ? (prt_s64)(PRT_FP_INFINITY | sign) : nan_of(x, y);
	if (!magnitude(x) || magnitude(y) == PRT_FP_INFINITY)
		return (prt_s64)sign;
	n = whole_fraction(x, &e);
	m = whole_fraction(y, &f);
	return prt_fp_make(sign != 0, e - f - 56, quotient(n, m));
}
NOKPROBE_SYMBOL(prt_fp_div);

/* An integer that compares like the number; both zeros are 0. */
static inline prt_s64 order(prt_s64 x)
{
	return x < 0 ? -(prt_s64)magnitude(x) : x;
}

prt_s64 prt_fp_eq(prt_s64 x, prt_s64 y)
{
	return !is_nan(x) && !is_nan(y) && order(x) == order(y);
}
NOKPROBE_SYMBOL(prt_fp_eq);

prt_s64 prt_fp_ne(prt_s64 x, prt_s64 y)
{
	return !prt_fp_eq(x, y);
}
NOKPROBE_SYMBOL(prt_fp_ne);

prt_s64 prt_fp_lt(prt_s64 x, prt_s64 y)
{
	return !is_nan(x) && !is_nan(y) && order(x) < order(y);
}
NOKPROBE_SYMBOL(prt_fp_lt);

prt_s64 prt_fp_le(prt_s64 x, prt_s64 y)
{
	return !is_nan(x) && !is_nan(y) && order(x) <= order(y);
}
NOKPROBE_SYMBOL(prt_fp_le);

prt_s64 prt_fp_gt(prt_s64 x, prt_s64 y)
{
	return prt_fp_lt(y, x);
}
NOKPROBE_SYMBOL(prt_fp_gt);

prt_s64 prt_fp_ge(prt_s64 x, prt_s64 y)
{
	return prt_fp_le(y, x);
}
NOKPROBE_SYMBOL(prt_fp_ge);

prt_s64 prt_fp_of_long(prt_s64 n)
{
	return prt_fp_make(n < 0, 0, n < 0 ? 0 - (prt_u64)n : (prt_u64)n);
}
NOKPROBE_SYMBOL(prt_fp_of_long);

prt_s64 prt_fp_of_float(prt_u32 bits)
{
	prt_u64 sign = (prt_u64)(bits >> 31) << 63, low = bits & 0x7fffff;
	prt_s64 biased = bits >> 23 & 0xff;

	if (biased == 0xff) {
		if (low)
			low |= 1U << 22;
		return (prt_s64)(sign | PRT_FP_INFINITY | low << 29);
	}
	if (biased)
		low |= 1U << 23;
	else
		biased = 1;
	/* The value is low * 2^(biased - 127 - 23), which is exact in a double. */
	return prt_fp_make(sign != 0, biased - 150, low);
}
NOKPROBE_SYMBOL(prt_fp_of_float);

prt_s64 prt_fp_fits_long(prt_s64 x)
{
	/* 2^63, and -2^63, which fits */
	const prt_u64 most = 0x43eULL << FP_BITS;

	return magnitude(x) < most || (prt_u64)x == (most | PRT_FP_SIGN);
}
NOKPROBE_SYMBOL(prt_fp_fits_long);

prt_s64 prt_fp_to_long(prt_s64 x)
{
	prt_s64 e = exponent(x);
	prt_u64 n = fraction(x);

	if (!prt_fp_fits_long(x))
		return 0;
	n = e >= 0 ? n << e : e > -64 ? n >> -e : 0;
	return (prt_s64)(x < 0 ? 0 - n : n);
}
NOKPROBE_SYMBOL(prt_fp_to_long);
