/* SPDX-License-Identifier: GPL-2.0 */
/* Words of other languages, for messages. The functions return what is written here in place of
 * @word, or NULL if it is not such a word. */
#ifndef PARSE_FOREIGN_H
#define PARSE_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

/** foreign_word - a hint about a word in any position, as a sentence. */
const char *foreign_word(const char *word);
/** foreign_type - a hint about a type in front of a name, as a sentence. */
const char *foreign_type(const char *word);
/** foreign_call / foreign_name - a hint about a function that is called, or about a variable, as a
 *  sentence. They include foreign_word(). */
const char *foreign_call(const char *word);
const char *foreign_name(const char *word);
/** missing_function - the alternative to the function @word of SystemTap's library, which probec
 *  does not have. */
const char *missing_function(const char *word);
/** foreign_point - the declaration to be written in place of one that begins with @word. */
const char *foreign_point(const char *word);

/** foreign_translate - the probe point for one of bpftrace's, of @len bytes ("kprobe:vfs_*"); owned
 *  by @a or constant. NULL if it is not one, or if there is no equivalent. */
struct arena;
const char *foreign_translate(struct arena *a, const char *text, size_t len);
/** foreign_event - the same for the name of a tracepoint as perf has it ("sched:sched_switch"). */
const char *foreign_event(struct arena *a, const char *text, size_t len);

#endif
