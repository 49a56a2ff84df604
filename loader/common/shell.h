/* SPDX-License-Identifier: GPL-2.0 */
/* Commands of users, which root must not run as root. */
#ifndef LOADER_SHELL_H
#define LOADER_SHELL_H

/** shell_exec - in a forked child: become the user who called sudo, with signals as they are by
 * default, and the shell that runs @command. Returns -errno when that could not be done. */
int shell_exec(const char *command);
/** shell_exec_words - the same for a program, which is looked for in PATH, and its arguments. */
int shell_exec_words(char *const *argv);

#endif
