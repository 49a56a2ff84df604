/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the conversions of a printf format, one after the other. */
#ifndef AST_FORMAT_H
#define AST_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/* The conversion of a number of type double where no format is given: as many digits as decimal
 * numbers keep in a double. */
#define FORMAT_DOUBLE "%.15g"

struct format_iter {
	const char *s;
	size_t len;
	size_t pos;          /* next byte to read; 0 at the beginning */
};

struct format_conv {
	size_t start, end;   /* bytes of the conversion, from the % to after the letter */
	char conv;           /* the letter; '%' for %% */
	int stars;           /* number of arguments that * takes */
	bool bad;            /* incomplete, or an unknown letter: takes no argument */
	size_t width, width_end;   /* digits of the width; equal if there are none */
	size_t prec, prec_end;     /* digits of the precision; prec 0: no precision */
	size_t flags_end;
	size_t mod;          /* where the l and h modifiers begin */
};

/** ast_format_next - read the next conversion. Returns false at the end of the format. */
bool ast_format_next(struct format_iter *it, struct format_conv *ret);
/** ast_format_takes - the number of arguments that @conv takes. */
size_t ast_format_takes(const struct format_conv *conv);
/** ast_format_put_histogram - append the conversion of a histogram, with the numbers of -D
 *  HIST_WIDTH and HIST_ELISION if they differ from the defaults. */
void ast_format_put_histogram(struct buf *b, int64_t width, int64_t elision);

#endif
