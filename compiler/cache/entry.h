/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries of the cache that take long to make: modules (modules/KEY.ko with KEY.files and KEY.said
 * beside it) and runtimes (directories runtime/KEY). An entry appears by a rename, so it is whole
 * when it is there. Its time is that of its last use. Files that are mapped are in cache/file.h.
 */
#ifndef CACHE_ENTRY_H
#define CACHE_ENTRY_H

#include <stdbool.h>

struct arena;
struct state;

/** cache_entry_is_own - whether @path is a regular file of this user that nobody else may write. */
bool cache_entry_is_own(const char *path);
/** cache_entry_use - note that the entry @path was used now, so that others are removed first. */
void cache_entry_use(const char *path);
/** cache_entry_lock - wait until no other process makes the entry @path, and keep others from it;
 *  the lock's descriptor, or -1: there is no lock, and two processes may make it at a time. */
int cache_entry_lock(struct arena *a, const char *path);
/** cache_entry_unlock - accepts -1. */
void cache_entry_unlock(struct arena *a, const char *path, int lock);
/** cache_entry_put_dir - let the directory @fresh, beside @path, become the entry @path. One that
 *  is there is removed. 0 or -errno. */
int cache_entry_put_dir(const char *fresh, const char *path);
/** cache_entry_shrink - remove the modules that were used longest ago, beyond 256 MB of them, and
 *  runtimes that were not used for 60 days. */
void cache_entry_shrink(struct state *s);

#endif
