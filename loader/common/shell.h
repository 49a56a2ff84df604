/* SPDX-License-Identifier: GPL-2.0 */
/* Commands of users, which must not run with the rights of root. */
#ifndef LOADER_SHELL_H
#define LOADER_SHELL_H

#include <stddef.h>

/** shell_become_user - in a forked child: reset signals and the limit of memory, and become the
 * user who called sudo. Returns 0 or -errno. */
int shell_become_user(void);
/** shell_find - write the path of the program @name, as execvp() would find it, into @ret of @size
 * bytes; @name itself if it contains a slash or is not found. */
void shell_find(const char *name, char *ret, size_t size);
/** shell_exec - become the shell that runs @command. Returns -errno if this fails. */
int shell_exec(const char *command);
/** shell_exec_words - become the program at @path, which shell_find() wrote, with @argv. One system
 * call, unless it fails. Returns -errno if this fails. */
int shell_exec_words(const char *path, char *const *argv);

#endif
