/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The index of functions and inlined copies by name, made from a scan of all debug information of
 * an object. The index of a kernel is made by its first scan and cached (cached.h):
 *
 *   struct index_head
 *   uint32_t     dies[nfound]     in the order of the scan
 *   uint32_t     by_name[nfound]  numbers in it * 4 + enum dwarf_found_kind, those of a name
 *                                 together and ascending
 *   struct index_name  names[nnames]    ascending; and one more, where by_name ends
 *   char         text[]           the names, each with its NUL
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "shared/buf.h"
#include "shared/memory.h"
#include "shared/search.h"
#include "target/dwarf/cached.h"
#include "target/dwarf/private.h"
#include "target/object/demangle.h"

struct index_head {
	uint32_t nfound, nnames;
	uint64_t text_size;
};

struct index_name { uint32_t text, first; }; /* first: index in by_name */

struct dwarf_index {
	struct dwarf_cached cached;
	const struct index_head *head; /* NULL: it could not be made */
	const uint32_t *dies, *by_name;
	const struct index_name *names;
	const char *text;
};

/* ---- making ---- */

/* A name and its number, while the index is made. */
struct collected_name { const char *name; uint32_t nr, n; };

struct indexed_entry {
	uint32_t die, name_kind; /* collected_name.nr * 4 + enum dwarf_found_kind */
};

struct maker {
	struct arena *arena;
	struct map by_name;
	VEC(struct collected_name *) names;
	VEC(struct indexed_entry) of;
	bool failed;             /* it exceeds the range of its numbers */
};

static void add_found(void *data, const struct dwarf_found *one)
{
	const uint32_t most = UINT32_MAX / 4 - 1;
	struct maker *m = data;
	struct collected_name *h = map_get(&m->by_name, one->name);

	if (!h) {
		h = NEW(m->arena, struct collected_name);
		h->name = one->name;
		h->nr = (uint32_t)m->names.n;
		map_set(&m->by_name, h->name, h);
		vec_push(m->arena, &m->names, h);
	}
	h->n++;
	m->failed |= one->die > UINT32_MAX || m->of.n >= most || h->nr >= most;

	struct indexed_entry e = { (uint32_t)one->die, h->nr * 4 + one->kind };

	vec_push(m->arena, &m->of, e);
}

static int by_text(const void *a, const void *b)
{
	const struct collected_name *const *one = a, *const *other = b;

	return strcmp((*one)->name, (*other)->name);
}

/* Writes the names in order. @next[collected_name.nr] becomes the index of the name's first entry
 * in by_name. */
static void put_names(struct maker *m, struct index_name *names, uint32_t *next, struct buf *text)
{
	uint32_t first = 0;

	if (m->names.n)
		qsort(m->names.v, m->names.n, sizeof(*m->names.v), by_text);
	for (size_t i = 0; i < m->names.n; i++) {
		struct collected_name *h = m->names.v[i];

		names[i] = (struct index_name){ (uint32_t)text->len, first };
		next[h->nr] = first;
		first += h->n;
		buf_write(text, h->name, strlen(h->name) + 1);
	}
	names[m->names.n] = (struct index_name){ (uint32_t)text->len, first };
}

static void write_all(struct maker *m, struct buf *ret)
{
	size_t nnames = m->names.n, nfound = m->of.n;
	struct index_name *names = arena_alloc(m->arena, (nnames + 1) * sizeof(*names));
	uint32_t *next = arena_alloc(m->arena, (nnames + 1) * sizeof(*next));
	uint32_t *dies = arena_alloc(m->arena, (nfound + 1) * sizeof(*dies));
	uint32_t *by_name = arena_alloc(m->arena, (nfound + 1) * sizeof(*by_name));
	struct buf text;

	buf_init(&text);
	put_names(m, names, next, &text);
	for (uint32_t i = 0; i < nfound; i++) {
		struct indexed_entry e = m->of.v[i];

		dies[i] = e.die;
		by_name[next[e.name_kind / 4]++] = i * 4 + e.name_kind % 4;
	}

	struct index_head head = { (uint32_t)nfound, (uint32_t)nnames, text.len };

	buf_write(ret, &head, sizeof(head));
	buf_write(ret, dies, nfound * sizeof(*dies));
	buf_write(ret, by_name, nfound * sizeof(*by_name));
	buf_write(ret, names, (nnames + 1) * sizeof(*names));
	buf_write(ret, text.s, text.len);
	buf_deinit(&text);
}

static bool make(struct dwarf_db *db, struct buf *ret)
{
	struct arena *arena = arena_create();
	struct maker m = { .arena = arena };

	map_init(&m.by_name, arena);
	/* Half an index would stay when the debug information is mended. */
	m.failed |= !dwarf_scan(db, NULL, add_found, &m);
	if (!m.failed)
		write_all(&m, ret);
	arena_destroy(arena);
	return !m.failed;
}

