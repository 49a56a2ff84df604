/* SPDX-License-Identifier: GPL-2.0 */
/* How many sessions a user has at a time: a byte of one file for each, which is locked. */
#ifndef GRANT_SLOTS_H
#define GRANT_SLOTS_H

#include <sys/types.h>

#include "shared/run_dir.h"

#define SLOTS_FILE RUN_DIR "/grants"

/**
 * slots_take - take one of @n slots of the user @uid
 *
 * @file: SLOTS_FILE, whose directory is made with it if only root has access
 *
 * The kernel frees the slot when the descriptor that is returned is closed, and so at the end of
 * the process. -EUSERS: all are taken; -errno.
 */
int slots_take(const char *file, uid_t uid, unsigned n);

#endif
