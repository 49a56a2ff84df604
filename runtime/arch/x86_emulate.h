/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Emulates the instruction that a breakpoint in a program replaces (attach/user_fast.c): those with
 * which functions begin, and `ret`. The effect, flags included, is that of the processor, with
 * which twin/test_emulate.c compares it.
 */
#ifndef PRT_ARCH_X86_EMULATE_H
#define PRT_ARCH_X86_EMULATE_H

#include <linux/ptrace.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <asm/processor-flags.h>

enum { PRT_ARCH_CODE_MAX = 16 }; /* bytes that prt_arch_decode() looks at */

enum prt_arch_op {
	PRT_ARCH_NONE,           /* not emulated */
	PRT_ARCH_NOP, PRT_ARCH_PUSH, PRT_ARCH_RET, PRT_ARCH_MOV, PRT_ARCH_LEA,
	PRT_ARCH_ADD, PRT_ARCH_SUB, PRT_ARCH_AND, PRT_ARCH_OR, PRT_ARCH_XOR,
};

struct prt_arch_insn {
	u8 op;                   /* enum prt_arch_op */
	u8 length;               /* bytes */
	u8 size;                 /* of the operands, in bytes: 1, 4 or 8 */
	u8 keeps;                /* keeps its operand and sets only flags: cmp, test */
	/* offsets in struct pt_regs; PRT_ARCH_NO_REG: no register, only `value`. lea: `from` is
	 * the base */
	u8 to, from, index;
	u8 shift;                /* lea: of the index */
	s64 value;               /* the immediate operand, or what lea adds */
};

enum { PRT_ARCH_NO_REG = 0xff };

/* A `push` or `ret` on a stack above this address is left to the kernel. Only processes that ask
 * for addresses of more than 47 bits have such a stack. */
#define PRT_ARCH_STACK_END ((1ul << 47) - 4096)

/* ---- decoding ---- */

/* The prefixes of an instruction. */
struct prt_arch_prefixes {
	u8 bytes, rex;
	bool narrow, repeat, any; /* there is a 66; an f3; one that is not REX */
};

/* The offset of register @n, as instructions number registers, in struct pt_regs. */
static inline u8 prt_arch_reg_offset(u32 n)
{
	static const u8 all[] = {
		offsetof(struct pt_regs, ax), offsetof(struct pt_regs, cx),
		offsetof(struct pt_regs, dx), offsetof(struct pt_regs, bx),
		offsetof(struct pt_regs, sp), offsetof(struct pt_regs, bp),
		offsetof(struct pt_regs, si), offsetof(struct pt_regs, di),
		offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
		offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
		offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13),
		offsetof(struct pt_regs, r14), offsetof(struct pt_regs, r15),
	};

	return all[n & 15];
}

static inline u8 prt_arch_rm(const struct prt_arch_prefixes *p, u8 modrm)
{
	return prt_arch_reg_offset((modrm & 7) | (p->rex & 1) << 3);
}

static inline u8 prt_arch_reg(const struct prt_arch_prefixes *p, u8 modrm)
{
	return prt_arch_reg_offset((modrm >> 3 & 7) | (p->rex & 4) << 1);
}

/* Whether a register of one byte is the lowest byte of a register: without REX, four are not. */
static inline bool prt_arch_byte_ok(const struct prt_arch_prefixes *p, u32 nr)
{
	return p->rex || (nr & 7) < 4;
}

static inline s64 prt_arch_s32(const u8 *code)
{
	return (s32)((u32)code[0] | (u32)code[1] << 8 | (u32)code[2] << 16 | (u32)code[3] << 24);
}

/* The bytes that encode an operand in memory, from its ModRM at @code on. */
static inline u32 prt_arch_memory_length(const u8 *code)
{
	u8 mod = code[0] >> 6, rm = code[0] & 7;
	u32 n = 1 + (rm == 4);

	if (mod == 1)
		return n + 1;
	if (mod == 2 || (!mod && (rm == 5 || (rm == 4 && (code[1] & 7) == 5))))
		return n + 4;
	return n;
}

