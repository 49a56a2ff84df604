/* SPDX-License-Identifier: GPL-2.0 */
/* Cuts a print's format at its conversions and passes them to the formatter one by one. */
#include "show/parts.h"

#include <string.h>

#include "format.h"

#include "common/escape.h"
#include "module/meta.h"
#include "show/percentiles.h"

/* A conversion: width, precision and the value may each take an argument. */
enum { ARGS_MAX = 3 };

/* Returns the length of the conversion at @p, which is its %, and how many arguments it takes. */
static size_t conversion(const char *p, const char *end, unsigned *nargs)
{
	const char *at = p + 1;

	*nargs = 0;
	while (at < end && *at && strchr("-+ #0123456789.*", *at))
		*nargs += *at++ == '*';
	if (at < end && *at && strchr("diuopXxcbsMHeEfFgG", *at))
		++*nargs;
	return (size_t)(at - p) + (at < end);
}

static int format(struct buf *t, const char *part, size_t len, const char *types, struct args args)
{
	size_t room;
	long n;

	do {
		room = t->cap - t->len;
		n = prt_format(room ? t->s + t->len : NULL, room, part, len, types, args.p,
			       (size_t)(args.end - args.p));
		if (n < 0)
			return -1;
		buf_reserve(t, (size_t)n);
	} while ((size_t)n > room);
	t->len += (size_t)n;
	return 0;
}

static int append_part(const char *part, size_t len, unsigned nargs, struct args *args,
		       const struct percentiles *percentiles, int escape, struct buf *ret)
{
	char types[ARGS_MAX + 1] = "";
	struct args from = *args;
	size_t start = ret->len;
	struct arg a = { 0 };

	for (unsigned i = 0; i < nargs; i++) {
		if (i == ARGS_MAX || args_next(args, &a) || !a.type)
			return -1;
		types[i] = a.type;
	}
	from.end = args->p;
	if (format(ret, part, len, types, from))
		return -1;
	if (escape)
		escape_tail(ret, start);
	/* The row precedes the empty line that ends a histogram. */
	if (percentiles && a.type == 'H') {
		ret->len--;
		percentiles_row(percentiles, &a, ret);
		buf_write(ret, "\n", 1);
	}
	return 0;
}

unsigned parts_args(const struct meta_print *p)
{
	const char *at = p->format, *end = at + p->format_len;
	unsigned nargs, all = 0;

	while ((at = memchr(at, '%', (size_t)(end - at)))) {
		at += conversion(at, end, &nargs);
		all += nargs;
	}
	return all;
}

int parts_format(const struct meta_print *p, struct args args,
		 const struct percentiles *percentiles, int escape, struct buf *ret)
{
	const char *at = p->format, *end = at + p->format_len;

	ret->len = 0;
	while (at < end) {
		const char *percent = memchr(at, '%', (size_t)(end - at));
		unsigned nargs;
		size_t len;

		buf_write(ret, at, (size_t)((percent ? percent : end) - at));
		if (!percent)
			break;
		len = conversion(percent, end, &nargs);
		if (append_part(percent, len, nargs, &args, percentiles, escape, ret))
			return -1;
		at = percent + len;
	}
	return 0;
}
