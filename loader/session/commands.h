/* SPDX-License-Identifier: GPL-2.0 */
/*
 * system(): commands that a script asks for. Each is started when what was printed before it is
 * written, and runs beside the session; what it prints comes back by a pipe, line by line, and goes
 * wherever the session's output goes.
 */
#ifndef LOADER_COMMANDS_H
#define LOADER_COMMANDS_H

#include <stddef.h>
#include <sys/types.h>

#include "common/text.h"

struct show;

enum { COMMANDS_AT_ONCE = 64 };

struct command {
	pid_t pid; /* of its shell; 0: that has ended, and something that it left still may print */
	int from;  /* -1: it prints no more */
	struct text line; /* the beginning of one that is not whole yet */
};

struct commands {
	struct show *show;
	int fd;       /* readable when one has printed something; -1: there was none yet */
	int refused;  /* that one was not started has been said */
	unsigned n;
	struct command v[COMMANDS_AT_ONCE];
};

/** commands_init - none; what they print goes to @show, which has to last. */
void commands_init(struct commands *c, struct show *show);
/** commands_start - run @command, of @len bytes, by the shell, as the user who called sudo. What
 * can't be started is said once. */
void commands_start(struct commands *c, const char *command, size_t len);
/** commands_turn - show what they have printed, and see which have ended. */
void commands_turn(struct commands *c);
/** commands_wait - until all have ended, a signal comes, or nobody reads the output. */
void commands_wait(struct commands *c);
/** commands_deinit - free; commands that still run go on, and their output is discarded. */
void commands_deinit(struct commands *c);

#endif
