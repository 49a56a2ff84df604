/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts that other processes exchange with the script: files in /proc, and proberun's standard
 * input.
 *
 * All probes of one file, or of one unit of input, form a channel. A process that reads or writes
 * makes a request and sleeps, interruptibly; the session's thread runs the channel's handlers, in
 * the script's order, while the session is armed. A request is bounded by the probe's size, is
 * accounted to the process that makes it, and is counted by that process and by the thread, so that
 * either may leave first.
 *
 * An open file holds no reference to the module. At the end of the session all requests fail with
 * -EIO and so does every further call. The files are removed when the session is freed, which waits
 * until no process is inside of a call of them; the kernel fails all later calls itself.
 */
#ifndef PRT_PROCFS_H
#define PRT_PROCFS_H

#include "abi/script.h"
#include "abi/records.h"

/* SETUP: makes the folder and its files, as files of the user who called. -errno. */
int prt_procfs_setup(void);
/* Fails all requests, waits until no process is in a call, and removes the files. */
void prt_procfs_free(void);
/* Whether a request waits for the session's thread. Any context. */
bool prt_procfs_pending(void);
/* Makes processes that wait look whether the session ends. Any context. */
void prt_procfs_wake(void);
/* Runs the handlers of the requests that wait now. The session's thread, while it is armed. */
void prt_procfs_run(void);
/* Fails the requests that wait, and all further ones. The session's thread, at the end. */
void prt_procfs_end(void);
/* PRT_IOC_INPUT: gives a text to the handlers of standard input and waits until they have run. 0,
 * -EFAULT, -EINVAL, -ENOMEM, -EIO: the session is over, -ERESTARTSYS: a signal came first. */
long prt_procfs_input(const void __user *from);

#endif
