/* SPDX-License-Identifier: GPL-2.0 */
/* Completion of command lines, for shells. */
#ifndef OPTIONS_COMPLETE_H
#define OPTIONS_COMPLETE_H

struct arena;

/** complete_main - probec --complete WORD...: print what the last word may become; see complete.c
 *  for the form. Returns the exit status. */
int complete_main(struct arena *a, int argc, char **argv);

#endif
