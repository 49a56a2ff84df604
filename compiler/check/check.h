/* SPDX-License-Identifier: GPL-2.0 */
/* The output of -p2. Its passes are called by analyse/analyse.c. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

struct buf;
struct state;

/** check_print_program - append the output of -p2. */
void check_print_program(struct state *s, struct buf *b);

#endif
