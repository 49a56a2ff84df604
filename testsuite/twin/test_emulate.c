/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instructions that runtime/arch/x86_emulate.h carries out, against the processor: random ones, and
 * random bytes that it takes for some, with random registers and flags. The processor runs the
 * instruction between two rows of moves, which load all registers from the page that the code is in
 * and store them there.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "arch/x86_emulate.h"
#include "machine.h"
#include "twin.h"

enum { STATUS = X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | X86_EFLAGS_ZF | X86_EFLAGS_SF |
		X86_EFLAGS_OF };

struct room {
	u8 code[1024];
	struct pt_regs in, out;
	u64 saved;               /* our own stack pointer */
	u64 stack[64];
};

static struct room *room;
static u8 *at;               /* where the next instruction is written */
static u8 *tested;

/* The operand of the instruction that ends with it, relative to its end. */
static void put_address(const void *to)
{
	s32 distance = (s32)((const u8 *)to - (at + 4));

	memcpy(at, &distance, sizeof(distance));
	at += sizeof(distance);
}

static void put(const char *bytes, size_t n)
{
	memcpy(at, bytes, n);
	at += n;
}

/* A move between register @nr and @memory. */
static void put_move(u8 opcode, u32 nr, const void *memory)
{
	*at++ = 0x48 | (nr & 8) >> 1;
	*at++ = opcode;
	*at++ = 0x05 | (nr & 7) << 3;
	put_address(memory);
}

static void put_moves(u8 opcode, struct pt_regs *regs)
{
	for (u32 nr = 0; nr < 16; nr++)
		if (nr != 4)
			put_move(opcode, nr, (char *)regs + prt_arch_reg_offset(nr));
	put_move(opcode, 4, &regs->sp);
}

static void write_code(const u8 *insn, u32 length)
{
	at = room->code;
	put("\x53\x55\x41\x54\x41\x55\x41\x56\x41\x57\x9c", 11); /* push what is the caller's */
	put_move(0x89, 4, &room->saved);
	put("\xff\x35", 2);
	put_address(&room->in.flags);
	put("\x9d", 1);                                           /* popf */
	put_moves(0x8b, &room->in);
	tested = at;
	put((const char *)insn, length);
	put_moves(0x89, &room->out);
	put_move(0x8b, 4, &room->saved);
	put("\x9c\x8f\x05", 3);                                   /* pushf, pop */
	put_address(&room->out.flags);
	put("\x9d\x41\x5f\x41\x5e\x41\x5d\x41\x5c\x5d\x5b\xc3", 12);
}

static void choose_registers(const struct prt_arch_insn *in)
{
	for (u32 nr = 0; nr < 16; nr++)
		*prt_arch_at(&room->in, prt_arch_reg_offset(nr)) = twin_value();
	/* Often equal. */
	if (!twin_below(4))
		room->in.si = room->in.di = room->in.ax;
	room->in.flags = X86_EFLAGS_FIXED | (twin_random() & STATUS);
	room->in.ip = (u64)tested;
	if (in->op == PRT_ARCH_PUSH || in->op == PRT_ARCH_RET)
		room->in.sp = (u64)&room->stack[32];
}

static void compare(const u8 *insn, const struct prt_arch_insn *in)
{
	struct pt_regs regs;
	u64 below = 0;
	unsigned long back = 0;

	write_code(insn, in->length);
	choose_registers(in);
	room->stack[32] = (u64)tested + in->length;
	regs = room->in;
	if (in->op == PRT_ARCH_RET) {
		CHECK(prt_arch_emulate_return_memory(&regs, &back), "memory of ret");
		prt_arch_emulate_return(&regs, back);
	} else {
		CHECK(in->op != PRT_ARCH_PUSH || prt_arch_emulate_push_memory(in, &regs),
		      "memory of %02x", insn[0]);
		below = room->stack[31];
		prt_arch_emulate(in, &regs);
	}
	room->stack[31] = twin_random();
	((void (*)(void))room->code)();

	for (u32 nr = 0; nr < 16; nr++) {
		u8 reg = prt_arch_reg_offset(nr);

		CHECK(*prt_arch_at(&regs, reg) == *prt_arch_at(&room->out, reg),
		      "register %u after %02x %02x %02x %02x: %lx, the processor has %lx", nr,
		      insn[0], insn[1], insn[2], insn[3], *prt_arch_at(&regs, reg),
		      *prt_arch_at(&room->out, reg));
	}
	CHECK(!((regs.flags ^ room->out.flags) & STATUS),
	      "flags after %02x %02x %02x %02x: %lx, the processor has %lx", insn[0], insn[1],
	      insn[2], insn[3], regs.flags & STATUS, room->out.flags & STATUS);
	CHECK(regs.ip == (u64)tested + in->length, "%02x leads elsewhere", insn[0]);
	CHECK(in->op != PRT_ARCH_PUSH || below == room->stack[31], "push of %llx, not %llx", below,
	      room->stack[31]);
}

/* Bytes that are an instruction more often than random ones. */
static void choose(u8 *insn)
{
	static const u8 opcodes[] = {
		0x01, 0x03, 0x05, 0x09, 0x0b, 0x0d, 0x21, 0x23, 0x25, 0x29, 0x2b, 0x2d, 0x31, 0x33,
		0x35, 0x38, 0x39, 0x3a, 0x3b, 0x3d, 0x50, 0x55, 0x80, 0x81, 0x83, 0x84, 0x85, 0x89,
		0x8b, 0x8d, 0x90, 0xb8, 0xbf, 0xc3, 0xc7, 0x0f,
	};
	u32 n = 0, i;

	for (i = 0; i < PRT_ARCH_CODE_MAX; i++)
		insn[i] = twin_random();
	if (!twin_below(8))
		return;
	if (!twin_below(8))
		insn[n++] = "\x66\x2e\xf3\x66"[twin_below(4)];
	if (twin_below(2))
		insn[n++] = 0x40 | twin_below(16);
	insn[n++] = opcodes[twin_below(sizeof(opcodes))];
	if (insn[n - 1] == 0x0f) {
		insn[n++] = 0x1e + twin_below(2);
		insn[n] = twin_below(2) ? 0xfa : insn[n] & 0xc7;
	} else if (twin_below(2)) {
		insn[n] |= insn[n - 1] == 0x8d ? 0 : 0xc0;
	}
}

TWIN_TEST(emulate)
{
	u64 seen[PRT_ARCH_XOR + 1] = { 0 };
	u64 rounds = twin_rounds(200000);
	u8 insn[PRT_ARCH_CODE_MAX];
	struct prt_arch_insn in;

	room = mmap(NULL, sizeof(*room), PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(room != MAP_FAILED, "no page for code");
	machine_readable(room, sizeof(*room));
	for (u64 i = 0; i < rounds; i++) {
		choose(insn);
		prt_arch_decode(&in, insn);
		seen[in.op]++;
		if (in.op != PRT_ARCH_NONE)
			compare(insn, &in);
	}
	for (u32 op = PRT_ARCH_NOP; op <= PRT_ARCH_XOR; op++)
		CHECK(seen[op] > rounds / 1000, "operation %u was met %llu times", op,
		      (unsigned long long)seen[op]);
	munmap(room, sizeof(*room));
}
