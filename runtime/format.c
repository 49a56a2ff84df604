/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one formatter; runtime/abi/format.h is its contract, and format_out.h is the text that it
 * makes.
 */
#include "format.h"
#include "format_double.h"
#include "format_hist.h"
#include "format_out.h"
#include "format_simple.h"

#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <string.h>
#endif

/* The arguments that are left. */
struct args {
	const char *types;
	const unsigned char *p, *end;
};

/* ---- arguments: each returns 0, or -1 when the block does not hold one of that type ---- */

static int take_type(struct args *a, char type)
{
	if (*a->types != type)
		return -1;
	a->types++;
	return 0;
}

static int take_word(struct args *a, char type, prt_s64 *ret)
{
	if (take_type(a, type) || a->end - a->p < 8)
		return -1;
	memcpy(ret, a->p, 8);
	a->p += 8;
	return 0;
}

static int take_long(struct args *a, prt_s64 *ret)
{
	return take_word(a, 'l', ret);
}

static int take_double(struct args *a, prt_s64 *ret)
{
	return take_word(a, 'd', ret);
}

static int take_string(struct args *a, const char **s, size_t *len)
{
	prt_u32 n;
	size_t all;

	if (take_type(a, 's') || a->end - a->p < 8)
		return -1;
	memcpy(&n, a->p, sizeof(n));
	all = (sizeof(n) + (size_t)n + 7) & ~(size_t)7;
	if (all > (size_t)(a->end - a->p))
		return -1;
	*s = (const char *)a->p + sizeof(n);
	*len = n;
	a->p += all;
	return 0;
}

static int take_hist(struct args *a, struct prt_hist_data *h, const unsigned char **counts)
{
	if (take_type(a, 'H') || (size_t)(a->end - a->p) < sizeof(*h))
		return -1;
	memcpy(h, a->p, sizeof(*h));
	a->p += sizeof(*h);
	if (h->n > (size_t)(a->end - a->p) / 8)
		return -1;
	if (!prt_hist_valid(h))
		return -1;
	*counts = a->p;
	a->p += (size_t)h->n * 8;
	return 0;
}

/* ---- numbers ---- */

static void put_number(struct out *o, const struct spec *s, prt_u64 v, unsigned int base,
		       const char *sign)
{
	char buf[24];
	char prefix[4];
	int n = digits(buf + sizeof(buf), v, base, s->flags & FLAG_UPPER);
	size_t nprefix = 0;
	long zeros, pad;

	for (; *sign; sign++)
		prefix[nprefix++] = *sign;
	zeros = (s->precision < 0 ? 1 : s->precision) - n;
	if (zeros < 0)
		zeros = 0;
	if ((s->flags & FLAG_ALT) && base == 8 && zeros == 0)
		zeros = 1;
	if ((s->flags & FLAG_ALT) && base == 16 && (v || s->conv == 'p')) {
		prefix[nprefix++] = '0';
		prefix[nprefix++] = s->flags & FLAG_UPPER ? 'X' : 'x';
	}
	pad = s->width - (long)nprefix - zeros - n;
	if ((s->flags & FLAG_ZERO) && !(s->flags & FLAG_LEFT) && s->precision < 0 && pad > 0) {
		zeros += pad;
		pad = 0;
	}
	if (!(s->flags & FLAG_LEFT))
		append_fill(o, ' ', pad);
	append_text(o, prefix, nprefix);
	append_fill(o, '0', zeros);
	append_text(o, buf + sizeof(buf) - n, (size_t)n);
	if (s->flags & FLAG_LEFT)
		append_fill(o, ' ', pad);
}

static void put_signed(struct out *o, const struct spec *s, prt_s64 v)
{
	const char *sign = "";

	if (v < 0)
		sign = "-";
	else if (s->flags & FLAG_PLUS)
		sign = "+";
	else if (s->flags & FLAG_SPACE)
		sign = " ";
	put_number(o, s, v < 0 ? 0 - (prt_u64)v : (prt_u64)v, 10, sign);
}

