/* SPDX-License-Identifier: GPL-2.0 */
/* The client side of a background session. Each function reports its errors and returns the exit
 * status. */
#ifndef LOADER_ATTACH_H
#define LOADER_ATTACH_H

/** attach_follow - show the backlog of the session @name and its new output, until the session ends
 * (returns its status) or a signal comes (returns 0, and the session continues); @stop: end the
 * session first. Signals must be counted already. */
int attach_follow(const char *name, int stop);
/** attach_list - print a line for each session. */
int attach_list(void);

#endif
