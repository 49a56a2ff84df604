/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arrays that grow ahead of use, and the work item of all that grows.
 *
 * Every processor has copies of the per-CPU arrays (global.h), most of which never hold much. Such
 * a copy begins with memory for PRT_GROW_FIRST elements, and for as many short blocks of long keys
 * and blocks of histograms, if all that it may have is much more. When it has less left than hits
 * use in 20 ms at 100,000 new elements a second, the hit that takes the next one asks for more, and
 * a work item of the kernel adds it. The session's thread does not do it, because a handler there
 * may wait for the reader for seconds. In turn:
 *
 *   1. each processor computes what its arrays want, in an interrupt (prt_map_measure)
 *   2. the work item makes areas with that much memory (prt_map_extend; area.h)
 *   3. each processor takes their addresses and then their limits, in an interrupt (prt_map_take).
 *      No hit spans it. A hit that an NMI makes in its midst finds each address to be an old one or
 *      a new one, which are the same memory, and no limit that is raised before the addresses
 *   4. the old addresses are unmapped
 *
 * Whoever uses these arrays in process context excludes the work item (global.c). Nothing moves, so
 * an array that does not grow is as it was, and a hit that finds its element costs the same.
 *
 * Arrays of which there is one copy for all processors grow in the same way while hits run, except
 * that the work item holds their lock for steps 1 and 3. The session's thread does not wait for it:
 * while it owns an array and holds no lock, that array grows in the midst of the thread's insertion
 * (prt_map_grow), and so do the totals while copies are added to them. Addresses that its handler
 * may have got before that stay valid until the handler is over. With a lock, the thread has
 * interrupts off and cannot do so, and its handlers may add more than PRT_GROW_SPARE at once. So
 * arrays to which a timer adds elements under locks (`whole`) have all of their memory at SETUP, as
 * have those that drop their oldest element, which would drop them too early, and those with blocks
 * of histograms.
 *
 * The work item makes the rings of processors larger as well (ring.h).
 */
#ifndef PRT_GROW_H
#define PRT_GROW_H

#include <linux/compiler.h>
#include <linux/types.h>

struct prt_map;
struct prt_map_type;

/* Computes what a map of type @t begins with, if it grows. */
void prt_grow_first(struct prt_map_type *t);
/* Gives @m, which is zeroed but for its type, the memory to begin with; returns its addresses, or
 * NULL. Process context. */
char *prt_grow_begin(struct prt_map *m, int node);
/* Sets limits from m->has. The owner of the map. */
void prt_map_allow(struct prt_map *m);
/* The steps above, for a map that grows. The owner; process context; the owner; process context. */
void prt_map_measure(struct prt_map *m);
bool prt_map_extend(struct prt_map *m);
void prt_map_take(struct prt_map *m);
/* All of them at once, for a map that the session's thread owns. The old addresses stay valid until
 * the handler is over (prt_global_settle). */
void prt_map_grow(struct prt_map *m);
/* Why an element did not fit into a map that has fewer than its capacity: enum prt_short. The
 * owner. */
u8 prt_map_short(const struct prt_map *m);

/* SETUP: arrays, rings and the table of stacks may grow by @bytes in all. */
void prt_grow_limit(u64 bytes);
/* SETUP, of a new limit: lets the totals of @t have half of what is left, at most all that they can
 * grow by, so that copies of processors can't use it up for what the totals lack room for then. */
void prt_grow_promise(struct prt_map_type *t);
/* Counts @bytes of growth; false: they are more than are left. Process context. */
bool prt_grow_may(u64 bytes);
/* Asks for the arrays to be looked at, for histograms of them (hists.h), for the rings whose
 * `asked` is set, or for words of words.h. Any context. */
void prt_grow_ask(void);
void prt_grow_ask_hists(void);
void prt_grow_ask_rings(void);
void prt_grow_ask_words(void);
/* Starts the work item if that was asked for. Interrupt context. */
void prt_grow_kicked(void);
/* When no hit runs any more: waits for the work item, which does not run again. */
void prt_grow_end(void);

#endif
