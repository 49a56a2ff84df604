/* SPDX-License-Identifier: GPL-2.0 */
/* The cache directory. Modules and data that go into the kernel are read from it, so it is used
 * only if no other user can write to it. */
#ifndef CACHE_CACHE_H
#define CACHE_CACHE_H

struct arena;
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

#endif
