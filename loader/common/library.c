/* SPDX-License-Identifier: GPL-2.0 */
#include "common/library.h"

#ifndef PROBERUN_STATIC
#include <dlfcn.h>

void *library_open(const char *const *names, const struct library_function *functions, size_t n,
		   const char **why)
{
	void *handle = NULL;

	for (; *names && !handle; names++)
		handle = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; handle && i < n; i++) {
		*functions[i].to = dlsym(handle, functions[i].name);
		if (!*functions[i].to)
			handle = NULL;
	}
	*why = handle ? NULL : dlerror();
	return handle;
}
#endif
