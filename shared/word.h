/* SPDX-License-Identifier: GPL-2.0 */
/* Words that users type: of command lines, and names that they may have misspelt. */
#ifndef SHARED_WORD_H
#define SHARED_WORD_H

#include <stdbool.h>
#include <stddef.h>

/** word_is_assignment - whether @word has the form NAME=VALUE: an identifier, '=', and anything. */
bool word_is_assignment(const char *word);

/**
 * word_is_for_shell - whether a word has a meaning for the shell in the place of a command's name,
 * or is a command that changes the shell itself or is not a program
 *
 * The compiler finds the program of a command with it; the loader runs a command by the shell if it
 * begins with such a word. Other commands that a shell may have built in (echo, printf, kill, test)
 * are programs as well.
 */
bool word_is_for_shell(const char *word);

/** word_distance - the edit distance of two names: how many letters must be inserted, removed,
 *  replaced, or swapped with their neighbour to get one from the other. @limit + 1 if the distance
 *  is certainly greater than @limit, or if a name is longer than WORD_DISTANCE_MAX. */
size_t word_distance(const char *a, const char *b, size_t limit);
enum { WORD_DISTANCE_MAX = 64 };

/** word_interval_ms - the milliseconds that @seconds, the argument of --monitor, stands for: a
 *  decimal number. 0: it is none, or beyond these limits. */
unsigned word_interval_ms(const char *seconds);
/* INTERVAL_MS: without an argument. */
enum { INTERVAL_MS_LEAST = 100, INTERVAL_MS_MOST = 3600000, INTERVAL_MS = 1000 };

#endif
