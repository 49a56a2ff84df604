/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hits that a kprobe missed, by the kernel's counter. Before "kprobes: Remove
 * kprobe::fault_handler" (ec6aba3d2be1), the counter has each page fault of a handler as well, such
 * as a read of memory that is not there, although no hit is lost; then a function of the kprobe is
 * called, which counts the faults here. Kbuild looks for that function. If several kprobes are at
 * one address, as those of two sessions, the kernel counts a fault for all of them, and calls the
 * function of one.
 */
#ifndef PRT_COMPAT_KPROBES_H
#define PRT_COMPAT_KPROBES_H

#include <linux/kprobes.h>

#ifdef PRT_HAVE_FAULT_HANDLER
struct prt_compat_faults {
	atomic64_t n;
};

/* Defines the function @name for the member @its, a kprobe, of a struct @type, which has a member
 * @faults. It runs in a handler: NMI. */
#define PRT_COMPAT_FAULT_FUNCTION(name, type, its)                                             \
	static int name(struct kprobe *kp, struct pt_regs *regs, int trap)                     \
	{                                                                                      \
		atomic64_inc(&container_of(kp, struct type, its)->faults.n);                   \
		return 0;                                                                      \
	}                                                                                      \
	NOKPROBE_SYMBOL(name);

/* Before @kp is enabled. */
#define prt_compat_count_faults(kp, name) ((kp)->fault_handler = (name))

/* Any context. The kernel's counter may lose counts, so this is the least number. */
static inline u64 prt_compat_missed(const struct kprobe *kp, const struct prt_compat_faults *faults)
{
	u64 n = atomic64_read(&faults->n), all = READ_ONCE(kp->nmissed);

	return all > n ? all - n : 0;
}
#else
struct prt_compat_faults {
};

#define PRT_COMPAT_FAULT_FUNCTION(name, type, its)
#define prt_compat_count_faults(kp, name) ((void)(kp))

static inline u64 prt_compat_missed(const struct kprobe *kp, const struct prt_compat_faults *faults)
{
	return READ_ONCE(kp->nmissed);
}
#endif

#endif
