/* SPDX-License-Identifier: GPL-2.0 */
/* flow.h for arm64: Arm Architecture Reference Manual, C4.1. An instruction has 4 bytes. */
#include "target/arch/private.h"

#include <string.h>

static uint32_t word_at(const unsigned char *code)
{
	uint32_t word;

	memcpy(&word, code, sizeof(word));
	return word;
}

/* The address that is the signed number of @bits bits from bit @low of @word on, in instructions,
 * away from @address. */
static uint64_t away(uint64_t address, uint32_t word, unsigned low, unsigned bits)
{
	int64_t n = (int64_t)((uint64_t)(word >> low) << (64 - bits)) >> (64 - bits);

	return address + (uint64_t)(n * 4);
}

/* Whether it is a jump or a branch to an address that it contains. */
static bool is_direct(uint32_t word, uint64_t address, enum arch_flow_kind *kind, uint64_t *target)
{
	*kind = ARCH_FLOW_BRANCH;
	if ((word & 0xfc000000) == 0x14000000) { /* b */
		*kind = ARCH_FLOW_JUMP;
		*target = away(address, word, 0, 26);
	} else if ((word & 0xff000000) == 0x54000000) { /* b.cond */
		*target = away(address, word, 5, 19);
	} else if ((word & 0x7e000000) == 0x34000000) { /* cbz, cbnz */
		*target = away(address, word, 5, 19);
	} else if ((word & 0x7e000000) == 0x36000000) { /* tbz, tbnz */
		*target = away(address, word, 5, 14);
	} else {
		return false;
	}
	return true;
}

/* In size 0 and 1, what would be a pair is casp. */
static bool is_exclusive(uint32_t word)
{
	return (word & 0x3f800000) == 0x08000000 && (word >> 31 || !(word & 0x00200000));
}

/* Whether it is a hint that the kernel steps over: nop, bti, and those that sign addresses. */
static bool is_steppable_hint(uint32_t word)
{
	static const uint64_t numbers = 1ull << 0 | 1ull << 7 | 1ull << 8 | 1ull << 10 |
					0xfull << 24 | 0x55ull << 32;
	unsigned number = word >> 5 & 127;

	return number < 64 && numbers >> number & 1;
}

/* Instructions that aarch64_insn_is_steppable() of the kernel (arch/arm64/kernel/probes/
 * decode-insn.c) leaves out, and that are not simulated. Those that load a literal were, by reads
 * of the kernel's own, until "arm64: probes: Remove broken LDR (literal) uprobe support"
 * (acc450aa0709); into vector registers, they are stepped over at another address. */
static bool is_unsteppable(uint32_t word)
{
	return (word & 0x3b000000) == 0x18000000 ||     /* ldr, ldrsw, prfm of a literal */
	       (word & 0xff000000) == 0xd4000000 ||     /* svc, brk and other exceptions */
	       (word & 0xfff8f01f) == 0xd500401f ||     /* msr of a constant */
	       (word & 0xfff00000) == 0xd5100000 ||     /* msr */
	       ((word & 0xfffff01f) == 0xd503201f && !is_steppable_hint(word));
}

/* Returns are only those by `ret`: the runtime takes the address from x30. */
bool arch_flow_arm64(const unsigned char *code, size_t n, uint64_t address, struct arch_flow *ret)
{
	uint32_t word;

	if (n < sizeof(word) || address % sizeof(word))
		return false;
	word = word_at(code);
	*ret = (struct arch_flow){ .kind = ARCH_FLOW_ON, .length = sizeof(word) };
	ret->unsteppable = is_unsteppable(word);
	if (is_exclusive(word))
		ret->exclusive = word & 0x00400000 ? ARCH_FLOW_LOAD_EXCLUSIVE :
						     ARCH_FLOW_STORE_EXCLUSIVE;
	if (is_direct(word, address, &ret->kind, &ret->target))
		return true;
	ret->kind = ARCH_FLOW_ON;
	if ((word & 0xfc000000) == 0x94000000) {
		ret->kind = ARCH_FLOW_CALL; /* bl */
		ret->target = away(address, word, 0, 26);
	} else if ((word & 0xfffffc1f) == 0xd63f0000 || (word & 0xfefff800) == 0xd63f0800)
		ret->kind = ARCH_FLOW_CALL; /* blr, blraa and its like */
	else if ((word & 0xfffffc1f) == 0xd61f0000 || (word & 0xfefff800) == 0xd61f0800)
		ret->kind = ARCH_FLOW_COMPUTED; /* br, braa and its like */
	else if (word == 0xd65f03c0)
		ret->kind = ARCH_FLOW_RETURN;
	else if ((word & 0xfe000000) == 0xd6000000)
		return false; /* ret by another register, retaa, eret */
	else if (word == 0xd503201f)
		ret->kind = ARCH_FLOW_PADDING;
	else if ((word & 0xffe0001f) == 0xd4200000 || (word & 0xffe0001f) == 0xd4400000 ||
		 !(word & 0xffff0000))
		ret->kind = ARCH_FLOW_STOP; /* brk, hlt, udf */
	return true;
}

bool arch_flow_far_arm64(const unsigned char *code, size_t n, uint64_t address, uint64_t *target)
{
	enum arch_flow_kind kind;

	return n >= sizeof(uint32_t) && address % sizeof(uint32_t) == 0 &&
	       is_direct(word_at(code), address, &kind, target);
}
