/* SPDX-License-Identifier: GPL-2.0 */
/* UTF-8 as defined by RFC 3629. */
#ifndef LOADER_UTF8_H
#define LOADER_UTF8_H

#include <stddef.h>

/** utf8_sequence - return the bytes of the character at @s, where @left bytes are available; 0: it
 * is not UTF-8. */
size_t utf8_sequence(const char *s, size_t left);

#endif
