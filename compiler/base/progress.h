/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Says on a terminal what takes long. A thread writes a line when a step has taken a second, and
 * again every five seconds. It takes no signals, and uses no memory but its own.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

struct arena;
struct progress; /* opaque; NULL is one that says nothing */

/** progress_start - begin with @step, words like "reading the script". NULL: standard error is no
 *  terminal, or there is no thread. Owned by @a, which has to live until progress_stop(). */
struct progress *progress_start(struct arena *a, const char *step);
/** progress_step - the next step begins. @step stays valid until the one after it. */
void progress_step(struct progress *p, const char *step);
/** progress_stop - end the thread; nothing is written after that. May be called again. */
void progress_stop(struct progress *p);

#endif
