/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the checks of formats and of types. */
#ifndef CHECK_FORMATS_H
#define CHECK_FORMATS_H

#include <stdbool.h>

#include "ast/format.h"

struct expr;

/** formats_is_histogram - whether it is a histogram, which %H and 'H' print. */
bool formats_is_histogram(const struct expr *e);

/** formats_lacks_arguments - whether a printf or sprintf has fewer arguments than its format
 *  takes. */
bool formats_lacks_arguments(const struct expr *e);

#endif
