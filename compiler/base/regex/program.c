/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a program of the tree. Concatenations and alternatives are chains that lean to the left and
 * are as long as the text, so they are processed by loops, and the depth of recursion is that of
 * groups and repetitions.
 */
#include <string.h>

#include "base/regex/tree.h"

struct gen {
	struct arena *a;
	struct regex *re;
	bool full;
};

static void generate(struct gen *g, const struct regex_node *n);

static unsigned append_inst(struct gen *g, enum prt_regex_op op, unsigned arg)
{
	struct prt_regex_inst in = { .op = (prt_u8)op, .arg = (prt_u8)arg };

	if (g->re->insts.n >= PRT_REGEX_INSTS) {
		g->full = true;
		return 0;
	}
	vec_push(g->a, &g->re->insts, in);
	return (unsigned)g->re->insts.n - 1;
}

static prt_u16 here(const struct gen *g)
{
	return (prt_u16)g->re->insts.n;
}

/* The number of a set, the same for equal sets. If there are too many, it is greater than an
 * instruction can name. */
static unsigned set_number(struct gen *g, const struct regex_set *set)
{
	for (size_t i = 0; i < g->re->sets.n; i++)
		if (memcmp(&g->re->sets.v[i], set, sizeof(*set)) == 0)
			return (unsigned)i;
	if (g->re->sets.n > 255) {
		g->full = true;
		return 0;
	}
	vec_push(g->a, &g->re->sets, *set);
	return (unsigned)g->re->sets.n - 1;
}

/* The parts of a chain of one kind, from the left. */
struct chain { VEC(const struct regex_node *) v; };

static void chain(struct gen *g, const struct regex_node *n, enum regex_kind kind,
		  struct chain *ret)
{
	for (; n->kind == kind; n = n->a)
		vec_push(g->a, &ret->v, n->b);
	vec_push(g->a, &ret->v, n);
	for (size_t i = 0, j = ret->v.n - 1; i < j; i++, j--) {
		const struct regex_node *t = ret->v.v[i];

		ret->v.v[i] = ret->v.v[j];
		ret->v.v[j] = t;
	}
}

/* split A, next; A; jump end; next: ... */
static void generate_either(struct gen *g, const struct regex_node *n)
{
	struct chain parts = { 0 };
	VEC(unsigned) jumps = { 0 };

	chain(g, n, RE_EITHER, &parts);
	for (size_t i = 0; i < parts.v.n && !g->full; i++) {
		bool last = i + 1 == parts.v.n;
		unsigned split = last ? 0 : append_inst(g, PRT_REGEX_SPLIT, 0);

		if (!last)
			g->re->insts.v[split].x = here(g);
		generate(g, parts.v.v[i]);
		if (last)
			break;
		vec_push(g->a, &jumps, append_inst(g, PRT_REGEX_JUMP, 0));
		g->re->insts.v[split].y = here(g);
	}
	vec_each(j, &jumps)
		g->re->insts.v[*j].x = here(g);
}

/* loop: split body, end; body; jump loop; end: */
static void generate_star(struct gen *g, const struct regex_node *n)
{
	unsigned split = append_inst(g, PRT_REGEX_SPLIT, 0), jump;

	g->re->insts.v[split].x = here(g);
	generate(g, n);
	jump = append_inst(g, PRT_REGEX_JUMP, 0);
	g->re->insts.v[jump].x = (prt_u16)split;
	g->re->insts.v[split].y = here(g);
}

/* Writes the required copies, then a star or the optional copies, each within the previous one. */
static void generate_repeat(struct gen *g, const struct regex_node *n)
{
	VEC(unsigned) splits = { 0 };

	for (int i = 0; i < n->min && !g->full; i++)
		generate(g, n->a);
	if (n->max < 0 && !g->full)
		generate_star(g, n->a);
	for (int i = n->min; i < n->max && !g->full; i++) {
		unsigned split = append_inst(g, PRT_REGEX_SPLIT, 0);

		g->re->insts.v[split].x = here(g);
		vec_push(g->a, &splits, split);
		generate(g, n->a);
	}
	vec_each(s, &splits)
		g->re->insts.v[*s].y = here(g);
}

static void generate(struct gen *g, const struct regex_node *n)
{
	struct chain parts = { 0 };

	if (g->full)
		return;
	switch (n->kind) {
	case RE_EMPTY:
		break;
	case RE_BYTE:
		append_inst(g, PRT_REGEX_BYTE, n->byte);
		break;
	case RE_SET:
		append_inst(g, PRT_REGEX_SET, set_number(g, &n->set));
		break;
	case RE_ANY:
		append_inst(g, PRT_REGEX_ANY, 0);
		break;
	case RE_BEGIN:
		append_inst(g, PRT_REGEX_BEGIN, 0);
		break;
	case RE_END:
		append_inst(g, PRT_REGEX_END, 0);
		break;
	case RE_CONCAT:
		chain(g, n, RE_CONCAT, &parts);
		vec_each(part, &parts.v)
			generate(g, *part);
		break;
	case RE_EITHER:
		generate_either(g, n);
		break;
	case RE_REPEAT:
		generate_repeat(g, n);
		break;
	case RE_GROUP:
		append_inst(g, PRT_REGEX_SAVE, 2 * (unsigned)n->min);
		generate(g, n->a);
		append_inst(g, PRT_REGEX_SAVE, 2 * (unsigned)n->min + 1);
		break;
	}
}

struct regex *regex_compile(struct arena *a, const char *re, size_t len, struct regex_error *err)
{
	struct gen g = { .a = a, .re = NEW(a, struct regex) };
	struct regex_node *tree = regex_parse(a, re, len, &g.re->ngroups, err);

	if (!tree)
		return NULL;
	append_inst(&g, PRT_REGEX_SAVE, 0);
	generate(&g, tree);
	append_inst(&g, PRT_REGEX_SAVE, 1);
	append_inst(&g, PRT_REGEX_MATCH, 0);
	if (g.full) {
		*err = (struct regex_error){ .to = len, .limit = true,
			.text = "the regular expression is too large: at most 512 pieces are "
				"allowed, and repeated ones count each time" };
		return NULL;
	}
	regex_table(a, g.re);
	return g.re;
}
