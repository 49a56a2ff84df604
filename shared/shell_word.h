/* SPDX-License-Identifier: GPL-2.0 */
/* Commands that a shell does not run as programs, for both programs: the compiler finds the program
 * of a command with them, the loader runs a command by the shell if it begins with one. */
#ifndef SHARED_SHELL_WORD_H
#define SHARED_SHELL_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/**
 * shell_word - whether a word has a meaning for the shell in the place of a command's name, or is
 * a command that changes the shell itself or is not a program
 * Other commands that a shell may have built in (echo, printf, kill, test) are programs as well.
 */
static inline bool shell_word(const char *word)
{
	static const char *const words[] = {
		"!", ".", ":", "alias", "bg", "break", "case", "cd", "command", "continue",
		"coproc", "declare", "do", "done", "elif", "else", "esac", "eval", "exec", "exit",
		"export", "fc", "fg", "fi", "for", "function", "getopts", "hash", "if", "jobs",
		"let", "local", "read", "readonly", "return", "select", "set", "shift", "shopt",
		"source", "then", "time", "times", "trap", "type", "typeset", "ulimit", "umask",
		"unalias", "unset", "until", "wait", "while", "[[", "{", "}",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return false;
}

#endif