static void put_padded(struct out *o, const struct spec *s, const char *text, size_t len)
{
	long pad = s->width - (long)len;

	if (!(s->flags & FLAG_LEFT))
		append_fill(o, ' ', pad);
	append_text(o, text, len);
	if (s->flags & FLAG_LEFT)
		append_fill(o, ' ', pad);
}

/* %c writes one byte; %#c escapes unprintable bytes, the apostrophe and the backslash as C does. */
static void put_char(struct out *o, const struct spec *s, unsigned char c)
{
	static const char plain[] = "\a\b\f\n\r\t\v'\\", letters[] = "abfnrtv'\\";
	char text[4] = { (char)c };
	size_t i = 0, len = 1;

	while (i < sizeof(plain) - 1 && plain[i] != (char)c)
		i++;
	if (s->flags & FLAG_ALT && i < sizeof(plain) - 1) {
		text[0] = '\\';
		text[1] = letters[i];
		len = 2;
	} else if (s->flags & FLAG_ALT && (c < ' ' || c > '~')) {
		text[0] = '\\';
		text[1] = (char)('0' + (c >> 6));
		text[2] = (char)('0' + (c >> 3 & 7));
		text[3] = (char)('0' + (c & 7));
		len = 4;
	}
	put_padded(o, s, text, len);
}

/* The bytes of a string as digits. */
static void put_hex(struct out *o, const struct spec *s, const char *text, size_t len)
{
	static const char set[] = "0123456789abcdef";
	long pad = s->width - 2 * (long)len;
	size_t i;

	if (!(s->flags & FLAG_LEFT))
		append_fill(o, ' ', pad);
	for (i = 0; i < len; i++) {
		append_text(o, &set[(unsigned char)text[i] >> 4], 1);
		append_text(o, &set[text[i] & 15], 1);
	}
	if (s->flags & FLAG_LEFT)
		append_fill(o, ' ', pad);
}

/* %b: without a precision, the width is the number of bytes. The padding is NULs, because the
 * output is binary. */
static void put_binary(struct out *o, const struct spec *s, prt_u64 v)
{
	long n = s->precision >= 0 ? s->precision : s->width >= 0 ? s->width : 8;
	char bytes[8];
	int i;

	if (n != 1 && n != 2 && n != 4)
		n = 8;
	for (i = 0; i < 8; i++)
		bytes[i] = (char)(v >> (8 * i));
	if (!(s->flags & FLAG_LEFT))
		append_fill(o, '\0', s->width - n);
	append_text(o, bytes, (size_t)n);
	if (s->flags & FLAG_LEFT)
		append_fill(o, '\0', s->width - n);
}

/* ---- histograms ---- */

/* The size of a histogram whose format has no numbers: columns of the longest bar, and empty rows
 * that are shown on each side of the others. */
enum { HIST_COLUMNS = 50, HIST_MARGIN = 2 };

/* Writes a row's label into @buf of 24 bytes; returns its length. */
static int hist_label(const struct hist *h, int i, char *buf)
{
	struct out o = { buf, 24, 0 };
	struct spec plain = { 0, -1, -1, 'd' };
	struct prt_bounds b;
	prt_s64 v;

	if (h->each) {
		b = hist_bounds(h, i);
		v = i / h->each < 64 ? b.high : b.low;
	} else if (i == 0) {
		append_text(&o, "<", 1);
		v = h->d.low;
	} else if (i == h->rows - 1) {
		append_text(&o, ">=", 2);
		v = h->d.high;
	} else {
		v = (prt_s64)((prt_u64)h->d.low + (prt_u64)(i - 1) * (prt_u64)h->d.width);
	}
	put_signed(&o, &plain, v);
	return (int)o.len;
}

