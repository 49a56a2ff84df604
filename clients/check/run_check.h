/* SPDX-License-Identifier: GPL-2.0 */
/* probec check: shows which scripts work on which kernels. */
#ifndef RUN_CHECK_H
#define RUN_CHECK_H

#include <stdbool.h>

struct state;
struct check_request; /* opaque */

/** run_check_options - read the command line. NULL: the program ends with *@status, 0 after
 *  --help. */
struct check_request *run_check_options(struct state *s, int argc, char **argv, int *status);
/** run_check - check each script against each kernel, and print the table. Returns the exit status:
 *  1 if a script does not work on a kernel, or differs there and that counts. */
int run_check(struct state *s, struct check_request *r);

#endif
