/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel that is installed here but not running. Its image contains nearly everything that
 * `proberun --describe` would print there, so a captured target is made of it and cached until the
 * image changes. Only a running kernel knows which modules are loaded, and their events; modules
 * are read from their files.
 */
#ifndef KERNEL_INSTALLED_H
#define KERNEL_INSTALLED_H

struct state;
struct target;

/**
 * installed_open - the target of an installed kernel
 * @build_tree: of that kernel, or NULL; an image in it is preferred
 * @ret:        target_close() releases it
 * @why:        the reason of a failure: which files were searched, or what is wrong with one;
 *              owned by the state's arena
 *
 * returns 0 or -ENOENT
 */
int installed_open(struct state *s, const char *release, const char *build_tree,
		   struct target *ret, const char **why);

#endif
