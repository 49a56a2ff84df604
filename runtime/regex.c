/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Matching regular expressions; abi/match.h is the contract.
 *
 * The program is run on all its threads at once, one byte after the other. A thread is an
 * instruction that takes a byte (or the match) and the positions saved on its way there. A list
 * holds threads from the first choice to the last, an instruction at most once: of two threads at
 * the same instruction, what follows is the same, so the better one is enough. A thread of
 * an earlier start is always better, as a new one begins after all others. Therefore the work a
 * byte is bounded by the program's length, and the room by it as well.
 */
#include "abi/match.h"

#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <string.h>
#endif

struct threads {
	prt_u16 n;
	prt_u16 *pc;
	prt_u16 *at;     /* [n][positions] */
};

/* An entry of the backtracking stack: an instruction to follow, or a saved position to restore. */
struct pending {
	prt_u16 pc;      /* PRT_REGEX_NONE: restore a position */
	prt_u16 save, old;
};

struct run {
	const struct prt_regex *re;
	prt_u32 len;
	prt_u32 npos;            /* positions that a thread stores */
	struct threads list[2];
	prt_u16 *seen;           /* by instruction: the position where it was reached last, + 1 */
	prt_u16 *at;             /* positions of the thread that is followed */
	struct pending *stack;
};

bool prt_regex_test(const struct prt_regex *re, const char *s, prt_u32 len)
{
	prt_u32 row = PRT_REGEX_START, i;

	for (i = 0; i < len; i++) {
		row = re->next[row * re->nclasses + re->classes[(unsigned char)s[i]]];
		if (row <= PRT_REGEX_FOUND)
			return row;
	}
	return re->at_end[row];
}

/* Adds the threads that @pc leads to at @pos to @to; run.at has the positions stored so far. */
static void follow(struct run *r, struct threads *to, prt_u32 pc, prt_u32 pos)
{
	struct pending *top = r->stack;

	*top++ = (struct pending){ (prt_u16)pc, 0, 0 };
	while (top != r->stack) {
		struct pending p = *--top;
		const struct prt_regex_inst *in;

		if (p.pc == PRT_REGEX_NONE) {
			r->at[p.save] = p.old;
			continue;
		}
		if (r->seen[p.pc] == pos + 1)
			continue;
		r->seen[p.pc] = (prt_u16)(pos + 1);
		in = &r->re->insts[p.pc];
		switch (in->op) {
		case PRT_REGEX_SPLIT:
			*top++ = (struct pending){ in->y, 0, 0 };
			*top++ = (struct pending){ in->x, 0, 0 };
			break;
		case PRT_REGEX_JUMP:
			*top++ = (struct pending){ in->x, 0, 0 };
			break;
		case PRT_REGEX_SAVE:
			*top++ = (struct pending){ PRT_REGEX_NONE, in->arg, r->at[in->arg] };
			r->at[in->arg] = (prt_u16)pos;
			*top++ = (struct pending){ (prt_u16)(p.pc + 1), 0, 0 };
			break;
		case PRT_REGEX_BEGIN:
			if (pos == 0)
				*top++ = (struct pending){ (prt_u16)(p.pc + 1), 0, 0 };
			break;
		case PRT_REGEX_END:
			if (pos == r->len)
				*top++ = (struct pending){ (prt_u16)(p.pc + 1), 0, 0 };
			break;
		default:
			to->pc[to->n] = p.pc;
			memcpy(to->at + to->n * r->npos, r->at, r->npos * sizeof(*r->at));
			to->n++;
		}
	}
}

static bool takes(const struct prt_regex *re, const struct prt_regex_inst *in, unsigned char c)
{
	switch (in->op) {
	case PRT_REGEX_BYTE:
		return in->arg == c;
	case PRT_REGEX_SET:
		return re->sets[in->arg][c / 8] >> c % 8 & 1;
	default:
		return true;
	}
}

/* Advances each thread of @from by the byte at @pos, or ends it; @best is the best match so far. */
static void step(struct run *r, struct threads *from, struct threads *to, const char *s,
		 prt_u32 pos, struct prt_match *best)
{
	prt_u32 i;

	to->n = 0;
	for (i = 0; i < from->n; i++) {
		const struct prt_regex_inst *in = &r->re->insts[from->pc[i]];
		prt_u16 *at = from->at + i * r->npos;

		/* The best match starts before this thread and all that follow. */
		if (best->ngroups && at[0] > best->at[0])
			return;
		if (in->op == PRT_REGEX_MATCH) {
			best->ngroups = r->re->ngroups;
			memcpy(best->at, at, r->npos * sizeof(*at));
		} else if (pos < r->len && takes(r->re, in, (unsigned char)s[pos])) {
			memcpy(r->at, at, r->npos * sizeof(*at));
			follow(r, to, from->pc[i] + 1u, pos + 1);
		}
	}
}

/* Divides the memory of PRT_REGEX_SCRATCH(). */
static void share_out(struct run *r, prt_u16 *room)
{
	prt_u32 n = r->re->ninsts, i;

	for (i = 0; i < 2; i++) {
		r->list[i].pc = room;
		r->list[i].at = room + n;
		room += n + n * r->npos;
	}
	r->seen = room;
	r->at = room + n;
	r->stack = (struct pending *)(r->at + r->npos);
}

bool prt_regex_find(const struct prt_regex *re, const char *s, prt_u32 len, void *scratch,
		    struct prt_match *ret)
{
	struct run r = { .re = re, .len = len, .npos = 2u * re->ngroups };
	prt_u32 pos;

	share_out(&r, scratch);
	memset(r.seen, 0, re->ninsts * sizeof(*r.seen));
	ret->ngroups = 0;
	for (pos = 0; pos <= len; pos++) {
		struct threads *now = &r.list[pos & 1], *next = &r.list[(pos + 1) & 1];

		if (!ret->ngroups) {
			memset(r.at, 0xff, r.npos * sizeof(*r.at));
			follow(&r, now, 0, pos);
		} else if (!now->n) {
			break;
		}
		step(&r, now, next, s, pos, ret);
	}
	return ret->ngroups;
}
