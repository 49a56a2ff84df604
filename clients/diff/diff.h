/* SPDX-License-Identifier: GPL-2.0 */
/* probec diff A B: compares two saved runs. */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

struct arena;

/** diff_main - run the command; argv[0] is "diff". Returns the exit status: 0 if the runs have the
 *  same values, 1 if they differ, 2 after an error was reported. */
int diff_main(struct arena *a, int argc, char **argv);

#endif
