/* SPDX-License-Identifier: GPL-2.0 */
/* The text of a print, made conversion by conversion, where something is done with each. */
#ifndef LOADER_PARTS_H
#define LOADER_PARTS_H

#include "common/text.h"
#include "show/args.h"

struct meta_print;
struct percentiles;

/** parts_args - how many arguments the format mentions. The keys of printed histograms follow
 *  them. */
unsigned parts_args(const struct meta_print *p);
/** parts_format - the text of @p with @args into @ret, which is emptied first. @percentiles: a row
 *  of these is added to each histogram; or NULL. @escape: what comes from an argument is escaped,
 *  what the script's format has is not. -1: the arguments do not fit. */
int parts_format(const struct meta_print *p, struct args args,
		 const struct percentiles *percentiles, int escape, struct text *ret);

#endif
