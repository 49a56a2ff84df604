/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the registers that a function takes from its caller, by following its code. */
#include "target/arch/private.h"

#include <stdlib.h>
#include <string.h>

#include <Zydis/Zydis.h>

#include "shared/memory.h"

enum {
	CODE_MAX = 8192,       /* bytes that are followed; what lies behind is another part */
	VECTOR = 16,           /* the first of 16 bits for vector registers */
	WORD = 8,
	UNKNOWN = INT32_MIN,   /* as a depth */
};

/* A walk over all paths. */
struct walk_code {
	const unsigned char *code;
	size_t n, all;         /* bytes that are followed, and those that are there */
	ZydisDecoder decoder;
	/* By the address: the registers that are written on every path to it, and bit 63 once it
	 * was reached. */
	uint64_t *written;
	/* by the address: how far the stack pointer is there below where it was at the entry */
	int32_t *depth;
	bool has_frame;        /* rbp has the address of the word below the return address */
	size_t *left;          /* addresses to go on at */
	size_t nleft, room;
	uint32_t reads, writes, stores, slots;
};

static const uint64_t REACHED = 1ull << 63;

const char *arch_frame_x86_64(const unsigned char *code, size_t n)
{
	static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	/* push %rbp; mov %rsp,%rbp, in its two forms */
	static const unsigned char frames[][4] = {
		{ 0x55, 0x48, 0x89, 0xe5 }, { 0x55, 0x48, 0x8b, 0xec },
	};
	size_t at = n >= 4 && memcmp(code, endbr64, sizeof(endbr64)) == 0 ? sizeof(endbr64) : 0;

	for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++)
		if (n - at >= 4 && memcmp(code + at, frames[i], 4) == 0)
			return "bp";
	return NULL;
}

/* The bit of a register, or of the one of which it is a part; 0: another one. */
static uint32_t bit_of(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
	ZyanI8 id = ZydisRegisterGetId(whole);

	switch (ZydisRegisterGetClass(whole)) {
	case ZYDIS_REGCLASS_GPR64:
		return 1u << id;
	case ZYDIS_REGCLASS_XMM:
	case ZYDIS_REGCLASS_YMM:
	case ZYDIS_REGCLASS_ZMM:
		return id < 16 ? 1u << (VECTOR + id) : 0;
	default:
		return 0;
	}
}

static bool is_register(const ZydisDecodedOperand *o)
{
	return o->type == ZYDIS_OPERAND_TYPE_REGISTER;
}

/* Whether the result does not depend on the register: it is cleared, or all of it is set. */
static bool is_idiom(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *ops)
{
	const ZydisDecodedOperand *from = &ops[in->operand_count_visible - 1];

	if (in->operand_count_visible < 2 || !is_register(&ops[0]))
		return false;
	switch (in->mnemonic) {
	case ZYDIS_MNEMONIC_XOR: case ZYDIS_MNEMONIC_SUB: case ZYDIS_MNEMONIC_SBB:
	case ZYDIS_MNEMONIC_PXOR: case ZYDIS_MNEMONIC_XORPS: case ZYDIS_MNEMONIC_XORPD:
	case ZYDIS_MNEMONIC_VPXOR: case ZYDIS_MNEMONIC_VXORPS: case ZYDIS_MNEMONIC_VXORPD:
	case ZYDIS_MNEMONIC_PCMPEQD: case ZYDIS_MNEMONIC_VPCMPEQD:
		return is_register(from) && is_register(&ops[in->operand_count_visible - 2]) &&
		       from->reg.value == ops[in->operand_count_visible - 2].reg.value;
	case ZYDIS_MNEMONIC_OR:
		return from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && from->imm.value.s == -1;
	case ZYDIS_MNEMONIC_AND:
		return from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && from->imm.value.s == 0;
	default:
		return false;
	}
}

/* Whether a register that ms_abi saves for the caller, rdi or rsi, is stored in the frame. */
static bool is_stored(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *ops,
		      const ZydisDecodedOperand *o)
{
	ZydisRegister base = ops[0].type == ZYDIS_OPERAND_TYPE_MEMORY ? ops[0].mem.base :
									 ZYDIS_REGISTER_NONE;

	return in->mnemonic == ZYDIS_MNEMONIC_MOV && o == &ops[1] &&
	       (base == ZYDIS_REGISTER_RSP || base == ZYDIS_REGISTER_RBP) &&
	       (o->reg.value == ZYDIS_REGISTER_RDI || o->reg.value == ZYDIS_REGISTER_RSI);
}

