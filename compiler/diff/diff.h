/* SPDX-License-Identifier: GPL-2.0 */
/* probec diff A B: compares two saved runs. */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

struct arena;

/** diff_main - the command; argv[0] is "diff". Returns the status: 0 the runs have the same values,
 *  1 they differ, 2 there is nothing to compare or an error, which was reported. */
int diff_main(struct arena *a, int argc, char **argv);

#endif
