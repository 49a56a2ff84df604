/* SPDX-License-Identifier: GPL-2.0 */
/* Places in programs and libraries: attach/user.c. */
#ifndef PRT_ATTACH_USER_H
#define PRT_ATTACH_USER_H

#include <linux/types.h>

struct prt_site;

/* SETUP, in the loader's own context: looks the files of sites up as the loader sees them, and
 * gives each site its key in place of an address. A file that is missing is the site's error
 * (-ESRCH). -ENOMEM. */
int prt_user_setup(void);
/* Lets go of the files. Nothing is armed any more. */
void prt_user_free(void);

#endif
