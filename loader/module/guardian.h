/* SPDX-License-Identifier: GPL-2.0 */
/* A process that outlives the loader and removes the module if the loader was killed. */
#ifndef LOADER_GUARDIAN_H
#define LOADER_GUARDIAN_H

#include <sys/types.h>

struct guardian {
	pid_t pid; /* 0: none */
	int fd;    /* the loader's end of the pipe: takes names; closed when we end */
};

/** guardian_start - fork it, before anything is loaded. Returns 0, or -1 after reporting the
 * error. */
int guardian_start(struct guardian *g);
/** guardian_name - set the module that it will remove; "": none. At most 63 bytes. */
void guardian_name(struct guardian *g, const char *name);
/** guardian_end - close the pipe and wait until it has removed the module named last. Accepts a
 * guardian that was not started. */
void guardian_end(struct guardian *g);

#endif
