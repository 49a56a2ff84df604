/* SPDX-License-Identifier: GPL-2.0 */
/* Prototypes: parameters and result of a function. */
#include <string.h>

#include "base/arena.h"
#include "target/btf/btf_private.h"

unsigned btf_func_nparams(const struct btf_func *f)
{
	return btf_private_vlen(btf_private_type(f->db, f->proto));
}

const char *btf_func_param(const struct btf_func *f, unsigned i, uint32_t *type)
{
	const struct btf_param *p = &btf_params(btf_private_type(f->db, f->proto))[i];

	*type = p->type;
	/* An ellipsis is a last parameter of type void without a name. */
	return p->type == 0 && p->name_off == 0 ? NULL : btf_private_name(f->db, p->name_off);
}

uint32_t btf_func_return(const struct btf_func *f)
{
	return btf_private_type(f->db, f->proto)->type;
}

const char *btf_func_text(struct arena *a, const struct btf_func *f)
{
	const char *text = arena_printf(a, "%s %s(", btf_types_name(f->db, a, btf_func_return(f)),
					f->name);
	unsigned n = btf_func_nparams(f);

	for (unsigned i = 0; i < n; i++) {
		uint32_t type;
		const char *name = btf_func_param(f, i, &type);
		const char *type_name = name ? btf_types_name(f->db, a, type) : "...";
		bool tight = !name || !*name || type_name[strlen(type_name) - 1] == '*';

		text = arena_printf(a, "%s%s%s%s%s", text, i ? ", " : "", type_name,
				    tight ? "" : " ", name ? name : "");
	}
	return arena_printf(a, "%s)", text);
}

static bool same_type(const struct btf_func *a, uint32_t ta, const struct btf_func *b, uint32_t tb)
{
	return ta == tb && btf_types_owner(a->db, ta) == btf_types_owner(b->db, tb);
}

/* Types are unique in BTF, so equal prototypes are usually one record, but two records may differ
 * only in what is not compared here. */
bool btf_func_same(const struct btf_func *a, const struct btf_func *b)
{
	if (same_type(a, a->proto, b, b->proto))
		return true;

	unsigned n = btf_func_nparams(a);

	if (!same_type(a, btf_func_return(a), b, btf_func_return(b)) || btf_func_nparams(b) != n)
		return false;
	for (unsigned i = 0; i < n; i++) {
		uint32_t ta, tb;
		const char *na = btf_func_param(a, i, &ta), *nb = btf_func_param(b, i, &tb);

		if (!same_type(a, ta, b, tb) || strcmp(na ? na : "", nb ? nb : "") != 0)
			return false;
	}
	return true;
}
