/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 3: the analysed program as C. */
#ifndef EMIT_EMIT_H
#define EMIT_EMIT_H

struct buf;
struct state;

/** emit_program - pass 3: write the C text of the script unit to @b. Returns 0, or -1 after an
 *  error was reported. */
int emit_program(struct state *s, struct buf *b);

#endif
