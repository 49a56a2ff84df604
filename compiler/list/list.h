/* SPDX-License-Identifier: GPL-2.0 */
/* What there is to probe and to call, shown instead of running a script: -l, -L, --dump-... */
#ifndef LIST_H
#define LIST_H

#include "base/buf.h"

struct session;

/** list_run - what s->opt.list asks for, written to @out. The kernel is open, s->text is the user's
 *  script or NULL. Exit status; what is wrong is reported, also that nothing matches. */
int list_run(struct session *s, struct buf *out);
/** explain_program - where the probes of the checked program are, and the values there. */
void explain_program(struct session *s, struct buf *out);

#endif
