/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registration of uprobes. Since "uprobes: change uprobe_register() to use uprobe_unregister()
 * instead of __uprobe_unregister()" and "uprobes: get rid of enum uprobe_filter_ctx in uprobe
 * filter callbacks" (3c83a9ad0295, 59da880afed2) the registration is a handle, the filter has one
 * argument less, and one wait serves many removals. Since "uprobe: Add support for session
 * consumer" (4d756095d3994) handlers are given a word that travels from the entry to the return.
 * Kbuild looks for the words of both.
 */
#ifndef PRT_COMPAT_UPROBES_H
#define PRT_COMPAT_UPROBES_H

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/uprobes.h>

#ifdef PRT_HAVE_UPROBE_DATA
#define PRT_COMPAT_UPROBE_DATA , __u64 *data
#else
#define PRT_COMPAT_UPROBE_DATA
#endif

#ifdef PRT_HAVE_UPROBE_HANDLE
#define PRT_COMPAT_UPROBE_FILTER(name, mm) \
	bool name(struct uprobe_consumer *self, struct mm_struct *mm)
#else
#define PRT_COMPAT_UPROBE_FILTER(name, mm) \
	bool name(struct uprobe_consumer *self, enum uprobe_filter_ctx context, \
		  struct mm_struct *mm)
#endif

/* A consumer and the handle for its removal. */
struct prt_compat_uprobe {
	struct uprobe_consumer consumer;
#ifdef PRT_HAVE_UPROBE_HANDLE
	struct uprobe *handle;
#endif
};

/* Registers @u at @offset of a file. @counter: offset of the 16-bit counter of users that the
 * kernel maintains in each process, 0: no counter. Process context. */
static inline int prt_compat_uprobe_register(struct prt_compat_uprobe *u, struct inode *inode,
					     loff_t offset, loff_t counter)
{
#ifdef PRT_HAVE_UPROBE_HANDLE
	struct uprobe *handle = uprobe_register(inode, offset, counter, &u->consumer);

	if (IS_ERR(handle))
		return PTR_ERR(handle);
	u->handle = handle;
	return 0;
#else
	return uprobe_register_refctr(inode, offset, counter, &u->consumer);
#endif
}

/* Removes the breakpoints. Handlers may still run until prt_compat_uprobe_sync() returned. */
static inline void prt_compat_uprobe_unregister(struct prt_compat_uprobe *u, struct inode *inode,
						loff_t offset)
{
#ifdef PRT_HAVE_UPROBE_HANDLE
	uprobe_unregister_nosync(u->handle, &u->consumer);
#else
	uprobe_unregister(inode, offset, &u->consumer);
#endif
}

static inline void prt_compat_uprobe_sync(void)
{
#ifdef PRT_HAVE_UPROBE_HANDLE
	uprobe_unregister_sync();
#endif
}

#endif
