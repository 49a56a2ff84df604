/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel that a script is built for: its release, build tree, identity, symbols and BTF.
 * Opened once a run; each part is read when first needed.
 *
 * The first of these sources that exists is used:
 *   a captured target (proberun --describe > FILE; -r FILE, or <cache>/targets/RELEASE): all of it
 *   the running kernel, when the release is its own: /sys/kernel/notes, /proc/kallsyms (names),
 *     /sys/kernel/btf/vmlinux
 *   its image, where it is installed: what a captured target has, but for the loaded modules
 *   a build tree alone: release and flags; no build-id, no BTF
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

struct state;
struct kernel; /* opaque */

/**
 * kernel_open - find out which kernel @target means
 * @target: NULL (the running kernel), a release, a build tree's path, or a captured target file
 * @ret:    owned by s->arena; kernel_close() releases maps and files
 * returns 0, -ENOENT (E_NO_HEADERS or E_IO reported with the next step)
 *
 * A missing build tree is not an error here: kernel_build_tree() reports it when pass 4 needs it.
 */
int kernel_open(struct state *s, const char *target, struct kernel **ret);
void kernel_close(struct kernel *k); /* accepts NULL */

const char *kernel_release(const struct kernel *k);
/** kernel_build_id - lower-case hex of the GNU build-id, or NULL when not known. */
const char *kernel_build_id(struct kernel *k);
/** kernel_build_tree - /lib/modules/RELEASE/build or as given; NULL if there is none. */
const char *kernel_build_tree(struct kernel *k);
/** kernel_identity - text that differs whenever anything read through this interface may differ;
 *  part of the cache key; cheap (stats files, reads no content but the notes). Owned by the
 *  arena. */
const char *kernel_identity(struct state *s, struct kernel *k);
/** kernel_btf_data - raw BTF of vmlinux; NULL when there is none (then *@why says what to do). */
const void *kernel_btf_data(struct kernel *k, size_t *size, const char **why);
/** kernel_symbols_known - whether the functions below know the symbol table. */
bool kernel_symbols_known(struct kernel *k);
/** kernel_symbol_count - how many text symbols of vmlinux have exactly that name. */
int kernel_symbol_count(struct kernel *k, const char *name);
/** kernel_symbols_match - names of text symbols of vmlinux that match a shell pattern, sorted, each
 *  once; @ret owned by the arena; returns their number. */
size_t kernel_symbols_match(struct state *s, struct kernel *k, const char *pattern,
			    const char *const **ret);
/** kernel_forbids - why the kernel refuses a probe on that function ("blacklisted", "not in the
 *  list of functions that can be traced", ...), or NULL: allowed or not known. */
const char *kernel_forbids(struct kernel *k, const char *symbol);

#endif
