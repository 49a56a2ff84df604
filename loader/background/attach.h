/* SPDX-License-Identifier: GPL-2.0 */
/* The client side of a background session. Each function reports its errors and returns the exit
 * status. */
#ifndef LOADER_ATTACH_H
#define LOADER_ATTACH_H

enum attach_way {
	ATTACH_SHOW,
	ATTACH_STOP,    /* end the session first */
	ATTACH_MONITOR, /* on the whole screen */
	ATTACH_OWN,     /* likewise, and the session ends when the user leaves */
};

/** attach_follow - show the backlog of the session @name and its new output, until the session ends
 * (returns its status) or a signal comes (returns 0, and the session continues). Signals must be
 * counted already. @monitor_ms: on the whole screen, from one snapshot to the next. */
int attach_follow(const char *name, enum attach_way way, unsigned monitor_ms);
/** attach_snapshot - have the flight recorder of the session @name take a snapshot, without waiting
 * for it. */
int attach_snapshot(const char *name);
/** attach_list - print a line for each session. */
int attach_list(void);

#endif
