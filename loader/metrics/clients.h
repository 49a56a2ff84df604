/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clients of the HTTP server, and which of them are disconnected. Only the server's thread
 * calls this.
 *
 * Nobody can be kept from connecting: on the loopback interface every user of the machine can, and
 * clients that say nothing look like those that are about to. So a new client always finds room,
 * and it is an earlier one that has to go: the one that has been at it for longest among those of
 * the peer with the most clients. A peer is an address, and on this machine a user as well, so
 * whoever opens many connections loses their own.
 */
#ifndef LOADER_METRICS_CLIENTS_H
#define LOADER_METRICS_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum {
	CLIENTS_KEPT = 64, /* of more, one is disconnected for each that comes */
	CLIENTS_MAX = 128, /* with those that are disconnected but not gone */
};

/* The other end of a connection. */
struct peer {
	uint8_t address[16]; /* of IPv6, or of IPv4 mapped into it */
	uint32_t uid;        /* of this machine; UINT32_MAX: not known, or of another machine */
};

struct http_client {
	int fd;
	struct peer peer;
	int64_t since;   /* monotonic ns: connected, answered, or began to be answered */
	bool leaving;    /* has been disconnected, and is not counted any more */
	bool waits;      /* for the text that `number` stands for */
	bool answered;   /* an answer is being sent */
	uint64_t number;
	void *handle;    /* the server's */
};

struct clients {
	struct http_client *v[CLIENTS_MAX];
	size_t n;
};

/** peer_find - find the other end of the TCP connection @fd. The kernel is asked for the user by
 * @diag, a socket of NETLINK_SOCK_DIAG, or -1. */
struct peer peer_find(int fd, int diag);
/** peer_diag - open such a socket; -1: this kernel has none, and users are not known. */
int peer_diag(void);

/** clients_add - a client that connected at @now, or NULL: there are CLIENTS_MAX. */
struct http_client *clients_add(struct clients *c, int fd, struct peer peer, int64_t now);
/** clients_remove - forget and free one that is gone. */
void clients_remove(struct clients *c, struct http_client *it);
/** clients_excess - the client that has to make room, or NULL: there are CLIENTS_KEPT at most. */
struct http_client *clients_excess(const struct clients *c);
/** clients_overdue - one that is not leaving and is where it is for @ns or longer, or NULL. */
struct http_client *clients_overdue(const struct clients *c, int64_t now, int64_t ns);
/** clients_oldest - when the next one can be overdue: `since` of the oldest, or INT64_MAX. */
int64_t clients_oldest(const struct clients *c);

#endif
