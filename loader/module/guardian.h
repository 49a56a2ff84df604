/* SPDX-License-Identifier: GPL-2.0 */
/* A process that outlives this one only to remove the module, when this one was killed. */
#ifndef LOADER_GUARDIAN_H
#define LOADER_GUARDIAN_H

#include <sys/types.h>

struct guardian {
	pid_t pid; /* 0: none */
	int fd;    /* names go in here; its end is our death */
};

/** guardian_start - fork it, before anything is loaded. 0 or -1, said. */
int guardian_start(struct guardian *g);
/** guardian_name - the module that it removes from now on; "" none. At most 63 bytes. */
void guardian_name(struct guardian *g, const char *name);
/** guardian_end - let it go: it removes what it was named last, and is waited for. Accepts one not
 * started. */
void guardian_end(struct guardian *g);

#endif
