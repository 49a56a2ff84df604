/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pid namespace of this process. A process has a number in it, by which the user names it; the
 * kernel half converts these numbers (runtime/pids.h). Whether /proc has them as well:
 * shared/machine.h.
 */
#ifndef LOADER_NAMESPACE_H
#define LOADER_NAMESPACE_H

#include <stdbool.h>

/** namespace_number - the number of the pid namespace, as `readlink /proc/self/ns/pid` shows it; 0:
 *  it is the machine's first one, or can't be seen. */
unsigned long namespace_number(void);

enum { NAMESPACE_NAME = 32 };

/** namespace_name - a name for this process that none of another namespace has: "PID", or
 *  "NAMESPACE_PID". Returns @ret, of NAMESPACE_NAME bytes. */
const char *namespace_name(char *ret);
/** namespace_has_ended - whether @name begins with one that namespace_name() has made, of a process
 *  that has ended. Of other namespaces only the machine's first one knows, and only that they have
 *  ended as a whole. *@rest: what follows it. */
bool namespace_has_ended(const char *name, const char **rest);

#endif
