/* SPDX-License-Identifier: GPL-2.0 */
/* The running kernel: its identity, and what it permits. */
#ifndef LOADER_KERNEL_H
#define LOADER_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/utsname.h>

struct meta;

#define KERNEL_BUILD_ID_SIZE (2 * 64 + 1)

/* The running kernel. */
struct kernel_identity {
	struct utsname name;
	char build_id[KERNEL_BUILD_ID_SIZE]; /* "": unknown */
};

/** kernel_build_id - write lower-case hex of /sys/kernel/notes to @buf; "" if it cannot be read. */
void kernel_build_id(char buf[KERNEL_BUILD_ID_SIZE]);
/** kernel_module_build_id - the same for a loaded module. */
void kernel_module_build_id(const char *name, char buf[KERNEL_BUILD_ID_SIZE]);
/** kernel_build_id_find - the same from the bytes of a notes section; false: it has none. */
bool kernel_build_id_find(const void *notes, size_t len, char buf[KERNEL_BUILD_ID_SIZE]);
/** kernel_identify - the identity of the running kernel. */
void kernel_identify(struct kernel_identity *ret);
/** kernel_fits - whether what was built for @release and @build_id ("-": unknown) is for the kernel
 * @running. Releases are compared only where one of the build-ids is unknown. */
bool kernel_fits(const struct kernel_identity *running, const char *release, const char *build_id);
/** kernel_check - check for root, for module support, and for the kernel that @m was built for;
 * reports errors. 0 or -1. */
int kernel_check(const struct meta *m);

#endif
