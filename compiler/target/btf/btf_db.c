/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opens BTF. It is read in place: libbpf would copy it first, which takes most of the time of
 * opening a kernel's BTF (millions of instructions, a page fault for every 4 KiB). Only the offsets
 * of the types are computed, since their records have different sizes. Where BTF itself says which
 * sizes these are (its layout section, which the headers of Linux 7.2 have), kinds that are not
 * known here are skipped: such a type is void.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "shared/memory.h"
#include "target/btf/btf_private.h"

const struct btf_type btf_private_void;

/* The bytes that follow a struct btf_type of each kind, and the bytes for each of its
 * elements. */
static const struct {
	bool known;
	uint8_t fixed, each;
} sizes[] = {
	[BTF_KIND_INT] = { true, sizeof(uint32_t), 0 },
	[BTF_KIND_PTR] = { true, 0, 0 },
	[BTF_KIND_ARRAY] = { true, sizeof(struct btf_array), 0 },
	[BTF_KIND_STRUCT] = { true, 0, sizeof(struct btf_member) },
	[BTF_KIND_UNION] = { true, 0, sizeof(struct btf_member) },
	[BTF_KIND_ENUM] = { true, 0, sizeof(struct btf_enum) },
	[BTF_KIND_FWD] = { true, 0, 0 },
	[BTF_KIND_TYPEDEF] = { true, 0, 0 },
	[BTF_KIND_VOLATILE] = { true, 0, 0 },
	[BTF_KIND_CONST] = { true, 0, 0 },
	[BTF_KIND_RESTRICT] = { true, 0, 0 },
	[BTF_KIND_FUNC] = { true, 0, 0 },
	[BTF_KIND_FUNC_PROTO] = { true, 0, sizeof(struct btf_param) },
	[BTF_KIND_VAR] = { true, sizeof(struct btf_var), 0 },
	[BTF_KIND_DATASEC] = { true, 0, sizeof(struct btf_var_secinfo) },
	[BTF_KIND_FLOAT] = { true, 0, 0 },
	[BTF_KIND_DECL_TAG] = { true, sizeof(struct btf_decl_tag), 0 },
	[BTF_KIND_TYPE_TAG] = { true, 0, 0 },
	[BTF_KIND_ENUM64] = { true, 0, sizeof(struct btf_enum64) },
};

/* The fields of a header that are read. The two last ones are younger than the others. */
struct long_header {
	struct short_header {
		uint16_t magic;
		uint8_t version, flags;
		uint32_t hdr_len, type_off, type_len, str_off, str_len;
	} shared;
	uint32_t layout_off, layout_len;
};

static bool is_known(uint32_t kind)
{
	return kind < sizeof(sizes) / sizeof(*sizes) && sizes[kind].known;
}

/* Makes room for @more offsets. */
static void make_room(struct btf_db *db, size_t more)
{
	size_t want = db->end - db->first + more;

	if (want <= db->room && db->offsets)
		return;
	/* It will probably grow again. */
	want += db->room;
	db->offsets = memory_resized(db->offsets, want, sizeof(*db->offsets));
	db->room = want;
}

/* Computes the offsets of the types from the byte @at on. Returns false if the section of types is
 * damaged or has an unknown kind. */
static bool find_types(struct btf_db *db, uint32_t at)
{
	uint32_t n = db->end - db->first;

	make_room(db, (db->types_len - at) / sizeof(struct btf_type));
	while (db->types_len - at >= sizeof(struct btf_type)) {
		const struct btf_type *t = (const void *)(db->types + at);
		uint32_t kind = btf_private_kind(t), n_elements = btf_private_vlen(t);
		uint64_t size = sizeof(*t);

		if (is_known(kind))
			size += sizes[kind].fixed + (uint64_t)n_elements * sizes[kind].each;
		else if (kind && kind < db->nlayout)
			size += db->layout[kind].fixed +
				(uint64_t)n_elements * db->layout[kind].each;
		else
			return false;
		if (size % sizeof(uint32_t) != 0 || size > db->types_len - at)
			return false;
		db->has_signs |= kind == BTF_KIND_ENUM64 || (kind == BTF_KIND_ENUM && btf_kflag(t));
		db->offsets[n++] = is_known(kind) ? at : BTF_PRIVATE_SKIPPED;
		at += (uint32_t)size;
	}
	db->end = db->first + n;
	return at == db->types_len;
}

