/* SPDX-License-Identifier: GPL-2.0 */
/* Names, and lists of them in messages: "call, return, inline". */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/** words_is_part - whether @c may be part of a name in C and in the language. */
bool words_is_part(char c);
/** words_end - whether @text ends with @end. */
bool words_end(const char *text, const char *end);
/** words_trim - leave out the white space around the @len bytes at @s. */
void words_trim(const char **s, size_t *len);
/** words_has - whether @word is in the list, so that a word is listed once. */
bool words_has(const char *const *words, size_t n, const char *word);
/** words_join - all words, separated by ", "; owned by @a. "" if there are none. */
const char *words_join(struct arena *a, const char *const *words, size_t n);
/** words_some - the same for the first @most of them, then " and N more" if there are others. */
const char *words_some(struct arena *a, const char *const *words, size_t n, size_t most);

#endif
