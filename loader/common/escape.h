/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Escapes text of other programs or of the kernel for a terminal: a byte that a terminal could take
 * for a command is shown in the form \x1b. Newlines, tabs and characters of UTF-8 are unchanged.
 */
#ifndef LOADER_ESCAPE_H
#define LOADER_ESCAPE_H

#include "shared/buf.h"

/* --escape: auto means only for a terminal. */
enum escape_when { ESCAPE_AUTO, ESCAPE_ALWAYS, ESCAPE_NEVER };

/** escape_parse - parse "auto", "always" or "never". Returns -1 for anything else. */
int escape_parse(const char *s, enum escape_when *ret);
/** escape_add - append @len bytes of @s to @t, escaped. */
void escape_add(struct buf *t, const char *s, size_t len);
/** escape_tail - escape the text that @t holds from byte @from on. */
void escape_tail(struct buf *t, size_t from);

#endif
