/* SPDX-License-Identifier: GPL-2.0 */
/* Shows what is documented about a name instead of running a script: --doc. */
#ifndef DOC_H
#define DOC_H

#include "shared/buf.h"

struct state;

/** doc_run - write what is known about s->opt.list_what, a name or a pattern, to @out. Without a
 *  kernel (s->kernel is NULL), files for one kernel are left out. Returns the exit status. Errors
 *  are reported; it is an error if nothing matches. */
int doc_run(struct state *s, struct buf *out);

#endif
