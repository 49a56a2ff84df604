/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of type double as text: %f, %e and %g, as printf() of C writes them. */
#ifndef PRT_FORMAT_DOUBLE_H
#define PRT_FORMAT_DOUBLE_H

#include "format_out.h"
#include "format_real.h"

/* Writes what stands before a number, and returns the padding that comes after it. @len: the length
 * of the number without its sign. */
static inline long open_real(struct out *o, const struct spec *s, prt_u64 bits, long len,
			     bool zeros)
{
	const char *sign = bits >> 63 ? "-" : s->flags & FLAG_PLUS ? "+" :
			   s->flags & FLAG_SPACE ? " " : "";
	long pad = s->width - len - (*sign ? 1 : 0);

	if (!(s->flags & (FLAG_LEFT | FLAG_ZERO)) || (!(s->flags & FLAG_LEFT) && !zeros))
		append_fill(o, ' ', pad);
	append_text(o, sign, *sign ? 1 : 0);
	if ((s->flags & FLAG_ZERO) && !(s->flags & FLAG_LEFT) && zeros)
		append_fill(o, '0', pad);
	return s->flags & FLAG_LEFT ? pad : 0;
}

/* Writes a rounded number as 123.45, with @n digits after the point. */
static inline void put_fixed(struct out *o, const struct spec *s, prt_u64 bits, struct real *r,
			     long n)
{
	long power = r->first > 0 ? r->first : 0;
	int point = n > 0 || s->flags & FLAG_ALT;
	long after = open_real(o, s, bits, power + 1 + point + n, true);
	char digit;

	for (; power >= -n; power--) {
		digit = power > r->first ? '0' : real_digit(r);
		append_text(o, &digit, 1);
		if (!power && point)
			append_text(o, ".", 1);
	}
	append_fill(o, ' ', after);
}

/* Likewise as 1.2345e+02. */
static inline void put_scientific(struct out *o, const struct spec *s, prt_u64 bits,
				  struct real *r, long n)
{
	long power = r->first < 0 ? -r->first : r->first, i, after;
	int point = n > 0 || s->flags & FLAG_ALT;
	char text[24], *end = text + sizeof(text), *p = end - digits(end, (prt_u64)power, 10, 0);

	while (end - p < 2)
		*--p = '0';
	*--p = r->first < 0 ? '-' : '+';
	*--p = s->flags & FLAG_UPPER ? 'E' : 'e';
	after = open_real(o, s, bits, 1 + point + n + (end - p), true);
	for (i = 0; i <= n; i++) {
		char digit = real_digit(r);

		append_text(o, &digit, 1);
		if (!i && point)
			append_text(o, ".", 1);
	}
	append_text(o, p, (size_t)(end - p));
	append_fill(o, ' ', after);
}

/* %g: @n significant digits, as %f where the number is neither large nor small; zeros at the end
 * are left out. */
static inline void put_general(struct out *o, const struct spec *s, prt_u64 bits, struct real *r,
			       long n)
{
	long last;

	n = n ? n : 1;
	real_round(r, n);
	last = s->flags & FLAG_ALT ? n - 1 : r->is_zero ? 0 : r->last;
	if (r->first < -4 || r->first >= n)
		put_scientific(o, s, bits, r, last);
	else
		put_fixed(o, s, bits, r, last > r->first ? last - r->first : 0);
}

static inline void put_real(struct out *o, const struct spec *s, prt_u64 bits)
{
	prt_u64 low = bits & PRT_FP_FRACTION, biased = bits >> 52 & 0x7ff;
	long n = s->precision < 0 ? 6 : s->precision, after;
	const char *name = low ? "nan" : "inf";
	struct real r;

	if (biased == 0x7ff) {
		if (s->flags & FLAG_UPPER)
			name = low ? "NAN" : "INF";
		after = open_real(o, s, bits, 3, false);
		append_text(o, name, 3);
		append_fill(o, ' ', after);
		return;
	}
	r.n = biased ? low | 1ULL << 52 : low;
	r.exponent = (long)(biased ? biased : 1) - 1075;
	if (s->conv == 'g' || s->conv == 'G') {
		put_general(o, s, bits, &r, n);
	} else if (s->conv == 'e' || s->conv == 'E') {
		real_round(&r, n + 1);
		put_scientific(o, s, bits, &r, n);
	} else {
		real_start(&r);
		real_round(&r, r.first + 1 + n);
		put_fixed(o, s, bits, &r, n);
	}
}

#endif
