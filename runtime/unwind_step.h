/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One step of a walk through a user stack: from the registers of a frame to those of its caller, by
 * the rule of the frame's instruction (abi/unwind.h). It needs nothing of the kernel, so that tests
 * walk the stacks of stopped processes with it (testsuite/beside/walked.c).
 *
 * What is not known is never guessed: a register that a function may have changed and did not store
 * has no value in the caller, and a rule that needs it ends the walk. The stack pointer grows with
 * each frame, which bounds a walk over a damaged stack; only a signal may have come on another
 * stack, and only a function that changes to another stack has its caller elsewhere. Such frames
 * are bounded by the number of frames that a walk may take.
 */
#ifndef PRT_UNWIND_STEP_H
#define PRT_UNWIND_STEP_H

#include "abi/unwind.h"

/* @read of the kernel half may do nothing but what is inlined: the process's memory is open. */
#define PRT_UNWIND_INLINE inline __attribute__((__always_inline__))

struct prt_unwind_frame {
	prt_u64 r[PRT_UNWIND_REGISTERS]; /* by DWARF number */
	prt_u64 ip;
	prt_u64 thread;     /* base of the thread's own memory */
	prt_unwind_bits known; /* bits of r[]; PRT_UNWIND_THREAD_KNOWN */
	bool is_call;       /* ip is after a call */
	bool is_inner;      /* the innermost frame */
	bool is_interrupted; /* by a signal; only where the return address may be in a register */
};

/* In `known`: `thread` leads to the caller of a function that has changed to another stack. */
#define PRT_UNWIND_THREAD_KNOWN ((prt_unwind_bits)1 << PRT_UNWIND_REGISTERS)

enum prt_unwind_result {
	PRT_UNWIND_CALLER,  /* the frame is that of the caller now */
	PRT_UNWIND_LAST,    /* the frame has no caller */
	PRT_UNWIND_NO_RULE, /* no rule is known for its address */
	PRT_UNWIND_NO_VALUE,/* the rule needs a register whose value is not known */
	PRT_UNWIND_NO_WORD, /* the rule needs memory that can't be read */
	PRT_UNWIND_NO_STACK,/* the caller's frame would not be above it */
};

/** prt_unwind_address - the address whose rule holds in a frame: of the call, not after it. */
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

/* A rule, and what follows from it and from the rules of the other frames. */
struct prt_unwind_plan {
	const struct prt_unwind_rule *rule; /* NULL: there is none */
	prt_unwind_bits kept;      /* registers that are known in the caller if they were before */
	prt_unwind_bits registers; /* those that are known in any case */
	prt_u8 load;        /* the columns of them that are read */
	bool is_plain;      /* CFA: reg + offset; all is stored there, the return address as well */
};

static PRT_UNWIND_INLINE prt_unwind_bits prt_unwind_registers_of(prt_u32 columns)
{
	prt_unwind_bits registers = 0;
	unsigned i;

	for (i = 0; i < PRT_UNWIND_RA; i++)
		if (columns >> i & 1)
			registers |= 1u << prt_arch_unwind_columns[i];
	return registers;
}

/**
 * prt_unwind_plan_of - prepare steps by a rule
 *
 * @rule:   may be NULL
 * @wanted: prt_unwind_wanted() of all tables that the walk may come to: no rule refers to other
 *          registers, which are not read
 */
static inline struct prt_unwind_plan prt_unwind_plan_of(const struct prt_unwind_rule *rule,
							prt_u8 wanted)
{
	const prt_u8 ra = 1u << PRT_UNWIND_RA;
	struct prt_unwind_plan p = { .rule = rule };

	if (!rule)
		return p;
	p.load = rule->stored & wanted & ~ra;
	p.kept = PRT_UNWIND_KEPT & ~prt_unwind_registers_of(rule->gone);
	if (!(rule->gone & PRT_UNWIND_THREAD))
		p.kept |= PRT_UNWIND_THREAD_KNOWN;
	/* A register that is stored, but not wanted, may stay known: nobody looks. */
	p.registers = prt_unwind_registers_of(p.load) | 1u << PRT_UNWIND_SP;
	p.is_plain = rule->cfa == PRT_UNWIND_REG && !rule->by_base && !rule->ra_reg &&
		     rule->stored & ra;
	return p;
}

