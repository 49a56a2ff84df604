/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text that other programs or the kernel made, for a terminal: a byte that a terminal may take for
 * a command is shown as \x1b is. Newlines, tabs and characters of UTF-8 are left as they are.
 */
#ifndef LOADER_ESCAPE_H
#define LOADER_ESCAPE_H

#include "common/text.h"

/* --escape: auto is for what goes to a terminal. */
enum escape_when { ESCAPE_AUTO, ESCAPE_ALWAYS, ESCAPE_NEVER };

/** escape_parse - "auto", "always" or "never"; -1: it is none. */
int escape_parse(const char *s, enum escape_when *ret);
/** escape_add - append @len bytes of @s to @t so. */
void escape_add(struct text *t, const char *s, size_t len);
/** escape_tail - do so with what @t holds from byte @from on. */
void escape_tail(struct text *t, size_t from);

#endif