static void hist_row(struct out *o, const struct hist *h, int i)
{
	struct spec label = { 0, h->label_width, -1, 's' };
	struct spec count = { 0, h->count_width, -1, 'u' };
	prt_u64 n = hist_count(h, i), each = 1;
	char text[24];
	int len = hist_label(h, i, text);
	long columns;

	/* The count that one column represents, so that the longest bar fits. */
	if (h->max > (prt_u64)h->columns)
		each = h->max / (prt_u64)h->columns + !!(h->max % (prt_u64)h->columns);
	columns = (long)(n / each);
	put_padded(o, &label, text, (size_t)len);
	append_text(o, " |", 2);
	append_fill(o, '@', columns);
	append_fill(o, ' ', h->columns - columns + 1);
	put_number(o, &count, n, 10, "");
	append_text(o, "\n", 1);
}

/* Widens the column of labels to the longest label. */
static void hist_widths(struct hist *h)
{
	char text[24];
	int i, len;

	h->label_width = 5;
	for (i = h->first; i <= h->last; i++) {
		if (!hist_has(h, i))
			continue;
		len = hist_label(h, i, text);
		if (len > h->label_width)
			h->label_width = len;
	}
	h->count_width = digits(text + sizeof(text), h->max, 10, 0);
}

/* The row of percentiles below an exponential histogram. */
static void hist_percentiles(struct out *o, const struct hist *h)
{
	static const struct { char name[8]; prt_u32 len, millis; } row[] = {
		{ "p50=", 4, 50000 }, { " p90=", 5, 90000 }, { " p99=", 5, 99000 },
		{ " p99.9=", 7, 99900 }, { " max=", 5, PRT_QUANTILE_WHOLE },
	};
	struct spec plain = { 0, -1, -1, 'd' };
	prt_u64 sum = 0;
	unsigned int i;

	for (i = 0; i < h->d.n; i++)
		sum += prt_quantile_count(h->counts, i);
	for (i = 0; sum && i < sizeof(row) / sizeof(row[0]); i++) {
		append_text(o, row[i].name, row[i].len);
		put_signed(o, &plain, prt_quantile(&h->d, h->counts, sum, row[i].millis).value);
	}
	if (sum)
		append_text(o, "\n", 1);
}

static void put_hist(struct out *o, const struct spec *s, struct hist *h)
{
	struct spec pad = { 0, 5, -1, 's' };
	int i, dull = 0, some = hist_range(h);

	h->columns = s->width > 0 ? s->width : HIST_COLUMNS;
	h->margin = s->flags & FLAG_LEFT ? -1 : s->precision >= 0 ? s->precision : HIST_MARGIN;
	if (some) {
		hist_widths(h);
		pad.width = h->label_width;
	}
	put_padded(o, &pad, "value", 5);
	append_text(o, " |", 2);
	append_fill(o, '-', h->columns);
	append_text(o, " count\n", 7);
	for (i = h->first; some && i <= h->last; i++) {
		if (!hist_has(h, i))
			continue;
		if (hist_dull(h, i)) {
			dull = 1;
			continue;
		}
		if (dull) {
			append_fill(o, ' ', h->label_width);
			append_text(o, " ~\n", 3);
			dull = 0;
		}
		hist_row(o, h, i);
	}
	if (h->d.is_log == PRT_HIST_EXP && h->d.rows)
		hist_percentiles(o, h);
	append_text(o, "\n", 1);
}

/* ---- the format ---- */

/* Parses a number or * at @p. -1: an argument is missing. */
static int parse_number(const char **p, const char *end, struct args *a, long *ret)
{
	prt_s64 v = 0;

	if (*p < end && **p == '*') {
		++*p;
		if (take_long(a, &v))
			return -1;
	} else {
		for (; *p < end && **p >= '0' && **p <= '9'; ++*p)
			if (v <= PRT_WIDTH_MAX)
				v = v * 10 + (**p - '0');
	}
	*ret = v > PRT_WIDTH_MAX ? PRT_WIDTH_MAX : v < -PRT_WIDTH_MAX ? -PRT_WIDTH_MAX : (long)v;
	return 0;
}