static PRT_UNWIND_INLINE enum prt_unwind_result
prt_unwind_from_signal(struct prt_unwind_frame *f, const struct prt_unwind_rule *rule,
		       prt_unwind_read *read, void *arg)
{
	const bool of_32bit = rule->cfa == PRT_UNWIND_SIGNAL_32;
	const unsigned char *words = of_32bit ? prt_arch_signal_words_32 : prt_arch_signal_words;
	unsigned word = of_32bit ? PRT_UNWIND_WORD_32 : PRT_UNWIND_WORD, i;
	prt_u64 base = f->r[rule->reg] + (prt_s64)rule->offset;

	for (i = 0; i < PRT_UNWIND_REGISTERS; i++)
		if (words[i] != PRT_UNWIND_NO_SIGNAL_WORD &&
		    !read(arg, base + word * words[i], &f->r[i]))
			return PRT_UNWIND_NO_WORD;
	if (!read(arg, base + word * words[PRT_UNWIND_REGISTERS], &f->ip))
		return PRT_UNWIND_NO_WORD;
	/* Registers without a word are none that a rule of such a program names. */
	f->known |= PRT_UNWIND_ALL;
	f->is_call = f->is_inner = false;
	f->is_interrupted = PRT_UNWIND_RA_KEPT;
	return PRT_UNWIND_CALLER;
}

/* Whether the caller's stack is above that of the frame. A function that calls none, or none yet,
 * may have no frame. */
static PRT_UNWIND_INLINE bool prt_unwind_is_above(const struct prt_unwind_frame *f, prt_u64 cfa)
{
	return cfa > f->r[PRT_UNWIND_SP] ||
	       (cfa == f->r[PRT_UNWIND_SP] &&
		(f->is_inner || (PRT_UNWIND_RA_KEPT && f->is_interrupted)));
}

static PRT_UNWIND_INLINE enum prt_unwind_result
prt_unwind_cfa_of(const struct prt_unwind_frame *f, const struct prt_unwind_rule *rule,
		  prt_unwind_read *read, void *arg, prt_u64 *ret)
{
	*ret = f->r[rule->reg] + (prt_s64)rule->offset;
	if (rule->cfa == PRT_UNWIND_LOAD) {
		if (!read(arg, *ret, ret))
			return PRT_UNWIND_NO_WORD;
		*ret += rule->add;
	} else if (rule->cfa == PRT_UNWIND_PLT && (f->ip & 15) >= (prt_u64)rule->at[0]) {
		*ret += rule->add;
	}
	return prt_unwind_is_above(f, *ret) ? PRT_UNWIND_CALLER : PRT_UNWIND_NO_STACK;
}

/* Reads what the function stored at @cfa + at[], or, columns of @by_base, at @base + at[]. false: a
 * word can't be read. */
static PRT_UNWIND_INLINE bool
prt_unwind_restore(struct prt_unwind_frame *f, const struct prt_unwind_plan *p, prt_u64 cfa,
		   prt_u32 by_base, prt_u64 base, prt_unwind_read *read, void *arg)
{
	const struct prt_unwind_rule *rule = p->rule;
	prt_u32 left;

	for (left = p->load; left; left &= left - 1) {
		unsigned i = __builtin_ctz(left);

		if (!read(arg, (by_base >> i & 1 ? base : cfa) + (prt_s64)rule->at[i],
			  &f->r[prt_arch_unwind_columns[i]]))
			return false;
	}
	if (rule->stored >> PRT_UNWIND_RA & 1 &&
	    !read(arg, (by_base >> PRT_UNWIND_RA & 1 ? base : cfa) +
		  (prt_s64)rule->at[PRT_UNWIND_RA], &f->ip))
		return false;
	f->ip = PRT_UNWIND_ADDRESS(f->ip);
	f->known = (f->known & p->kept) | p->registers;
	f->r[PRT_UNWIND_SP] = cfa;
	f->is_call = true;
	f->is_inner = false;
	if (PRT_UNWIND_RA_KEPT)
		f->is_interrupted = false;
	return true;
}

