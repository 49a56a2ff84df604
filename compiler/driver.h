/* SPDX-License-Identifier: GPL-2.0 */
/* The passes in order. */
#ifndef DRIVER_H
#define DRIVER_H

struct state;

/** driver_run - run the passes up to s->opt.last_pass, and print the result of the last one on
 *  standard output. Returns the exit status: 0, 1 after errors, or that of the session in pass
 *  5. */
int driver_run(struct state *s);

#endif
