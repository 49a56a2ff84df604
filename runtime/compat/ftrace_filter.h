/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The filter of an ops of ftrace: the functions that it traces. Until "ftrace: Add
 * ftrace_set_filter_ips function" (4f554e955614), the kernel takes one address a call, and copies
 * the filter each time. Kbuild looks for that function.
 *
 * There, all addresses but the last one are put into the filter here, before the ops is registered;
 * the kernel then copies it once, when it adds the last one, and only its own copy is ever used.
 * The structures are private to the kernel. So nothing is assumed of them until filters that the
 * kernel made of one address and of two have been found to look like the ones below, and the copy
 * must have all addresses. Otherwise addresses are added one by one, and an ops has few of them.
 */
#ifndef PRT_COMPAT_FTRACE_FILTER_H
#define PRT_COMPAT_FTRACE_FILTER_H

#include <linux/ftrace.h>

#ifdef PRT_HAVE_FILTER_IPS
/* The most addresses that an ops should have. Process context, as all below. */
static inline u32 prt_compat_ftrace_most(void)
{
	return U32_MAX;
}

/* Whether all @n addresses can be traced, by a filter that is never used. Where the kernel takes
 * one address a call, it says so of one alone. */
static inline bool prt_compat_ftrace_takes(struct ftrace_ops *scratch, unsigned long *ips, u32 n)
{
	return !ftrace_set_filter_ips(scratch, ips, n, 0, 1);
}

/* Makes @n addresses the filter of an ops, which is not registered: all of them, or fewer and an
 * error. */
static inline int prt_compat_ftrace_filter(struct ftrace_ops *ops, unsigned long *ips, u32 n)
{
	return ftrace_set_filter_ips(ops, ips, n, 0, 1);
}
#else
#include <linux/reboot.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat/ftrace.h"
#include "compat/kernel.h"

struct prt_compat_filter {
	unsigned long bits;         /* of a bucket's number */
	struct hlist_head *buckets;
	unsigned long n;            /* entries in the buckets */
};

struct prt_compat_filter_entry {
	struct hlist_node node;
	unsigned long ip;
};

static inline struct prt_compat_filter *prt_compat_filter_of(const struct ftrace_ops *ops)
{
	return (struct prt_compat_filter *)rcu_access_pointer(ops->func_hash->filter_hash);
}

/* Whether @ip alone is in the filter of @ops, as described above; *@entry is its entry. */
static inline bool prt_compat_filter_one(const struct ftrace_ops *ops, unsigned long ip,
					 struct prt_compat_filter_entry **entry)
{
	struct prt_compat_filter_entry e;
	struct prt_compat_filter f;
	struct hlist_head bucket;

	if (copy_from_kernel_nofault(&f, prt_compat_filter_of(ops), sizeof(f)) || f.bits ||
	    f.n != 1 || copy_from_kernel_nofault(&bucket, f.buckets, sizeof(bucket)) ||
	    copy_from_kernel_nofault(&e, bucket.first, sizeof(e)))
		return false;
	*entry = container_of(bucket.first, struct prt_compat_filter_entry, node);
	return !e.node.next && e.node.pprev == &f.buckets->first && e.ip == ip;
}

/* Whether the filter of @ops says that it has @n entries. */
static inline bool prt_compat_filter_has(const struct ftrace_ops *ops, u32 n)
{
	struct prt_compat_filter f;

	return !copy_from_kernel_nofault(&f, prt_compat_filter_of(ops), sizeof(f)) && f.n == n;
}

/* Whether filters look as described above, by two functions that are never called meanwhile. */
static inline bool prt_compat_filter_known(void)
{
	struct ftrace_ops *ops = kzalloc(sizeof(*ops), GFP_KERNEL);
	struct prt_compat_filter_entry *entry;
	bool ret;

	if (!ops)
		return false;
	ret = !ftrace_set_filter_ip(ops, (unsigned long)panic, 0, 1) &&
	      prt_compat_filter_one(ops, (unsigned long)panic, &entry) &&
	      !ftrace_set_filter_ip(ops, (unsigned long)emergency_restart, 0, 0) &&
	      prt_compat_filter_has(ops, 2);
	prt_compat_ftrace_free(ops);
	kfree(ops);
	return ret;
}

static inline u32 prt_compat_ftrace_most(void)
{
	return prt_compat_filter_known() ? U32_MAX : 512;
}

/* To remove an address from an empty filter fails in another way if it can't be traced, and takes
 * half of the time of adding it. */
static inline bool prt_compat_ftrace_takes(struct ftrace_ops *scratch, unsigned long *ips, u32 n)
{
	return n == 1 && (ftrace_set_filter_ip(scratch, *ips, 1, 1) == -ENOENT ||
			  !ftrace_set_filter_ip(scratch, *ips, 0, 1));
}

/* Adds @n addresses to the filter of @ops, which has one, in entry @first. What is missing after an
 * error is the caller's. */
static inline int prt_compat_filter_extend(struct ftrace_ops *ops, const unsigned long *ips, u32 n,
					   struct prt_compat_filter_entry *first)
{
	struct prt_compat_filter *f = prt_compat_filter_of(ops);
	size_t size = ksize(first);
	u32 i;

	for (i = 0; i < n; i++) {
		struct prt_compat_filter_entry *e = kzalloc(size, GFP_KERNEL);

		if (!e)
			return -ENOMEM;
		e->ip = ips[i];
		hlist_add_head(&e->node, f->buckets);
		f->n++;
	}
	return 0;
}

static inline int prt_compat_filter_singly(struct ftrace_ops *ops, const unsigned long *ips, u32 n)
{
	int err = 0;
	u32 i;

	for (i = 0; i < n && !err; i++)
		err = ftrace_set_filter_ip(ops, ips[i], 0, !i);
	return err;
}

/* @n is at most prt_compat_ftrace_most(), and ftrace accepts each address if @n is above 1. */
static inline int prt_compat_ftrace_filter(struct ftrace_ops *ops, unsigned long *ips, u32 n)
{
	struct prt_compat_filter_entry *first;
	int err;

	if (n <= 4 || !prt_compat_filter_known())
		return prt_compat_filter_singly(ops, ips, n);
	err = ftrace_set_filter_ip(ops, ips[0], 0, 1);
	if (err || !prt_compat_filter_one(ops, ips[0], &first))
		return err ?: prt_compat_filter_singly(ops, ips, n);
	err = prt_compat_filter_extend(ops, ips + 1, n - 2, first);
	if (!err)
		err = ftrace_set_filter_ip(ops, ips[n - 1], 0, 0);
	if (!err && !prt_compat_filter_has(ops, n))
		err = -EINVAL;
	return err;
}
#endif

#endif
