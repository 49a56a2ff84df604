/* SPDX-License-Identifier: GPL-2.0 */
/* Names, and lists of them for people: "call, return, inline". */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/** words_is_part - whether @c may be part of a name in C and in the language. */
bool words_is_part(char c);
/** words_has - whether @word is one of them: lists that are shown have each once. */
bool words_has(const char *const *words, size_t n, const char *word);
/** words_join - all of them with ", " between, owned by @a; "" for none. */
const char *words_join(struct arena *a, const char *const *words, size_t n);

#endif
