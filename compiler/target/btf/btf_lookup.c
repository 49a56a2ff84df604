/* SPDX-License-Identifier: GPL-2.0 */
/* Types and constants by name, as a script writes them. */
#include <string.h>

#include "base/arena.h"
#include "target/btf/btf_private.h"

/* A type that is not of the base. Returns 0 if there is none. */
static uint32_t own_type(const struct btf_db *db, const char *name, uint32_t kind)
{
	for (uint32_t id = db->first; id < db->end; id++) {
		const struct btf_type *t = btf_private_type(db, id);

		if (btf_kind(t) == kind && strcmp(btf_private_name(db, t->name_off), name) == 0)
			return id;
	}
	return 0;
}

uint32_t btf_lookup_type(const struct btf_db *db, enum btf_word word, const char *name)
{
	static const struct { enum btf_word word; uint32_t kind; } order[] = {
		{ BTF_ANY, BTF_KIND_TYPEDEF }, { BTF_WORD_STRUCT, BTF_KIND_STRUCT },
		{ BTF_WORD_UNION, BTF_KIND_UNION }, { BTF_WORD_ENUM, BTF_KIND_ENUM },
		{ BTF_WORD_ENUM, BTF_KIND_ENUM64 }, { BTF_ANY, BTF_KIND_INT },
		{ BTF_WORD_STRUCT, BTF_KIND_FWD },
	};

	/* Types without a name have none that a script could write. */
	for (size_t i = 0; *name && i < sizeof(order) / sizeof(*order); i++) {
		if (word != BTF_ANY && word != order[i].word)
			continue;

		/* A name of the base may mean another type here. */
		for (const struct btf_db *at = db; at; at = at->base) {
			uint32_t id = own_type(at, name, order[i].kind);

			if (id)
				return id;
		}
	}
	return 0;
}

uint32_t btf_lookup_pointer(const struct btf_db *db, uint32_t target)
{
	uint32_t n = db->end;

	for (uint32_t id = 1; id < n; id++) {
		const struct btf_type *t = btf_private_type(db, id);

		if (btf_is_ptr(t) && t->type == target)
			return id;
	}
	return 0;
}

/* A constant of an enum, whose sign is that of the enum's values. */
static bool enum_value(const struct btf_db *db, const struct btf_type *t, bool is_signed,
		       unsigned i, const char **name, int64_t *value)
{
	if (btf_is_enum(t)) {
		const struct btf_enum *e = &btf_enum(t)[i];

		*name = btf_private_name(db, e->name_off);
		*value = is_signed ? (int64_t)e->val : (int64_t)(uint32_t)e->val;
		return true;
	}
	if (!btf_is_enum64(t))
		return false;

	const struct btf_enum64 *e = &btf_enum64(t)[i];

	*name = btf_private_name(db, e->name_off);
	*value = (int64_t)btf_enum64_value(e);
	return true;
}

bool btf_lookup_constant(const struct btf_db *db, const char *name, int64_t *ret)
{
	uint32_t n = db->end;

	for (uint32_t id = 1; id < n; id++) {
		const struct btf_type *t = btf_private_type(db, id);
		const char *one;

		if (!btf_is_any_enum(t))
			continue;

		bool is_signed = btf_private_enum_signed(db, id);

		for (unsigned i = 0; i < btf_private_vlen(t); i++) {
			if (enum_value(db, t, is_signed, i, &one, ret) && strcmp(one, name) == 0)
				return true;
		}
	}
	return false;
}

void btf_lookup_constants(const struct btf_db *db, struct arena *a, uint32_t id,
			  struct btf_constants *ret)
{
	struct btf_shape shape = btf_types_shape(db, id);
	const struct btf_type *t = btf_private_type(db, shape.id);

	for (unsigned i = 0; btf_is_any_enum(t) && i < btf_private_vlen(t); i++) {
		struct btf_constant c;

		enum_value(db, t, shape.is_signed, i, &c.name, &c.value);
		vec_push(a, &ret->v, c);
	}
}

bool btf_lookup_variable(const struct btf_db *db, const char *name, uint32_t *type, bool *per_cpu)
{
	uint32_t id = 0, section;

	while (db && !(id = own_type(db, name, BTF_KIND_VAR)))
		db = db->base;
	if (!id)
		return false;
	section = own_type(db, ".data..percpu", BTF_KIND_DATASEC);
	*type = btf_private_type(db, id)->type;
	*per_cpu = false;

	const struct btf_type *t = btf_private_type(db, section);

	for (unsigned i = 0; btf_is_datasec(t) && i < btf_private_vlen(t); i++)
		*per_cpu |= btf_var_secinfos(t)[i].type == id;
	return true;
}

void btf_lookup_names(const struct btf_db *db, struct arena *a, bool constants,
		      struct btf_names *ret)
{
	uint32_t n = db->end;

	for (uint32_t id = 1; id < n; id++) {
		const struct btf_type *t = btf_private_type(db, id);
		const char *name = btf_private_name(db, t->name_off);
		int64_t value;

		if (!constants && *name && (btf_is_composite(t) || btf_is_typedef(t) ||
					    btf_is_any_enum(t)))
			vec_push(a, &ret->v, name);
		if (!constants || !btf_is_any_enum(t))
			continue;
		for (unsigned i = 0; i < btf_private_vlen(t); i++) {
			if (enum_value(db, t, false, i, &name, &value))
				vec_push(a, &ret->v, name);
		}
	}
}
