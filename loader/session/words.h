/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words of the command of -c, so that target() is the command's own process and not a shell
 * around it.
 */
#ifndef LOADER_WORDS_H
#define LOADER_WORDS_H

enum words_way {
	WORDS_DIRECT, /* no shell syntax: the words are the program and its arguments */
	WORDS_EXEC,   /* one program with redirections, variables, patterns: the shell execs it */
	WORDS_SHELL,  /* anything else: the shell that runs it is the process that is waited for */
};

struct words {
	enum words_way way;
	char **argv; /* WORDS_DIRECT: ends with NULL */
	char *text;  /* otherwise: the text for the shell */
	char *program; /* WORDS_EXEC: the program that the shell execs; otherwise NULL */
};

/** words_split - decide how to run @command. Quotes, backslashes and blanks have their meaning in
 * sh(1). words_deinit() frees @ret. */
void words_split(const char *command, struct words *ret);
/** words_deinit - free it. */
void words_deinit(struct words *w);

#endif
