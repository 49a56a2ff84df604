/* SPDX-License-Identifier: GPL-2.0 */
/* Reading a captured target; the format is described in runtime/abi/target.h. */
#ifndef KERNEL_TARGET_H
#define KERNEL_TARGET_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;

enum target_section {
	TARGET_SYMBOLS, TARGET_MODULES, TARGET_BLACKLIST, TARGET_FTRACE, TARGET_TRACEPOINTS,
	TARGET_CONFIG, TARGET_BTF, TARGET_MODULE_IDS, TARGET_ALIASES, TARGET_DATA, TARGET_INLINED,
	TARGET_SECTIONS
};

/* The BTF of a module. */
struct target_btf {
	const char *name, *data; /* name: not NUL-terminated */
	size_t name_len, size;   /* bytes */
};

struct target {
	const char *path;
	const char *release, *build_id, *machine; /* NULL: not in the file */
	const char *image; /* the image that it was made of (installed.h); NULL: it was captured */
	struct { const char *data; size_t size; } section[TARGET_SECTIONS]; /* data NULL: absent */
	VEC(struct target_btf) module_btf;
	int64_t mtime_ns;                         /* of the file */
	void *map;                                /* the mapped file */
	size_t map_size;                          /* bytes */
};

/**
 * target_open - map a captured target and find its sections
 * @why: the reason of a failure, owned by @a
 *
 * returns 0, -ENOENT (can't be read), or -EINVAL (not a captured target, or of another version)
 */
int target_open(struct arena *a, const char *path, struct target *ret, const char **why);
/** target_module_btf - the BTF of a module that was loaded, or NULL. */
const char *target_module_btf(const struct target *t, const char *name, size_t *size);
/** target_close - unmap the file; accepts a zeroed target. */
void target_close(struct target *t);

#endif
