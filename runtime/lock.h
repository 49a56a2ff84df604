/* SPDX-License-Identifier: GPL-2.0 */
/* Locks of globals: prt_lock and prt_unlock of script.h are defined in lock.c. */
#ifndef PRT_LOCK_H
#define PRT_LOCK_H

/* SETUP. -ENOMEM. */
int prt_lock_setup(void);
void prt_lock_free(void);

#endif
