/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The configuration file: options as on the command line, any number to a line. Quotes and
 * backslashes as in a shell, # begins a comment.
 */
#ifndef CONFIG_FILE_H
#define CONFIG_FILE_H

#include "base/source.h"
#include "base/vec.h"

struct state;

struct config_words {
	VEC(const char *) w;
	VEC(struct range) at; /* the source range of each */
};

/** config_read - read the words of the user's file, none if there is no file. Errors are reported;
 *  @ret then has the words that could be read. */
void config_read(struct state *s, struct config_words *ret);

#endif