/* ---- opening ---- */

/* Returns false if the bytes are invalid. */
static bool find_parts(void *index)
{
	struct dwarf_index *x = index;
	const struct index_head *h = (const struct index_head *)x->cached.bytes;
	size_t size = x->cached.size;

	if (size < sizeof(*h) || h->text_size > size)
		return false;
	x->dies = (const uint32_t *)(h + 1);
	x->by_name = x->dies + h->nfound;
	x->names = (const struct index_name *)(x->by_name + h->nfound);
	x->text = (const char *)(x->names + h->nnames + 1);
	if (sizeof(*h) + (uint64_t)h->nfound * (sizeof(*x->dies) + sizeof(*x->by_name)) +
		    ((uint64_t)h->nnames + 1) * sizeof(*x->names) + h->text_size != size ||
	    (h->text_size && x->text[h->text_size - 1] != '\0'))
		return false;
	x->head = h;
	return true;
}

static const struct dwarf_cached_kind kind = {
	"dwarf-functions", "probec-index 5", NULL, make, find_parts,
};

/* Returns NULL if it can't be made. */
static const struct dwarf_index *index_of(struct dwarf_db *db)
{
	if (!db->index) {
		db->index = NEW(db->arena, struct dwarf_index);
		dwarf_cached_open(db, &kind, dwarf_db_bytes(db, ".debug_info").size, db->index);
	}
	return db->index->head ? db->index : NULL;
}

void dwarf_index_close(struct dwarf_db *db)
{
	if (db->index)
		dwarf_cached_close(&db->index->cached);
	db->index = NULL;
}

/* ---- asking ---- */

static const char *text_of(const struct dwarf_index *x, const struct index_name *name)
{
	return name->text < x->head->text_size ? x->text + name->text : "";
}

static const struct index_name *find_index_name(const struct dwarf_index *x, const char *wanted)
{
	size_t i;

	search_first(i, x->head->nnames, strcmp(text_of(x, &x->names[i]), wanted) < 0);
	return i < x->head->nnames && strcmp(text_of(x, &x->names[i]), wanted) == 0 ?
	       &x->names[i] : NULL;
}

/* The end of a name's entries in by_name. */
static uint32_t end_of(const struct dwarf_index *x, const struct index_name *name)
{
	return name[1].first < x->head->nfound ? name[1].first : x->head->nfound;
}

static void report(const struct dwarf_index *x, uint32_t nr_kind, const char *name,
		 void (*visit)(void *data, const struct dwarf_found *found), void *data)
{
	if (nr_kind / 4 >= x->head->nfound)
		return;

	struct dwarf_found one = { x->dies[nr_kind / 4], name, nr_kind % 4 };

	visit(data, &one);
}

/* Reports the matches in the order of the scan. */
static void report_matching(const struct dwarf_index *x, const struct demangle_pattern *pattern,
			  void (*visit)(void *data, const struct dwarf_found *found), void *data)
{
	/* For each number: name * 4 + kind + 1, or 0 if it is not wanted. */
	uint32_t nfound = x->head->nfound;
	uint32_t *wanted = memory_zeroed((size_t)nfound + 1, sizeof(*wanted));

	for (uint32_t n = 0; n < x->head->nnames; n++) {
		const struct index_name *name = &x->names[n];

		if (!demangle_matches(pattern, text_of(x, name)))
			continue;
		for (uint32_t i = name->first; i < end_of(x, name); i++) {
			if (x->by_name[i] / 4 < nfound)
				wanted[x->by_name[i] / 4] = n * 4 + x->by_name[i] % 4 + 1;
		}
	}
	for (uint32_t i = 0; i < nfound; i++) {
		if (wanted[i])
			report(x, i * 4 + (wanted[i] - 1) % 4,
			     text_of(x, &x->names[(wanted[i] - 1) / 4]), visit, data);
	}
	free(wanted);
}

bool dwarf_index_each(struct dwarf_db *db, const struct demangle_pattern *pattern,
		      void (*visit)(void *data, const struct dwarf_found *found), void *data)
{
	const struct dwarf_index *x = index_of(db);
	const struct index_name *name;

	if (!x)
		return false;
	if (!pattern->plain || pattern->is_glob) {
		report_matching(x, pattern, visit, data);
		return true;
	}
	name = find_index_name(x, pattern->text);
	for (uint32_t i = name ? name->first : 0; name && i < end_of(x, name); i++)
		report(x, x->by_name[i], pattern->text, visit, data);
	return true;
}
