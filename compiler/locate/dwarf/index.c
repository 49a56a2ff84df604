/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a scan of all of an object's debug information finds, by name. A kernel's is made by its
 * first scan and kept in the cache, where it is mapped.
 *
 *   struct head
 *   struct entry  of[nfound]      in the order of the scan
 *   uint32_t      by_name[nfound] numbers of entries, those of a name together and ascending
 *   struct name   names[nnames]   ascending
 *   char          text[]          the names, each with its NUL
 *
 * It belongs to debug information of one size of one build, which its sum covers as well as all its
 * bytes: what does not fit, or is damaged, is made again.
 */
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map.h"
#include "locate/dwarf/bytes.h"
#include "locate/dwarf/dwarf_private.h"
#include "locate/kernel_private.h"
#include "session.h"

static const char magic[16] = "probec-index 2\n";

struct head {
	char magic[16];
	uint64_t sum;            /* sum_of() what follows */
	uint64_t info_size;      /* of .debug_info */
	uint32_t nfound, nnames;
	uint64_t text_size;
};

struct entry { uint32_t die, name_kind; }; /* number of the name * 4 + enum dwarf_found_kind */
struct name { uint32_t text, first, n; };  /* first, n: in by_name */

struct dwarf_index {
	const struct head *head;
	const struct entry *of;
	const uint32_t *by_name;
	const struct name *names;
	const char *text;
	size_t size;
	bool is_mapped;          /* else made, and the arena's */
};

/* The debug information that an index belongs to. */
struct owner {
	const char *build_id;    /* "" where it does not matter */
	uint64_t info_size;      /* bytes */
};

/* Of the build-id, and of what follows the sum in an index of @size bytes. Each step keeps apart what
 * differs before it, so damage within one word is always seen. Four lanes, because a step waits for
 * the one before it: 1 ms for a kernel. */
static uint64_t sum_of(const struct owner *owner, const char *index, size_t size)
{
	enum { LANES = 4, WORD = sizeof(uint64_t), START = offsetof(struct head, info_size) };
	const uint64_t factor = 0x9e3779b97f4a7c15ull;
	uint64_t lane[LANES] = {0}, sum = size, word;
	size_t at = START;
	for (const char *p = owner->build_id; *p; p++)
		sum = (sum ^ (unsigned char)*p) * factor;
	for (; size - at >= LANES * WORD; at += LANES * WORD) {
		for (size_t i = 0; i < LANES; i++) {
			memcpy(&word, index + at + i * WORD, WORD);
			word ^= lane[i];
			lane[i] = (word << 29 | word >> 35) * factor;
		}
	}
	for (; at < size; at++)
		sum = (sum ^ (unsigned char)index[at]) * factor;
	for (size_t i = 0; i < LANES; i++)
		sum = ((sum << 29 | sum >> 35) ^ lane[i]) * factor;
	return sum;
}

/* ---- making ---- */

/* A name while they are collected. */
struct heard { const char *name; uint32_t nr, n; };

struct maker {
	struct arena *arena;
	struct map by_name;
	VEC(struct heard *) names;
	VEC(struct entry) of;
	bool failed;             /* more than its numbers can say */
};

static void hear(void *data, const struct dwarf_found *one)
{
	struct maker *m = data;
	struct heard *h = map_get(&m->by_name, one->name);
	if (!h) {
		h = NEW(m->arena, struct heard);
		h->name = one->name;
		h->nr = (uint32_t)m->names.n;
		map_set(&m->by_name, h->name, h);
		vec_push(m->arena, &m->names, h);
	}
	h->n++;
	m->failed |= one->die > UINT32_MAX || m->of.n >= UINT32_MAX || h->nr >= UINT32_MAX / 4;
	struct entry e = { (uint32_t)one->die, h->nr * 4 + one->kind };
	vec_push(m->arena, &m->of, e);
}

static int by_text(const void *a, const void *b)
{
	return strcmp((*(struct heard *const *)a)->name, (*(struct heard *const *)b)->name);
}

