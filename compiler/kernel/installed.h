/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel that is installed here and not running. Its image says nearly all that `proberun
 * --describe` would say on it, so that a captured target is made of it, and kept in the cache as
 * long as the image is the same. What only a running kernel knows stays away: which modules are
 * loaded, and their events. Modules' files have the rest.
 */
#ifndef KERNEL_INSTALLED_H
#define KERNEL_INSTALLED_H

struct state;
struct target;

/**
 * installed_open - the target of an installed kernel
 * @build_tree: of that kernel, or NULL; an image in it is looked for first
 * @ret:        target_close() releases it
 * @why:        on failure, which files were looked for, or what is wrong with the one that is
 *              there; owned by the state's arena
 * returns 0 or -ENOENT
 */
int installed_open(struct state *s, const char *release, const char *build_tree,
		   struct target *ret, const char **why);

#endif
