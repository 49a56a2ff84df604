/* SPDX-License-Identifier: GPL-2.0 */
/* All that a processor supplies: x86_64.c, arm64.c and their relatives. arch.h, flow.h and
 * operand.h describe the functions. */
#ifndef ARCH_PRIVATE_H
#define ARCH_PRIVATE_H

#include "target/arch/arch.h"
#include "target/arch/effect.h"
#include "target/arch/flow.h"
#include "target/arch/names.h"
#include "target/arch/operand.h"
#include "target/arch/passing.h"
#include "target/arch/references.h"

struct arch {
	struct arch_names names;
	const struct arch *of_32bit;       /* of 32-bit programs; NULL: they can't be probed */
	const struct passing_rules *passing;
	const char *const *registers;      /* by DWARF number, as struct pt_regs names them */
	const char *const *register_names; /* the same, as assembler and scripts write them */
	unsigned nregisters, nregister_names;
	unsigned first_simd, nsimd;        /* DWARF numbers of the vector registers */
	const char *const *arguments;
	unsigned narguments;
	const char *const *call;           /* the number of a system call, and its arguments */
	unsigned ncall;
	const char *instruction_pointer;
	bool stack_needs_all;
	bool has_thread_memory;
	unsigned thread_head;
	const char *(*hwcaps)(unsigned i);
	/* types of dynamic relocations: an address in any word, in a word of the global offset
	 * table for a variable or function, and for a function; relative; of a function's choice */
	struct {
		uint64_t address, global, function, relative, indirect;
	} relocations;
	size_t (*plt_entry)(uint64_t stated, uint64_t alignment);
	bool (*plt_word)(const unsigned char *code, size_t n, uint64_t address, uint64_t got,
			 uint64_t *ret);
	/* flow.h */
	bool (*flow)(const unsigned char *code, size_t n, uint64_t address, struct arch_flow *ret);
	bool (*flow_far)(const unsigned char *code, size_t n, uint64_t address, uint64_t *target);
	/* NULL: not known */
	int (*stored)(const unsigned char *code, size_t n, unsigned base, int64_t offset);
	/* NULL: not known */
	const char *(*frame)(const unsigned char *code, size_t n);
	bool (*taken)(const unsigned char *code, size_t n, struct arch_taken *ret);
	unsigned entry_cfa;
	/* effect.h */
	bool (*effect)(const unsigned char *code, size_t n, uint64_t address,
		       struct arch_effect *ret);
	uint32_t call_loses;
	/* NULL: no code does so */
	unsigned (*takes_return)(const unsigned char *code, size_t n, unsigned *reg);
	unsigned result, zero;
	/* references.h; NULL: it does not exist for this processor */
	bool (*references)(const unsigned char *code, size_t n, uint64_t address,
			   struct arch_references *ret);
	/* operand.h: reads the operand at @p, behind its size; sets ret->kind and the rest */
	void (*operand)(struct arena *a, const char *p, struct arch_operand *ret);
};

extern const struct arch arch_x86_64, arch_i386, arch_arm64;

/** arch_plt_entry_x86 - plt_entry of x86-64 and i386. */
size_t arch_plt_entry_x86(uint64_t stated, uint64_t alignment);

/* The chosen one. */
extern const struct arch *arch_now;
/** arch_of - the chosen one, or that of 32-bit programs on its kernel. */
const struct arch *arch_of(bool of_32bit);

/* flow_x86_64.c, stored_x86_64.c, flow_arm64.c */
bool arch_flow_x86_64(const unsigned char *code, size_t n, uint64_t address,
		      struct arch_flow *ret);
bool arch_flow_i386(const unsigned char *code, size_t n, uint64_t address, struct arch_flow *ret);
bool arch_flow_far_x86_64(const unsigned char *code, size_t n, uint64_t address,
			  uint64_t *target);
int arch_stored_x86_64(const unsigned char *code, size_t n, unsigned base, int64_t offset);
bool arch_flow_arm64(const unsigned char *code, size_t n, uint64_t address, struct arch_flow *ret);
bool arch_flow_far_arm64(const unsigned char *code, size_t n, uint64_t address, uint64_t *target);
/* taken_x86_64.c */
const char *arch_frame_x86_64(const unsigned char *code, size_t n);
bool arch_taken_x86_64(const unsigned char *code, size_t n, struct arch_taken *ret);
/* effect_x86_64.c, effect_arm64.c */
bool arch_effect_x86_64(const unsigned char *code, size_t n, uint64_t address,
			struct arch_effect *ret);
bool arch_effect_i386(const unsigned char *code, size_t n, uint64_t address,
		      struct arch_effect *ret);
bool arch_effect_arm64(const unsigned char *code, size_t n, uint64_t address,
		       struct arch_effect *ret);
/* references_x86_64.c */
bool arch_references_x86_64(const unsigned char *code, size_t n, uint64_t address,
			    struct arch_references *ret);
/* operand_x86_64.c, operand_arm64.c */
void arch_operand_x86_64(struct arena *a, const char *p, struct arch_operand *ret);
void arch_operand_arm64(struct arena *a, const char *p, struct arch_operand *ret);
/* operand.c: the operand is not available, by that reason. */
void arch_operand_refuse(struct arch_operand *ret, const char *why);

#endif
