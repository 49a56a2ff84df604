/* SPDX-License-Identifier: GPL-2.0 */
/* flow.h for x86-64, by the library Zydis. */
#include "target/arch/private.h"

#include <string.h>

#include <Zydis/Zydis.h>

static enum arch_flow_kind kind_of(const ZydisDecodedInstruction *in)
{
	bool relative = in->raw.imm[0].is_relative;

	switch (in->meta.category) {
	case ZYDIS_CATEGORY_CALL:
		return ARCH_FLOW_CALL;
	case ZYDIS_CATEGORY_COND_BR:
		return ARCH_FLOW_BRANCH;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return relative ? ARCH_FLOW_JUMP : ARCH_FLOW_COMPUTED;
	case ZYDIS_CATEGORY_RET:
		return ARCH_FLOW_RETURN;
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
		return ARCH_FLOW_PADDING;
	default:
		break;
	}
	switch (in->mnemonic) {
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_INT3:
		return ARCH_FLOW_STOP;
	default:
		return ARCH_FLOW_ON;
	}
}

/* movslq (%base,%number,4),%rax; add %base,%rax; jmp *%rax */
static enum arch_flow_step step_of(const ZydisDecodedInstruction *in)
{
	if (in->mnemonic == ZYDIS_MNEMONIC_MOVSXD && in->raw.modrm.mod != 3)
		return ARCH_FLOW_LOADS_DISTANCE;
	if (in->mnemonic == ZYDIS_MNEMONIC_ADD && in->raw.modrm.mod == 3)
		return ARCH_FLOW_ADDS;
	return ARCH_FLOW_NO_STEP;
}

static bool saves_flags(const ZydisDecodedInstruction *in)
{
	return in->mnemonic == ZYDIS_MNEMONIC_PUSHF || in->mnemonic == ZYDIS_MNEMONIC_PUSHFD ||
	       in->mnemonic == ZYDIS_MNEMONIC_PUSHFQ;
}

static bool decode(ZydisMachineMode mode, ZydisStackWidth width, const unsigned char *code,
		   size_t n, uint64_t address, struct arch_flow *ret)
{
	ZydisDecoder decoder;
	ZydisDecodedInstruction in;

	if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder, mode, width)) ||
	    !ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, code, n, &in)))
		return false;
	*ret = (struct arch_flow){ .kind = kind_of(&in), .step = step_of(&in),
				  .length = in.length, .saves_flags = saves_flags(&in) };
	if (in.raw.imm[0].is_relative)
		ret->target = address + in.length + (uint64_t)in.raw.imm[0].value.s;
	if ((ret->kind == ARCH_FLOW_CALL || ret->kind == ARCH_FLOW_COMPUTED) &&
	    in.raw.modrm.mod == 0 && in.raw.modrm.rm == 5 && in.raw.disp.size == 32)
		ret->word = mode == ZYDIS_MACHINE_MODE_LONG_64 ?
			    address + in.length + (uint64_t)in.raw.disp.value :
			    (uint32_t)in.raw.disp.value;
	ret->pops = ret->kind == ARCH_FLOW_RETURN && in.raw.imm[0].value.u;
	/* Returns false for iret and its like, and for ret to another segment. */
	return ret->kind != ARCH_FLOW_RETURN || in.mnemonic == ZYDIS_MNEMONIC_RET;
}

bool arch_flow_x86_64(const unsigned char *code, size_t n, uint64_t address, struct arch_flow *ret)
{
	return decode(ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64, code, n, address, ret);
}

bool arch_flow_i386(const unsigned char *code, size_t n, uint64_t address, struct arch_flow *ret)
{
	return decode(ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32, code, n, address, ret);
}

/* Looks for jmp and conditional jumps with a displacement of 4 bytes. */
bool arch_flow_far_x86_64(const unsigned char *code, size_t n, uint64_t address, uint64_t *target)
{
	size_t escape = n && code[0] == 0x0f;
	int32_t displacement;

	if (n < escape + 5 ||
	    (escape ? (code[1] & 0xf0) != 0x80 : code[0] != 0xe9))
		return false;
	memcpy(&displacement, code + escape + 1, sizeof(displacement));
	*target = address + escape + 5 + (uint64_t)(int64_t)displacement;
	return true;
}
