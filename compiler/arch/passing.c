/* SPDX-License-Identifier: GPL-2.0 */
#include "arch/passing.h"

static struct arch_passing pass(const struct passing_rules *rules, struct passing_cursor *c,
				const struct btf_func *f, uint32_t type)
{
	struct btf_shape shape = btf_types_shape(f->db, type);
	unsigned n = (unsigned)((shape.size + 7) / 8);
	struct arch_passing place = { .where = ARCH_NOWHERE };

	switch (rules->classify(f, &shape)) {
	case PASSING_INTEGER:
		return rules->integer(c, f, &shape, n);
	case PASSING_MEMORY:
		return rules->memory(c, f, &shape, n);
	case PASSING_FLOAT:
		place.why = "it is passed in a floating-point register";
		break;
	case PASSING_NOTHING:
		place.why = "its type has no size";
		break;
	case PASSING_UNKNOWN:
		place.why = "how its type is passed is not known";
		break;
	}
	return place;
}

struct arch_passing passing_result(const struct passing_rules *rules, const struct btf_func *f)
{
	struct btf_shape shape = btf_types_shape(f->db, btf_func_return(f));
	struct arch_passing place = { .where = ARCH_NOWHERE };

	if (shape.kind == BTF_VOID)
		return place;
	switch (rules->classify(f, &shape)) {
	case PASSING_INTEGER:
		place.where = ARCH_RETURN_VALUE;
		place.n = (unsigned)((shape.size + 7) / 8);
		break;
	case PASSING_MEMORY:
		return rules->memory_result(&shape);
	case PASSING_FLOAT:
		place.why = "it is returned in a floating-point register";
		break;
	case PASSING_NOTHING:
		place.why = "its type has no size";
		break;
	case PASSING_UNKNOWN:
		place.why = "how its type is returned is not known";
		break;
	}
	return place;
}

struct arch_passing passing_param(const struct passing_rules *rules, const struct btf_func *f,
				  unsigned i)
{
	struct passing_cursor c = {0};
	uint32_t type;

	if (passing_result(rules, f).where == ARCH_RETURN_MEMORY)
		c.registers = 1;
	for (unsigned before = 0; before < i; before++) {
		btf_func_param(f, before, &type);

		struct btf_shape shape = btf_types_shape(f->db, type);

		if (rules->classify(f, &shape) == PASSING_UNKNOWN) {
			return (struct arch_passing){
				.why = "it is not known how a parameter before it is passed",
			};
		}
		pass(rules, &c, f, type);
	}
	btf_func_param(f, i, &type);
	return pass(rules, &c, f, type);
}
