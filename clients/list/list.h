/* SPDX-License-Identifier: GPL-2.0 */
/* Lists the available probe points and functions instead of running a script: -l, -L, --dump-... */
#ifndef LIST_H
#define LIST_H

#include "shared/buf.h"

struct state;

/** list_run - write the list that s->opt.list selects to @out. The kernel is open; s->text is the
 *  user's script, or NULL. Returns the exit status. Errors are reported; it is an error if nothing
 *  matches. */
int list_run(struct state *s, struct buf *out);
/** explain_program - append the sites of the checked program's probes, and the values there. */
void explain_program(struct state *s, struct buf *out);

/** list_json_text - append @s as a JSON string. */
void list_json_text(struct buf *b, const char *s);

#endif
