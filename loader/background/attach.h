/* SPDX-License-Identifier: GPL-2.0 */
/* The client side of a background session. Each function reports its errors and returns the exit
 * status. */
#ifndef LOADER_ATTACH_H
#define LOADER_ATTACH_H

/** attach_follow - show what the session @name has kept and what comes, until it ends (its status)
 * or a signal comes (0, and it runs on); @stop: end it first. Signals are being counted. */
int attach_follow(const char *name, int stop);
/** attach_list - a line for each session. */
int attach_list(void);

#endif
