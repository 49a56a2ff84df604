/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 2b: types, storage and named checks. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

struct buf;
struct state;

/** check_program - pass 2b: complete s->program. Returns 0, or -1 after errors were reported. */
int check_program(struct state *s);

/** check_print_program - append the output of -p2. */
void check_print_program(struct state *s, struct buf *b);

#endif