/* In the order of their names from here on: new numbers, and where the entries of each begin. */
static void number(struct maker *m, struct name *names, struct buf *text)
{
	uint32_t *now = arena_alloc(m->arena, (m->names.n + 1) * sizeof(*now)), first = 0;
	qsort(m->names.v, m->names.n, sizeof(*m->names.v), by_text);
	for (uint32_t i = 0; i < m->names.n; i++) {
		struct heard *h = m->names.v[i];
		now[h->nr] = i;
		names[i] = (struct name){ (uint32_t)text->len, first, h->n };
		first += h->n;
		buf_write(text, h->name, strlen(h->name) + 1);
	}
	vec_each(e, &m->of)
		e->name_kind = now[e->name_kind / 4] * 4 + e->name_kind % 4;
}

static void write_all(struct maker *m, const struct owner *owner, struct buf *ret)
{
	size_t nnames = m->names.n, nfound = m->of.n;
	struct name *names = arena_alloc(m->arena, (nnames + 1) * sizeof(*names));
	uint32_t *next = arena_alloc(m->arena, (nnames + 1) * sizeof(*next));
	uint32_t *by_name = arena_alloc(m->arena, (nfound + 1) * sizeof(*by_name));
	struct head head = { .info_size = owner->info_size, .nfound = (uint32_t)nfound,
			     .nnames = (uint32_t)nnames };
	struct buf text;
	buf_init(&text);
	number(m, names, &text);
	for (size_t i = 0; i < nnames; i++)
		next[i] = names[i].first;
	for (uint32_t i = 0; i < nfound; i++)
		by_name[next[m->of.v[i].name_kind / 4]++] = i;
	memcpy(head.magic, magic, sizeof(magic));
	head.text_size = text.len;
	buf_write(ret, &head, sizeof(head));
	buf_write(ret, m->of.v, nfound * sizeof(*m->of.v));
	buf_write(ret, by_name, nfound * sizeof(*by_name));
	buf_write(ret, names, nnames * sizeof(*names));
	buf_write(ret, text.s, text.len);
	buf_deinit(&text);
	head.sum = sum_of(owner, ret->s, ret->len);
	memcpy(ret->s, &head, sizeof(head));
}

static bool make(struct dwarf_db *db, const struct owner *owner, struct buf *ret)
{
	struct arena *arena = arena_create();
	struct maker m = { .arena = arena };
	map_init(&m.by_name, arena);
	dwarf_scan(db, NULL, hear, &m);
	if (!m.failed)
		write_all(&m, owner, ret);
	arena_destroy(arena);
	return !m.failed;
}

/* ---- opening ---- */

/* False: these bytes are none of this debug information. */
static bool open_bytes(const void *data, size_t size, const struct owner *owner,
		       struct dwarf_index *ret)
{
	const struct head *h = data;
	if (size < sizeof(*h) || memcmp(h->magic, magic, sizeof(magic)) != 0 ||
	    h->sum != sum_of(owner, data, size) || h->info_size != owner->info_size ||
	    h->text_size > size)
		return false;
	ret->head = h;
	ret->of = (const struct entry *)(h + 1);
	ret->by_name = (const uint32_t *)(ret->of + h->nfound);
	ret->names = (const struct name *)(ret->by_name + h->nfound);
	ret->text = (const char *)(ret->names + h->nnames);
	ret->size = size;
	return sizeof(*h) + (uint64_t)h->nfound * (sizeof(*ret->of) + sizeof(*ret->by_name)) +
		       (uint64_t)h->nnames * sizeof(*ret->names) + h->text_size == size &&
	       (!h->text_size || ret->text[h->text_size - 1] == '\0');
}

static bool map_file(const char *path, const struct owner *owner, struct dwarf_index *ret)
{
	struct stat st;
	void *map = MAP_FAILED;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && st.st_size > 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return false;
	ret->is_mapped = open_bytes(map, (size_t)st.st_size, owner, ret);
	if (!ret->is_mapped)
		munmap(map, (size_t)st.st_size);
	return ret->is_mapped;
}

