/* SPDX-License-Identifier: GPL-2.0 */
/* Runs tools, without a shell. */
#ifndef BASE_SUBPROCESS_H
#define BASE_SUBPROCESS_H

#include "base/arena.h"
#include "shared/buf.h"

/**
 * subprocess_run - run a program and wait for it
 * @argv: NULL-terminated; argv[0] is searched in PATH
 * @dir:  working directory, or NULL
 * @out:  its standard output is appended; NULL: inherited
 * @err:  its standard error is appended; NULL: inherited; may be equal to @out
 *
 * returns the exit status 0..255, 128 + N if signal N ended it, or -errno if it could not start
 *
 * The environment has LC_ALL=C, so that messages can be parsed, and lacks the variables that change
 * how make, kbuild and gcc work. Standard input is /dev/null. The stack may grow to 512 MiB, as far
 * as the hard limit permits.
 */
int subprocess_run(const char *const argv[], const char *dir, struct buf *out, struct buf *err);

/** subprocess_find - the path of program @name in PATH, or @name itself if it is a path. NULL if
 *  there is no such program. Owned by @a. */
const char *subprocess_find(struct arena *a, const char *name);

#endif
