/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last lines of a session in the background: a ring of records in memory that forgets the
 * oldest line when a new one needs its place, and counts what it forgot. Any number of readers go
 * through it, each at its own pace. A record is struct keep_head and its bytes; that is also how it
 * goes over a socket.
 */
#ifndef LOADER_KEEP_H
#define LOADER_KEEP_H

#include <stddef.h>
#include <stdint.h>

enum keep_kind {
	KEEP_OUT = 1, /* what the script printed */
	KEEP_MESSAGE, /* what goes to standard error */
	KEEP_END,     /* on a socket only: the session is over, its status as an int32_t */
	KEEP_ABOUT,   /* on a socket only: a line of --list */
};

enum { KEEP_RECORD_MAX = 8 << 10 }; /* bytes of a record with its head */

struct keep_head {
	uint32_t kind; /* enum keep_kind */
	uint32_t len;  /* bytes that follow */
};

struct keep {
	char *buf;
	size_t size;
	uint64_t first, end; /* where the records begin and end, counted from the first byte ever */
	uint64_t forgotten;  /* lines that are no more there */
};

/* All zero begins with the oldest line, and tells what was forgotten before it. */
struct keep_reader {
	uint64_t at, line;
};

/** keep_init - room for @bytes, at least one record's. */
void keep_init(struct keep *k, size_t bytes);
/** keep_deinit - accepts one that is all zero. */
void keep_deinit(struct keep *k);
/** keep_add - append text of @kind: a record a line, a long line in several. */
void keep_add(struct keep *k, enum keep_kind kind, const char *text, size_t len);
/** keep_take - copy whole records, as many as fit into @size (at least KEEP_RECORD_MAX), and move
 * on; @missed: lines that were forgotten before this reader came to them. Returns the bytes. */
size_t keep_take(const struct keep *k, struct keep_reader *r, char *buf, size_t size,
		 uint64_t *missed);

#endif
