/* SPDX-License-Identifier: GPL-2.0 */
/* Makes BTF of types: btf_write.h. A record is a struct btf_type and what its kind adds. */
#include "target/btf/btf_write.h"

#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "target/btf/btf_private.h"

struct btf_writer {
	struct arena *arena;
	struct btf_db *base;   /* or NULL */
	uint32_t first;        /* number of the first type */
	uint32_t strings_from; /* offset of its first own string */
	VEC(uint32_t) types;   /* the records; all fields have 4 bytes */
	VEC(char) strings;
	struct map names;      /* text -> offset of an own string, as a pointer */
	struct btf_db *db;     /* what was opened; NULL: nothing yet */
};

struct btf_writer *btf_write_begin(struct arena *a, struct btf_db *base)
{
	struct btf_writer *w = NEW(a, struct btf_writer);

	w->arena = a;
	w->base = base;
	w->first = 1;
	map_init(&w->names, a);
	if (base) {
		w->first = base->end;
		w->strings_from = base->strings_from + base->strings_len;
	}
	/* Offset 0 is the empty name, in the base or here. */
	vec_push(a, &w->strings, '\0');
	return w;
}

uint32_t btf_write_first(const struct btf_writer *w)
{
	return w->first;
}

static uint32_t string(struct btf_writer *w, const char *text)
{
	if (!text || !*text)
		return 0;

	void *known = map_get(&w->names, text);

	if (known)
		return (uint32_t)(uintptr_t)known;

	uint32_t offset = w->strings_from + (uint32_t)w->strings.n;

	for (const char *p = text; *p; p++)
		vec_push(w->arena, &w->strings, *p);
	vec_push(w->arena, &w->strings, '\0');
	map_set(&w->names, arena_strdup(w->arena, text), (void *)(uintptr_t)offset);
	return offset;
}

static void word(struct btf_writer *w, uint32_t v)
{
	vec_push(w->arena, &w->types, v);
}

/* @last: the size, or the type that it refers to. */
static void head(struct btf_writer *w, const char *name, unsigned kind, bool flag, size_t n,
		 uint32_t last)
{
	word(w, string(w, name));
	word(w, (uint32_t)flag << 31 | kind << 24 | (uint32_t)(n & 0xffff));
	word(w, last);
}

void btf_write_scalar(struct btf_writer *w, const char *name, enum btf_scalar kind, uint32_t size)
{
	if (kind == BTF_SCALAR_FLOAT) {
		head(w, name, BTF_KIND_FLOAT, false, 0, size);
		return;
	}

	uint32_t encoding = kind == BTF_SCALAR_SIGNED ? BTF_INT_SIGNED :
			    kind == BTF_SCALAR_BOOL ? BTF_INT_BOOL : 0;

	head(w, name, BTF_KIND_INT, false, 0, size);
	word(w, encoding << 24 | size * 8);
}

void btf_write_on(struct btf_writer *w, enum btf_on kind, const char *name, uint32_t type)
{
	head(w, name, btf_private_on[kind], false, 0, type);
}

void btf_write_array(struct btf_writer *w, uint32_t element, uint32_t n)
{
	head(w, NULL, BTF_KIND_ARRAY, false, 0, 0);
	word(w, element);
	word(w, 0); /* the type of the index is not used */
	word(w, n);
}

void btf_write_struct(struct btf_writer *w, bool is_union, const char *name, uint32_t size,
		      const struct btf_member_sketch *v, size_t n)
{
	/* With the flag, the upper byte of the offset is the size of a bit-field. */
	size_t all = n & 0xffff, fields = 0;
	bool is_long = false;

	for (size_t i = 0; i < all; i++) {
		fields += v[i].bit_size != 0;
		is_long |= v[i].bit_offset > 0xffffff;
	}
	n = is_long ? all - fields : all;
	fields = is_long ? 0 : fields;
	head(w, name, is_union ? BTF_KIND_UNION : BTF_KIND_STRUCT, fields, n, size);
	for (size_t i = 0; i < all; i++) {
		if (is_long && v[i].bit_size)
			continue;
		word(w, string(w, v[i].name));
		word(w, v[i].type);
		word(w, fields ? v[i].bit_size << 24 | (v[i].bit_offset & 0xffffff) :
				 v[i].bit_offset);
	}
}

void btf_write_enum(struct btf_writer *w, const struct btf_enum_sketch *e)
{
	const struct btf_constant *v = e->constants.v.v;
	size_t n = e->constants.v.n;
	bool is_long = e->size > 4;

	head(w, e->name, is_long ? BTF_KIND_ENUM64 : BTF_KIND_ENUM, e->is_signed, n, e->size);
	for (size_t i = 0; i < (n & 0xffff); i++) {
		word(w, string(w, v[i].name));
		word(w, (uint32_t)v[i].value);
		if (is_long)
			word(w, (uint32_t)((uint64_t)v[i].value >> 32));
	}
}

void btf_write_declared(struct btf_writer *w, bool is_union, const char *name)
{
	head(w, name, BTF_KIND_FWD, is_union, 0, 0);
}

void btf_write_function(struct btf_writer *w, uint32_t returns, const struct btf_member_sketch *v,
			size_t n)
{
	head(w, NULL, BTF_KIND_FUNC_PROTO, false, n, returns);
	for (size_t i = 0; i < (n & 0xffff); i++) {
		word(w, string(w, v[i].name));
		word(w, v[i].type);
	}
}

static struct btf_db *open_all(struct btf_writer *w)
{
	struct btf_header h = {
		.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(h),
		.type_len = (uint32_t)(w->types.n * sizeof(*w->types.v)),
		.str_off = (uint32_t)(w->types.n * sizeof(*w->types.v)),
		.str_len = (uint32_t)w->strings.n,
	};
	size_t size = sizeof(h) + h.type_len + h.str_len;
	struct btf_db *db = NULL;
	char *data = arena_alloc(w->arena, size);

	memcpy(data, &h, sizeof(h));
	if (h.type_len)
		memcpy(data + sizeof(h), w->types.v, h.type_len);
	memcpy(data + sizeof(h) + h.type_len, w->strings.v, h.str_len);

	int err = w->base ? btf_db_open_split(w->arena, w->base, data, size, &db) :
			    btf_db_open(w->arena, data, size, &db);

	return err ? NULL : db;
}

struct btf_db *btf_write_end(struct btf_writer *w)
{
	if (!w->db)
		w->db = open_all(w);
	else if (!btf_private_grow(w->db, (const char *)w->types.v,
				   w->types.n * sizeof(*w->types.v), w->strings.v, w->strings.n))
		return NULL;
	if (w->db) {
		w->db->has_signs = true;
		w->first = w->db->end;
	}
	return w->db;
}
