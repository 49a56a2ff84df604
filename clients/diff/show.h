/* SPDX-License-Identifier: GPL-2.0 */
/* Prints a comparison on standard output. */
#ifndef DIFF_SHOW_H
#define DIFF_SHOW_H

#include "diff/compare.h"

/** diff_show_text - print notes, a table of the values, and a table for each histogram. */
void diff_show_text(struct arena *a, const struct saved_run *runs, const struct diff *d);
/** diff_show_json - print one object in each line: notes, values, histograms, and the summary at
 *  the end. */
void diff_show_json(struct arena *a, const struct saved_run *runs, const struct diff *d);

#endif
