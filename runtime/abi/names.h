/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of a file's functions and variables, for scripts that name addresses of processes. The
 * loader makes a table of the symbols of each file (loader/unwind/symbols_table.c).
 *
 * A table is one block of memory without pointers:
 *
 *   struct prt_name_table  the header
 *   struct prt_name_row rows[nrows]
 *   char text[text_size]   names, each with a NUL after it
 *
 * Rows are in the order of their addresses. Each holds up to the next one, so that a symbol inside
 * of another one has two neighbours with the other's name. The last one holds for all that follows.
 */
#ifndef PRT_NAMES_H
#define PRT_NAMES_H

#ifdef __KERNEL__
#include <linux/stddef.h>
#else
#include <stddef.h>
#endif

#include "records.h"

#define PRT_NAMES_MAGIC 0x316d616eu /* "nam1" */

#define PRT_NAME_NONE (~0u)

struct prt_name_row {
	prt_u32 from;         /* distance from `base` */
	prt_u32 start;        /* the same, of the symbol; it may be below `from` */
	prt_u32 size;         /* bytes of the symbol; 0: not known */
	prt_u32 name;         /* offset in the text; PRT_NAME_NONE: no symbol is here */
};

struct prt_name_table {
	prt_u32 magic, nrows;
	prt_u64 base;         /* an address, as in the file's program headers */
	prt_u64 text_size;
	prt_u64 size;         /* bytes of the whole block */
};

static inline const struct prt_name_row *prt_name_rows(const struct prt_name_table *t)
{
	return (const struct prt_name_row *)(t + 1);
}

static inline const char *prt_name_text(const struct prt_name_table *t)
{
	return (const char *)(prt_name_rows(t) + t->nrows);
}

/** prt_name_find - the row of @address, one of the file; NULL: no symbol is there. Any context;
 *  bounded. @t has been checked. */
static inline const struct prt_name_row *prt_name_find(const struct prt_name_table *t,
						       prt_u64 address)
{
	const struct prt_name_row *rows = prt_name_rows(t);
	prt_u32 low = 0, high = t->nrows;

	if (address < t->base || address - t->base > ~0u)
		return NULL;
	address -= t->base;
	while (low < high) {
		prt_u32 mid = low + (high - low) / 2;

		if (rows[mid].from <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low && rows[low - 1].name != PRT_NAME_NONE ? &rows[low - 1] : NULL;
}

/** prt_name_ok - whether the @size bytes at @t, aligned to 8, are a table that a look-up can't
 *  leave. Any context. */
static inline bool prt_name_ok(const struct prt_name_table *t, prt_u64 size)
{
	const struct prt_name_row *rows;
	prt_u64 left = size - sizeof(*t);
	prt_u32 i;

	if (size < sizeof(*t) || t->magic != PRT_NAMES_MAGIC || t->size != size ||
	    t->nrows > left / sizeof(*rows) ||
	    t->text_size != left - t->nrows * (prt_u64)sizeof(*rows) ||
	    (t->text_size && prt_name_text(t)[t->text_size - 1]))
		return false;
	rows = prt_name_rows(t);
	for (i = 0; i < t->nrows; i++)
		if ((rows[i].name != PRT_NAME_NONE && rows[i].name >= t->text_size) ||
		    (i && rows[i].from < rows[i - 1].from))
			return false;
	return true;
}

#endif
