/* SPDX-License-Identifier: GPL-2.0 */
/* effect.h for x86-64 and i386, by the library Zydis. The frame is what rbp points to. */
#include "target/arch/private.h"

#include <Zydis/Zydis.h>

enum { SP = 4, BP = 5 }; /* numbers of rsp and rbp */

struct decoded {
	ZydisDecodedInstruction in;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t next;       /* address of the instruction after it */
	unsigned word;       /* bits of an address */
};

/* The number of the general register that contains @reg, or -1; eax is a part of rax. */
static int number_of(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	return ZydisRegisterGetClass(whole) == ZYDIS_REGCLASS_GPR64 ? ZydisRegisterGetId(whole) :
								      -1;
}

static int base_of(const ZydisDecodedOperand *op)
{
	return number_of(op->mem.base);
}

static bool is_written(const ZydisDecodedOperand *op)
{
	return op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
}

static bool is_plain(const ZydisDecodedOperand *op)
{
	return op->mem.index == ZYDIS_REGISTER_NONE && op->mem.segment != ZYDIS_REGISTER_FS &&
	       op->mem.segment != ZYDIS_REGISTER_GS;
}

/* Whether the memory is at an address that the instruction contains. */
static bool is_absolute(const struct decoded *d, const ZydisDecodedOperand *op, uint64_t *ret)
{
	uint64_t displacement = (uint64_t)op->mem.disp.value;

	if (!is_plain(op) || (op->mem.base != ZYDIS_REGISTER_RIP &&
			      op->mem.base != ZYDIS_REGISTER_NONE))
		return false;
	*ret = displacement + (op->mem.base == ZYDIS_REGISTER_RIP ? d->next : 0);
	if (d->word == 32)
		*ret = (uint32_t)*ret;
	return true;
}

static bool in_frame(const ZydisDecodedOperand *op)
{
	return is_plain(op) && base_of(op) == BP;
}

/* Whether the memory is at a distance from a register that is no stack pointer. */
static bool is_based(const ZydisDecodedOperand *op)
{
	return is_plain(op) && base_of(op) >= 0 && base_of(op) != BP && base_of(op) != SP;
}

/* The value of operand @op of a mov. Returns false if it is not known. */
static bool read_source(const struct decoded *d, const ZydisDecodedOperand *op,
			struct arch_effect_source *ret)
{
	*ret = (struct arch_effect_source){ .kind = ARCH_EFFECT_CONSTANT };
	switch (op->type) {
	case ZYDIS_OPERAND_TYPE_IMMEDIATE:
		ret->value = d->in.operand_width == 32 ? (uint32_t)op->imm.value.u :
							 op->imm.value.u;
		return true;
	case ZYDIS_OPERAND_TYPE_REGISTER:
		ret->kind = ARCH_EFFECT_REGISTER;
		ret->reg = (unsigned)number_of(op->reg.value);
		return number_of(op->reg.value) >= 0;
	case ZYDIS_OPERAND_TYPE_MEMORY:
		if (d->in.operand_width != d->word)
			return false;
		ret->kind = in_frame(op) ? ARCH_EFFECT_SLOT : ARCH_EFFECT_WORD;
		ret->value = (uint64_t)op->mem.disp.value;
		ret->based = is_based(op);
		if (ret->based)
			ret->reg = (unsigned)base_of(op);
		return in_frame(op) || ret->based || is_absolute(d, op, &ret->value);
	default:
		return false;
	}
}

static void find_writes(const struct decoded *d, struct arch_effect *ret)
{
	for (unsigned i = 0; i < d->in.operand_count; i++) {
		const ZydisDecodedOperand *op = &d->ops[i];
		bool hidden = op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
		int n;

		if (!is_written(op))
			continue;
		if (op->type == ZYDIS_OPERAND_TYPE_REGISTER) {
			n = number_of(op->reg.value);
			ret->lost |= n < 0 ? 0 : (uint32_t)1 << n;
			ret->moves_frame |= n == BP;
		} else if (op->type == ZYDIS_OPERAND_TYPE_MEMORY && in_frame(op)) {
			ret->slot = op->mem.disp.value;
			ret->lost_bytes = op->size / 8;
		} else if (op->type == ZYDIS_OPERAND_TYPE_MEMORY && !hidden) {
			ret->moves_frame |= base_of(op) == BP || base_of(op) == SP;
		}
	}
}

