/* SPDX-License-Identifier: GPL-2.0 */
/* Places in programs and libraries: attach/user.c; returns of their functions: user_return.c. */
#ifndef PRT_ATTACH_USER_H
#define PRT_ATTACH_USER_H

#include <linux/container_of.h>
#include <linux/types.h>

#include "attach.h"
#include "compat/uprobes.h"

/* A uprobe of a point. Zeroed, but for the consumer's handlers, before it is registered. */
struct prt_user_place {
	struct prt_compat_uprobe uprobe;
	const struct prt_point *point;
	u64 offset;                  /* in the file of the point */
	bool registered;
};

static __always_inline struct prt_user_place *prt_user_place_of(struct uprobe_consumer *consumer)
{
	return container_of(consumer, struct prt_user_place, uprobe.consumer);
}

/* The row of prt_script.files that the sites of a point share. */
static __always_inline const struct prt_file *prt_user_file_of(const struct prt_point *p)
{
	return &prt_script.files[p->pairs[0].site->file - 1];
}

/* SETUP, in the loader's own context: looks the files of sites up as the loader sees them, and
 * gives each site its key in place of an address. A file that is missing is the site's error
 * (-ESRCH). -ENOMEM. */
int prt_user_setup(void);
/* Lets go of the files. Nothing is armed any more. */
void prt_user_free(void);

/* Registers @place at @offset of the file of @p. Under prt_attach_lock; -errno. */
int prt_user_place_arm(struct prt_user_place *place, const struct prt_point *p, u64 offset);
/* Removes it, if it is registered; its handler may still run until prt_user_settle(), which waits
 * once for all that were removed. The same. */
void prt_user_place_disarm(struct prt_user_place *place);
void prt_user_settle(void);
/* Whether the current process is one that @p is for. The process's context. */
bool prt_user_wanted_here(const struct prt_point *p);
/* Runs the probe of @pair for a hit. The process's context; may sleep. */
void prt_user_run(const struct prt_pair *pair, struct pt_regs *regs, u64 *saved, s64 retval);

#endif
