/* SPDX-License-Identifier: GPL-2.0 */
#include "target/arch/passing.h"

#define IN_VECTOR "it is passed in a floating-point register"
#define RETURNED_IN_VECTOR "it is returned in a floating-point register"

/* How the result (@i 0) or parameter @i - 1 is passed. */
static struct btf_passing how(const struct btf_func *f, unsigned i)
{
	return f->passing ? f->passing[i] : (struct btf_passing){ .how = BTF_PASS_BY_TYPE };
}

static struct arch_passing nowhere(const char *why)
{
	return (struct arch_passing){ .where = ARCH_NOWHERE, .why = why };
}

/* @n words that are passed as a structure of integers, or as one integer, is. */
static struct arch_passing words(const struct passing_rules *rules, struct passing_cursor *c,
				 const struct btf_func *f, unsigned n)
{
	const struct btf_shape shape = {
		.kind = n == 1 ? BTF_INTEGER : BTF_STRUCT, .size = rules->word * n,
	};

	return rules->integer(c, f, &shape, n);
}

static struct arch_passing each(const struct passing_rules *rules, struct passing_cursor *c,
				const struct btf_func *f, unsigned n)
{
	struct arch_passing place = words(rules, c, f, 1);

	for (unsigned i = 1; i < n; i++) {
		if (words(rules, c, f, 1).where == place.where) {
			place.n++;
			continue;
		}
		/* Compilers differ in whether they pass one part in the last register. */
		c->is_lost = true;
		return nowhere("a part of it is in a register and a part on the stack");
	}
	return place;
}

/* The vector registers for a value of @words words. */
static struct passing_vectors spread(const struct passing_rules *rules, const struct btf_func *f,
				     const struct btf_shape *shape, unsigned words)
{
	struct passing_vectors v = { .n = words, .bytes = 8, .slots = words };

	if (rules->spread)
		rules->spread(f, shape, &v);
	return v;
}

/* Whether the part of a value that is in each register can be read. */
static bool is_readable(const struct passing_rules *rules, const struct passing_vectors *v)
{
	return rules->vectors && (v->bytes == 4 || v->bytes == 8);
}

/* A value in vector registers, perhaps with a part in a general one; if no register was left, it is
 * in the last slots. */
static struct arch_passing vectors(const struct passing_rules *rules, struct passing_cursor *c,
				   const struct btf_func *f, unsigned general,
				   struct passing_vectors v)
{
	unsigned first;

	if (rules->vectors && rules->vectors(c, f, general, &v)) {
		v.slots += general;
		return (struct arch_passing){ .where = ARCH_STACK, .first = c->slots - v.slots,
					      .n = v.slots, .why = IN_VECTOR };
	}
	first = c->vectors - v.n;
	if (is_readable(rules, &v) && !general)
		return (struct arch_passing){ .where = ARCH_SIMD, .first = first, .n = v.n,
					      .bytes = v.bytes, .why = IN_VECTOR };
	return nowhere(general ? "a part of it is passed in a floating-point register" : IN_VECTOR);
}

/* By the type, or in memory where a flexible array changes that. */
static enum passing_class classify(const struct passing_rules *rules, const struct btf_func *f,
				   const struct btf_shape *shape, enum btf_pass how)
{
	return how == BTF_PASS_FLEXIBLE && rules->flexible_in_memory ? PASSING_MEMORY :
								       rules->classify(f, shape);
}

static struct arch_passing pass_by_type(const struct passing_rules *rules,
					struct passing_cursor *c, const struct btf_func *f,
					uint32_t type, const struct btf_passing *h)
{
	struct btf_shape shape = btf_types_shape(f->db, type);
	unsigned n = (unsigned)((shape.size + 7) / 8);

	c->alignment = h->alignment;
	switch (classify(rules, f, &shape, h->how)) {
	case PASSING_INTEGER:
		return rules->integer(c, f, &shape, n);
	case PASSING_MEMORY:
		return rules->memory(c, f, &shape, n);
	case PASSING_FLOAT:
		return vectors(rules, c, f, 0, spread(rules, f, &shape, n));
	case PASSING_MIXED:
		return vectors(rules, c, f, 1, (struct passing_vectors){ 1, 8, 1 });
	case PASSING_NOTHING:
		return nowhere("its type is empty");
	case PASSING_UNKNOWN:
		break;
	}
	return nowhere("how its type is passed is not known");
}

/* Whether it is one float or double, and not a vector or a pair of these. */
static bool is_number(const struct btf_func *f, uint32_t type)
{
	struct btf_shape shape = btf_types_shape(f->db, type);

	return shape.kind == BTF_FLOATING && shape.size <= 8;
}

/* A result in vector registers. */
static struct arch_passing vector_result(const struct passing_rules *rules,
					 const struct btf_func *f)
{
	struct btf_shape shape = btf_types_shape(f->db, btf_func_return(f));
	struct passing_vectors v = spread(rules, f, &shape, (unsigned)((shape.size + 7) / 8));

	if (!is_readable(rules, &v))
		return nowhere(RETURNED_IN_VECTOR);
	return (struct arch_passing){ .where = ARCH_RETURN_SIMD, .n = v.n, .bytes = v.bytes,
				      .why = RETURNED_IN_VECTOR };
}

