/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the conversions of a printf format. */
#include "ast/format.h"

#include <inttypes.h>
#include <string.h>

#include "shared/buf.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_one_of(const struct format_iter *it, const char *set)
{
	return it->pos < it->len && it->s[it->pos] && strchr(set, it->s[it->pos]);
}

static void skip_digits(struct format_iter *it)
{
	while (it->pos < it->len && is_digit(it->s[it->pos]))
		it->pos++;
}

bool ast_format_next(struct format_iter *it, struct format_conv *ret)
{
	while (it->pos < it->len && it->s[it->pos] != '%')
		it->pos++;
	if (it->pos >= it->len)
		return false;
	*ret = (struct format_conv){ .start = it->pos++ };
	while (is_one_of(it, "-+ 0#"))
		it->pos++;
	ret->flags_end = ret->width = it->pos;
	if (is_one_of(it, "*")) {
		ret->stars++;
		it->pos++;
	} else {
		skip_digits(it);
	}
	ret->width_end = it->pos;
	if (is_one_of(it, ".")) {
		ret->prec = ++it->pos;
		if (is_one_of(it, "*")) {
			ret->stars++;
			it->pos++;
		} else {
			skip_digits(it);
		}
		ret->prec_end = it->pos;
	}
	ret->mod = it->pos;
	while (is_one_of(it, "lh"))
		it->pos++;
	if (it->pos < it->len)
		ret->conv = it->s[it->pos++];
	ret->end = it->pos;
	ret->bad = !ret->conv || !strchr("diuxXocpbsmMeEfFgG%", ret->conv) ||
		   (ret->conv == '%' && ret->end != ret->start + 2);
	return true;
}

size_t ast_format_takes(const struct format_conv *conv)
{
	return conv->bad || conv->conv == '%' ? 0 : (size_t)conv->stars + 1;
}

void ast_format_put_histogram(struct buf *b, int64_t width, int64_t elision)
{
	buf_putc(b, '%');
	if (elision < 0)
		buf_putc(b, '-');
	if (width != 50)
		buf_printf(b, "%" PRId64, width);
	if (elision >= 0 && elision != 2)
		buf_printf(b, ".%" PRId64, elision);
	buf_putc(b, 'H');
}
