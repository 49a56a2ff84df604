/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A timer and its function were set apart until "hrtimers: Introduce hrtimer_setup() to replace
 * hrtimer_init()" (908a1d775422). Kbuild looks for the new one.
 */
#ifndef PRT_COMPAT_HRTIMER_H
#define PRT_COMPAT_HRTIMER_H

#include <linux/hrtimer.h>

static inline void prt_compat_hrtimer(struct hrtimer *t,
				      enum hrtimer_restart (*f)(struct hrtimer *t),
				      enum hrtimer_mode mode)
{
#ifdef PRT_HAVE_HRTIMER_SETUP
	hrtimer_setup(t, f, CLOCK_MONOTONIC, mode);
#else
	hrtimer_init(t, CLOCK_MONOTONIC, mode);
	t->function = f;
#endif
}

#endif
