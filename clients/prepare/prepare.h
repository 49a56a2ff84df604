/* SPDX-License-Identifier: GPL-2.0 */
/* probec prepare: builds what the first script of a kernel would have to build. */
#ifndef PREPARE_PREPARE_H
#define PREPARE_PREPARE_H

#include <stdbool.h>

struct state;

/** prepare_options - fill s->opt from the command line. false: the program ends with *@status: the
 *  help was printed, or an error reported. */
bool prepare_options(struct state *s, int argc, char **argv, int *status);

/** prepare_run - prepare s->opt.targets, or the running kernel, and print a line for each. The exit
 *  status: 0, or 1 if something is missing for one of them, which is reported with the command that
 *  installs it. */
int prepare_run(struct state *s);

#endif
