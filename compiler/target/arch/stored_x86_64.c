/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds which argument register a function stores in a slot of its frame, as it does without
 * optimization: by its first instructions up to a branch, and the copies of argument registers that
 * they make.
 */
#include "target/arch/private.h"

#include <string.h>

#include <Zydis/Zydis.h>

enum { GENERAL_REGISTERS = 16, INSTRUCTIONS_MAX = 64 };

/* For each general register, the number of the argument that it has, or -1; and whether it has an
 * address in the frame, and that one's distance from the frame's register. */
struct origins {
	int of[GENERAL_REGISTERS];
	bool is_address[GENERAL_REGISTERS];
	int64_t distance[GENERAL_REGISTERS];
	int frame;
};

/* The number of a general register, or of the one of which it is the low part, or -1. */
static int number_of(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
	bool is_high = reg == ZYDIS_REGISTER_AH || reg == ZYDIS_REGISTER_BH ||
		       reg == ZYDIS_REGISTER_CH || reg == ZYDIS_REGISTER_DH;

	return is_high || ZydisRegisterGetClass(whole) != ZYDIS_REGCLASS_GPR64 ? -1 :
	       ZydisRegisterGetId(whole);
}

static struct origins at_entry(ZydisRegister frame)
{
	/* In the order of the calling convention: rdi, rsi, rdx, rcx, r8, r9. */
	static const ZydisRegister arguments[] = {
		ZYDIS_REGISTER_RDI, ZYDIS_REGISTER_RSI, ZYDIS_REGISTER_RDX, ZYDIS_REGISTER_RCX,
		ZYDIS_REGISTER_R8, ZYDIS_REGISTER_R9,
	};
	struct origins ret = { .frame = number_of(frame) };

	for (int i = 0; i < GENERAL_REGISTERS; i++)
		ret.of[i] = -1;
	for (int i = 0; i < (int)(sizeof(arguments) / sizeof(*arguments)); i++)
		ret.of[number_of(arguments[i])] = i;
	ret.is_address[ret.frame] = true;
	return ret;
}

static bool is_register(const ZydisDecodedOperand *o)
{
	return o->type == ZYDIS_OPERAND_TYPE_REGISTER;
}

/* Whether an operand of memory, or of `lea`, is in the frame; stores its distance. */
static bool in_frame(const struct origins *origins, const ZydisDecodedOperand *o, int64_t *ret)
{
	int base = o->type == ZYDIS_OPERAND_TYPE_MEMORY &&
		   o->mem.index == ZYDIS_REGISTER_NONE &&
		   o->mem.segment != ZYDIS_REGISTER_FS && o->mem.segment != ZYDIS_REGISTER_GS ?
		   number_of(o->mem.base) : -1;

	if (base < 0 || !origins->is_address[base])
		return false;
	*ret = origins->distance[base] + o->mem.disp.value;
	return true;
}

/* Register @to gets a new value: an address in the frame if @ops[1] is or has one. */
static void follow_address(struct origins *origins, int to, const ZydisDecodedInstruction *in,
			   const ZydisDecodedOperand *ops)
{
	int from = in->mnemonic == ZYDIS_MNEMONIC_MOV && is_register(&ops[1]) &&
		   ops[1].size == 64 ? number_of(ops[1].reg.value) : -1;
	int64_t distance = 0;
	bool is_address = in->mnemonic == ZYDIS_MNEMONIC_LEA && ops[0].size == 64 &&
			  in_frame(origins, &ops[1], &distance);

	if (from >= 0 && origins->is_address[from]) {
		is_address = true;
		distance = origins->distance[from];
	}
	if (to == origins->frame) {
		/* The frame begins here. */
		memset(origins->is_address, 0, sizeof(origins->is_address));
		is_address = true;
		distance = 0;
	}
	origins->is_address[to] = is_address;
	origins->distance[to] = distance;
}

/* The effects on registers of an instruction with @n operands. */
static void follow(struct origins *origins, const ZydisDecodedInstruction *in,
		   const ZydisDecodedOperand *ops, unsigned n)
{
	bool copies = (in->mnemonic == ZYDIS_MNEMONIC_MOV ||
		       in->mnemonic == ZYDIS_MNEMONIC_MOVZX) &&
		      is_register(&ops[0]) && is_register(&ops[1]);
	/* A bool is one bit of a register. */
	bool cuts = in->mnemonic == ZYDIS_MNEMONIC_AND && is_register(&ops[0]) &&
		    ops[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && ops[1].imm.value.u == 1;
	int from = copies ? number_of(ops[1].reg.value) : -1;
	int value = from >= 0 ? origins->of[from] : -1;

	for (unsigned i = 0; i < n && !cuts; i++) {
		bool is_written = is_register(&ops[i]) &&
				  (ops[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE);
		int to = is_written ? number_of(ops[i].reg.value) : -1;

		if (to < 0)
			continue;
		origins->of[to] = i == 0 ? value : -1;
		if (i == 0)
			follow_address(origins, to, in, ops);
		else
			origins->is_address[to] = to == origins->frame;
	}
}

static bool leaves(const ZydisDecodedInstruction *in)
{
	switch (in->meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_INTERRUPT:
		return true;
	default:
		return false;
	}
}

int arch_stored_x86_64(const unsigned char *code, size_t n, unsigned base, int64_t offset)
{
	/* By numbers of debug information. */
	const ZydisRegister of = base == 6 ? ZYDIS_REGISTER_RBP : ZYDIS_REGISTER_RSP;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	struct origins origins = at_entry(of);
	ZydisDecodedInstruction in;
	ZydisDecoder decoder;
	int64_t distance;

	if ((base != 6 && base != 7) ||
	    !ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
					   ZYDIS_STACK_WIDTH_64)))
		return -1;
	for (int i = 0; i < INSTRUCTIONS_MAX && n; i++, code += in.length, n -= in.length) {
		const ZydisDecodedOperand *to = &ops[0];

		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, n, &in, ops)) ||
		    leaves(&in))
			return -1;
		if (in.operand_count && (to->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
		    in_frame(&origins, to, &distance) && distance == offset)
			return in.mnemonic == ZYDIS_MNEMONIC_MOV && is_register(&ops[1]) &&
			       number_of(ops[1].reg.value) >= 0 ?
			       origins.of[number_of(ops[1].reg.value)] : -1;
		follow(&origins, &in, ops, in.operand_count);
	}
	return -1;
}
