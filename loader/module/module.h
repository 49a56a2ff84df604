/* SPDX-License-Identifier: GPL-2.0 */
/* The module: its image in memory, its name, loading and removing it. */
#ifndef LOADER_MODULE_H
#define LOADER_MODULE_H

#include <stdbool.h>
#include <stddef.h>

struct module {
	char *image;
	size_t len;
	const char *meta; /* the .probec section within the image */
	size_t meta_len;
	const char *direct; /* the module with trampolines inside it, or NULL */
	size_t direct_len;
	bool has_direct;
	char name[64];       /* the current name in the image */
	bool is_signed;
	bool has_placeholder; /* the name may be chosen by each session */
	size_t *name_at;     /* offsets in the image of all copies of the placeholder */
	size_t nname_at;
};

/** module_read - read a module file and find its parts; reports errors. 0 or -1. */
int module_read(const char *path, struct module *ret);
/** module_parse - the same from an image in memory, which the module then owns; @why: the error. 0
 * or -1. */
int module_parse(char *image, size_t len, struct module *ret, const char **why);
/** module_deinit - accepts one that is all zero or incomplete. */
void module_deinit(struct module *m);
/** module_forget - free the image, when the module is loaded or in a process that loads nothing. Of
 * @m, only its name and whether it has trampolines can be read afterwards. */
void module_forget(struct module *m);

/** module_rename - write @name (at most PRT_NAME_LEN bytes) wherever the placeholder stood. Only
 * with has_placeholder; may be called again. */
void module_rename(struct module *m, const char *name);

/** module_is_loaded - return whether a module of that name is loaded, by whomever. */
bool module_is_loaded(const char *name);
/** module_size - return its bytes in the kernel, without what it allocates; 0: unknown. */
long module_size(const char *name);
/** module_load - hand the image to the kernel, with the parameters in PROBERUN_MODULE_OPTIONS, by
 *  which tests let an allocation of the module fail (runtime/memory.h). 0, or -errno without a
 *  word. */
int module_load(const struct module *m);
/** module_load_direct - hand the module with trampolines to the kernel, unless it is there. 0
 *  (also: there is none) or -errno. */
int module_load_direct(const struct module *m);
/** module_explain - report why module_load() failed with @err; @kmsg: the result of an earlier
 * module_kmsg_open(), or -1. */
void module_explain(const struct module *m, int err, int kmsg);
/** module_remove - remove a module by name, retrying for @seconds while it is busy. Returns 0 (also
 * if it does not exist) or -errno. */
int module_remove(const char *name, double seconds);
/** module_sweep - remove modules of sessions whose processes have ended. */
void module_sweep(void);
/** module_kmsg_open - open the kernel's log for new messages; -1 if it cannot be read. */
int module_kmsg_open(void);

#endif