static void set(const struct decoded *d, struct arch_effect *ret)
{
	const ZydisDecodedOperand *to = &d->ops[0];
	bool wide = d->in.operand_width == 64 || d->in.operand_width == 32;

	if (!wide || !read_source(d, &d->ops[1], &ret->from))
		return;
	if (to->type == ZYDIS_OPERAND_TYPE_REGISTER && number_of(to->reg.value) >= 0) {
		ret->sets = true;
		ret->reg = (unsigned)number_of(to->reg.value);
	} else if (to->type == ZYDIS_OPERAND_TYPE_MEMORY && in_frame(to) &&
		   d->in.operand_width == d->word) {
		ret->sets = ret->to_slot = true;
	}
}

static bool is_frame_pointer(const struct arch_effect_source *from)
{
	return from->kind == ARCH_EFFECT_REGISTER && (from->reg == SP || from->reg == BP);
}

static bool is_same_register(const struct decoded *d)
{
	return d->ops[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       d->ops[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       d->ops[0].reg.value == d->ops[1].reg.value;
}

/* Register @reg gets the value of register @from plus @distance. */
static void set_to_sum(struct arch_effect *ret, int reg, int from, int64_t distance)
{
	ret->sets = true;
	ret->reg = (unsigned)reg;
	ret->from = (struct arch_effect_source){ .kind = ARCH_EFFECT_REGISTER,
						 .reg = (unsigned)from,
						 .value = (uint64_t)distance };
}

static void set_by_lea(const struct decoded *d, struct arch_effect *ret)
{
	int reg = number_of(d->ops[0].reg.value);
	uint64_t address;

	if (is_absolute(d, &d->ops[1], &address)) {
		ret->sets = true;
		ret->reg = (unsigned)reg;
		ret->from = (struct arch_effect_source){ .kind = ARCH_EFFECT_CONSTANT,
							 .value = address };
	} else if (is_based(&d->ops[1]) && d->in.operand_width == d->word) {
		set_to_sum(ret, reg, base_of(&d->ops[1]), d->ops[1].mem.disp.value);
	}
	ret->shares_frame = base_of(&d->ops[1]) == BP ||
			    (base_of(&d->ops[1]) == SP && !(ret->lost & 1 << SP));
}

/* add $CONSTANT, %REGISTER */
static void set_by_add(const struct decoded *d, struct arch_effect *ret)
{
	int reg = d->ops[0].type == ZYDIS_OPERAND_TYPE_REGISTER ?
		  number_of(d->ops[0].reg.value) : -1;

	if (reg >= 0 && d->ops[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	    d->in.operand_width == d->word)
		set_to_sum(ret, reg, reg, d->ops[1].imm.value.s);
}

static void set_by_kind(const struct decoded *d, struct arch_effect *ret)
{
	switch (d->in.meta.category == ZYDIS_CATEGORY_CMOV ? ZYDIS_MNEMONIC_CMOVZ :
							     d->in.mnemonic) {
	case ZYDIS_MNEMONIC_CMOVZ:
		set(d, ret);
		ret->may_set = ret->sets;
		ret->other = ret->reg;
		break;
	case ZYDIS_MNEMONIC_MOV:
		set(d, ret);
		ret->shares_frame = ret->sets && is_frame_pointer(&ret->from) &&
				    (ret->to_slot || (ret->reg != SP && ret->reg != BP));
		ret->begins_frame = ret->sets && !ret->to_slot && ret->reg == BP &&
				    is_frame_pointer(&ret->from) && ret->from.reg == SP;
		break;
	case ZYDIS_MNEMONIC_LEA:
		set_by_lea(d, ret);
		break;
	case ZYDIS_MNEMONIC_ADD:
		set_by_add(d, ret);
		break;
	case ZYDIS_MNEMONIC_XOR:
		if (is_same_register(d) && number_of(d->ops[0].reg.value) >= 0) {
			ret->sets = true;
			ret->reg = (unsigned)number_of(d->ops[0].reg.value);
			ret->from = (struct arch_effect_source){ .kind = ARCH_EFFECT_CONSTANT };
		}
		break;
	default:
		break;
	}
}

static bool decode(ZydisMachineMode mode, ZydisStackWidth width, const unsigned char *code,
		   size_t n, uint64_t address, struct arch_effect *ret)
{
	ZydisDecoder decoder;
	struct decoded d = { .word = mode == ZYDIS_MACHINE_MODE_LONG_64 ? 64 : 32 };

	*ret = (struct arch_effect){ 0 };
	if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder, mode, width)) ||
	    !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, n, &d.in, d.ops)))
		return false;
	d.next = address + d.in.length;
	find_writes(&d, ret);
	set_by_kind(&d, ret);
	return true;
}

bool arch_effect_x86_64(const unsigned char *code, size_t n, uint64_t address,
			struct arch_effect *ret)
{
	return decode(ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64, code, n, address, ret);
}

bool arch_effect_i386(const unsigned char *code, size_t n, uint64_t address,
		      struct arch_effect *ret)
{
	return decode(ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32, code, n, address, ret);
}
