/* SPDX-License-Identifier: GPL-2.0 */
/* Shows a comparison on standard output. */
#ifndef DIFF_SHOW_H
#define DIFF_SHOW_H

#include "diff/compare.h"

/** diff_show_text - a table of the values, one for each histogram; the notes come first. */
void diff_show_text(struct arena *a, const struct saved_run *runs, const struct diff *d);
/** diff_show_json - an object a line: note, value, histogram, and at last summary. */
void diff_show_json(struct arena *a, const struct saved_run *runs, const struct diff *d);

#endif