static void make_now(struct dwarf_db *db, const struct owner *owner, const char *dir,
		     const char *name, struct dwarf_index *ret)
{
	struct buf bytes;
	buf_init(&bytes);
	if (make(db, owner, &bytes)) {
		void *copy = arena_alloc(db->arena, bytes.len);
		memcpy(copy, bytes.s, bytes.len);
		open_bytes(copy, bytes.len, owner, ret);
		if (dir)
			kernel_write_file(db->arena, dir, name, &bytes);
	}
	buf_deinit(&bytes);
}

static void open_index(struct dwarf_db *db, struct dwarf_index *ret)
{
	struct session *s = db->s;
	/* A module's is made as fast as it is read. */
	const char *build_id = db->is_module ? NULL : kernel_build_id(s->kernel);
	const char *dir = NULL, *name = NULL;
	struct owner owner = { build_id ? build_id : "", dwarf_db_bytes(db, ".debug_info").size };
	if (s->cache_dir && build_id) {
		dir = arena_printf(s->arena, "%s/symbols", s->cache_dir);
		name = arena_printf(s->arena, "%s.index", build_id);
	}
	if (!dir || !map_file(arena_printf(s->arena, "%s/%s", dir, name), &owner, ret))
		make_now(db, &owner, dir, name, ret);
}

/* NULL: there can be none. */
static const struct dwarf_index *index_of(struct dwarf_db *db)
{
	if (!db->index) {
		db->index = NEW(db->arena, struct dwarf_index);
		open_index(db, db->index);
	}
	return db->index->head ? db->index : NULL;
}

void dwarf_index_close(struct dwarf_db *db)
{
	if (db->index && db->index->is_mapped)
		munmap((void *)db->index->head, db->index->size);
	db->index = NULL;
}

/* ---- asking ---- */

static const char *text_of(const struct dwarf_index *x, const struct name *name)
{
	return name->text < x->head->text_size ? x->text + name->text : "";
}

static const struct name *find(const struct dwarf_index *x, const char *wanted)
{
	size_t from = 0, to = x->head->nnames;
	while (from < to) {
		size_t mid = from + (to - from) / 2;
		int cmp = strcmp(text_of(x, &x->names[mid]), wanted);
		if (cmp == 0)
			return &x->names[mid];
		if (cmp < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return NULL;
}

static void tell(const struct dwarf_index *x, uint32_t nr, const char *name,
		 void (*see)(void *data, const struct dwarf_found *found), void *data)
{
	struct dwarf_found one = { x->of[nr].die, name, x->of[nr].name_kind % 4 };
	see(data, &one);
}

static void tell_matching(const struct dwarf_index *x, const char *pattern,
			  void (*see)(void *data, const struct dwarf_found *found), void *data)
{
	bool *wanted = calloc(x->head->nnames + 1, sizeof(*wanted));
	for (uint32_t i = 0; wanted && i < x->head->nnames; i++)
		wanted[i] = fnmatch(pattern, text_of(x, &x->names[i]), 0) == 0;
	for (uint32_t i = 0; wanted && i < x->head->nfound; i++) {
		uint32_t name = x->of[i].name_kind / 4;
		if (name < x->head->nnames && wanted[name])
			tell(x, i, text_of(x, &x->names[name]), see, data);
	}
	free(wanted);
}

bool dwarf_index_each(struct dwarf_db *db, const char *pattern,
		      void (*see)(void *data, const struct dwarf_found *found), void *data)
{
	const struct dwarf_index *x = index_of(db);
	const struct name *name;
	if (!x)
		return false;
	if (strpbrk(pattern, "*?[")) {
		tell_matching(x, pattern, see, data);
		return true;
	}
	name = find(x, pattern);
	for (uint64_t i = 0; name && i < name->n && name->first + i < x->head->nfound; i++) {
		uint32_t nr = x->by_name[name->first + i];
		if (nr < x->head->nfound)
			tell(x, nr, pattern, see, data);
	}
	return true;
}
