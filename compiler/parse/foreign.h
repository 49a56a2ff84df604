/* SPDX-License-Identifier: GPL-2.0 */
/* Words of other languages, for messages. All return what is written here in the place of @word, or
 * NULL: it is no such word. */
#ifndef PARSE_FOREIGN_H
#define PARSE_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

/** foreign_word - a hint about a word at any position: a sentence. */
const char *foreign_word(const char *word);
/** foreign_type - a hint about a type before a name: a sentence. */
const char *foreign_type(const char *word);
/** foreign_call / foreign_name - a hint about a function that is called, about a variable: a
 *  sentence. They include foreign_word(). */
const char *foreign_call(const char *word);
const char *foreign_name(const char *word);
/** foreign_point - a hint about the first word of a declaration: a declaration. */
const char *foreign_point(const char *word);

/** foreign_translate - a probe point of bpftrace's, @len bytes ("kprobe:vfs_*"), as it is written
 *  here; owned by @a or constant. NULL if it is not one, or there is nothing like it. */
struct arena;
const char *foreign_translate(struct arena *a, const char *text, size_t len);

#endif
