/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct task_struct: the state has had the name __state since "sched: Change task_struct::state"
 * (2f064a59a11f), and was a long before. The processor stands in its struct thread_info since
 * "sched: move CPU field back into thread_info if THREAD_INFO_IN_TASK=y" (bcf9033e5449). Kbuild
 * looks for both.
 */
#ifndef PRT_COMPAT_TASK_H
#define PRT_COMPAT_TASK_H

#include <linux/sched.h>

#ifdef PRT_HAVE_TASK_STATE
#define PRT_COMPAT_STATE __state
#else
#define PRT_COMPAT_STATE state
#endif

#ifdef PRT_HAVE_TASK_CPU
#define PRT_COMPAT_CPU cpu
#else
#define PRT_COMPAT_CPU thread_info.cpu
#endif

/* The last parameter of the tracepoint sched_switch, since "sched/tracing: Append prev_state to tp
 * args instead" (9c2136be0878). */
#ifdef PRT_HAVE_SWITCH_STATE
#define PRT_COMPAT_SWITCH_STATE , unsigned int prev_state
#else
#define PRT_COMPAT_SWITCH_STATE
#endif

#endif
