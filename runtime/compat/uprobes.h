/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registration of uprobes. Since "uprobes: change uprobe_register() to use uprobe_unregister()
 * instead of __uprobe_unregister()" and "uprobes: get rid of enum uprobe_filter_ctx in uprobe
 * filter callbacks" (3c83a9ad0295, 59da880afed2) the registration is a handle, the filter has one
 * argument less, and one wait serves many removals. Since "uprobe: Add support for session
 * consumer" (4d756095d3994) handlers are given a word that travels from the entry to the return.
 * Since "uprobes: travers uprobe's consumer list locklessly under SRCU protection" (cc01bd044e6a)
 * the consumers of a uprobe are a list of both directions, so that each of them sees whether it is
 * the only one; before, each had the next one only, and the first one was in struct uprobe. Kbuild
 * looks for the words of each.
 */
#ifndef PRT_COMPAT_UPROBES_H
#define PRT_COMPAT_UPROBES_H

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
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
#ifndef PRT_HAVE_UPROBE_LIST
	struct uprobe_consumer *const *first; /* of all; NULL: not known */
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

enum { PRT_COMPAT_UPROBE_WORDS = 16 }; /* of struct uprobe before its part of the processor */

#ifdef PRT_HAVE_UPROBE_LIST
#define PRT_COMPAT_UPROBE_LINK offsetof(struct uprobe_consumer, cons_node)
#else
#define PRT_COMPAT_UPROBE_LINK 0
#endif

/* Whether @value is among the words of the struct uprobe whose part of the processor, at its end,
 * is @arch. The kernel does not show modules what it is made of. */
static inline bool prt_compat_uprobe_has(const struct arch_uprobe *arch, unsigned long value)
{
	const unsigned long *words = (const unsigned long *)arch;
	u32 i;

	for (i = 1; i <= PRT_COMPAT_UPROBE_WORDS; i++)
		if (READ_ONCE(words[-(long)i]) == value)
			return true;
	return false;
}

/* The registration with @filter that is the last one of that struct uprobe, which leads to it.
 * NULL: it is another's. @arch stays meanwhile. */
static inline struct prt_compat_uprobe *prt_compat_uprobe_of(const struct arch_uprobe *arch,
							     const void *filter)
{
	const unsigned long *words = (const unsigned long *)arch;
	struct prt_compat_uprobe *u;
	const void *its;
	u32 i;

	for (i = 1; i <= PRT_COMPAT_UPROBE_WORDS; i++) {
		unsigned long word = READ_ONCE(words[-(long)i]);

		/* A read that faults costs more than all else here. */
		u = container_of((struct uprobe_consumer *)(word - PRT_COMPAT_UPROBE_LINK),
				 struct prt_compat_uprobe, consumer);
		if (word % sizeof(word) || word < PAGE_OFFSET ||
		    copy_from_kernel_nofault(&its, &u->consumer.filter, sizeof(its)) ||
		    its != filter)
			continue;
#ifndef PRT_HAVE_UPROBE_LIST
		WRITE_ONCE(u->first, (struct uprobe_consumer *const *)&words[-(long)i]);
#endif
		return u;
	}
	return NULL;
}

/* Whether the uprobe of @u, which is registered and was found by prt_compat_uprobe_of(), has no
 * other consumers. Any context. */
static __always_inline bool prt_compat_uprobe_is_alone(const struct prt_compat_uprobe *u)
{
#ifdef PRT_HAVE_UPROBE_LIST
	return data_race(u->consumer.cons_node.next) == data_race(u->consumer.cons_node.prev);
#else
	return data_race(*u->first) == &u->consumer && !data_race(u->consumer.next);
#endif
}

enum { PRT_COMPAT_UPROBE_DEPTH = 64 }; /* return addresses that the kernel replaces at one time */

/* The return address of the current task that the kernel has replaced by its trampoline's, at
 * @slot of the stack. 0: it has replaced none there. Any context: the task may have been
 * interrupted while it changes the list, so each entry is read as one that may have gone. */
static inline unsigned long prt_compat_uprobe_replaced(unsigned long slot)
{
	const struct uprobe_task *task = current->utask;
	struct return_instance entry = { .next = task ? READ_ONCE(task->return_instances) : NULL };
	u32 i;

	for (i = 0; i < PRT_COMPAT_UPROBE_DEPTH && entry.next; i++) {
		if (copy_from_kernel_nofault(&entry, entry.next, sizeof(entry)))
			return 0;
		if (entry.stack == slot)
			return entry.orig_ret_vaddr;
	}
	return 0;
}

#endif
