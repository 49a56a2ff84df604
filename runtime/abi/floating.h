/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers of type `double` as 64-bit integers with the same bits. A handler cannot use the
 * processor's floating-point registers, so runtime/floating.c computes with integers only. It is
 * freestanding: it allocates nothing, calls nothing, has no state, and may run in any context.
 *
 * Results are those of IEEE 754-2019 for binary64, rounded to nearest, ties to even; results that
 * are NaNs are those of the SSE2 instructions: the first operand that is a NaN, made quiet, or the
 * negative quiet NaN without a payload.
 */
#ifndef PRT_FLOATING_H
#define PRT_FLOATING_H

#include "records.h"

#define PRT_FP_SIGN (1ULL << 63)
#define PRT_FP_INFINITY (0x7ffULL << 52)
#define PRT_FP_FRACTION ((1ULL << 52) - 1)

/** prt_fp_add, prt_fp_sub, prt_fp_mul, prt_fp_div - x + y, x - y, x * y, x / y. */
prt_s64 prt_fp_add(prt_s64 x, prt_s64 y);
prt_s64 prt_fp_sub(prt_s64 x, prt_s64 y);
prt_s64 prt_fp_mul(prt_s64 x, prt_s64 y);
prt_s64 prt_fp_div(prt_s64 x, prt_s64 y);

/** prt_fp_eq and the like - comparisons, 1 or 0. A NaN is neither equal to anything nor less nor
 *  greater, and it differs from everything. */
prt_s64 prt_fp_eq(prt_s64 x, prt_s64 y);
prt_s64 prt_fp_ne(prt_s64 x, prt_s64 y);
prt_s64 prt_fp_lt(prt_s64 x, prt_s64 y);
prt_s64 prt_fp_le(prt_s64 x, prt_s64 y);
prt_s64 prt_fp_gt(prt_s64 x, prt_s64 y);
prt_s64 prt_fp_ge(prt_s64 x, prt_s64 y);

/** prt_fp_make - @n * 2^@exponent, rounded, with a sign. @n is unsigned, and its lowest bit is
 *  sticky: it is set if bits below it were dropped. */
prt_s64 prt_fp_make(prt_s64 negative, prt_s64 exponent, prt_u64 n);
/** prt_fp_of_long - the number @n, rounded if it has more than 53 bits. */
prt_s64 prt_fp_of_long(prt_s64 n);
/** prt_fp_of_float - the same number as the `float` with the bits @bits. */
prt_s64 prt_fp_of_float(prt_u32 bits);
/** prt_fp_fits_long - whether the number, rounded towards zero, is one of 64 bits with a sign.
 *  prt_fp_to_long - that number; 0 if there is none. */
prt_s64 prt_fp_fits_long(prt_s64 x);
prt_s64 prt_fp_to_long(prt_s64 x);

#endif
