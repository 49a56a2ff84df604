/* SPDX-License-Identifier: GPL-2.0 */
/* Running tools: no shell, arguments as a vector. */
#ifndef BASE_SUBPROCESS_H
#define BASE_SUBPROCESS_H

#include "base/arena.h"
#include "base/buf.h"

/**
 * subprocess_run - run a program and wait for it
 * @argv: NULL-terminated; argv[0] is searched in PATH
 * @dir:  working directory, or NULL
 * @out:  where its standard output is appended, or NULL: inherited
 * @err:  where its standard error is appended, or NULL: inherited; may be equal to @out
 *
 * returns: the exit status 0..255, 128 + N when a signal ended it, -errno when it could not start.
 * The environment gets LC_ALL=C, so that messages can be parsed, and loses the variables that
 * change how make, kbuild and gcc work. Standard input is /dev/null.
 */
int subprocess_run(const char *const argv[], const char *dir, struct buf *out, struct buf *err);

/** subprocess_find - the path of program @name in PATH, or @name itself where it is a path, or
 *  NULL: it is not there, or is none. Owned by @a. */
const char *subprocess_find(struct arena *a, const char *name);

#endif
