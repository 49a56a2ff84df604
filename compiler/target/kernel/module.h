/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Modules of the kernel that a script is built for. The first of these sources that has the module
 * is used:
 *   the captured target or the running kernel, if the module is loaded there (/proc/kallsyms,
 *     /sys/kernel/btf/NAME, /sys/module/NAME/notes)
 *   the module's file below /lib/modules/RELEASE, or where the lab unpacked that kernel, found by
 *     modules.dep
 *
 * Names are as the kernel has them; in names that are looked up, - means _.
 */
#ifndef KERNEL_MODULE_H
#define KERNEL_MODULE_H

#include <stdbool.h>

#include "shared/buf.h"
#include "target/kernel/namelist.h"

struct state;
struct kernel;
struct btf_db;

struct kernel_module {
	const char *name;
	const char *key;         /* finds it: its name, or the path that the user named it by */
	const char *build_id;    /* lower-case hex; NULL: not known */
	/* Private. */
	const char *file;        /* it was read from; NULL: it is loaded */
	struct buf symbols;      /* a line for each name */
	struct namelist sorted;  /* the same, sorted; its text is NULL before the first query */
	struct buf btf_text;
	const char *btf_data;
	size_t btf_size;         /* bytes */
	struct btf_db *btf;      /* NULL: not opened, or damaged */
	bool btf_opened;
	const char *btf_why;     /* why there is none */
};

/**
 * kernel_module_find - find a module
 * @name: its name, or the path of its file (with a '/')
 * @why:  the reason if nothing is known about it; owned by the state's arena
 *
 * Returns the module, owned by @k, or NULL.
 */
struct kernel_module *kernel_module_find(struct state *s, struct kernel *k, const char *name,
					 const char **why);
/** kernel_modules_match - the names of modules that match a shell pattern, sorted, each once: of
 *  loaded modules, or if no loaded one matches, of installed ones. Returns their number. */
size_t kernel_modules_match(struct state *s, struct kernel *k, const char *pattern,
			    const char *const **ret);
/** kernel_modules_owner - a loaded module that has a function @name, or NULL. */
const char *kernel_modules_owner(struct kernel *k, const char *name);
/** kernel_module_installed - the path of the module's file below /lib/modules, or NULL. */
const char *kernel_module_installed(struct state *s, struct kernel *k, const char *name);
/** kernel_modules_owners - the names of loaded modules that have a function that matches a shell
 *  pattern, sorted. Returns their number. */
size_t kernel_modules_owners(struct state *s, struct kernel *k, const char *pattern,
			     const char *const **ret);
/** kernel_module_builtin - whether the module @name was built into the kernel. */
bool kernel_module_builtin(struct state *s, struct kernel *k, const char *name);
/** kernel_module_symbols - the names of its functions; of a loaded module, without __init code. */
const struct namelist *kernel_module_symbols(struct kernel_module *m);
/** kernel_module_nearest - the function of @m whose name is nearest to @name, or NULL. */
const char *kernel_module_nearest(struct state *s, struct kernel_module *m, const char *name);
/** kernel_module_btf - its opened BTF, or NULL with a hint in *@why. */
struct btf_db *kernel_module_btf(struct state *s, struct kernel *k, struct kernel_module *m,
				 const char **why);
/** kernel_module_name - @name with _ for -. */
const char *kernel_module_name(struct state *s, const char *name);

/** kernel_modules_deinit - free everything that was read about modules. */
void kernel_modules_deinit(struct kernel *k);

#endif
