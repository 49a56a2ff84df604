/* SPDX-License-Identifier: GPL-2.0 */
/* Where an instruction leads to. */
#ifndef ARCH_FLOW_H
#define ARCH_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum arch_flow_kind {
	ARCH_FLOW_ON,       /* to the next instruction */
	ARCH_FLOW_PADDING,  /* the same: a nop */
	ARCH_FLOW_CALL,     /* to the next one, unless the function that is called never returns */
	ARCH_FLOW_BRANCH,   /* to the next one, or to `target` */
	ARCH_FLOW_JUMP,     /* to `target` */
	ARCH_FLOW_COMPUTED, /* to an address that a register or memory has */
	ARCH_FLOW_RETURN,   /* to the address on top of the stack */
	ARCH_FLOW_STOP,     /* nowhere: ud2, hlt, int3 */
};

/* The steps of a jump to one of several parts of a function: a distance is loaded from a table,
 * the table's address is added, and ARCH_FLOW_COMPUTED goes there. */
enum arch_flow_step { ARCH_FLOW_NO_STEP, ARCH_FLOW_LOADS_DISTANCE, ARCH_FLOW_ADDS };

struct arch_flow {
	enum arch_flow_kind kind;
	enum arch_flow_step step;
	unsigned length;    /* bytes of the instruction */
	uint64_t target;
};

/** arch_flow - decode the instruction at @code, of which @n bytes are known and which lies at
 *  @address. false if it is not valid, or its target is not known (far returns). */
bool arch_flow(const unsigned char *code, size_t n, uint64_t address, struct arch_flow *ret);
/** arch_flow_far - whether bytes at @code may be a direct jump whose target is more than 127 bytes
 *  away, and where that is; the bytes need not be the beginning of an instruction. */
bool arch_flow_far(const unsigned char *code, size_t n, uint64_t address, uint64_t *target);
/* Bytes around a function in which a jump of the short form may lead into it. */
#define ARCH_FLOW_NEAR 130
/* The canonical frame address less the stack pointer where a function is entered. */
#define ARCH_FLOW_ENTRY_CFA 8

#endif
