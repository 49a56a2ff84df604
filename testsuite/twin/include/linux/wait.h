/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_WAIT_H
#define TWIN_LINUX_WAIT_H

#include <linux/types.h>

/* A waiter checks its condition every millisecond: no wakeup can be lost, and none is tested
 * here. */
typedef struct { char unused; } wait_queue_head_t;

void twin_pause(void);

#define init_waitqueue_head(w) ((w)->unused = 0)
#define wake_up(w)             ((void)(w))
#define wait_event_idle(w, cond)                                                               \
	do {                                                                                   \
		(void)(w);                                                                     \
		while (!(cond))                                                                \
			twin_pause();                                                          \
	} while (0)
#define wait_event_idle_timeout(w, cond, jiffies)                                              \
	do {                                                                                   \
		(void)(w);                                                                     \
		if (!(cond))                                                                   \
			twin_pause();                                                          \
	} while (0)
#define wait_event_interruptible_hrtimeout(w, cond, t) wait_event_idle_timeout(w, cond, t)

#endif
