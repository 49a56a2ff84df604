/* SPDX-License-Identifier: GPL-2.0 */
/* The process that a session is about: the command of -c, which waits until the probes are armed,
 * or that of -x. */
#ifndef LOADER_CHILD_H
#define LOADER_CHILD_H

#include <sys/types.h>

#include "session/words.h"

struct child {
	pid_t pid;      /* 0: none */
	int is_command; /* ours, from -c */
	struct words words; /* of the command */
	int fd;         /* pidfd: readable when it has ended; -1: none */
	int start;      /* the command waits for a byte here; -1: it was released */
	int exec_error; /* reads errno when the command could not be started; -1: none */
};

/** child_init - none. */
void child_init(struct child *c);
/** child_fork - fork @command; it waits. Nothing that it must not hold may be open yet. 0 or -1,
 * said. */
int child_fork(struct child *c, const char *command);
/** child_attach - the running process @pid. 0 or -1, said. */
int child_attach(struct child *c, pid_t pid);
/** child_release - let the command run, as the user who called sudo. */
void child_release(struct child *c);
/** child_finish - end a command that was released (one that was not ends by itself), unless it has
 * ended: by SIGTERM, and SIGKILL when that does not help. A signal that ended the session is passed
 * on instead, and the command is waited for. Says how it failed. 0, or -1: it could not be started
 * or failed. */
int child_finish(struct child *c);

#endif
