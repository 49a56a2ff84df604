/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How clients find background sessions: each session has a socket NAME.sock in a directory that
 * only root can enter. A socket without a listener was left by a session that was killed.
 *
 * A client sends one byte, enum rendezvous_request, and gets records in the format of backlog.h.
 *
 * A client that shows the session on the whole screen first gets a BACKLOG_OFFER, and another one
 * after each change: a letter that says whether the session has values to show; then, if the module
 * has switches, a letter for each probe (monitor/view.h). After the first one, the client may send
 * struct rendezvous_order; a session that makes no offer was started by an older proberun, which
 * would close the connection.
 */
#ifndef LOADER_RENDEZVOUS_H
#define LOADER_RENDEZVOUS_H

#include <stddef.h>
#include <stdint.h>

enum rendezvous_request {
	RENDEZVOUS_ATTACH = 'a', /* the backlog, then new output, then BACKLOG_END */
	RENDEZVOUS_MONITOR = 'm', /* the same, with snapshots of the globals between the lines */
	RENDEZVOUS_STOP = 's',   /* the same, and the session ends */
	RENDEZVOUS_ABOUT = 'l',  /* one BACKLOG_ABOUT */
	RENDEZVOUS_SNAPSHOT = 'f', /* the same, and the flight recorder takes a snapshot; or a
				    * BACKLOG_MESSAGE, which says why it does not: "has ended" */
};

enum rendezvous_order_kind {
	RENDEZVOUS_ON = 1, RENDEZVOUS_OFF, /* value: the number of a probe */
	RENDEZVOUS_INTERVAL,     /* value: ms from one snapshot to the next: shared/word.h */
};

struct rendezvous_order {
	uint32_t kind;           /* enum rendezvous_order_kind */
	uint32_t value;
};

/** rendezvous_listen - take the name @name. Returns the listening socket, -EEXIST if another
 * session has the name, or -errno. */
int rendezvous_listen(const char *name);
/** rendezvous_forget - remove this session's socket, @name. */
void rendezvous_forget(const char *name);
/** rendezvous_connect - connect to the session @name. Returns a socket, -ENOENT if there is no such
 * session, or -errno. */
int rendezvous_connect(const char *name);
/** rendezvous_each - call @see with the name of each socket, sorted. Returns 0 or -errno. */
int rendezvous_each(void (*see)(const char *name, void *arg), void *arg);

#endif
