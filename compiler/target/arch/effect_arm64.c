/* SPDX-License-Identifier: GPL-2.0 */
/* effect.h for arm64: Arm Architecture Reference Manual, C4.1. The frame is what sp points to. */
#include "target/arch/private.h"

#include <string.h>

enum { FP = 29, SP = 31 }; /* 31 is sp or zero, by the instruction */

static unsigned field(uint32_t word, unsigned low)
{
	return word >> low & 31;
}

/* Register 31, which is zero where a value is read, can't be lost. */
static uint32_t bit(unsigned reg)
{
	return reg == 31 ? 0 : (uint32_t)1 << reg;
}

static void set(struct arch_effect *ret, unsigned reg, struct arch_effect_source from)
{
	ret->lost = bit(reg);
	ret->sets = reg != 31;
	ret->reg = reg;
	ret->from = from;
}

static struct arch_effect_source constant(uint64_t value)
{
	return (struct arch_effect_source){ .kind = ARCH_EFFECT_CONSTANT, .value = value };
}

/* adr, adrp: an address relative to the instruction, or to its page. */
static void set_address(uint32_t word, uint64_t address, struct arch_effect *ret)
{
	uint64_t raw = (uint64_t)(word >> 5 & 0x7ffff) << 2 | (word >> 29 & 3);
	int64_t away = (int64_t)(raw << 43) >> 43;

	if (word >> 31)
		set(ret, field(word, 0), constant((address & ~(uint64_t)0xfff) +
						  ((uint64_t)away << 12)));
	else
		set(ret, field(word, 0), constant(address + (uint64_t)away));
}

/* add Xd, Xn, #N */
static void add(uint32_t word, struct arch_effect *ret)
{
	uint64_t n = (uint64_t)(word >> 10 & 0xfff) << (word >> 22 & 1 ? 12 : 0);
	unsigned to = field(word, 0), from = field(word, 5);

	ret->moves_frame = ret->begins_frame = to == SP;
	if (from == SP) {
		ret->lost = bit(to);
		ret->shares_frame = to != SP && to != FP;
		return;
	}
	set(ret, to, (struct arch_effect_source){ .kind = ARCH_EFFECT_REGISTER, .reg = from,
						  .value = n });
}

/* ldr Xt, [Xn, #N] and str Xt, [Xn, #N] */
static void load_or_store(uint32_t word, struct arch_effect *ret)
{
	uint64_t n = (uint64_t)(word >> 10 & 0xfff) * 8;
	unsigned reg = field(word, 0), base = field(word, 5);
	struct arch_effect_source from = { .kind = ARCH_EFFECT_WORD, .reg = base, .based = true,
					   .value = n };

	if (word >> 22 & 1) {
		if (base == SP)
			from = (struct arch_effect_source){ .kind = ARCH_EFFECT_SLOT, .value = n };
		set(ret, reg, from);
	} else if (base == SP) {
		ret->sets = ret->to_slot = true;
		ret->slot = (int64_t)n;
		ret->from = (struct arch_effect_source){ .kind = ARCH_EFFECT_REGISTER,
							 .reg = reg };
	} else {
		ret->moves_frame = base == FP;
	}
}

/* Other loads and stores: all registers that they name may change. */
static void lose_named(uint32_t word, struct arch_effect *ret)
{
	bool pair = (word & 0x3a000000) == 0x28000000, scaled = (word & 0x3b000000) == 0x39000000;
	bool writes_base = pair ? word >> 23 & 1 : !scaled && word >> 10 & 1;
	bool loads = pair ? word >> 22 & 1 : word >> 22 & 3;
	unsigned base = field(word, 5);

	ret->lost = bit(field(word, 0));
	if (pair)
		ret->lost |= bit(field(word, 10));
	if (writes_base)
		ret->lost |= bit(base);
	if ((word & 0x3f000000) == 0x08000000)
		ret->lost |= bit(field(word, 16)); /* stxr and its like */
	if (base != SP && base != FP)
		return;
	ret->begins_frame = base == SP && writes_base;
	if (base == SP && scaled && !loads && !(word >> 26 & 1)) {
		ret->lost_bytes = 1u << (word >> 30);
		ret->slot = (int64_t)(word >> 10 & 0xfff) << (word >> 30);
	} else {
		ret->moves_frame = !loads || writes_base;
	}
}

static void set_by_kind(uint32_t word, uint64_t address, struct arch_effect *ret)
{
	struct arch_effect_source from = { .kind = ARCH_EFFECT_REGISTER };

	if ((word & 0xffe0ffe0) == 0xaa0003e0) { /* mov Xd, Xm */
		from.reg = field(word, 16);
		set(ret, field(word, 0), from);
	} else if ((word & 0xffe00c00) == 0x9a800000) { /* csel Xd, Xn, Xm, cond */
		from.reg = field(word, 5);
		set(ret, field(word, 0), from);
		ret->may_set = true;
		ret->other = field(word, 16);
	} else if ((word & 0xff000000) == 0x58000000) { /* ldr Xt, address */
		from.kind = ARCH_EFFECT_WORD;
		from.value = address + (uint64_t)((int64_t)((uint64_t)(word >> 5) << 45) >> 45) * 4;
		set(ret, field(word, 0), from);
	} else if ((word & 0x1c000000) != 0x14000000 || (word & 0xfff00000) == 0xd5300000) {
		/* arithmetic; mrs. It may be of sp, too. */
		ret->lost = bit(field(word, 0));
		ret->moves_frame = ret->begins_frame = (word & 0x1f80001f) == 0x1100001f;
	}
}

bool arch_effect_arm64(const unsigned char *code, size_t n, uint64_t address,
		       struct arch_effect *ret)
{
	uint32_t word;

	*ret = (struct arch_effect){ 0 };
	if (n < sizeof(word) || address % sizeof(word))
		return false;
	memcpy(&word, code, sizeof(word));
	if ((word & 0x1f000000) == 0x10000000)
		set_address(word, address, ret);
	else if ((word & 0xff800000) == 0x91000000)
		add(word, ret);
	else if ((word & 0xff800000) == 0xf9000000)
		load_or_store(word, ret);
	else if ((word & 0x0a000000) == 0x08000000 && (word & 0xff000000) != 0x58000000)
		lose_named(word, ret);
	else
		set_by_kind(word, address, ret);
	return true;
}
