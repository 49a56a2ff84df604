/* SPDX-License-Identifier: GPL-2.0 */
/* Locks of globals: prt_lock and prt_unlock of script.h are defined in lock.c. */
#ifndef PRT_LOCK_H
#define PRT_LOCK_H

#include <linux/types.h>

struct prt_map;

/* SETUP. -ENOMEM. */
int prt_lock_setup(void);
void prt_lock_free(void);
/* Calls @f for @m, which lock @lock protects, with the lock held; false: it cannot be had now. The
 * work item, which is not in a hit. */
bool prt_lock_do(u16 lock, void (*f)(struct prt_map *m), struct prt_map *m);

#endif
