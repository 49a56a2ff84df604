/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a block of memory is a script table whose program uses what there is. The loader's tables
 * are checked once, when the kernel takes them; a run then looks at nothing twice. It needs nothing
 * of the kernel, so that tests damage tables and check them.
 */
#ifndef PRT_SCRIPT_CHECK_H
#define PRT_SCRIPT_CHECK_H

#include "abi/script_frames.h"

/* Whether the loads that belong to PRT_SCRIPT_SAME follow it. */
static inline bool prt_script_same_ok(const struct prt_script_table *t,
				      const struct prt_script_op *op)
{
	const struct prt_script_op *end = prt_script_ops(t) + t->nops;
	prt_s32 i;

	if (op->n < 1 || op->n > PRT_SCRIPT_SAME_LOADS || op->n >= end - op)
		return false;
	for (i = 1; i <= op->n; i++)
		if (op[i].op != PRT_SCRIPT_LOAD || (op[i].c & ~PRT_SCRIPT_MORE) != 3)
			return false;
	return true;
}

/* The fields beside the registers a, b and c, which are below PRT_SCRIPT_REGISTERS unless they are
 * something else. */
static inline bool prt_script_op_ok(const struct prt_script_table *t,
				    const struct prt_script_op *op)
{
	const bool c_is_register = op->op == PRT_SCRIPT_SUM || op->op == PRT_SCRIPT_LESS;

	if (op->op >= PRT_SCRIPT_NOPS || op->a >= PRT_SCRIPT_REGISTERS ||
	    op->b >= PRT_SCRIPT_REGISTERS || (c_is_register && op->c >= PRT_SCRIPT_REGISTERS))
		return false;
	switch (op->op) {
	case PRT_SCRIPT_LOAD:
		/* The one that is joined to it is one, too. */
		return !(op->c & PRT_SCRIPT_MORE) ||
		       (op + 1 < prt_script_ops(t) + t->nops && op[1].op == PRT_SCRIPT_LOAD);
	case PRT_SCRIPT_ADDRESS:
		return op->n >= 0 && (prt_u32)op->n < t->naddresses;
	case PRT_SCRIPT_MEMO:
		return op->c && op->c <= PRT_SCRIPT_REGISTERS - op->b && op->n >= 0 &&
		       (prt_u32)op->n < t->nops;
	case PRT_SCRIPT_SAME:
		return prt_script_same_ok(t, op);
	case PRT_SCRIPT_FRAME:
		return op->c && op->c <= PRT_SCRIPT_REGISTERS - op->b && op->n > 0 &&
		       op->n <= PRT_SCRIPT_REGISTERS;
	case PRT_SCRIPT_REMEMBER:
		return op->c && op->c <= PRT_SCRIPT_REGISTERS - op->b;
	case PRT_SCRIPT_END:
		return op->n >= 0 && op->n < PRT_SCRIPT_ENDS;
	case PRT_SCRIPT_TEXT:
		return op->c < PRT_SCRIPT_KINDS && (op->n == 1 || op->n == 2 || op->n == 4 ||
						    op->n == PRT_SCRIPT_UTF8);
	case PRT_SCRIPT_STRING:
	case PRT_SCRIPT_NUMBER:
		return op->c < PRT_SCRIPT_KINDS;
	}
	if (op->op >= PRT_SCRIPT_JUMP && op->op <= PRT_SCRIPT_IF_BELOW)
		return op->n >= 0 && (prt_u32)op->n < t->nops;
	return true;
}

/** prt_script_ok - whether the @size bytes at @t, aligned to 8, are a table. Any context. */
static inline bool prt_script_ok(const struct prt_script_table *t, prt_u64 size)
{
	prt_u32 i;

	if (size < sizeof(*t) || t->magic != PRT_SCRIPT_MAGIC || t->size != size || !t->nops ||
	    t->nops > PRT_SCRIPT_OPS || t->describe >= t->nops || !t->nranges ||
	    t->nranges > PRT_SCRIPT_RANGES || t->naddresses > PRT_SCRIPT_ADDRESSES ||
	    prt_script_size(t->naddresses, t->nranges, t->nops) != size)
		return false;
	for (i = 0; i < t->nranges; i++)
		if (prt_script_ranges(t)[i].start >=
		    (prt_script_ranges(t)[i].end & ~PRT_SCRIPT_THROUGH))
			return false;
	for (i = 0; i < t->nops; i++)
		if (!prt_script_op_ok(t, &prt_script_ops(t)[i]))
			return false;
	return true;
}

#endif
