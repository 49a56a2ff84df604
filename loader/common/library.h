/* SPDX-License-Identifier: GPL-2.0 */
/* Libraries that are opened when they are needed: they bring others, and most sessions do without.
 * Not in a static program. */
#ifndef LOADER_LIBRARY_H
#define LOADER_LIBRARY_H

#include <stddef.h>

struct library_function {
	void **to;        /* where its address is stored */
	const char *name;
};

/**
 * library_open - open the first of the libraries that is there, and find its functions
 * @names: file names as dlopen() takes them, ended by NULL
 * @why:   receives the reason of a failure, valid until the next call of the dynamic linker
 *
 * returns the handle, which dlclose() closes, or NULL.
 */
void *library_open(const char *const *names, const struct library_function *functions, size_t n,
		   const char **why);

#endif