/* Decodes the operand in memory whose ModRM is at @code. */
static inline void prt_arch_address(struct prt_arch_insn *in, const struct prt_arch_prefixes *p,
				    const u8 *code)
{
	u8 mod = code[0] >> 6, rm = code[0] & 7;
	u32 length = prt_arch_memory_length(code), index;

	in->from = prt_arch_rm(p, rm);
	in->index = PRT_ARCH_NO_REG;
	if (rm == 4) {
		index = (code[1] >> 3 & 7) | (p->rex & 2) << 2;
		in->from = prt_arch_rm(p, code[1]);
		in->shift = code[1] >> 6;
		if (index != 4)
			in->index = prt_arch_reg_offset(index);
		if (!mod && (code[1] & 7) == 5)
			in->from = PRT_ARCH_NO_REG;
	}
	if (mod == 1)
		in->value = (s8)code[length - 1];
	else if (length > 4)
		in->value = prt_arch_s32(code + length - 4);
	/* Relative to the next instruction. */
	if (!mod && rm == 5) {
		in->from = offsetof(struct pt_regs, ip);
		in->value += p->bytes + 1 + length;
	}
}

/* Sets the operation: number @nr of eight, as in opcodes 00 to 3f and in the ModRM of 80 to 83. Two
 * of them, adc and sbb, are not emulated. */
static inline void prt_arch_arithmetic(struct prt_arch_insn *in, u32 nr)
{
	static const u8 ops[] = {
		PRT_ARCH_ADD, PRT_ARCH_OR, PRT_ARCH_NONE, PRT_ARCH_NONE,
		PRT_ARCH_AND, PRT_ARCH_SUB, PRT_ARCH_XOR, PRT_ARCH_SUB,
	};

	in->op = ops[nr & 7];
	in->keeps = (nr & 7) == 7;
}

/* Decodes opcodes 00 to 3f, with two registers or with rax and an immediate. */
static inline void prt_arch_decode_first(struct prt_arch_insn *in,
					 const struct prt_arch_prefixes *p, const u8 *code)
{
	u8 form = code[0] & 7, modrm = code[1];

	prt_arch_arithmetic(in, code[0] >> 3);
	if (form == 5) {
		in->to = prt_arch_reg_offset(0);
		in->from = PRT_ARCH_NO_REG;
		in->value = prt_arch_s32(code + 1);
		in->length = 5;
		return;
	}
	if (form > 3 || modrm < 0xc0) {
		in->op = PRT_ARCH_NONE;
		return;
	}
	in->length = 2;
	in->to = form & 2 ? prt_arch_reg(p, modrm) : prt_arch_rm(p, modrm);
	in->from = form & 2 ? prt_arch_rm(p, modrm) : prt_arch_reg(p, modrm);
	if (form & 1)
		return;
	in->size = 1;
	if (!in->keeps || !prt_arch_byte_ok(p, modrm) || !prt_arch_byte_ok(p, modrm >> 3))
		in->op = PRT_ARCH_NONE;
}

/* Decodes the operands of an instruction with a register and an immediate of @bytes. */
static inline void prt_arch_immediate(struct prt_arch_insn *in, const struct prt_arch_prefixes *p,
				      const u8 *code, u32 bytes)
{
	if (code[1] < 0xc0)
		in->op = PRT_ARCH_NONE;
	in->to = prt_arch_rm(p, code[1]);
	in->from = PRT_ARCH_NO_REG;
	in->value = bytes == 1 ? (s8)code[2] : prt_arch_s32(code + 2);
	in->length = 2 + bytes;
}

static inline void prt_arch_decode_test(struct prt_arch_insn *in,
					const struct prt_arch_prefixes *p, const u8 *code)
{
	in->op = code[1] < 0xc0 ? PRT_ARCH_NONE : PRT_ARCH_AND;
	in->keeps = true;
	in->to = prt_arch_rm(p, code[1]);
	in->from = prt_arch_reg(p, code[1]);
	in->length = 2;
	if (code[0] & 1)
		return;
	in->size = 1;
	if (!prt_arch_byte_ok(p, code[1]) || !prt_arch_byte_ok(p, code[1] >> 3))
		in->op = PRT_ARCH_NONE;
}

/* Decodes nopl and nopw of all lengths, and endbr64. */
static inline void prt_arch_decode_escaped(struct prt_arch_insn *in,
					   const struct prt_arch_prefixes *p, const u8 *code)
{
	if (code[1] == 0x1f && !p->repeat && !(code[2] & 0x38) && code[2] < 0xc0) {
		in->op = PRT_ARCH_NOP;
		in->length = 2 + prt_arch_memory_length(code + 2);
	} else if (code[1] == 0x1e && code[2] == 0xfa && p->repeat && !p->narrow && !p->rex) {
		in->op = PRT_ARCH_NOP;
		in->length = 3;
	}
}

