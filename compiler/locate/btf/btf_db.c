/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opening BTF, and functions by name. libbpf's own search by name is linear (a fifth of a
 * millisecond for each name, which a wildcard over thousands of functions would feel), so the
 * first lookup builds a hash table over all FUNC records. Prototypes of one name that say the
 * same are given as one.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "locate/btf/btf_private.h"

struct proto_set {
	VEC(struct btf_func) funcs;
};

static int print_nothing(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

/* libbpf reads split BTF from a file only. */
static struct btf *read_split(struct btf *base, const void *data, size_t size)
{
	char path[64];
	struct btf *btf = NULL;
	int fd = memfd_create("btf", MFD_CLOEXEC);
	if (fd < 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size)
		btf = btf__parse_raw_split(path, base);
	close(fd);
	return btf;
}

static int open_db(struct arena *a, struct btf_db *base, const void *data, size_t size,
		   struct btf_db **ret)
{
	/* Our caller says what is wrong, in its own words. */
	libbpf_print_fn_t before = libbpf_set_print(print_nothing);
	struct btf *btf = size > UINT32_MAX ? NULL :
			  base ? read_split(base->btf, data, size) :
				 btf__new(data, (uint32_t)size);
	libbpf_set_print(before);
	if (!btf)
		return -EINVAL;
	struct btf_db *db = NEW(a, struct btf_db);
	db->arena = a;
	db->btf = btf;
	db->first = base ? btf__type_cnt(base->btf) : 1;
	db->is_split = base;
	db->protos = NEW(a, struct map);
	map_init(db->protos, a);
	*ret = db;
	return 0;
}

int btf_db_open(struct arena *a, const void *data, size_t size, struct btf_db **ret)
{
	return open_db(a, NULL, data, size, ret);
}

int btf_db_open_split(struct arena *a, struct btf_db *base, const void *data, size_t size,
		      struct btf_db **ret)
{
	return open_db(a, base, data, size, ret);
}

void btf_db_close(struct btf_db *db)
{
	if (!db)
		return;
	btf__free(db->btf);
	btf_match_close(db);
	free(db->buckets);
	free(db->next);
	db->btf = NULL;
	db->buckets = db->next = NULL;
}

static void *zeroed(size_t n, size_t size)
{
	void *p = calloc(n, size);
	if (!p) {
		fputs("probec: out of memory\n", stderr);
		exit(1);
	}
	return p;
}

static void build_index(struct btf_db *db)
{
	uint32_t ntypes = btf__type_cnt(db->btf);
	db->nbuckets = 64;
	while (db->nbuckets < (ntypes - db->first) / 2)
		db->nbuckets *= 2;
	db->buckets = zeroed(db->nbuckets, sizeof(*db->buckets));
	db->next = zeroed(ntypes, sizeof(*db->next));
	/* Backwards, so that a bucket lists its functions in the order of the file. */
	for (uint32_t id = ntypes - 1; id >= db->first; id--) {
		const struct btf_type *t = btf_private_type(db, id);
		if (!btf_is_func(t))
			continue;
		uint32_t b = hash_name(btf_private_name(db, t->name_off)) & (db->nbuckets - 1);
		/* Strings are unique in BTF: one name is one offset. */
		for (uint32_t i = db->buckets[b]; i && !db->knows_namesakes; i = db->next[i])
			db->knows_namesakes = btf_private_type(db, i)->name_off == t->name_off;
		db->next[id] = db->buckets[b];
		db->buckets[b] = id;
	}
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
	if (!db->buckets)
		build_index(db);
	struct proto_set *set = map_get(db->protos, name);
	if (!set) {
		set = NEW(db->arena, struct proto_set);
		name = arena_strdup(db->arena, name);
		uint32_t id = db->buckets[hash_name(name) & (db->nbuckets - 1)];
		for (; id; id = db->next[id]) {
			const struct btf_type *t = btf_private_type(db, id);
			if (strcmp(btf_private_name(db, t->name_off), name) == 0)
				add_proto(db, set, name, t->type);
		}
		vec_each(f, &set->funcs)
			f->of = (uint16_t)set->funcs.n;
		map_set(db->protos, name, set);
	}
	*ret = set->funcs.v;
	return set->funcs.n;
}

bool btf_db_knows_namesakes(struct btf_db *db)
{
	if (!db->buckets)
		build_index(db);
	return db->knows_namesakes;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t btf_db_func_names(struct btf_db *db, struct arena *a, const char *pattern,
			 const char *const **ret)
{
	VEC(const char *) found = {0};
	uint32_t ntypes = btf__type_cnt(db->btf);
	for (uint32_t id = db->first; id < ntypes; id++) {
		const struct btf_type *t = btf_private_type(db, id);
		if (!btf_is_func(t))
			continue;
		const char *name = btf_private_name(db, t->name_off);
		if (fnmatch(pattern, name, 0) == 0)
			vec_push(a, &found, name);
	}
	*ret = found.v;
	if (found.n == 0)
		return 0;
	qsort(found.v, found.n, sizeof(*found.v), compare_names);
	size_t n = 1;
	for (size_t i = 1; i < found.n; i++) {
		if (strcmp(found.v[i], found.v[n - 1]) != 0)
			found.v[n++] = found.v[i];
	}
	return n;
}
