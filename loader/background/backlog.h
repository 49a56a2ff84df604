/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The backlog of a background session: its last lines of output, as a ring of records in memory. A
 * new line overwrites the oldest one, and the overwritten lines are counted. Any number of readers
 * go through the ring, each at its own pace. A record is struct backlog_head and its bytes, in
 * memory as well as on a socket.
 */
#ifndef LOADER_BACKLOG_H
#define LOADER_BACKLOG_H

#include <stddef.h>
#include <stdint.h>

enum backlog_kind {
	BACKLOG_OUT = 1, /* output of the script */
	BACKLOG_MESSAGE, /* text for standard error */
	BACKLOG_END,     /* on a socket only: the session is over, its status as an int32_t */
	BACKLOG_SNAPSHOT, /* on a socket only: a part of a text of metrics; an empty one ends it */
	BACKLOG_ABOUT,   /* on a socket only: a line of --list */
	BACKLOG_OFFER,  /* on a socket only: what is there for --monitor: rendezvous.h */
};

enum { BACKLOG_RECORD_MAX = 8 << 10 }; /* bytes of a record with its head */

struct backlog_head {
	uint32_t kind; /* enum backlog_kind */
	uint32_t len;  /* bytes that follow */
};

struct backlog {
	char *buf;
	size_t size;
	uint64_t first, end; /* the records, in bytes since the start of the session */
	uint64_t overwritten; /* lines */
};

/* A zeroed reader starts at the oldest line and gets the number of lines lost before it. */
struct backlog_reader {
	uint64_t at, line;
};

/** backlog_init - allocate @bytes, enough for at least one record. */
void backlog_init(struct backlog *k, size_t bytes);
/** backlog_deinit - free; accepts a backlog that is all zero. */
void backlog_deinit(struct backlog *k);
/** backlog_add - append text of @kind: one record for each line, several for a long line. */
void backlog_add(struct backlog *k, enum backlog_kind kind, const char *text, size_t len);
/** backlog_take - copy as many whole records as fit into @size bytes (at least BACKLOG_RECORD_MAX),
 *  and advance @r past them. @missed: lines that were overwritten before @r reached them. Returns
 *  the number of bytes copied. */
size_t backlog_take(const struct backlog *k, struct backlog_reader *r, char *buf, size_t size,
		    uint64_t *missed);

#endif
