/* SPDX-License-Identifier: GPL-2.0 */
/* A process that outlives the loader and removes the module if the loader was killed. */
#ifndef LOADER_GUARDIAN_H
#define LOADER_GUARDIAN_H

#include <stdbool.h>
#include <sys/types.h>

struct module;

enum { GUARDIAN_KEEPS = 2 };

struct guardian {
	pid_t pid; /* 0: none */
	int fd;    /* the loader's end of the connection; closed when we end */
	/* The first act of the guardian after the loader was killed while it had the device: set
	 * before guardian_start(); NULL: nothing. @device is the heir's to close. */
	void (*heir)(void *arg, int device);
	void *arg;
	int keep[GUARDIAN_KEEPS]; /* descriptors that the heir needs; 0: none */
	bool speaks; /* it needs standard output and error as well */
	struct module *module; /* that the loader has in memory: the guardian does not need it */
};

/** guardian_start - fork it, before anything is loaded. Returns 0, or -1 after reporting the
 * error. */
int guardian_start(struct guardian *g);
/** guardian_name - set the module that it will remove; "": none. At most 63 bytes. A device that it
 * was given is closed, and what its heir has kept. */
void guardian_name(struct guardian *g, const char *name);
/** guardian_device - the same, with the device of that module for the heir: @fd stays ours. */
void guardian_device(struct guardian *g, const char *name, int fd);
/** guardian_end - close the connection and wait until it has removed the module named last.
 * Accepts a guardian that was not started. */
void guardian_end(struct guardian *g);

#endif