/* The registers that an instruction uses; *@stored: those that it may store for the caller. */
static uint32_t reads_of(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *ops,
			 uint32_t *stored)
{
	bool is_nop = in->meta.category == ZYDIS_CATEGORY_NOP ||
		      in->meta.category == ZYDIS_CATEGORY_WIDENOP;
	bool is_saved = in->mnemonic == ZYDIS_MNEMONIC_PUSH;
	uint32_t ret = 0;

	*stored = 0;
	for (unsigned i = 0; i < in->operand_count && !is_nop; i++) {
		const ZydisDecodedOperand *o = &ops[i];

		if (o->type == ZYDIS_OPERAND_TYPE_MEMORY)
			ret |= bit_of(o->mem.base) | bit_of(o->mem.index);
		else if (!is_register(o) || !(o->actions & ZYDIS_OPERAND_ACTION_READ) ||
			 is_idiom(in, ops) || is_saved)
			continue;
		else if (is_stored(in, ops, o))
			*stored |= bit_of(o->reg.value);
		else
			ret |= bit_of(o->reg.value);
	}
	return ret;
}

static uint32_t writes_of(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *ops)
{
	uint32_t ret = 0;

	for (unsigned i = 0; i < in->operand_count; i++)
		if (is_register(&ops[i]) && (ops[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			ret |= bit_of(ops[i].reg.value);
	return ret;
}

/* Notes the words of the caller's stack that an instruction reads, where the stack pointer is
 * @depth bytes below where it was at the entry. */
static void note_slots(struct walk_code *w, const ZydisDecodedInstruction *in,
		       const ZydisDecodedOperand *ops, int32_t depth)
{
	for (unsigned i = 0; i < in->operand_count; i++) {
		const ZydisDecodedOperand *o = &ops[i];
		int64_t first;

		if (o->type != ZYDIS_OPERAND_TYPE_MEMORY ||
		    !(o->actions & ZYDIS_OPERAND_ACTION_READ) ||
		    o->mem.index != ZYDIS_REGISTER_NONE)
			continue;
		if (o->mem.base == ZYDIS_REGISTER_RSP && depth != UNKNOWN)
			first = o->mem.disp.value - depth - WORD;
		else if (o->mem.base == ZYDIS_REGISTER_RBP && w->has_frame)
			first = o->mem.disp.value - 2 * WORD;
		else
			continue;
		for (int64_t at = first; at >= 0 && at < first + o->size / 8; at += WORD)
			if (at / WORD < 32)
				w->slots |= 1u << at / WORD;
	}
}

/* The depth of the stack pointer after an instruction. */
static int32_t depth_after(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *ops,
			   int32_t depth)
{
	bool by_number = in->operand_count_visible == 2 && is_register(&ops[0]) &&
			 ops[0].reg.value == ZYDIS_REGISTER_RSP;
	int64_t n = by_number && ops[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE ?
			    ops[1].imm.value.s : INT32_MAX;

	if (depth == UNKNOWN || in->meta.category == ZYDIS_CATEGORY_CALL)
		return depth;
	if (in->mnemonic == ZYDIS_MNEMONIC_PUSH)
		return depth + WORD;
	if (in->mnemonic == ZYDIS_MNEMONIC_POP && !by_number)
		return depth - WORD;
	if (in->mnemonic == ZYDIS_MNEMONIC_ADD)
		n = n == INT32_MAX ? n : -n;
	for (unsigned i = 0; i < in->operand_count; i++) {
		if (!is_register(&ops[i]) || ops[i].reg.value != ZYDIS_REGISTER_RSP ||
		    !(ops[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			continue;
		return (in->mnemonic == ZYDIS_MNEMONIC_SUB ||
			in->mnemonic == ZYDIS_MNEMONIC_ADD) && n > -CODE_MAX * WORD &&
		       n < CODE_MAX * WORD ? depth + (int32_t)n : UNKNOWN;
	}
	return depth;
}

/* Goes on at @at, if a path leads there with fewer registers written than any before. */
static void go_on(struct walk_code *w, uint64_t at, uint32_t written, int32_t depth)
{
	uint64_t known;

	if (at >= w->n)
		return;
	known = w->written[at];
	if (!(known & REACHED))
		w->depth[at] = depth;
	else if (w->depth[at] != depth)
		w->depth[at] = UNKNOWN;
	if (known & REACHED && (known & written) == (known & UINT32_MAX))
		return;
	w->written[at] = REACHED | (known & REACHED ? known & written : written);
	if (w->nleft < w->room)
		w->left[w->nleft++] = (size_t)at;
}

/* Returns false if the code can't be followed. */
static bool step(struct walk_code *w, size_t at)
{
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint32_t written = (uint32_t)w->written[at];
	ZydisDecodedInstruction in;
	uint32_t writes, stored;
	int32_t depth;

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&w->decoder, w->code + at, w->all - at, &in, ops)))
		return false;
	w->reads |= reads_of(&in, ops, &stored) & ~written;
	w->stores |= stored & ~written;
	note_slots(w, &in, ops, w->depth[at]);
	depth = depth_after(&in, ops, w->depth[at]);
	writes = writes_of(&in, ops);
	w->writes |= writes & ~written;
	written |= writes;
	switch (in.meta.category) {
	case ZYDIS_CATEGORY_CALL:
		/* A register that is passed on to it has not been used. */
		go_on(w, at + in.length, written | arch_effect_call(false) | 0xffff0000,
		      depth);
		return true;
	case ZYDIS_CATEGORY_COND_BR:
		go_on(w, at + in.length, written, depth);
		go_on(w, at + in.length + (uint64_t)in.raw.imm[0].value.s, written,
			      depth);
		return true;
	case ZYDIS_CATEGORY_UNCOND_BR:
		if (in.raw.imm[0].is_relative)
			go_on(w, at + in.length + (uint64_t)in.raw.imm[0].value.s, written,
			      depth);
		return true;
	case ZYDIS_CATEGORY_RET:
		return true;
	default:
		break;
	}
	if (in.mnemonic != ZYDIS_MNEMONIC_UD2 && in.mnemonic != ZYDIS_MNEMONIC_HLT &&
	    in.mnemonic != ZYDIS_MNEMONIC_INT3)
		go_on(w, at + in.length, written, depth);
	return true;
}

/* From bits by the numbers of instructions to bits by the numbers of arguments. */
static uint32_t by_argument(uint32_t bits)
{
	/* rdi, rsi, rdx, rcx, r8, r9 */
	static const unsigned numbers[] = { 7, 6, 2, 1, 8, 9 };
	uint32_t ret = 0;

	for (unsigned i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		ret |= (bits >> numbers[i] & 1) << i;
	return ret;
}

bool arch_taken_x86_64(const unsigned char *code, size_t n, struct arch_taken *ret)
{
	struct walk_code w = { .code = code, .n = n < CODE_MAX ? n : CODE_MAX, .all = n };
	bool ok = ZYAN_SUCCESS(ZydisDecoderInit(&w.decoder, ZYDIS_MACHINE_MODE_LONG_64,
						ZYDIS_STACK_WIDTH_64));

	w.written = memory_zeroed(w.n + 1, sizeof(*w.written));
	/* An address is reached again only with fewer registers written, which is rare. */
	w.room = 4 * w.n + 1;
	w.left = memory_zeroed(w.room, sizeof(*w.left));
	w.depth = memory_zeroed(w.n + 1, sizeof(*w.depth));
	w.has_frame = arch_frame_x86_64(code, n);
	go_on(&w, 0, 0, 0);
	for (size_t i = 0; ok && w.nleft; i++)
		ok = i < w.room && w.nleft < w.room && step(&w, w.left[--w.nleft]);
	free(w.written);
	free(w.depth);
	free(w.left);
	*ret = (struct arch_taken){
		.reads = by_argument(w.reads), .writes = by_argument(w.writes),
		.vector_reads = w.reads >> VECTOR, .vector_writes = w.writes >> VECTOR,
		.stores = by_argument(w.stores), .slot_reads = w.slots,
	};
	return ok;
}
