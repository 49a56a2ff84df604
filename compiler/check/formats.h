/* SPDX-License-Identifier: GPL-2.0 */
/* What print formats and types share. */
#ifndef CHECK_FORMATS_H
#define CHECK_FORMATS_H

#include <stdbool.h>

#include "ast/format.h"

struct expr;

/** formats_is_histogram - @hist_log or @hist_linear: %H and 'H' where it is printed. */
bool formats_is_histogram(const struct expr *e);

#endif
