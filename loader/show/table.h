/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables that the loader orders. Between the edges of a table, the records of its hit are
 * collected. Then the rows are sorted by a column, as many as the limit allows are shown, and rows
 * of a global whose stacks differ only in addresses within functions are one row: see join.h.
 */
#ifndef LOADER_TABLE_H
#define LOADER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/buf.h"

struct meta_print;
struct show;

struct table_record {
	const struct meta_print *p;
	size_t at, len; /* its arguments in table.bytes */
};

/* One that is all zero collects nothing. */
struct held_table {
	bool open;
	int64_t limit;  /* rows to show; negative: all */
	int cpu;        /* of its hit, and the hit's probe */
	unsigned probe;
	struct buf bytes;
	struct table_record *records;
	size_t n, capacity;
};

/** table_takes - take the record if it is an edge or belongs to the table; the second edge shows
 * the table. Returns false if it is to be shown as it is. @ok: whether the arguments fitted. */
bool table_takes(struct show *s, const struct meta_print *p, const void *args, size_t len,
		 bool *ok);
/** table_end - show the table whose second edge did not come, because its hit ended early. */
void table_end(struct show *s);
void table_deinit(struct held_table *t);

#endif
