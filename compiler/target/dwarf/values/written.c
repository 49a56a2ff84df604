/* SPDX-License-Identifier: GPL-2.0 */
/* From types as BTF back to their DIEs; see written.h. */
#include "target/dwarf/values/written.h"

#include "base/arena.h"
#include "target/dwarf/private.h"
#include "target/dwarf/values/read.h"

struct written_types *written_add(struct dwarf_written *all, struct arena *a, struct btf_db *db)
{
	vec_push(a, &all->v, ((struct written_types){ .db = db }));
	return &all->v.v[all->v.n - 1];
}

void written_note(struct written_types *w, struct arena *a, uint32_t id, Dwarf_Off die)
{
	vec_push(a, &w->types, ((struct written_type){ id, die }));
}

static const struct written_types *types_of(const struct dwarf_written *all,
					    const struct btf_db *types)
{
	vec_each(it, &all->v)
		if (it->db == types)
			return it;
	return NULL;
}

bool written_has(const struct dwarf_written *all, const struct btf_db *types)
{
	return types_of(all, types);
}

bool written_die(const struct dwarf_written *all, struct dwarf_db *db, struct access_type type,
		 Dwarf_Die *ret)
{
	const struct written_types *w = types_of(all, type.db);
	bool found = false;
	Dwarf_Die die;

	for (size_t i = 0; w && i < w->types.n; i++) {
		if (w->types.v[i].id != type.id || !dwarf_parts_die(db, w->types.v[i].die, &die))
			continue;
		*ret = die;
		found = true;
		if (!dwarf_read_declared(&die))
			return true;
	}
	return found;
}
