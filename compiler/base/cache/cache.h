/* SPDX-License-Identifier: GPL-2.0 */
/* The cache directory. Modules and data that go into the kernel are read from it, so it is used
 * only if no other user can write to it. */
#ifndef CACHE_CACHE_H
#define CACHE_CACHE_H

#include <stdbool.h>

struct arena;
struct stat;
struct state;

/** cache_wanted_dir - $PROBEC_CACHE, or $XDG_CACHE_HOME/probec, or ~/.cache/probec, whether it
 *  exists or not. NULL: there is no home directory. Owned by @a. */
char *cache_wanted_dir(struct arena *a);
/** cache_find - set s->cache_dir to that directory, which is made if necessary. NULL, with a
 *  warning, if it is not safe to use. */
void cache_find(struct state *s);
/** cache_dir_of - <cache>/NAME, made if necessary; NULL if nothing can be cached. Owned by the
 *  state's arena. */
const char *cache_dir_of(struct state *s, const char *name);

/*
 * Entries of the cache that take long to make: modules (modules/KEY.ko with KEY.files and KEY.said,
 * and KEY.around, which is removed after 60 days)
 * and runtimes (directories runtime/KEY). An entry appears complete by a rename. Its time is that
 * of its last use. Mapped files are in cache/file.h.
 */

/** cache_is_own - whether that is a regular file of this user to which nobody else can write. */
bool cache_is_own(const struct stat *st);
/** cache_entry_is_own - whether @path is one. */
bool cache_entry_is_own(const char *path);
/** cache_entry_use - record that the entry @path is used now, so that others are removed first. */
void cache_entry_use(const char *path);
/** cache_entry_lock - wait until no other process is making the entry @path, and lock it. Returns
 *  the descriptor of the lock, or -1 if there is none, so that two processes may make the entry at
 *  a time. */
int cache_entry_lock(struct arena *a, const char *path);
/** cache_entry_unlock - accepts -1. */
void cache_entry_unlock(struct arena *a, const char *path, int lock);
/** cache_entry_put_dir - rename the directory @fresh, beside @path, to the entry @path, and remove
 *  an older one. Returns 0 or -errno. */
int cache_entry_put_dir(const char *fresh, const char *path);
/** cache_entry_shrink - remove the least recently used modules beyond 256 MB, and runtimes that
 *  were not used for 60 days. */
void cache_entry_shrink(struct state *s);

#endif
