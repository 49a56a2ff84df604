/* SPDX-License-Identifier: GPL-2.0 */
/* Where control goes after an instruction. */
#ifndef ARCH_FLOW_H
#define ARCH_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum arch_flow_kind {
	ARCH_FLOW_ON,       /* to the next instruction */
	ARCH_FLOW_PADDING,  /* the same: a nop */
	ARCH_FLOW_CALL,     /* to the next instruction, unless the called function never returns */
	ARCH_FLOW_BRANCH,   /* to the next instruction or to `target` */
	ARCH_FLOW_JUMP,     /* to `target` */
	ARCH_FLOW_COMPUTED, /* to an address in a register or in memory */
	ARCH_FLOW_RETURN,   /* to the address on top of the stack */
	ARCH_FLOW_STOP,     /* nowhere: ud2, hlt, int3 */
};

/* The instructions of a jump to one of several parts of a function: one loads a distance from a
 * table, one adds the table's address, and ARCH_FLOW_COMPUTED jumps there. */
enum arch_flow_step { ARCH_FLOW_NO_STEP, ARCH_FLOW_LOADS_DISTANCE, ARCH_FLOW_ADDS };

struct arch_flow {
	enum arch_flow_kind kind;
	enum arch_flow_step step;
	unsigned length;    /* bytes of the instruction */
	uint64_t target;    /* of a call as well, if the instruction has it; otherwise 0 */
	/* the word of memory that has the target of a call or jump, if the instruction has its
	 * address; otherwise 0 */
	uint64_t word;
	bool pops;          /* ARCH_FLOW_RETURN: it removes arguments from the stack as well */
	/* pushf. The kernel steps over an instruction with the flag TF, which is saved with the
	 * others; SIGTRAP ends the program when it restores them. */
	bool saves_flags;
	/* ldxr, stxr and their like: the processor takes the store of such a pair only if no
	 * exception came since the load. The kernel itself refuses to step over these two. */
	enum { ARCH_FLOW_PLAIN, ARCH_FLOW_LOAD_EXCLUSIVE, ARCH_FLOW_STORE_EXCLUSIVE } exclusive;
	/* The kernel sets no breakpoint of a program there, without a word, or steps over it with
	 * another effect. */
	bool unsteppable;
};

/** arch_flow - decode the instruction at @code, of which @n bytes are known and which is at
 *  @address. Returns false if it is invalid, or if its target can't be known (far returns).
 *  @of_32bit, in all functions: the code is that of a 32-bit program. */
bool arch_flow(const unsigned char *code, size_t n, uint64_t address, bool of_32bit,
	       struct arch_flow *ret);
/** arch_flow_far - whether the bytes at @code may be a direct jump whose target is more than 127
 *  bytes away; stores the target. The bytes need not be the beginning of an instruction. */
bool arch_flow_far(const unsigned char *code, size_t n, uint64_t address, bool of_32bit,
		   uint64_t *target);
/* Bytes before and after a function in which a jump that arch_flow_far() does not see may lead into
 * it. */
#define ARCH_FLOW_NEAR 130
/** arch_flow_stored - find the argument register that the first instructions of a function, the @n
 *  bytes at @code, store at @offset from the register with number @base in debug information.
 *  Returns its number, from 0 on, or -1 if they store something else or nothing there. */
int arch_flow_stored(const unsigned char *code, size_t n, unsigned base, int64_t offset);
/** arch_flow_frame - the register, as struct pt_regs names it, that a function with the code @code
 *  saves on the stack and then sets to that place, before anything else. NULL: it does not. */
const char *arch_flow_frame(const unsigned char *code, size_t n);
/* Registers that may have arguments, as bits by the numbers of arguments. */
struct arch_taken {
	uint32_t reads;         /* on some path, the value that the caller left is used */
	uint32_t writes;        /* on some path, another value replaces one that was not used yet */
	uint32_t vector_reads, vector_writes; /* likewise, by the numbers of vector registers */
	/* on some path, what the caller left is stored in the frame: for the caller, or to be used
	 * later */
	uint32_t stores;
	uint32_t slot_reads;    /* words of the caller's stack that are read, as bits */
};
/** arch_flow_taken - follow the code of a function, the @n bytes at @code, in 64-bit code. Values
 *  that it saves for its caller, or only passes on, are not used. Returns false if that is not
 *  known. */
bool arch_flow_taken(const unsigned char *code, size_t n, struct arch_taken *ret);
/** arch_flow_entry_cfa - the canonical frame address minus the stack pointer at the entry of a
 *  function. */
unsigned arch_flow_entry_cfa(bool of_32bit);

#endif
