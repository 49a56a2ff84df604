/* SPDX-License-Identifier: GPL-2.0 */
/* Starts proberun for a user: with arguments made here, and with nothing of the user's but values
 * of globals. */
#ifndef GRANT_START_H
#define GRANT_START_H

#include <limits.h>
#include <sys/types.h>

#include "content.h"
#include "peer.h"
#include "policy.h"
#include "request.h"

struct started {
	pid_t pid;
	int fd;                /* a pidfd */
	int output, messages;  /* what it writes; reading does not wait */
};

/** start_find - find the proberun that belongs to this program: beside it, or as installed with
 *  it. 0 or -errno. */
int start_find(char ret[PATH_MAX]);
/**
 * start_proberun - start @program with the module of @content
 *
 * It has an environment of its own, the root directory, a process session of its own, an empty
 * standard input, two pipes, and the module as descriptor 3; it gets SIGTERM if this process ends.
 * Commands of system() run as @peer. 0, or -errno.
 */
int start_proberun(const char *program, const struct peer *peer, const struct request *request,
		   const struct policy_limits *limits, const struct content *content,
		   struct started *ret);

#endif
