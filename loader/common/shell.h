/* SPDX-License-Identifier: GPL-2.0 */
/* Commands of users, which must not run with the rights of root. */
#ifndef LOADER_SHELL_H
#define LOADER_SHELL_H

/** shell_exec - in a forked child: become the user who called sudo, reset signals, and become the
 * shell that runs @command. Returns -errno if this fails. */
int shell_exec(const char *command);
/** shell_exec_words - the same for a program, which is searched for in PATH, and its arguments. */
int shell_exec_words(char *const *argv);

#endif
