/* SPDX-License-Identifier: GPL-2.0 */
/* A program is appended operation by operation; labels are resolved when its table is made. */
#include <stdlib.h>
#include <string.h>

#include "scripts/language.h"
#include "scripts/private.h"
#include "shared/memory.h"

enum { NOWHERE = -1 };

struct script_program {
	struct prt_script_op ops[PRT_SCRIPT_OPS];
	struct prt_script_range ranges[PRT_SCRIPT_RANGES];
	uint64_t addresses[PRT_SCRIPT_ADDRESSES];
	unsigned nops, nranges, naddresses;
	unsigned same;         /* the last PRT_SCRIPT_SAME */
	unsigned describe;     /* 0: there is no description yet */
	int labels[SCRIPT_LABELS]; /* number of the operation there, or NOWHERE */
	bool may_join;         /* the last operation is a load, without a label behind it */
	bool bad;              /* something did not fit */
};

struct script_program *script_program_start(void)
{
	struct script_program *p = memory_zeroed(1, sizeof(*p));

	for (unsigned i = 0; i < SCRIPT_LABELS; i++)
		p->labels[i] = NOWHERE;
	return p;
}

void script_program_free(struct script_program *p)
{
	free(p);
}

static bool is_jump(unsigned op)
{
	return (op >= PRT_SCRIPT_JUMP && op <= PRT_SCRIPT_IF_BELOW) || op == PRT_SCRIPT_MEMO;
}

void script_op(struct script_program *p, enum prt_script_operation op, unsigned a, unsigned b,
	       unsigned c, int64_t n)
{
	bool c_is_register = op == PRT_SCRIPT_SUM || op == PRT_SCRIPT_LESS;

	p->may_join = false;
	p->bad |= p->nops == PRT_SCRIPT_OPS || n < INT32_MIN || n > INT32_MAX ||
		  a >= PRT_SCRIPT_REGISTERS || b >= PRT_SCRIPT_REGISTERS ||
		  (c >= PRT_SCRIPT_REGISTERS && c_is_register) || c > UINT8_MAX ||
		  (is_jump(op) && (n < 0 || n >= SCRIPT_LABELS));
	if (p->bad)
		return;
	p->ops[p->nops++] = (struct prt_script_op){
		.op = (prt_u8)op, .a = (prt_u8)a, .b = (prt_u8)b, .c = (prt_u8)c, .n = (prt_s32)n,
	};
}

void script_load(struct script_program *p, unsigned a, unsigned b, int64_t offset, int size)
{
	static const unsigned char powers[] = { [1] = 0, [2] = 1, [4] = 2, [8] = 3 };
	unsigned bytes = size < 0 ? (unsigned)-size : (unsigned)size;
	unsigned before = p->nops - 1;
	bool joins = p->may_join;

	if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
		p->bad = true;
		return;
	}
	script_op(p, PRT_SCRIPT_LOAD, a, b, powers[bytes] | (size < 0 ? PRT_SCRIPT_SIGNED : 0),
		  offset);
	if (p->bad)
		return;
	if (joins)
		p->ops[before].c |= PRT_SCRIPT_MORE;
	p->may_join = true;
}

void script_same(struct script_program *p, unsigned frame)
{
	p->same = p->nops;
	script_op(p, PRT_SCRIPT_SAME, frame, 0, 0, 0);
}

void script_same_end(struct script_program *p)
{
	unsigned n = p->nops - p->same - 1;

	p->may_join = false;
	p->bad |= !n || n > PRT_SCRIPT_SAME_LOADS;
	if (!p->bad)
		p->ops[p->same].n = (prt_s32)n;
}

void script_label(struct script_program *p, unsigned label)
{
	p->may_join = false;
	if (label >= SCRIPT_LABELS || p->labels[label] != NOWHERE)
		p->bad = true;
	else
		p->labels[label] = (int)p->nops;
}

void script_address(struct script_program *p, unsigned a, uint64_t address)
{
	unsigned i = 0;

	while (i < p->naddresses && p->addresses[i] != address)
		i++;
	if (i == PRT_SCRIPT_ADDRESSES) {
		p->bad = true;
		return;
	}
	p->addresses[i] = address;
	if (i == p->naddresses)
		p->naddresses++;
	script_op(p, PRT_SCRIPT_ADDRESS, a, 0, 0, i);
}

void script_loop(struct script_program *p, uint64_t start, uint64_t end)
{
	if (p->nranges == PRT_SCRIPT_RANGES || start >= end || end & PRT_SCRIPT_THROUGH)
		p->bad = true;
	else
		p->ranges[p->nranges++] = (struct prt_script_range){ .start = start, .end = end };
}

void script_through(struct script_program *p, uint64_t start, uint64_t end)
{
	script_loop(p, start, end);
	if (!p->bad)
		p->ranges[p->nranges - 1].end |= PRT_SCRIPT_THROUGH;
}

void script_describe(struct script_program *p)
{
	p->may_join = false;
	p->bad |= !p->nops || p->describe;
	p->describe = p->nops;
}

/* false: a jump has no target. Those of a part of the program stay in it. */
static bool resolve(const struct script_program *p, struct prt_script_op *ops)
{
	for (unsigned i = 0; i < p->nops; i++) {
		int to;

		ops[i] = p->ops[i];
		if (!is_jump(ops[i].op))
			continue;
		to = p->labels[ops[i].n];
		if (to == NOWHERE || (unsigned)to >= p->nops ||
		    ((unsigned)to < p->describe) != (i < p->describe))
			return false;
		ops[i].n = to;
	}
	return true;
}

struct prt_script_table *script_program_table(const struct script_program *p, uint32_t language)
{
	uint64_t size = prt_script_size(p->naddresses, p->nranges, p->nops);
	struct prt_script_table *t;

	if (p->bad || !p->describe || p->describe == p->nops || !p->nranges)
		return NULL;
	t = memory_zeroed(1, size);
	*t = (struct prt_script_table){
		.magic = PRT_SCRIPT_MAGIC, .language = language, .nops = p->nops,
		.describe = p->describe, .nranges = p->nranges, .naddresses = p->naddresses,
		.size = size,
	};
	memcpy((void *)prt_script_addresses(t), p->addresses,
	       p->naddresses * sizeof(*p->addresses));
	memcpy((void *)prt_script_ranges(t), p->ranges, p->nranges * sizeof(*p->ranges));
	if (resolve(p, (struct prt_script_op *)prt_script_ops(t)))
		return t;
	free(t);
	return NULL;
}