/* Decodes an instruction without prefixes other than REX, whose opcode is at @code. */
static inline void prt_arch_decode_plain(struct prt_arch_insn *in,
					 const struct prt_arch_prefixes *p, const u8 *code)
{
	switch (code[0]) {
	case 0x00 ... 0x3f:
		prt_arch_decode_first(in, p, code);
		break;
	case 0x50 ... 0x57:
		in->op = PRT_ARCH_PUSH;
		in->from = prt_arch_rm(p, code[0]);
		in->length = 1;
		break;
	case 0x80:
		prt_arch_arithmetic(in, code[1] >> 3);
		prt_arch_immediate(in, p, code, 1);
		in->size = 1;
		if (!in->keeps || !prt_arch_byte_ok(p, code[1]))
			in->op = PRT_ARCH_NONE;
		break;
	case 0x81: case 0x83:
		prt_arch_arithmetic(in, code[1] >> 3);
		prt_arch_immediate(in, p, code, code[0] == 0x83 ? 1 : 4);
		break;
	case 0x84: case 0x85:
		prt_arch_decode_test(in, p, code);
		break;
	case 0x89: case 0x8b:
		in->op = code[1] < 0xc0 ? PRT_ARCH_NONE : PRT_ARCH_MOV;
		in->to = code[0] == 0x89 ? prt_arch_rm(p, code[1]) : prt_arch_reg(p, code[1]);
		in->from = code[0] == 0x89 ? prt_arch_reg(p, code[1]) : prt_arch_rm(p, code[1]);
		in->length = 2;
		break;
	case 0x8d:
		if (code[1] >= 0xc0)
			break;
		in->op = PRT_ARCH_LEA;
		in->to = prt_arch_reg(p, code[1]);
		prt_arch_address(in, p, code + 1);
		in->length = 1 + prt_arch_memory_length(code + 1);
		break;
	case 0xb8 ... 0xbf:
		if (p->rex & 8)
			break;
		in->op = PRT_ARCH_MOV;
		in->to = prt_arch_rm(p, code[0]);
		in->from = PRT_ARCH_NO_REG;
		in->value = prt_arch_s32(code + 1);
		in->length = 5;
		break;
	case 0xc3:
		in->op = PRT_ARCH_RET;
		in->length = 1;
		break;
	case 0xc7:
		in->op = PRT_ARCH_MOV;
		prt_arch_immediate(in, p, code, 4);
		if (code[1] & 0x38)
			in->op = PRT_ARCH_NONE;
		break;
	default:
		break;
	}
}

/**
 * prt_arch_decode - decode the instruction at @code. @in->op becomes PRT_ARCH_NONE if it is not
 * emulated. Any context.
 *
 * @code: PRT_ARCH_CODE_MAX bytes of 64-bit code.
 */
static inline void prt_arch_decode(struct prt_arch_insn *in, const u8 *code)
{
	struct prt_arch_prefixes p = {};
	const u8 *at = code;

	*in = (struct prt_arch_insn){ .size = 4 };
	for (; p.bytes < 8 && (*at == 0x66 || *at == 0x2e || *at == 0xf3); at++, p.bytes++) {
		p.narrow |= *at == 0x66;
		p.repeat |= *at == 0xf3;
		p.any = true;
	}
	if ((*at & 0xf0) == 0x40) {
		p.rex = *at++;
		p.bytes++;
	}
	if (p.rex & 8)
		in->size = 8;
	if (*at == 0x0f)
		prt_arch_decode_escaped(in, &p, at);
	else if (*at == 0x90 && !p.repeat && !p.rex)
		in->op = PRT_ARCH_NOP, in->length = 1;
	else if (!p.any || (*at == 0xc3 && !p.narrow))
		prt_arch_decode_plain(in, &p, at);
	in->length += p.bytes;
	if (in->length > PRT_ARCH_CODE_MAX - 1)
		in->op = PRT_ARCH_NONE;
}

/* ---- execution ---- */

static __always_inline unsigned long *prt_arch_at(struct pt_regs *regs, u8 offset)
{
	return (unsigned long *)((char *)regs + offset);
}

enum { PRT_ARCH_STATUS = X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | X86_EFLAGS_ZF |
			X86_EFLAGS_SF | X86_EFLAGS_OF };

/* Executes "@insn @b, @a" by the processor, and reads its flags. */
#define PRT_ARCH_EXECUTE(insn, modifier, a, b, flags)                                          \
	asm(insn " %" modifier "2, %" modifier "0\n\tpushf\n\tpop %1"                          \
	    : "+q"(a), "=r"(flags) : "q"(b) : "cc")

/* The same with operands of @size bytes. A result of four bytes clears the upper four. */
#define PRT_ARCH_EXECUTE_SIZED(insn, size, a, b, flags)                                        \
	do {                                                                                   \
		if (size == 8)                                                                 \
			PRT_ARCH_EXECUTE(insn "q", "q", a, b, flags);                          \
		else if (size == 4)                                                            \
			PRT_ARCH_EXECUTE(insn "l", "k", a, b, flags);                          \
		else                                                                           \
			PRT_ARCH_EXECUTE(insn "b", "b", a, b, flags);                          \
	} while (0)

