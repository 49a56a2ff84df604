/* SPDX-License-Identifier: GPL-2.0 */
/* links: compiler */
/* Opens BTF, and the rest of the input as BTF on top of it, and asks for all that the compiler asks
 * for: names end, and types have numbers that the BTF has. The first two bytes tell the size of the
 * one below. */
#include "fuzz.h"

#include "base/arena.h"
#include "target/btf/btf.h"

enum { TYPES = 32, PARTS = 16 };

static void check_name(const char *name)
{
	FUZZ_MUST(name && strlen(name) < 1 << 20);
}

static void check_members(struct btf_db *db, struct arena *a, uint32_t id)
{
	unsigned n = btf_types_nmembers(db, id);
	struct btf_member_place m, again;
	struct btf_names names = {0};

	for (unsigned i = 0; i < n && i < PARTS; i++) {
		const char *name = btf_types_nth_member(db, id, i, &m);

		check_name(name);
		FUZZ_MUST(!*name || btf_types_member(db, id, name, &again));
	}
	btf_types_inner_member(db, a, id, "skc_daddr");
	btf_types_member_names(db, a, id, &names);
}

static void check_type(struct btf_db *db, uint32_t id)
{
	struct btf_shape shape = btf_types_shape(db, id);
	struct arena *a = arena_create();
	struct btf_constants constants = {0};
	uint64_t n, size;

	FUZZ_MUST(btf_types_shape(db, shape.id).kind == shape.kind);
	check_name(btf_types_name(db, a, id));
	check_name(btf_types_pointer_name(db, a, id));
	FUZZ_MUST(btf_types_alignment(db, id) > 0);
	btf_types_floats(db, id, &n, &size);
	btf_types_has_unaligned(db, id);
	btf_lookup_pointer(db, id);
	btf_types_owner(db, id);
	check_members(db, a, id);
	btf_lookup_constants(db, a, id, &constants);
	vec_each(c, &constants.v)
		check_name(c->name);
	arena_destroy(a);
}

static void check_functions(struct btf_db *db, struct arena *a)
{
	const char *const *names;
	size_t n = btf_db_func_names(db, a, "*", &names);

	btf_db_knows_namesakes(db);
	for (size_t i = 0; i < n && i < PARTS; i++) {
		const struct btf_func *f;
		size_t all = btf_db_funcs(db, names[i], &f);
		uint32_t type;

		for (size_t j = 0; j < all && j < PARTS; j++) {
			check_name(btf_func_text(a, &f[j]));
			btf_func_return(&f[j]);
			for (unsigned k = 0; k < btf_func_nparams(&f[j]) && k < PARTS; k++)
				btf_func_param(&f[j], k, &type);
			FUZZ_MUST(btf_func_same(&f[j], &f[j]));
		}
	}
}

static void check_lookups(struct btf_db *db, struct arena *a)
{
	struct btf_names types = {0}, constants = {0};
	uint32_t type;
	int64_t value;
	bool per_cpu;

	btf_lookup_names(db, a, false, &types);
	btf_lookup_names(db, a, true, &constants);
	for (size_t i = 0; i < types.v.n && i < PARTS; i++) {
		check_name(types.v.v[i]);
		btf_lookup_type(db, BTF_ANY, types.v.v[i]);
		btf_lookup_variable(db, types.v.v[i], &type, &per_cpu);
	}
	for (size_t i = 0; i < constants.v.n && i < PARTS; i++) {
		check_name(constants.v.v[i]);
		FUZZ_MUST(btf_lookup_constant(db, constants.v.v[i], &value));
	}
}

static void check_matches(struct btf_db *db)
{
	for (uint32_t id = 0; id < TYPES; id++)
		for (unsigned on = BTF_ON_POINTER; on <= BTF_ON_TYPEDEF; on++)
			btf_match_on(db, (enum btf_on)on, NULL, id);
	btf_match_scalar(db, "int", BTF_SCALAR_SIGNED, 4);
}

static void check(struct btf_db *db, struct arena *a)
{
	for (uint32_t id = 0; id < TYPES; id++)
		check_type(db, id);
	check_type(db, UINT32_MAX);
	check_lookups(db, a);
	check_functions(db, a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct arena *a = arena_create();
	struct btf_db *below = NULL, *above = NULL;
	size_t n = fuzz_number(&in, 2), below_size, above_size;
	char *one = fuzz_bytes(&in, n, &below_size);
	char *other = fuzz_bytes(&in, in.left, &above_size);

	if (btf_db_open(a, one, below_size, &below) == 0) {
		check(below, a);
		check_matches(below);
		if (btf_db_open_split(a, below, other, above_size, &above) == 0)
			check(above, a);
		btf_db_close(above);
		btf_db_close(below);
	}
	arena_destroy(a);
	free(one);
	free(other);
	return 0;
}
