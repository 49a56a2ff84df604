/* SPDX-License-Identifier: GPL-2.0 */
/*
 * "#define", "#else", "#include": lines of C's preprocessor, which are comments here. They explain
 * errors that occur because nothing reads them. The functions return a sentence and fill @at, or
 * return NULL if there is no such line.
 */
#ifndef PARSE_HASH_LINES_H
#define PARSE_HASH_LINES_H

#include "base/source.h"

/** hash_lines_define - find the line of @src that defines @name, and show the equivalent. */
const char *hash_lines_define(struct arena *a, struct source *src, const char *name,
			      struct range *at);
/** hash_lines_else - a hint about an "#else" between @a and @b, which are in one file. */
const char *hash_lines_else(struct range a, struct range b, struct range *at);
/** hash_lines_include - a hint about the first "#include" of @src. */
const char *hash_lines_include(struct source *src, struct range *at);
/** hash_lines_continued - a hint about a line that ends with a \, where @pos is on the next
 *  line. */
const char *hash_lines_continued(struct source *src, uint32_t pos, struct range *at);

#endif
