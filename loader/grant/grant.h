/* SPDX-License-Identifier: GPL-2.0 */
/* --grant: the user's side of a session that probec-grant runs (shared/grant.h). */
#ifndef LOADER_GRANT_H
#define LOADER_GRANT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/escape.h"
#include "show/show.h"

/* A different socket, for tests. Whoever sets it chooses whose output is shown to them, and no
 * more. */
#define GRANT_SOCKET_VARIABLE "PROBEC_GRANT_SOCKET"

struct grant {
	const char *name;      /* of a file in a directory of the administrator; NULL: a module */
	const char *image;     /* the module */
	size_t len;
	const char *path;      /* its file: a signature is in PATH.sig; NULL: it has none */
	char *const *globals;  /* NAME=VALUE */
	size_t nglobals;
	pid_t pid;             /* -x, or 0 */
	double seconds;        /* -T, or 0 */
	enum show_format format;
	enum escape_when escape;
	bool timing, quiet;
};

/** grant_session - ask for the session and show its output until it ends; ^C is passed on. Signals
 *  are counted (signals.h). Returns the status of the session, or 1 after reporting E_GRANT or
 *  E_IO. */
int grant_session(const struct grant *g);

#endif