/* Whether the two sections that a header describes lie within @size bytes, in order. */
static bool fits(const struct short_header *head, size_t size)
{
	uint64_t types_end = (uint64_t)head->type_off + head->type_len;
	uint64_t strings_end = (uint64_t)head->str_off + head->str_len;

	return head->magic == BTF_MAGIC && head->version == BTF_VERSION &&
	       head->hdr_len >= sizeof(*head) && head->hdr_len % sizeof(uint32_t) == 0 &&
	       head->type_off % sizeof(uint32_t) == 0 &&
	       types_end <= head->str_off && strings_end <= size &&
	       head->hdr_len <= size - strings_end;
}

/* Finds the layout section, after fits(). Returns false if it is damaged. */
static bool find_layout(struct btf_db *db, const char *data, size_t size)
{
	const struct long_header *head = (const void *)data;

	if (head->shared.hdr_len < sizeof(*head) || !head->layout_len)
		return true;
	if (head->layout_off % sizeof(*db->layout) != 0 ||
	    (uint64_t)head->layout_off + head->layout_len > size - head->shared.hdr_len)
		return false;
	db->layout = (const void *)(data + head->shared.hdr_len + head->layout_off);
	db->nlayout = head->layout_len / sizeof(*db->layout);
	return true;
}

static bool read_db(struct btf_db *db, const char *data, size_t size)
{
	const struct short_header *head = (const void *)data;
	const struct btf_db *base = db->base;

	if (size < sizeof(*head) || !fits(head, size) || !find_layout(db, data, size))
		return false;
	db->first = db->end = base ? base->end : 1;
	db->types_len = head->type_len;
	db->types = data + head->hdr_len + head->type_off;
	db->strings = data + head->hdr_len + head->str_off;
	db->strings_len = head->str_len;
	db->strings_from = base ? base->strings_from + base->strings_len : 0;
	if (head->str_len ? db->strings[head->str_len - 1] || (!base && *db->strings) : !base)
		return false;
	return find_types(db, 0);
}

bool btf_private_grow(struct btf_db *db, const char *types, size_t types_len, const char *strings,
		      size_t strings_len)
{
	uint32_t from = db->types_len;

	if (types_len > UINT32_MAX || strings_len > UINT32_MAX)
		return false;
	db->types = types;
	db->types_len = (uint32_t)types_len;
	db->strings = strings;
	db->strings_len = (uint32_t)strings_len;
	return find_types(db, from);
}

static int open_db(struct arena *a, struct btf_db *base, const void *data, size_t size,
		   struct btf_db **ret)
{
	struct btf_db *db = NEW(a, struct btf_db);

	if ((uintptr_t)data % sizeof(uint32_t) != 0)
		data = memcpy(arena_alloc(a, size), data, size);
	db->arena = a;
	db->base = base;
	if (!read_db(db, data, size)) {
		free(db->offsets);
		return -EINVAL;
	}
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
	free(db->offsets);
	db->offsets = NULL;
	btf_match_close(db);
	btf_funcs_close(db);
}

void btf_db_set_user(struct btf_db *db)
{
	db->of_user = true;
}

void btf_db_set_32bit(struct btf_db *db)
{
	db->is_32bit = true;
}

bool btf_db_is_32bit(const struct btf_db *db)
{
	return db && db->is_32bit;
}

unsigned btf_db_pointer_size(const struct btf_db *db)
{
	return btf_db_is_32bit(db) ? 4 : 8;
}

bool btf_db_of_user(const struct btf_db *db)
{
	return db->of_user;
}
