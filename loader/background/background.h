/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session in the background. The process that was started forks a process for the session and
 * waits until the probes are armed. From then on, the session's process has no terminal, collects
 * its output in the backlog, and serves clients. If it can't report its name, the session ends.
 */
#ifndef LOADER_BACKGROUND_H
#define LOADER_BACKGROUND_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "background/backlog.h"
#include "background/rendezvous.h"
#include "shared/buf.h"

enum {
	BACKGROUND_CLIENTS = 8,
	BACKGROUND_FDS = BACKGROUND_CLIENTS + 1,
	BACKGROUND_BUFFER = 1 << 16, /* bytes */
	BACKGROUND_OFFER_MAX = 4096, /* bytes */
};
_Static_assert(BACKGROUND_OFFER_MAX + sizeof(struct backlog_head) <= BACKLOG_RECORD_MAX,
	       "an offer is one record");

/** background_obey_fn - switches a probe off or on, as a client asks. */
typedef void background_obey_fn(void *arg, uint32_t probe, bool off);

struct background_client {
	int fd;      /* -1: none */
	int request; /* enum rendezvous_request; 0: not received yet */
	bool is_last; /* the buffer holds the end of the session */
	struct backlog_reader reader;
	char *buf; /* BACKGROUND_BUFFER bytes: what is to be sent */
	size_t len, sent;
	/* With RENDEZVOUS_MONITOR: */
	struct buf snapshot; /* the one that is being sent */
	size_t snapshot_at;
	bool has_snapshot;
	bool awaits;         /* it gets the next one */
	uint32_t interval_ms;
	int64_t due;         /* ns: when it wants the next one */
	uint64_t offer_seen; /* as background.offers */
	struct rendezvous_order order; /* what was received of it */
	size_t order_len;
};

struct background {
	int starter;        /* a pipe to the process that waits; -1: none */
	int listening;      /* -1: not listening */
	bool owned;          /* the session ends with the process that was started */
	bool detached;       /* detached from the terminal */
	bool stop_wanted;
	bool records;        /* it has a flight recorder */
	bool snapshot_wanted; /* of the flight recorder; whoever takes it clears this */
	bool over, was_seen; /* the session has ended; a client has read its whole output */
	int32_t status;     /* how it ended */
	const char *name, *output, *script; /* name: NULL without a socket; output: of -o or NULL */
	int64_t since;
	struct backlog backlog;
	struct buf offer; /* of BACKLOG_OFFER */
	uint64_t offers; /* how often it was set */
	background_obey_fn *obey; /* NULL: nobody follows orders */
	void *obey_arg;
	struct background_client clients[BACKGROUND_CLIENTS];
};

/** background_fork - fork the session's process, with @keep_mb MB for its backlog. Signals are
 *  being counted already. 0: in the session's process; 1: in the process that was started, after
 *  everything is over: it has to exit with @status; -1: failed, and reported. @monitor_ms: not 0:
 *  that process shows the session on the whole screen, with so many ms between two snapshots, and
 *  the session ends with it. */
int background_fork(struct background *b, unsigned keep_mb, unsigned monitor_ms, int *status);
/** background_publish - make the session available as @name. The caller still owns the strings;
 * @output is the file of -o or NULL. 0, or -1: reported. */
int background_publish(struct background *b, const char *name, const char *output,
		       const char *script);
/** background_write - for output_to(): append text of the script to the backlog. */
int background_write(void *background, const char *text, size_t len);
/** background_ready - the probes are armed: detach from the terminal and report the name to the
 * process that waits. 0, or -1: that process is gone. */
int background_ready(struct background *b);
/** background_fds - fill in the BACKGROUND_FDS entries that poll() must wait for. */
void background_fds(const struct background *b, struct pollfd *fds);
/** background_serve - accept clients and send them as much as they can take, without waiting. */
void background_serve(struct background *b);
/** background_wants_snapshot - whether a client that shows the globals is to get another snapshot
 * at @now: ns of the monotonic clock. Such a client counts once. */
bool background_wants_snapshot(struct background *b, int64_t now);
/** background_offer - set the content of BACKLOG_OFFER, which is copied; the first
 * BACKGROUND_OFFER_MAX bytes of it. */
void background_offer(struct background *b, const char *text, size_t len);
/** background_obey - have background_serve() call @obey with @arg for clients that switch a probe;
 * NULL: their orders are ignored. */
void background_obey(struct background *b, background_obey_fn *obey, void *arg);
/** background_snapshot - send a text of metrics to these clients. */
void background_snapshot(struct background *b, const struct buf *text);
/** background_end - end the session with @status after its last message: send the rest to the
 * clients, or wait for a client that wants it. A signal ends the wait. */
void background_end(struct background *b, int status);

#endif
