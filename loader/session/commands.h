/* SPDX-License-Identifier: GPL-2.0 */
/*
 * system(): commands of a script. Each is started when the output before it is written, and runs
 * beside the session; its output is read from a pipe, line by line, and goes where the session's
 * output goes.
 */
#ifndef LOADER_COMMANDS_H
#define LOADER_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "shared/buf.h"

struct show;

enum { COMMANDS_AT_ONCE = 64 };

struct command {
	pid_t pid; /* its shell; 0: it has ended, and a process that it left may still print */
	int from;  /* the pipe to read from; -1: closed */
	struct buf line; /* the beginning of an incomplete line */
};

struct commands {
	struct show *show;
	int fd;       /* readable when a command has printed something; -1: no command yet */
	bool refused;  /* a command that could not be started was reported */
	unsigned n;
	struct command v[COMMANDS_AT_ONCE];
};

/** commands_init - no commands yet; their output goes to @show, which must outlive them. */
void commands_init(struct commands *c, struct show *show);
/** commands_start - run @command, of @len bytes, by the shell, as the user who called sudo. Failure
 * to start is reported once. */
void commands_start(struct commands *c, const char *command, size_t len);
/** commands_turn - show the output of commands, and notice those that have ended. */
void commands_turn(struct commands *c);
/** commands_wait - wait until all commands have ended, a signal comes, or nobody reads the
 * output. */
void commands_wait(struct commands *c);
/** commands_deinit - free; commands that still run continue, and their output is discarded. */
void commands_deinit(struct commands *c);

#endif