/* Parses the text after a %. @p is left after the conversion; conv is 0 if there is none. */
static int parse_spec(const char **p, const char *end, struct args *a, struct spec *s)
{
	static const char flags[] = "-+ 0#";

	*s = (struct spec){ 0, -1, -1, 0 };
	while (*p < end) {
		unsigned int i = 0;

		while (flags[i] && flags[i] != **p)
			i++;
		if (!flags[i])
			break;
		s->flags |= 1u << i;
		++*p;
	}
	if (*p < end && (**p == '*' || (**p >= '1' && **p <= '9'))) {
		if (parse_number(p, end, a, &s->width))
			return -1;
		if (s->width < 0) {
			s->flags |= FLAG_LEFT;
			s->width = -s->width;
		}
	}
	if (*p < end && **p == '.') {
		++*p;
		if (parse_number(p, end, a, &s->precision))
			return -1;
		if (s->precision < 0)
			s->precision = -1;
	}
	if (*p < end)
		s->conv = *(*p)++;
	return 0;
}

static int put_long(struct out *o, struct spec *s, prt_s64 v)
{
	switch (s->conv) {
	case 'd':
	case 'i':
		put_signed(o, s, v);
		break;
	case 'u':
		put_number(o, s, (prt_u64)v, 10, "");
		break;
	case 'o':
		put_number(o, s, (prt_u64)v, 8, "");
		break;
	case 'p':
		s->flags |= FLAG_ALT;
		put_number(o, s, (prt_u64)v, 16, "");
		break;
	case 'X':
		s->flags |= FLAG_UPPER;
		put_number(o, s, (prt_u64)v, 16, "");
		break;
	case 'x':
		put_number(o, s, (prt_u64)v, 16, "");
		break;
	case 'c':
		put_char(o, s, (unsigned char)v);
		break;
	default:
		put_binary(o, s, (prt_u64)v);
	}
	return 0;
}

static int convert(struct out *o, struct spec *s, struct args *a, const char *start,
		   const char *end)
{
	struct hist h;
	const char *text;
	size_t len;
	prt_s64 v;

	switch (s->conv) {
	case 'd':
	case 'i':
	case 'u':
	case 'o':
	case 'p':
	case 'X':
	case 'x':
	case 'c':
	case 'b':
		if (take_long(a, &v))
			return -1;
		return put_long(o, s, v);
	case 'E':
	case 'F':
	case 'G':
	case 'e':
	case 'f':
	case 'g':
		if (take_double(a, &v))
			return -1;
		if (s->conv < 'a')
			s->flags |= FLAG_UPPER;
		put_real(o, s, (prt_u64)v);
		return 0;
	case 's':
		if (take_string(a, &text, &len))
			return -1;
		if (s->precision >= 0 && (size_t)s->precision < len)
			len = (size_t)s->precision;
		put_padded(o, s, text, len);
		return 0;
	case 'M':
		if (take_string(a, &text, &len))
			return -1;
		put_hex(o, s, text, len);
		return 0;
	case 'H':
		if (take_hist(a, &h.d, &h.counts))
			return -1;
		put_hist(o, s, &h);
		return 0;
	case '%':
		append_text(o, "%", 1);
		return 0;
	default:
		append_text(o, start, (size_t)(end - start));
		return 0;
	}
}

long prt_format(char *buf, size_t size, const char *fmt, size_t fmt_len, const char *types,
		const void *args, size_t args_len)
{
	struct out o = { buf, buf ? size : 0, 0 };
	struct args a = { types, args, (const unsigned char *)args + args_len };
	const char *p = fmt, *end = fmt + fmt_len;
	long len = format_simple(buf, o.size, fmt, end, types, a.p, a.end);

	if (len != NOT_SIMPLE)
		return len;
	while (p < end) {
		const char *start = p;
		struct spec s;

		while (p < end && *p != '%')
			p++;
		if (p > start) {
			append_text(&o, start, (size_t)(p - start));
			continue;
		}
		p++;
		if (parse_spec(&p, end, &a, &s) || convert(&o, &s, &a, start, p))
			return -1;
	}
	return (long)o.len;
}
