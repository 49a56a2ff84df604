/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The decimal digits of a `double`, exactly; format.c makes %f, %e and %g of them.
 *
 * The digits are made nine at a time, those before the point by division and those after it by
 * multiplication of long numbers, and none is stored. So a number is gone through twice: first to
 * find where rounding changes it (real_round()), then to write it (real_digit()).
 */
#ifndef PRT_FORMAT_REAL_H
#define PRT_FORMAT_REAL_H

#include "records.h"
#include "floating.h"

#ifndef __KERNEL__
#include <stdbool.h>
#endif

/* 2^1024 has 309 digits before the point; the smallest number has 1074 bits after it. */
enum { REAL_WHOLE = 35, REAL_PART = 34, REAL_NINE = 9 };

struct real {
	prt_u64 n;               /* the number is n * 2^exponent */
	long exponent;
	/* the rest of it: powers of 10^9, the lowest first; powers of 2^-32, the highest
	 * first */
	prt_u32 whole[REAL_WHOLE], part[REAL_PART];
	int nwhole, npart;
	prt_u32 nine;            /* the digits that were made and not taken, `left` of them */
	int left;
	long first;              /* the power of 10 of the first digit that is not 0 */
	prt_u32 head;            /* that digit */
	long at;                 /* the number of the next digit, the first one being 0 */
	/* by real_round(): */
	bool is_zero;            /* all digits are 0 */
	bool is_carried;         /* the digits are 1, 0, 0, ... */
	long change;             /* the number of the digit that is one more, those after it being
				  * 0; -1: none */
	long last;               /* the number of the last digit that is not 0 */
};

static inline void real_split_whole(struct real *r)
{
	prt_u64 n = r->exponent >= 0 ? r->n : r->exponent > -64 ? r->n >> -r->exponent : 0, carry;
	long left = r->exponent;
	int i;

	r->whole[0] = (prt_u32)(n % 1000000000);
	r->whole[1] = (prt_u32)(n / 1000000000);
	r->nwhole = r->whole[1] ? 2 : r->whole[0] ? 1 : 0;
	for (; left > 0; left -= 29) {
		carry = 0;
		for (i = 0; i < r->nwhole; i++) {
			carry += (prt_u64)r->whole[i] << (left < 29 ? left : 29);
			r->whole[i] = (prt_u32)(carry % 1000000000);
			carry /= 1000000000;
		}
		if (carry && r->nwhole < REAL_WHOLE)
			r->whole[r->nwhole++] = (prt_u32)carry;
	}
}

static inline void real_split_part(struct real *r)
{
	long bits = r->exponent < 0 ? -r->exponent : 0;
	prt_u64 n = bits < 64 ? r->n & ((1ULL << bits) - 1) : r->n;
	unsigned __int128 low;
	int i;

	r->npart = (int)((bits + 31) / 32);
	low = (unsigned __int128)n << (r->npart * 32 - bits);
	for (i = r->npart; i-- > 0;) {
		r->part[i] = (prt_u32)low;
		low >>= 32;
	}
}

/* Makes the next nine digits. */
static inline void real_nine(struct real *r)
{
	prt_u64 carry = 0;
	int i;

	r->left = REAL_NINE;
	if (r->nwhole) {
		r->nine = r->whole[--r->nwhole];
		return;
	}
	while (r->npart && !r->part[r->npart - 1])
		r->npart--;
	for (i = r->npart; i-- > 0;) {
		carry += (prt_u64)r->part[i] * 1000000000;
		r->part[i] = (prt_u32)carry;
		carry >>= 32;
	}
	r->nine = (prt_u32)carry;
}

static inline prt_u32 real_take(struct real *r)
{
	static const prt_u32 powers[REAL_NINE] = { 1, 10, 100, 1000, 10000, 100000, 1000000,
						   10000000, 100000000 };
	prt_u32 digit;

	if (!r->left)
		real_nine(r);
	digit = r->nine / powers[--r->left];
	r->nine %= powers[r->left];
	return digit;
}

/* Whether a digit that was not taken is not 0. */
static inline bool real_more(const struct real *r)
{
	int i;

	if (r->nine && r->left)
		return true;
	for (i = 0; i < r->nwhole; i++)
		if (r->whole[i])
			return true;
	for (i = 0; i < r->npart; i++)
		if (r->part[i])
			return true;
	return false;
}

/* Begins at the first digit that is not 0. */
static inline void real_start(struct real *r)
{
	r->left = 0;
	r->nine = 0;
	r->at = 0;
	real_split_whole(r);
	real_split_part(r);
	r->first = (long)r->nwhole * REAL_NINE;
	do {
		r->head = real_take(r);
		r->first--;
	} while (!r->head && real_more(r));
}

static inline prt_u32 real_next(struct real *r)
{
	return r->at++ ? real_take(r) : r->head;
}

/* Rounds to @n digits, to nearest, ties to even, and goes back to the first digit. */
static inline void real_round(struct real *r, long n)
{
	prt_u32 digit = 0, next;
	long i, other = -1; /* the last digit that is not 9 */

	real_start(r);
	r->is_carried = false;
	r->change = r->last = -1;
	for (i = 0; i < n && (!i || real_more(r)); i++) {
		digit = real_next(r);
		if (digit != 9)
			other = i;
		if (digit)
			r->last = i;
	}
	next = n >= 0 && i == n ? real_next(r) : 0;
	if (next > 5 || (next == 5 && (digit & 1 || real_more(r)))) {
		r->is_carried = other < 0;
		r->change = r->last = r->is_carried ? 0 : other;
	}
	r->is_zero = r->last < 0;
	i = r->is_carried;
	real_start(r);
	r->first = r->is_zero ? 0 : r->first + i;
}

/* The next digit of the rounded number. */
static inline char real_digit(struct real *r)
{
	long i = r->at;
	prt_u32 digit = real_next(r);

	if (r->is_zero || (r->change >= 0 && i > r->change))
		return '0';
	if (r->is_carried)
		return '1';
	return (char)('0' + digit + (i == r->change));
}

#endif
