/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel that a script is built for: its release, build tree, identity, symbols and BTF. Opened
 * once in a run; each part is read when it is first needed.
 *
 * The first of these sources that exists is used:
 *   a captured target (proberun --describe > FILE; -r FILE, or <cache>/targets/RELEASE)
 *   the running kernel, if it has that release: /sys/kernel/notes, /proc/kallsyms (names),
 *     /sys/kernel/btf/vmlinux
 *   its image, if it is installed: as a captured target, but without the loaded modules
 *   a build tree alone: release and flags; no build-id, no BTF
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct btf_db;
struct cache_file;
struct state;
struct kernel; /* opaque */

/**
 * kernel_open - find the kernel that @target means
 * @target: NULL (the running kernel), a release, the path of a build tree, or a captured target
 * @ret:    owned by s->arena; kernel_close() releases mappings and files
 *
 * returns 0, or -ENOENT after E_NO_HEADERS or E_IO was reported with a hint. A missing build tree
 * is not an error here; kernel_build_tree() reports it when pass 4 needs it.
 */
int kernel_open(struct state *s, const char *target, struct kernel **ret);
void kernel_close(struct kernel *k); /* accepts NULL */

const char *kernel_release(const struct kernel *k);
/** kernel_knows_inlined - whether the captured target says which functions are inlined;
 *  kernel_lists_inlined - whether it says so of that one. */
bool kernel_knows_inlined(const struct kernel *k);
bool kernel_lists_inlined(const struct kernel *k, const char *function);
/** kernel_build_id - the GNU build-id in lower-case hex, or NULL if it is not known. */
const char *kernel_build_id(struct kernel *k);
/** kernel_build_id_of_notes - the GNU build-id among ELF notes, in the same form, owned by @a, or
 *  NULL. */
const char *kernel_build_id_of_notes(struct arena *a, const char *notes, size_t size);
/** kernel_build_tree - /lib/modules/RELEASE/build or the given path; NULL if there is none. */
const char *kernel_build_tree(struct kernel *k);
/** kernel_config - the value of a CONFIG_ symbol in the build tree of s->kernel without quotes, or
 *  NULL if it is not set or there is no tree. Reads the file each time. Owned by s->arena. */
const char *kernel_config(const struct state *s, const char *name);
/** kernel_fetched_debug - the directory of debug files that lab/symbols fetches for that kernel, as
 *  /usr/lib/debug; it may not exist. NULL without a cache. Owned by the arena. */
const char *kernel_fetched_debug(const struct state *s, const struct kernel *k);
/** kernel_identity - a text that changes whenever the results of this interface may change, as a
 *  part of the cache key. Cheap: it stats files, and reads only the notes. Owned by the arena. */
const char *kernel_identity(struct state *s, struct kernel *k);
/** kernel_btf_data - the raw BTF of vmlinux. Returns NULL if there is none, with a hint in
 *  *@why. */
const void *kernel_btf_data(struct kernel *k, size_t *size, const char **why);
/** kernel_btf - the opened BTF, or NULL with a hint in *@why. */
struct btf_db *kernel_btf(struct kernel *k, const char **why);
/** kernel_symbols_known - whether there is a symbol table for the functions below. */
bool kernel_symbols_known(struct kernel *k);
/** kernel_symbol_count - the number of text symbols of vmlinux with exactly that name, but for what
 *  ThinLTO may have appended (namelist_promoted()). */
int kernel_symbol_count(struct kernel *k, const char *name);
/** kernel_is_joined - whether the files of s->kernel were optimised together, so that a function
 *  may be inlined into one of another file: ThinLTO has renamed functions of vmlinux
 *  (namelist_promoted()), or the build tree is configured for full LTO, which renames none. */
bool kernel_is_joined(const struct state *s);
/** kernel_has_symbol - return whether a symbol of vmlinux, text or data, has that name; false if it
 *  is one of data and their names are not available. */
bool kernel_has_symbol(struct kernel *k, const char *name);
/** kernel_lacks_symbol - return whether no symbol of vmlinux has that name; false if the
 *  names of its data are not available. */
bool kernel_lacks_symbol(struct kernel *k, const char *name);
/** kernel_symbols_match - the names of text symbols of vmlinux that match a shell pattern, sorted,
 *  each once; @ret is owned by the arena. Returns their number. */
size_t kernel_symbols_match(struct state *s, struct kernel *k, const char *pattern,
			    const char *const **ret);
/** kernel_forbids - why the kernel refuses a probe on that function ("blacklisted", "not in the
 *  list of functions that can be traced", ...), or NULL: allowed or not known. */
const char *kernel_forbids(struct kernel *k, const char *symbol);
/** kernel_symbols_nearest - the symbol whose name is nearest to @name, or NULL. */
const char *kernel_symbols_nearest(struct state *s, struct kernel *k, const char *name);
/** kernel_symbols_clone - a clone that the compiler made of @name ("name.isra.0"), or NULL. */
const char *kernel_symbols_clone(struct state *s, struct kernel *k, const char *name);
/** kernel_symbols_blacklisted, kernel_symbols_untraceable - the two parts of kernel_forbids(). The
 *  first one concerns every mechanism. False if the lists are not known. */
bool kernel_symbols_blacklisted(struct kernel *k, const char *symbol);
bool kernel_symbols_untraceable(struct kernel *k, const char *symbol);
/** kernel_symbols_is_second - whether a pattern that matches @symbol also matches another name of
 *  the same address that comes first: the name in the list of traceable functions, or an earlier
 *  one in kallsyms. */
bool kernel_symbols_is_second(struct kernel *k, const char *symbol, const char *pattern);

/** kernel_tracepoint_systems_known - whether the kernel's list of events is known.
 *  kernel_tracepoint_system - the system of the event with a tracepoint's name, or NULL. */
bool kernel_tracepoint_systems_known(struct kernel *k);
const char *kernel_tracepoint_system(struct kernel *k, const char *name);

/** kernel_cache_file - the cache file of facts about this build of the kernel. @suffix: their kind;
 *  @head: as in struct cache_file. Both live as long as the state. */
struct cache_file kernel_cache_file(struct kernel *k, const char *suffix, const char *head);

#endif