/* A number of BTF_PASS_FLOATS, or a vector. */
static struct passing_vectors odd_number(const struct passing_rules *rules,
					 const struct btf_func *f, uint32_t type, unsigned words)
{
	struct btf_shape shape = btf_types_shape(f->db, type);

	return shape.kind == BTF_FLOATING ? spread(rules, f, &shape, words) :
					    (struct passing_vectors){ words, 8, words };
}

static struct arch_passing pass(const struct passing_rules *rules, struct passing_cursor *c,
				const struct btf_func *f, unsigned i)
{
	const struct btf_passing h = how(f, i + 1);
	struct arch_passing place;
	uint32_t type;

	btf_func_param(f, i, &type);
	switch (h.how) {
	case BTF_PASS_BY_TYPE:
	case BTF_PASS_FLEXIBLE:
		return pass_by_type(rules, c, f, type, &h);
	case BTF_PASS_ADDRESS:
		place = words(rules, c, f, 1);
		place.is_address = true;
		return place;
	case BTF_PASS_WORDS:
		return words(rules, c, f, h.words);
	case BTF_PASS_EACH:
		if (rules->wide_by_type && btf_types_shape(f->db, type).kind == BTF_INTEGER)
			return pass_by_type(rules, c, f, type, &h);
		place = each(rules, c, f, h.words);
		/* Nor do they agree on the alignment of an __int128. */
		c->is_lost |= place.where == ARCH_STACK && btf_types_shape(f->db, type).size == 16;
		return h.why ? nowhere(h.why) : place;
	case BTF_PASS_FLOATS:
		place = vectors(rules, c, f, 0, odd_number(rules, f, type, h.words));
		/* The sizes of vectors differ. */
		c->is_lost |= place.where == ARCH_STACK;
		return place.where == ARCH_SIMD && is_number(f, type) ? place : nowhere(place.why);
	case BTF_PASS_PROMOTED:
		vectors(rules, c, f, 0, (struct passing_vectors){ 1, 8, 1 });
		break;
	case BTF_PASS_NOTHING:
	case BTF_PASS_UNKNOWN:
		break;
	}
	return nowhere(h.why);
}

/* Whether the number of registers and slots of parameter @i is known. */
static bool is_known(const struct passing_rules *rules, const struct btf_func *f, unsigned i)
{
	const struct btf_passing h = how(f, i + 1);
	uint32_t type;

	btf_func_param(f, i, &type);

	struct btf_shape shape = btf_types_shape(f->db, type);

	return h.how == BTF_PASS_BY_TYPE || h.how == BTF_PASS_FLEXIBLE ?
	       classify(rules, f, &shape, h.how) != PASSING_UNKNOWN : h.how != BTF_PASS_UNKNOWN;
}

static struct arch_passing result_by_type(const struct passing_rules *rules,
					  const struct btf_func *f, enum btf_pass how)
{
	struct btf_shape shape = btf_types_shape(f->db, btf_func_return(f));
	struct arch_passing place = { .where = ARCH_NOWHERE };

	if (shape.kind == BTF_VOID)
		return place;
	switch (classify(rules, f, &shape, how)) {
	case PASSING_INTEGER:
		place.where = ARCH_RETURN_VALUE;
		place.n = (unsigned)((shape.size + 7) / 8);
		if (rules->pair && shape.size > 4)
			place.where = rules->pair;
		return place;
	case PASSING_MEMORY:
		return rules->memory_result(f, &shape);
	case PASSING_FLOAT:
		return vector_result(rules, f);
	case PASSING_MIXED:
		return nowhere("a part of it is returned in a floating-point register");
	case PASSING_NOTHING:
		return nowhere("its type is empty");
	case PASSING_UNKNOWN:
		break;
	}
	return nowhere("how its type is returned is not known");
}

struct arch_passing passing_result(const struct passing_rules *rules, const struct btf_func *f)
{
	const struct btf_passing h = how(f, 0);

	switch (h.how) {
	case BTF_PASS_BY_TYPE:
	case BTF_PASS_FLEXIBLE:
		return result_by_type(rules, f, h.how);
	case BTF_PASS_ADDRESS:
		return rules->memory_result(f, NULL);
	case BTF_PASS_WORDS:
	case BTF_PASS_EACH:
		return (struct arch_passing){ .where = ARCH_RETURN_VALUE, .n = h.words };
	case BTF_PASS_FLOATS:
		return is_number(f, btf_func_return(f)) ? vector_result(rules, f) :
							  nowhere(RETURNED_IN_VECTOR);
	case BTF_PASS_PROMOTED:
	case BTF_PASS_NOTHING:
	case BTF_PASS_UNKNOWN:
		break;
	}
	return nowhere(h.why);
}

struct arch_passing passing_param(const struct passing_rules *rules, const struct btf_func *f,
				  unsigned i)
{
	struct passing_cursor c = {0};

	if (how(f, 0).how == BTF_PASS_UNKNOWN)
		return nowhere("it is not known how the result is returned, which decides where "
			       "parameters are");
	if (passing_result(rules, f).where == ARCH_RETURN_MEMORY)
		*(rules->address_on_stack ? &c.slots : &c.registers) = 1;
	for (unsigned before = 0; before < i; before++) {
		if (!is_known(rules, f, before))
			return nowhere("it is not known how a parameter before it is passed");
		pass(rules, &c, f, before);
	}

	struct arch_passing place = pass(rules, &c, f, i);

	return place.where == ARCH_STACK && c.is_lost ?
	       nowhere("it is not known where a parameter before it is on the stack") : place;
}