/* The caller is on the stack to which the rule's links lead. */
static PRT_UNWIND_INLINE enum prt_unwind_result
prt_unwind_to_other_stack(struct prt_unwind_frame *f, const struct prt_unwind_plan *p,
			  prt_unwind_read *read, void *arg)
{
	prt_u64 word = f->thread;
	unsigned i;

	if (!(f->known & PRT_UNWIND_THREAD_KNOWN))
		return PRT_UNWIND_LAST;
	for (i = 0; i < PRT_UNWIND_LINKS; i++) {
		if (!word)
			return PRT_UNWIND_LAST;
		if (!read(arg, word + (prt_s64)p->rule->at[i], &word))
			return PRT_UNWIND_NO_WORD;
	}
	return prt_unwind_restore(f, p, word + (prt_s64)p->rule->offset, 0, 0, read, arg) ?
	       PRT_UNWIND_CALLER : PRT_UNWIND_NO_WORD;
}

/* Every rule but a plain one. */
static PRT_UNWIND_INLINE enum prt_unwind_result
prt_unwind_step_other(struct prt_unwind_frame *f, const struct prt_unwind_plan *p,
		      prt_unwind_read *read, void *arg)
{
	const struct prt_unwind_rule *rule = p->rule;
	enum prt_unwind_result result;
	prt_u64 cfa;

	if (!rule)
		return PRT_UNWIND_NO_RULE;
	if (rule->cfa == PRT_UNWIND_END)
		return PRT_UNWIND_LAST;
	if (rule->cfa == PRT_UNWIND_SWITCH)
		return prt_unwind_to_other_stack(f, p, read, arg);
	if (!prt_unwind_known(f, rule->reg) || (rule->by_base && !prt_unwind_known(f, rule->base)))
		return PRT_UNWIND_NO_VALUE;
	if (rule->cfa == PRT_UNWIND_SIGNAL || rule->cfa == PRT_UNWIND_SIGNAL_32)
		return prt_unwind_from_signal(f, rule, read, arg);
	result = prt_unwind_cfa_of(f, rule, read, arg, &cfa);
	if (result != PRT_UNWIND_CALLER)
		return result;
	if (rule->ra_reg) {
		if (!prt_unwind_known(f, rule->ra_reg - 1))
			return PRT_UNWIND_NO_VALUE;
		f->ip = f->r[rule->ra_reg - 1];
	}
	return prt_unwind_restore(f, p, cfa, rule->by_base, f->r[rule->base], read, arg) ?
	       PRT_UNWIND_CALLER : PRT_UNWIND_NO_WORD;
}

/**
 * prt_unwind_step - from a frame to its caller's
 *
 * @p:    by the rule of prt_unwind_address(@f)
 * @read: gets @arg
 *
 * Any context that @read may run in. On a failure, @f is of no use.
 */
static PRT_UNWIND_INLINE enum prt_unwind_result
prt_unwind_step(struct prt_unwind_frame *f, const struct prt_unwind_plan *p,
		prt_unwind_read *read, void *arg)
{
	prt_u64 cfa;

	if (!p->is_plain)
		return prt_unwind_step_other(f, p, read, arg);
	if (!prt_unwind_known(f, p->rule->reg))
		return PRT_UNWIND_NO_VALUE;
	cfa = f->r[p->rule->reg] + (prt_s64)p->rule->offset;
	if (!prt_unwind_is_above(f, cfa))
		return PRT_UNWIND_NO_STACK;
	return prt_unwind_restore(f, p, cfa, 0, 0, read, arg) ? PRT_UNWIND_CALLER :
								PRT_UNWIND_NO_WORD;
}

#endif
