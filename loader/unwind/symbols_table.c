/* SPDX-License-Identifier: GPL-2.0 */
/* The names of a file as the kernel half wants them: runtime/abi/names.h. */
#include "unwind/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "shared/memory.h"
#include "unwind/symbols_private.h"

/* A table that is being made. */
struct making {
	const struct symbols *symbols;
	uint64_t base;
	struct prt_name_row *rows;
	size_t nrows;
	char *text;
	size_t text_size, text_room;
	const char *last_name;       /* of the last row that has one */
	uint32_t last_at;            /* its offset */
};

static int by_address(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

static size_t put_edges(const struct ordered_symbols *o, uint64_t *to)
{
	for (size_t i = 0; i < o->n; i++) {
		*to++ = o->starts[i];
		*to++ = o->starts[i] + (o->sizes[i] & ~SYMBOL_NO_SIZE);
	}
	return 2 * o->n;
}

/* Where symbols begin and end, in order. */
static uint64_t *edges_of(const struct symbols *s, size_t *n)
{
	uint64_t *edges = memory_zeroed(2 * (s->ordered.n + s->imports.n) + 1, sizeof(*edges));

	*n = put_edges(&s->ordered, edges);
	*n += put_edges(&s->imports, edges + *n);
	qsort(edges, *n, sizeof(*edges), by_address);
	return edges;
}

static uint32_t put_name(struct making *m, const char *name)
{
	size_t size = strlen(name) + 1;

	if (m->last_name == name)
		return m->last_at;
	if (m->text_size + size > UINT32_MAX - 1)
		return PRT_NAME_NONE;
	if (m->text_size + size > m->text_room) {
		m->text_room = 2 * (m->text_room + size);
		m->text = memory_resized(m->text, m->text_room, 1);
	}
	memcpy(m->text + m->text_size, name, size);
	m->last_name = name;
	m->last_at = (uint32_t)m->text_size;
	m->text_size += size;
	return m->last_at;
}

static bool same_row(const struct prt_name_row *a, const struct prt_name_row *b)
{
	return a->name == b->name && (a->name == PRT_NAME_NONE || a->start == b->start);
}

/* The row from @edge on; addresses that are too far away have no names. */
static void put_row(struct making *m, uint64_t edge)
{
	struct prt_name_row row = { .from = (uint32_t)(edge - m->base), .name = PRT_NAME_NONE };
	struct symbol symbol;

	if (edge - m->base > UINT32_MAX)
		return;
	if (symbols_find(m->symbols, edge, &symbol) && symbol.start >= m->base) {
		row.name = put_name(m, symbol.name);
		row.start = (uint32_t)(symbol.start - m->base);
		row.size = (uint32_t)symbol.size;
	}
	if (m->nrows && m->rows[m->nrows - 1].from == row.from)
		m->nrows--;
	if (!m->nrows || !same_row(&m->rows[m->nrows - 1], &row))
		m->rows[m->nrows++] = row;
}

static struct prt_name_table *block_of(const struct making *m)
{
	size_t rows = m->nrows * sizeof(*m->rows);
	size_t size = sizeof(struct prt_name_table) + rows + m->text_size;
	struct prt_name_table *t = memory_zeroed(size, 1);

	*t = (struct prt_name_table){
		.magic = PRT_NAMES_MAGIC, .nrows = (uint32_t)m->nrows, .base = m->base,
		.text_size = m->text_size, .size = size,
	};
	if (rows)
		memcpy(t + 1, m->rows, rows);
	if (m->text_size)
		memcpy((char *)(t + 1) + rows, m->text, m->text_size);
	return t;
}

struct prt_name_table *symbols_table(const struct symbols *s)
{
	struct making m = { .symbols = s };
	struct prt_name_table *t;
	struct symbol none;
	uint64_t *edges;
	size_t n;

	/* The symbols are read at the first question. */
	symbols_find(s, 0, &none);
	edges = edges_of(s, &n);
	if (n)
		m.base = edges[0];
	m.rows = memory_zeroed(n + 1, sizeof(*m.rows));
	for (size_t i = 0; i < n; i++)
		if (!i || edges[i] != edges[i - 1])
			put_row(&m, edges[i]);
	t = block_of(&m);
	free(edges);
	free(m.rows);
	free(m.text);
	return t;
}
