/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Resident pages: a struct with an array of atomic counters once, an array of counters by processor
 * since "mm: convert mm's rss stats into percpu_counter" (f1a7941243c1). Kbuild looks for the
 * array. The sum is read, not what processors still keep for themselves, as the kernel does.
 */
#ifndef PRT_COMPAT_RSS_H
#define PRT_COMPAT_RSS_H

#include <linux/mm_types.h>

/* The 64-bit count of pages of a kind (MM_FILEPAGES, ...). */
#ifdef PRT_HAVE_RSS_PERCPU
#define PRT_COMPAT_RSS(mm, kind) (&(mm)->rss_stat[kind].count)
#else
#define PRT_COMPAT_RSS(mm, kind) (&(mm)->rss_stat.count[kind])
#endif

#endif
