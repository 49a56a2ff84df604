/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a deterministic table of the program. A row stands for a set of instructions that wait for
 * a byte or for the end of the string. Since a match may begin anywhere, the beginning of the
 * program is added at every step; since only a match as such matters, a set with a match is the row
 * FOUND.
 *
 * Bytes that no instruction distinguishes share a column.
 */
#include <string.h>

#include "base/regex/tree.h"

/* The module has a table of 16-bit numbers, for which this many are enough. */
#define CELLS_MAX 16384

struct inst_set { unsigned char bits[PRT_REGEX_INSTS / 8]; };

struct state_table {
	struct arena *a;
	struct regex *re;
	unsigned rows_max;
	struct inst_set *rows;
};

static bool has(const struct inst_set *s, unsigned i)
{
	return s->bits[i / 8] >> i % 8 & 1;
}

/* Adds the instructions that are reached from @pc without a byte, and that wait for something,
 * to @ret. Returns whether a match is among them. @at_begin, @at_end: whether the position is
 * there. */
static bool reach(const struct regex *re, unsigned pc, bool at_begin, bool at_end,
		  struct inst_set *seen, struct inst_set *ret)
{
	unsigned stack[2 * PRT_REGEX_INSTS], n = 0;
	bool match = false;

	stack[n++] = pc;
	while (n) {
		const struct prt_regex_inst *in;

		pc = stack[--n];
		if (has(seen, pc))
			continue;
		seen->bits[pc / 8] |= (unsigned char)(1u << pc % 8);
		in = &re->insts.v[pc];
		switch (in->op) {
		case PRT_REGEX_SPLIT:
			stack[n++] = in->y;
			stack[n++] = in->x;
			break;
		case PRT_REGEX_JUMP:
			stack[n++] = in->x;
			break;
		case PRT_REGEX_SAVE:
			stack[n++] = pc + 1;
			break;
		case PRT_REGEX_BEGIN:
			if (at_begin)
				stack[n++] = pc + 1;
			break;
		case PRT_REGEX_MATCH:
			match = true;
			break;
		case PRT_REGEX_END:
			if (at_end)
				stack[n++] = pc + 1;
			/* fall through */
		default:
			ret->bits[pc / 8] |= (unsigned char)(1u << pc % 8);
		}
	}
	return match;
}

static bool takes(const struct regex *re, const struct prt_regex_inst *in, unsigned c)
{
	switch (in->op) {
	case PRT_REGEX_BYTE: return in->arg == c;
	case PRT_REGEX_SET: return re->sets.v[in->arg].bits[c / 8] >> c % 8 & 1;
	case PRT_REGEX_ANY: return true;
	default: return false;
	}
}

/* Finds the columns: classes of bytes are split by what each instruction accepts. */
static void find_classes(struct regex *re)
{
	unsigned n = 1;

	memset(re->classes, 0, sizeof(re->classes));
	vec_each(in, &re->insts) {
		int split[256];

		for (unsigned i = 0; i < n; i++)
			split[i] = -1;
		for (unsigned c = 0, old = n; c < 256; c++) {
			unsigned k = re->classes[c];

			if (!takes(re, in, c))
				continue;
			/* The first accepted character of a class makes a new class only if another
			 * one remains. */
			if (k < old && split[k] < 0) {
				bool stays = false;

				for (unsigned d = 0; d < 256 && !stays; d++)
					stays = re->classes[d] == k && !takes(re, in, d);
				split[k] = stays ? (int)n++ : (int)k;
			}
			if (k < old)
				re->classes[c] = (prt_u8)split[k];
		}
	}
	re->nclasses = n;
}

/* The row of a set, or 0xffff if there is no room for another. */
static unsigned row_of(struct state_table *t, const struct inst_set *set)
{
	static const struct inst_set none;

	if (memcmp(set, &none, sizeof(none)) == 0)
		return PRT_REGEX_DEAD;
	/* The row of the start is not shared, because only there "^" matches at the end of an empty
	 * string. */
	for (unsigned i = PRT_REGEX_START + 1; i < t->re->nrows; i++)
		if (memcmp(&t->rows[i], set, sizeof(*set)) == 0)
			return i;
	if (t->re->nrows == t->rows_max)
		return 0xffff;
	t->rows[t->re->nrows] = *set;
	return t->re->nrows++;
}

/* Whether the end of the string is a match for these waiting instructions. */
static bool ends(const struct regex *re, const struct inst_set *set, bool at_begin)
{
	struct inst_set seen = { { 0 } }, rest = { { 0 } };

	for (unsigned i = 0; i < re->insts.n; i++)
		if (has(set, i) && re->insts.v[i].op == PRT_REGEX_END &&
		    reach(re, i, at_begin, true, &seen, &rest))
			return true;
	return false;
}

/* The row that follows @set after byte @c. */
static unsigned step(struct state_table *t, const struct inst_set *set, unsigned c)
{
	struct inst_set seen = { { 0 } }, next = { { 0 } };
	const struct regex *re = t->re;

	for (unsigned i = 0; i < re->insts.n; i++)
		if (has(set, i) && takes(re, &re->insts.v[i], c) &&
		    reach(re, i + 1, false, false, &seen, &next))
			return PRT_REGEX_FOUND;
	reach(re, 0, false, false, &seen, &next);
	return row_of(t, &next);
}

static bool fill(struct state_table *t)
{
	struct regex *re = t->re;
	unsigned sample[256];

	for (unsigned c = 256; c-- > 0;)
		sample[re->classes[c]] = c;
	for (unsigned row = PRT_REGEX_START; row < re->nrows; row++) {
		/* A copy, because rows may move while this one is filled in. */
		struct inst_set set = t->rows[row];

		re->at_end[row] = ends(re, &set, row == PRT_REGEX_START);
		for (unsigned k = 0; k < re->nclasses; k++) {
			unsigned next = step(t, &set, sample[k]);

			if (next == 0xffff)
				return false;
			re->next[row * re->nclasses + k] = (prt_u16)next;
		}
	}
	return true;
}

void regex_table(struct arena *a, struct regex *re)
{
	struct state_table t = { .a = a, .re = re };
	struct inst_set seen = { { 0 } };

	find_classes(re);
	t.rows_max = CELLS_MAX / re->nclasses;
	if (t.rows_max > PRT_REGEX_STATES)
		t.rows_max = PRT_REGEX_STATES;
	t.rows = arena_alloc(a, t.rows_max * sizeof(*t.rows));
	re->next = arena_alloc(a, t.rows_max * re->nclasses * sizeof(*re->next));
	re->at_end = arena_alloc(a, t.rows_max);
	memset(t.rows, 0, t.rows_max * sizeof(*t.rows));
	re->nrows = PRT_REGEX_START + 1;
	if (reach(re, 0, true, false, &seen, &t.rows[PRT_REGEX_START])) {
		/* It matches everything: the start is never left, and the end is a match. */
		for (unsigned k = 0; k < re->nclasses; k++)
			re->next[PRT_REGEX_START * re->nclasses + k] = PRT_REGEX_FOUND;
		re->at_end[PRT_REGEX_START] = 1;
		return;
	}
	if (!fill(&t))
		re->nrows = 0;
}
