/* SPDX-License-Identifier: GPL-2.0 */
/* Words of other languages, for messages. */
#ifndef PARSE_FOREIGN_H
#define PARSE_FOREIGN_H

/** foreign_word - what is written here in the place of @word, a sentence; NULL: no such word. */
const char *foreign_word(const char *word);

#endif