static inline u64 prt_arch_lea(const struct prt_arch_insn *in, struct pt_regs *regs)
{
	u64 address = in->value;

	if (in->from != PRT_ARCH_NO_REG)
		address += *prt_arch_at(regs, in->from);
	if (in->index != PRT_ARCH_NO_REG)
		address += *prt_arch_at(regs, in->index) << in->shift;
	return address;
}

/* Executes an instruction that neither accesses memory nor jumps. */
static __always_inline void prt_arch_compute(const struct prt_arch_insn *in, struct pt_regs *regs)
{
	unsigned long *to = prt_arch_at(regs, in->to);
	u64 a = *to, b = in->value, flags;
	u8 op = in->op;

	if (op == PRT_ARCH_LEA)
		b = prt_arch_lea(in, regs);
	else if (in->from != PRT_ARCH_NO_REG)
		b = *prt_arch_at(regs, in->from);
	if (op < PRT_ARCH_ADD) {
		*to = in->size == 8 ? b : (u32)b;
		return;
	}
	if (op == PRT_ARCH_SUB)
		PRT_ARCH_EXECUTE_SIZED("sub", in->size, a, b, flags);
	else if (op == PRT_ARCH_AND)
		PRT_ARCH_EXECUTE_SIZED("and", in->size, a, b, flags);
	else if (op == PRT_ARCH_XOR)
		PRT_ARCH_EXECUTE_SIZED("xor", in->size, a, b, flags);
	else if (op == PRT_ARCH_OR)
		PRT_ARCH_EXECUTE_SIZED("or", in->size, a, b, flags);
	else
		PRT_ARCH_EXECUTE_SIZED("add", in->size, a, b, flags);
	regs->flags = (regs->flags & ~(u64)PRT_ARCH_STATUS) | (flags & PRT_ARCH_STATUS);
	if (!in->keeps)
		*to = a;
}

static __always_inline bool prt_arch_is_stack(u64 sp)
{
	return likely(sp - sizeof(sp) <= PRT_ARCH_STACK_END - 2 * sizeof(sp));
}

/* Executes the part of a `push` that may fail, the write to memory. Returns false if it failed and
 * nothing was changed. Page faults are disabled, and access to user memory is enabled. */
static __always_inline bool prt_arch_emulate_push_memory(const struct prt_arch_insn *in,
							 const struct pt_regs *regs)
{
	if (!prt_arch_is_stack(regs->sp))
		return false;
	unsafe_put_user(*(const unsigned long *)((const char *)regs + in->from),
			(unsigned long __user *)regs->sp - 1, fault);
	return true;
fault:
	return false;
}

/* Executes the rest of a `push`. */
static __always_inline void prt_arch_emulate_push(const struct prt_arch_insn *in,
						  struct pt_regs *regs)
{
	regs->sp -= sizeof(regs->sp);
	regs->ip += in->length;
}

/* Executes an instruction that neither accesses memory nor returns. */
static __always_inline void prt_arch_emulate_computing(const struct prt_arch_insn *in,
						       struct pt_regs *regs)
{
	if (in->op != PRT_ARCH_NOP)
		prt_arch_compute(in, regs);
	regs->ip += in->length;
}

/* Executes an instruction other than `ret`; of a `push`, what is left after the store. */
static inline void prt_arch_emulate(const struct prt_arch_insn *in, struct pt_regs *regs)
{
	if (in->op == PRT_ARCH_PUSH)
		prt_arch_emulate_push(in, regs);
	else
		prt_arch_emulate_computing(in, regs);
}

/* The same for a `ret`, whose return address, which is read, must be one of the program's. */
static __always_inline bool prt_arch_emulate_return_memory(const struct pt_regs *regs,
							   unsigned long *back)
{
	if (!prt_arch_is_stack(regs->sp))
		return false;
	unsafe_get_user(*back, (const unsigned long __user *)regs->sp, fault);
	return *back < TASK_SIZE_MAX;
fault:
	return false;
}

static __always_inline void prt_arch_emulate_return(struct pt_regs *regs, unsigned long back)
{
	regs->sp += sizeof(back);
	regs->ip = back;
}

/* Gives the program the registers that it had before an emulated return. */
static __always_inline void prt_arch_undo_return(struct pt_regs *regs, unsigned long ip,
						 unsigned long sp)
{
	regs->ip = ip;
	regs->sp = sp;
}

#endif
