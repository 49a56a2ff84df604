/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs of 32 bits on kernels of x86-64. Source: System V ABI, Intel386 Architecture Processor
 * Supplement, "Function Calling Sequence", as gcc and clang follow it on Linux.
 *
 * All parameters are on the stack, in slots of 4 bytes; one of 8 bytes takes two, without further
 * alignment. A structure takes as many slots as it needs. A result of 8 bytes is in edx:eax. A
 * function that returns a structure, of whatever size, gets the address for it in the first slot,
 * removes that slot, and returns the address. A compiler may pass arguments of functions that no
 * other file calls in registers, and attributes (regparm, fastcall) ask for the same: only debug
 * information says so.
 */
#include "target/arch/private.h"

#include <elf.h>
#include <string.h>

enum { SLOT = 4 };

static bool is_empty(const struct btf_func *f, const struct btf_shape *shape)
{
	return shape->kind == BTF_STRUCT && btf_types_nmembers(f->db, shape->id) == 0;
}

/* Compilers disagree on C++ classes without members, and on what is aligned to 16 bytes. */
static enum passing_class classify(const struct btf_func *f, const struct btf_shape *shape)
{
	switch (shape->kind) {
	case BTF_INTEGER:
	case BTF_POINTER:
		return shape->size <= 8 ? PASSING_INTEGER : PASSING_UNKNOWN;
	case BTF_FLOATING:
		return shape->size <= 12 ? PASSING_MEMORY : PASSING_UNKNOWN;
	case BTF_STRUCT:
		if (shape->size == 0)
			return PASSING_NOTHING;
		return is_empty(f, shape) || btf_types_alignment(f->db, shape->id) >= 16 ?
		       PASSING_UNKNOWN : PASSING_MEMORY;
	default:
		return PASSING_UNKNOWN;
	}
}

/* The number of slots is that of the size, not @words. */
static struct arch_passing on_stack(struct passing_cursor *c, const struct btf_func *f,
				    const struct btf_shape *shape, unsigned words)
{
	struct arch_passing place = { .where = ARCH_STACK_32, .first = c->slots };

	(void)f;
	(void)words;
	place.n = (unsigned)((shape->size + SLOT - 1) / SLOT);
	c->slots += place.n;
	return place;
}

static struct arch_passing memory_result(const struct btf_func *f, const struct btf_shape *shape)
{
	(void)f;
	if (!shape || shape->kind == BTF_STRUCT)
		return (struct arch_passing){ .where = ARCH_RETURN_MEMORY, .n = 1 };
	return (struct arch_passing){ .why = "it is returned in a floating-point register" };
}

static const struct passing_rules rules = {
	.word = SLOT, .classify = classify, .integer = on_stack, .memory = on_stack,
	.memory_result = memory_result, .pair = ARCH_RETURN_PAIR, .address_on_stack = true,
};

/* In the order of the ABI's DWARF register numbers; eip is 8. */
static const char *const registers[] = { "ax", "cx", "dx", "bx", "sp", "bp", "si", "di" };
static const char *const register_names[] = {
	"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "eip",
};
/* The registers of regparm(3) and fastcall. */
static const char *const arguments[] = { "ax", "dx", "cx" };

/* glibc has no directories for processors of 32-bit programs. */
static const char *hwcaps(unsigned i)
{
	(void)i;
	return NULL;
}

/* [endbr32] jmp *ADDRESS, in programs with fixed addresses. In others it is jmp *OFFSET(%ebx), and
 * ebx has the address of the global offset table. */
static bool plt_word(const unsigned char *code, size_t n, uint64_t address, uint64_t got,
		     uint64_t *ret)
{
	enum { JMP = 0xff, TO_ADDRESS = 0x25, TO_OFFSET = 0xa3 };

	static const unsigned char endbr32[] = { 0xf3, 0x0f, 0x1e, 0xfb };
	size_t at = 0;
	uint32_t word;

	(void)address;
	if (n >= sizeof(endbr32) && memcmp(code, endbr32, sizeof(endbr32)) == 0)
		at += sizeof(endbr32);
	if (at + 6 > n || code[at] != JMP ||
	    (code[at + 1] != TO_ADDRESS && (code[at + 1] != TO_OFFSET || !got)))
		return false;
	memcpy(&word, code + at + 2, sizeof(word));
	*ret = code[at + 1] == TO_OFFSET ? (uint32_t)(got + word) : word;
	return true;
}

/* mov (%esp),%REG; ret: a thunk, __x86.get_pc_thunk.REG of gcc. pop %REG: clang calls the next
 * instruction. */
static unsigned takes_return(const unsigned char *code, size_t n, unsigned *reg)
{
	enum { MOV = 0x8b, AT_STACK = 0x04, AT_STACK_2 = 0x24, RET = 0xc3, POP = 0x58 };

	if (n >= 1 && (code[0] & ~7) == POP) {
		*reg = code[0] & 7;
		return 1;
	}
	if (n < 4 || code[0] != MOV || (code[1] & ~0x38) != AT_STACK || code[2] != AT_STACK_2 ||
	    code[3] != RET)
		return 0;
	*reg = code[1] >> 3;
	return 3;
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

const struct arch arch_i386 = {
	.names = {
		.machine = "i386", .elf_machine = EM_386,
		.libraries = "i386-linux-gnu", .lib = "lib32",
		.platform = "i686", .code_fill = 0xcc,
	},
	.passing = &rules,
	.registers = registers, .nregisters = COUNT(registers),
	.register_names = register_names, .nregister_names = COUNT(register_names),
	.arguments = arguments, .narguments = COUNT(arguments),
	.instruction_pointer = "ip",
	.hwcaps = hwcaps, .plt_entry = arch_plt_entry_x86, .plt_word = plt_word,
	.relocations = { R_386_32, R_386_GLOB_DAT, R_386_JMP_SLOT, R_386_RELATIVE,
			 R_386_IRELATIVE },
	.flow = arch_flow_i386, .flow_far = arch_flow_far_x86_64, .entry_cfa = SLOT,
	/* eax, ecx, edx; the result is in eax */
	.effect = arch_effect_i386, .call_loses = 7, .result = 0, .zero = ARCH_EFFECT_REGISTERS,
	.takes_return = takes_return,
	.operand = arch_operand_x86_64,
};
