/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One step of a walk through a user stack: from the registers of a frame to those of its caller, by
 * the rule of the frame's instruction (abi/unwind.h). It needs nothing of the kernel, so that tests
 * walk the stacks of stopped processes with it (testsuite/beside/walked.c).
 *
 * What is not known is never guessed: a register that a function may have changed and did not store
 * has no value in the caller, and a rule that needs it ends the walk. The stack pointer grows with
 * each frame, which bounds a walk over a damaged stack; only a signal may have come on another
 * stack.
 */
#ifndef PRT_UNWIND_STEP_H
#define PRT_UNWIND_STEP_H

#include "abi/unwind.h"
#include "arch/x86_unwind.h"

struct prt_unwind_frame {
	prt_u64 r[PRT_UNWIND_REGISTERS]; /* by DWARF number */
	prt_u64 ip;
	prt_u32 known;      /* bits of r[] */
	prt_u8 wanted;      /* columns whose values some rule needs; others are not read */
	bool is_call;       /* ip is behind a call */
	bool is_inner;      /* the innermost frame */
};

enum prt_unwind_result {
	PRT_UNWIND_CALLER,  /* the frame is that of the caller now */
	PRT_UNWIND_LAST,    /* the frame has no caller */
	PRT_UNWIND_NO_RULE, /* no rule is known for its address */
	PRT_UNWIND_NO_VALUE,/* the rule needs a register whose value is not known */
	PRT_UNWIND_NO_WORD, /* the rule needs memory that can't be read */
	PRT_UNWIND_NO_STACK,/* the caller's frame would not be above it */
};

/** prt_unwind_address - the address whose rule holds in a frame: of the call, not behind it. */
static inline prt_u64 prt_unwind_address(const struct prt_unwind_frame *f)
{
	return f->ip - f->is_call;
}

/* Reads a word of the process; false: it can't be read. */
typedef bool prt_unwind_read(void *arg, prt_u64 address, prt_u64 *ret);

static inline bool prt_unwind_known(const struct prt_unwind_frame *f, unsigned reg)
{
	return f->known >> reg & 1;
}

static inline enum prt_unwind_result
prt_unwind_from_signal(struct prt_unwind_frame *f, const struct prt_unwind_rule *rule,
		       prt_unwind_read *read, void *arg)
{
	prt_u64 base = f->r[rule->reg] + (prt_s64)rule->offset;
	unsigned i;

	for (i = 0; i < PRT_UNWIND_REGISTERS; i++)
		if (!read(arg, base + 8 * prt_arch_signal_words[i], &f->r[i]))
			return PRT_UNWIND_NO_WORD;
	if (!read(arg, base + 8 * prt_arch_signal_words[PRT_UNWIND_REGISTERS], &f->ip))
		return PRT_UNWIND_NO_WORD;
	f->known = PRT_UNWIND_ALL;
	f->is_call = f->is_inner = false;
	return PRT_UNWIND_CALLER;
}

static inline enum prt_unwind_result
prt_unwind_cfa_of(const struct prt_unwind_frame *f, const struct prt_unwind_rule *rule,
		  prt_unwind_read *read, void *arg, prt_u64 *ret)
{
	*ret = f->r[rule->reg] + (prt_s64)rule->offset;
	if (rule->cfa == PRT_UNWIND_LOAD) {
		if (!read(arg, *ret, ret))
			return PRT_UNWIND_NO_WORD;
		*ret += rule->add;
	} else if (rule->cfa == PRT_UNWIND_PLT && (f->ip & 15) >= (prt_u64)rule->at[0]) {
		*ret += 8;
	}
	if (*ret < f->r[PRT_UNWIND_SP] || (*ret == f->r[PRT_UNWIND_SP] && !f->is_inner))
		return PRT_UNWIND_NO_STACK;
	return PRT_UNWIND_CALLER;
}

/**
 * prt_unwind_step - from a frame to its caller's
 *
 * @rule: of prt_unwind_address(@f), or NULL
 * @read: gets @arg
 *
 * Any context that @read may run in. On a failure, @f is of no use.
 */
static inline enum prt_unwind_result
prt_unwind_step(struct prt_unwind_frame *f, const struct prt_unwind_rule *rule,
		prt_unwind_read *read, void *arg)
{
	enum prt_unwind_result result;
	prt_u32 known, left;
	prt_u64 cfa, base;

	if (!rule)
		return PRT_UNWIND_NO_RULE;
	if (rule->cfa == PRT_UNWIND_END)
		return PRT_UNWIND_LAST;
	if (!prt_unwind_known(f, rule->reg) || (rule->by_base && !prt_unwind_known(f, rule->base)))
		return PRT_UNWIND_NO_VALUE;
	if (rule->cfa == PRT_UNWIND_SIGNAL)
		return prt_unwind_from_signal(f, rule, read, arg);
	result = prt_unwind_cfa_of(f, rule, read, arg, &cfa);
	if (result != PRT_UNWIND_CALLER)
		return result;
	base = f->r[rule->base];
	if (rule->ra_reg) {
		if (!prt_unwind_known(f, rule->ra_reg - 1))
			return PRT_UNWIND_NO_VALUE;
		f->ip = f->r[rule->ra_reg - 1];
	}
	/* No rule refers to a register that is not wanted, so it may stay known. */
	known = (f->known & PRT_UNWIND_KEPT) | 1u << PRT_UNWIND_SP;
	for (left = rule->gone; left; left &= left - 1)
		known &= ~(1u << prt_arch_unwind_columns[__builtin_ctz(left)]);
	for (left = rule->stored & f->wanted; left; left &= left - 1) {
		unsigned i = __builtin_ctz(left), reg = prt_arch_unwind_columns[i];

		if (!read(arg, (rule->by_base >> i & 1 ? base : cfa) + (prt_s64)rule->at[i],
			  i == PRT_UNWIND_RA ? &f->ip : &f->r[reg]))
			return PRT_UNWIND_NO_WORD;
		known |= 1u << reg;
	}
	f->known = known & PRT_UNWIND_ALL;
	f->r[PRT_UNWIND_SP] = cfa;
	f->is_call = true;
	f->is_inner = false;
	return PRT_UNWIND_CALLER;
}

#endif
