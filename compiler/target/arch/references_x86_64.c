/* SPDX-License-Identifier: GPL-2.0 */
/* references.h for x86-64, by the library Zydis. */
#include "target/arch/private.h"

#include <Zydis/Zydis.h>

static void add(struct arch_references *to, struct arch_reference one)
{
	if (to->n < sizeof(to->v) / sizeof(*to->v))
		to->v[to->n++] = one;
}

bool arch_references_x86_64(const unsigned char *code, size_t n, uint64_t address,
			    struct arch_references *ret)
{
	ZydisDecoder decoder;
	ZydisDecodedInstruction in;
	uint64_t next;

	if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
					   ZYDIS_STACK_WIDTH_64)) ||
	    !ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, code, n, &in)))
		return false;
	*ret = (struct arch_references){ .length = in.length };
	next = address + in.length;
	if (in.raw.disp.size == 32 && in.attributes & ZYDIS_ATTRIB_HAS_MODRM) {
		bool relative = in.raw.modrm.mod == 0 && in.raw.modrm.rm == 5;

		add(ret, (struct arch_reference){
			in.raw.disp.offset, 4,
			(relative ? next : 0) + (uint64_t)in.raw.disp.value,
			relative ? ARCH_REFERENCE_RELATIVE : ARCH_REFERENCE_NUMBER });
	}
	if (in.raw.imm[0].is_relative)
		add(ret, (struct arch_reference){ in.raw.imm[0].offset, in.raw.imm[0].size / 8,
						  next + (uint64_t)in.raw.imm[0].value.s,
						  ARCH_REFERENCE_BRANCH });
	else if (in.raw.imm[0].size >= 32)
		add(ret, (struct arch_reference){ in.raw.imm[0].offset, in.raw.imm[0].size / 8,
						  in.raw.imm[0].value.u, ARCH_REFERENCE_NUMBER });
	return true;
}
