/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opens BTF. It is read in place: libbpf would copy it first, which takes most of the time of
 * opening a kernel's BTF (millions of instructions, a page fault for every 4 KiB). Only the offsets
 * of the types are computed, since their records have different sizes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "btf/btf_private.h"

const struct btf_type btf_private_void;

/* The bytes that follow a struct btf_type of each kind, and the bytes for each of its
 * btf_vlen(). */
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

/* Computes the offsets of all types. Returns false if the section of types is damaged or has an
 * unknown kind. */
static bool find_types(struct btf_db *db, const struct btf_header *head)
{
	uint32_t at = 0, n = 0;

	db->offsets = malloc(head->type_len / sizeof(struct btf_type) * sizeof(*db->offsets) + 1);
	if (!db->offsets)
		return false;
	while (head->type_len - at >= sizeof(struct btf_type)) {
		const struct btf_type *t = (const void *)(db->types + at);
		uint32_t kind = btf_kind(t), size;

		if (kind >= sizeof(sizes) / sizeof(*sizes) || !sizes[kind].known)
			return false;
		size = (uint32_t)sizeof(*t) + sizes[kind].fixed + btf_vlen(t) * sizes[kind].each;
		if (size > head->type_len - at)
			return false;
		db->offsets[n++] = at;
		at += size;
	}
	db->end = db->first + n;
	return at == head->type_len;
}

/* Whether the sections that a header describes lie within @size bytes, in order. */
static bool fits(const struct btf_header *head, size_t size)
{
	uint64_t types_end = (uint64_t)head->type_off + head->type_len;
	uint64_t strings_end = (uint64_t)head->str_off + head->str_len;

	return head->magic == BTF_MAGIC && head->version == BTF_VERSION &&
	       head->hdr_len >= sizeof(*head) && head->type_off % sizeof(uint32_t) == 0 &&
	       types_end <= head->str_off && strings_end <= size &&
	       head->hdr_len <= size - strings_end;
}

static bool read_db(struct btf_db *db, const char *data, size_t size)
{
	const struct btf_header *head = (const void *)data;
	const struct btf_db *base = db->base;

	if (size < sizeof(*head) || !fits(head, size))
		return false;
	db->first = base ? base->end : 1;
	db->types = data + head->hdr_len + head->type_off;
	db->strings = data + head->hdr_len + head->str_off;
	db->strings_len = head->str_len;
	db->strings_from = base ? base->strings_from + base->strings_len : 0;
	if (head->str_len ? db->strings[head->str_len - 1] || (!base && *db->strings) : !base)
		return false;
	return find_types(db, head);
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

bool btf_db_of_user(const struct btf_db *db)
{
	return db->of_user;
}
