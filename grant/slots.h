/* SPDX-License-Identifier: GPL-2.0 */
/* Sessions and requests of a user at a time: each locks a byte of one file. */
#ifndef GRANT_SLOTS_H
#define GRANT_SLOTS_H

#include <sys/types.h>

#include "shared/run_dir.h"

#define SLOTS_FILE RUN_DIR "/grants"

enum slots_kind {
	SLOTS_SESSIONS,        /* sessions, whichever rules allow them */
	SLOTS_REQUESTS,        /* connections that have no session yet, or none any more */
};

/* One user can't keep others waiting by requests that never come or are never done with. */
enum { SLOTS_REQUESTS_MAX = 8 };

/**
 * slots_take - take a slot if the user @uid has less than @n of that kind
 *
 * @file: SLOTS_FILE, whose directory is made with it if only root has access
 * @n: at most POLICY_SESSIONS_MAX
 *
 * The kernel frees the slot when the descriptor that is returned is closed, and so at the end of
 * the process. -EUSERS: the user has @n; -errno.
 */
int slots_take(const char *file, uid_t uid, enum slots_kind kind, unsigned n);

#endif
