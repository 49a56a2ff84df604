/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The target of a session for a user who is not root: PRT_SETUP_USERS_TARGET. The session must not
 * see it with other rights than the user's, as programs like sudo are executed with, nor another
 * process that gets the number of one that has ended.
 */
#ifndef PRT_RIGHTS_H
#define PRT_RIGHTS_H

/* SETUP: begins to watch the target, and its descendants if the script sees these. Process context.
 * 0 if nobody asks for it; -ESRCH: there is no such process; -EPERM: a descendant has other rights;
 * -EOPNOTSUPP, -errno: the kernel can't tell. */
int prt_rights_setup(void);
/* Ends it. Process context. */
void prt_rights_free(void);

#endif
