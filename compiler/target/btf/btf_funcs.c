/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions by name. BTF is not sorted by name, and a linear search takes a fifth of a millisecond,
 * too long for a wildcard that matches thousands of functions. So the first lookup sorts all FUNC
 * records, and caches the order.
 *
 * Equal prototypes of one name are returned once.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "shared/memory.h"
#include "shared/search.h"
#include "target/btf/btf_private.h"

/* The cached form. */
struct btf_funcs {
	struct sums { uint64_t sum, of_sums; } sums; /* sums_of() the bytes that follow */
	uint32_t n;
	uint32_t knows_namesakes; /* two functions have one name */
	uint32_t id[];            /* by name, then by id */
};

struct proto_set {
	VEC(struct btf_func) funcs;
};

/* ---- order ---- */

static const char *name_of(const struct btf_db *db, uint32_t id)
{
	return btf_private_name(db, btf_private_type(db, id)->name_off);
}

/* The sort key of a function: its first bytes decide most comparisons without reading the name. */
struct ordered {
	uint64_t start; /* the first bytes of the name, the first of them as the highest byte */
	const char *name;
	uint32_t id;
};

static uint64_t start_of(const char *name)
{
	uint64_t start = 0;

	for (size_t i = 0; i < sizeof(start); i++)
		start = start << 8 | (*name ? (unsigned char)*name++ : 0);
	return start;
}

static int compare(const void *a, const void *b)
{
	const struct ordered *one = a, *other = b;
	int cmp = (one->start > other->start) - (one->start < other->start);

	if (!cmp)
		cmp = strcmp(one->name, other->name);
	return cmp ? cmp : (one->id > other->id) - (one->id < other->id);
}

/* The first sum detects damage within one word, the second one words that changed places. */
static struct sums sums_of(const struct btf_funcs *f)
{
	struct sums ret = { (uint64_t)f->n << 32 | f->knows_namesakes, 0 };

	for (uint32_t i = 0; i < f->n; i++) {
		ret.sum += f->id[i];
		ret.of_sums += ret.sum;
	}
	return ret;
}

static bool is_whole(const struct btf_funcs *f)
{
	struct sums now = sums_of(f);

	return now.sum == f->sums.sum && now.of_sums == f->sums.of_sums;
}

static size_t size_of(size_t n)
{
	return sizeof(struct btf_funcs) + n * sizeof(uint32_t);
}

static struct btf_funcs *put_in_order(struct arena *a, const struct ordered *funcs, size_t n)
{
	struct btf_funcs *ret = arena_alloc(a, size_of(n));

	ret->n = (uint32_t)n;
	for (size_t i = 0; i < n; i++) {
		ret->id[i] = funcs[i].id;
		ret->knows_namesakes |= i && strcmp(funcs[i - 1].name, funcs[i].name) == 0;
	}
	ret->sums = sums_of(ret);
	return ret;
}

static const struct btf_funcs *make(struct btf_db *db)
{
	uint32_t ntypes = db->end;
	struct ordered *funcs = memory_zeroed(ntypes - db->first + 1, sizeof(*funcs));
	size_t n = 0;

	for (uint32_t id = db->first; id < ntypes; id++) {
		const struct btf_type *t = btf_private_type(db, id);
		const char *name = btf_private_name(db, t->name_off);

		if (btf_is_func(t))
			funcs[n++] = (struct ordered){ start_of(name), name, id };
	}
	qsort(funcs, n, sizeof(*funcs), compare);

	const struct btf_funcs *ret = put_in_order(db->arena, funcs, n);

	free(funcs);
	cache_file_write(db->arena, &db->kept, ret, size_of(n));
	return ret;
}

/* Returns NULL if there is none, or if it is damaged. */
static const struct btf_funcs *find_kept(struct btf_db *db)
{
	if (!cache_file_open(db->arena, &db->kept, &db->file))
		return NULL;

	const struct btf_funcs *f = (const struct btf_funcs *)(const void *)db->file.data;

	if (db->file.size >= sizeof(*f) && db->file.size == size_of(f->n) && is_whole(f))
		return f;
	cache_file_close(&db->file);
	return NULL;
}

static const struct btf_funcs *funcs_of(struct btf_db *db)
{
	if (!db->funcs)
		db->funcs = find_kept(db);
	if (!db->funcs)
		db->funcs = make(db);
	return db->funcs;
}

/* The number of the first function whose name is not less than the @len bytes at @name. */
static uint32_t first_from(struct btf_db *db, const char *name, size_t len)
{
	const struct btf_funcs *f = funcs_of(db);
	size_t i;

	search_first(i, f->n, strncmp(name_of(db, f->id[i]), name, len) < 0);
	return (uint32_t)i;
}

void btf_funcs_close(struct btf_db *db)
{
	cache_file_close(&db->file);
	db->funcs = NULL;
}

/* ---- interface ---- */

void btf_db_set_cache(struct btf_db *db, const struct cache_file *at)
{
	db->kept = *at;
}

static void add_proto(struct btf_db *db, struct proto_set *set, const char *name, uint32_t proto)
{
	const struct btf_type *t = btf_private_type(db, proto);

	if (!btf_is_func_proto(t))
		return;

	struct btf_func func = { .db = db, .name = name, .proto = proto };

	vec_each(f, &set->funcs) {
		if (btf_func_same(f, &func))
			return;
	}
	vec_push(db->arena, &set->funcs, func);
}

size_t btf_db_funcs(struct btf_db *db, const char *name, const struct btf_func **ret)
{
	const struct btf_funcs *all = funcs_of(db);
	struct proto_set *set = map_get(db->protos, name);

	if (!set) {
		set = NEW(db->arena, struct proto_set);
		name = arena_strdup(db->arena, name);

		uint32_t i = first_from(db, name, strlen(name) + 1);

		for (; i < all->n && strcmp(name_of(db, all->id[i]), name) == 0; i++)
			add_proto(db, set, name, btf_private_type(db, all->id[i])->type);
		vec_each(f, &set->funcs)
			f->of = (uint16_t)set->funcs.n;
		map_set(db->protos, name, set);
	}
	*ret = set->funcs.v;
	return set->funcs.n;
}

bool btf_db_knows_namesakes(struct btf_db *db)
{
	return funcs_of(db)->knows_namesakes;
}

size_t btf_db_func_names(struct btf_db *db, struct arena *a, const char *pattern,
			 const char *const **ret)
{
	const struct btf_funcs *f = funcs_of(db);
	size_t fixed = strcspn(pattern, "*?[\\");
	VEC(const char *) found = {0};

	for (uint32_t i = first_from(db, pattern, fixed); i < f->n; i++) {
		const char *name = name_of(db, f->id[i]);

		if (strncmp(name, pattern, fixed) != 0)
			break;
		if (fnmatch(pattern, name, 0) == 0 &&
		    (!found.n || strcmp(found.v[found.n - 1], name) != 0))
			vec_push(a, &found, name);
	}
	*ret = found.v;
	return found.n;
}
