/* SPDX-License-Identifier: GPL-2.0 */
/* The text of a print, formatted conversion by conversion, so that each can be processed. */
#ifndef LOADER_PARTS_H
#define LOADER_PARTS_H

#include "shared/buf.h"
#include "show/args.h"

struct meta_print;
struct percentiles;

/** parts_args - return how many arguments the format uses. The keys of printed histograms follow
 * them. */
unsigned parts_args(const struct meta_print *p);
/** parts_format - write the text of @p with @args to @ret, which is emptied first. @percentiles: a
 * row of these is added to each histogram; or NULL. @escape: text from an argument is escaped, text
 * from the script's format is not. -1: the arguments do not fit. */
int parts_format(const struct meta_print *p, struct args args,
		 const struct percentiles *percentiles, int escape, struct buf *ret);

#endif
