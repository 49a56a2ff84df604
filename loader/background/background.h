/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session in the background. The process that was started forks the one that holds the session
 * and waits until that one's probes are armed; from then on it has no terminal, keeps what there is
 * to show, and serves those who attach. When nobody can be told the session's name, it ends.
 */
#ifndef LOADER_BACKGROUND_H
#define LOADER_BACKGROUND_H

#include <poll.h>
#include <stdint.h>
#include <sys/types.h>

#include "background/backlog.h"

enum {
	BACKGROUND_CLIENTS = 8,
	BACKGROUND_FDS = BACKGROUND_CLIENTS + 1,
	BACKGROUND_BUFFER = 1 << 16, /* bytes */
};

struct background_client {
	int fd;      /* -1: none */
	int request; /* enum rendezvous_request; 0: it has not said */
	int is_last; /* the end of the session is in its buffer */
	struct backlog_reader reader;
	char *buf; /* BACKGROUND_BUFFER bytes: what is on its way */
	size_t len, sent;
};

struct background {
	int starter;        /* the one who waits reads at the other end; -1: nobody does */
	int listening;      /* -1: not yet */
	int detached;       /* the terminal is gone */
	int stop_wanted;
	int over, was_seen; /* the session has ended, and somebody saw it all */
	int32_t status;     /* how it ended */
	const char *name, *output, *script; /* name: NULL without a socket; output: of -o or NULL */
	int64_t since;
	struct backlog backlog;
	struct background_client clients[BACKGROUND_CLIENTS];
};

/** background_fork - 0: we are the one that holds the session, with @keep_mb of memory for what
 * there is to show; 1: the one who started it, and all is over: @status is to be its own; -1:
 * said. Signals are being counted already. */
int background_fork(struct background *b, unsigned keep_mb, int *status);
/** background_publish - be found under @name. The strings stay the caller's; @output is the file of
 * -o or NULL. 0 or -1, said. */
int background_publish(struct background *b, const char *name, const char *output,
		       const char *script);
/** background_write - output_to()'s: keep text of the script. */
int background_write(void *background, const char *text, size_t len);
/** background_ready - the probes are armed: let go of the terminal and tell the starter. 0, or -1:
 * nobody is there who could learn the name. */
int background_ready(struct background *b);
/** background_fds - what poll() is to wait for, BACKGROUND_FDS entries. */
void background_fds(const struct background *b, struct pollfd *fds);
/** background_serve - let clients in, send what they can take. Never waits. */
void background_serve(struct background *b);
/** background_end - the session is over with @status and all is said: show the rest to those who
 * are attached, or wait for the one who wants to see it. A signal ends the waiting. */
void background_end(struct background *b, int status);

#endif
