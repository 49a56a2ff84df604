/* SPDX-License-Identifier: GPL-2.0 */
/* The target process: the command of -c, which waits until the probes are armed, or the process of
 * -x. */
#ifndef LOADER_CHILD_H
#define LOADER_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "session/words.h"

struct child {
	pid_t pid;      /* 0: none */
	bool is_command; /* of -c, a child of ours */
	struct words words; /* the words of the command */
	int fd;         /* pidfd: readable when it has ended; -1: none */
	int start;      /* the command waits for a byte here; -1: it was released */
	int exec_error; /* readable with errno if the command could not be started; -1: none */
};

/** child_init - initialise it without a process. */
void child_init(struct child *c);
/** child_fork - fork @command, which waits. @no_input: its standard input is /dev/null. No
 * descriptor that it must not inherit may be open yet. Returns 0, or -1 after reporting the
 * error. */
int child_fork(struct child *c, const char *command, bool no_input);
/** child_attach - use the running process @pid. Returns 0, or -1 after reporting the error. */
int child_attach(struct child *c, pid_t pid);
enum { CHILD_PROGRAMS = 2 };
/** child_programs - write the paths of the programs that the command is known to become: its own,
 *  the shell, or that and then its own. Returns their number; 0: there is no command. */
size_t child_programs(const struct child *c, char ret[CHILD_PROGRAMS][PATH_MAX]);
/** child_release - let the command run, as the user who called sudo. */
void child_release(struct child *c);
/** child_not_started - report that the command was not started, unless an error was reported, which
 *  is the reason. Returns -1. */
int child_not_started(void);
/** child_check_started - the same if the command was forked, but never released; else return 0. */
int child_check_started(const struct child *c);
/** child_finish - end a command that was released (one that was not released ends by itself),
 * unless it has ended: by SIGTERM, and by SIGKILL if that does not help. If a signal ended the
 * session, pass that on instead, and wait for the command. Reports how it failed. Returns 0, or -1
 * if it was not or could not be started, or failed. */
int child_finish(struct child *c);

#endif
