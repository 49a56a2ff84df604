/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calling convention of arm64 (AAPCS64), as far as kernel code uses it.
 *
 * Integers and pointers take the next of eight registers, then stack slots of 8 bytes. A structure
 * of at most 16 bytes takes one or two registers; where it is aligned to 16 bytes, the first of
 * them has an even number. If there are not enough registers left, it and all later parameters are
 * on the stack. Of a larger one the caller passes the address of a copy, and of a larger result the
 * caller passes the address in x8, which the function may overwrite. Floating-point numbers take
 * the next of eight vector registers, and so do the members of a structure of one to four numbers
 * of one size and nothing else, of any size (a homogeneous aggregate): one register each. If there
 * are not enough left, it and all later ones are on the stack, where the members lie as in memory.
 */
#include "target/arch/private.h"

#include <elf.h>

#include "shared/elf.h"

enum {
	ARGUMENT_REGISTERS = 8, VECTOR_REGISTERS = 8,
	RESULT_ADDRESS = 8, /* x8 */
	HOMOGENEOUS_MOST = 4,
};

static bool is_homogeneous(const struct btf_func *f, uint32_t type, struct passing_vectors *ret)
{
	uint64_t n, size;

	if (!btf_types_floats(f->db, type, &n, &size) || n > HOMOGENEOUS_MOST)
		return false;
	*ret = (struct passing_vectors){ .n = (unsigned)n, .bytes = (unsigned)size,
					 .slots = (unsigned)((n * size + 7) / 8) };
	return true;
}

static enum passing_class classify(const struct btf_func *f, const struct btf_shape *shape)
{
	struct passing_vectors numbers;

	switch (shape->kind) {
	case BTF_INTEGER:
	case BTF_POINTER:
		return PASSING_INTEGER;
	case BTF_FLOATING:
		return PASSING_FLOAT;
	case BTF_STRUCT:
		if (shape->size == 0)
			return PASSING_NOTHING;
		if (is_homogeneous(f, shape->id, &numbers))
			return PASSING_FLOAT;
		return shape->size > 16 ? PASSING_MEMORY : PASSING_INTEGER;
	default:
		return PASSING_UNKNOWN;
	}
}

static struct arch_passing pass_words(struct passing_cursor *c, unsigned n, bool is_even)
{
	struct arch_passing place = { .n = n };

	if (is_even && c->registers < ARGUMENT_REGISTERS)
		c->registers += c->registers % 2;
	if (c->registers + n <= ARGUMENT_REGISTERS) {
		place.where = ARCH_REGISTERS;
		place.first = c->registers;
		c->registers += n;
		return place;
	}
	c->registers = ARGUMENT_REGISTERS;
	if (is_even)
		c->slots += c->slots % 2;
	place.where = ARCH_STACK;
	place.first = c->slots;
	c->slots += n;
	return place;
}

static struct arch_passing in_registers(struct passing_cursor *c, const struct btf_func *f,
					const struct btf_shape *shape, unsigned n)
{
	return pass_words(c, n, n > 1 && btf_types_alignment(f->db, shape->id) >= 16);
}

static struct arch_passing copied(struct passing_cursor *c, const struct btf_func *f,
				  const struct btf_shape *shape, unsigned n)
{
	struct arch_passing place = pass_words(c, 1, false);

	(void)f;
	(void)shape;
	(void)n;
	place.is_address = true;
	return place;
}

static struct arch_passing memory_result(const struct btf_func *f, const struct btf_shape *shape)
{
	(void)f;
	(void)shape;
	return (struct arch_passing){ .where = ARCH_ENTRY_MEMORY, .first = RESULT_ADDRESS, .n = 1 };
}

static bool in_vectors(struct passing_cursor *c, const struct btf_func *f, unsigned general,
		       const struct passing_vectors *v)
{
	(void)f;
	(void)general; /* no value has parts of both kinds */
	if (c->vectors + v->n <= VECTOR_REGISTERS) {
		c->vectors += v->n;
		return false;
	}
	c->vectors = VECTOR_REGISTERS;
	if (v->bytes > 8)
		c->slots += c->slots % 2;
	c->slots += v->slots;
	return true;
}

static void spread(const struct btf_func *f, const struct btf_shape *shape,
		   struct passing_vectors *ret)
{
	unsigned size = (unsigned)shape->size;

	if (shape->kind == BTF_STRUCT) {
		is_homogeneous(f, shape->id, ret);
		return;
	}
	*ret = (struct passing_vectors){ .n = 1, .bytes = size, .slots = (size + 7) / 8 };
	if (btf_types_is_complex(f->db, shape->id)) {
		ret->n = 2;
		ret->bytes = size / 2;
	}
}

static const struct passing_rules rules = {
	.word = 8, .classify = classify, .integer = in_registers, .memory = copied,
	.memory_result = memory_result, .vectors = in_vectors, .spread = spread,
	.wide_by_type = true,
};

/* In the order of DWARF for the Arm 64-bit Architecture, 4.1. */
static const char *const registers[] = {
	"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
	"x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26",
	"x27", "x28", "x29", "x30", "sp", "pc",
};
static const char *const call[] = { "x8", "x0", "x1", "x2", "x3", "x4", "x5" };

static const char *no_hwcaps(unsigned i)
{
	(void)i;
	return NULL;
}

/* Entries have 16 bytes, or 24 with a `bti c` or a check of the address. */
static size_t plt_entry(uint64_t stated, uint64_t alignment)
{
	(void)alignment;
	return stated == 24 ? 24 : 16;
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool plt_word(const unsigned char *code, size_t n, uint64_t address, uint64_t got,
		     uint64_t *ret)
{
	(void)got;
	return elf_plt_word_arm64(code, n, address, ret);
}

const struct arch arch_arm64 = {
	.names = {
		.machine = "aarch64", .folder = "arm64", .image = "boot/Image",
		.option = "CONFIG_ARM64", .tools = "aarch64-linux-gnu-",
		.system_call = "__arm64_sys_", .system_call_32 = "__arm64_sys_",
		.compat_call = "__arm64_compat_sys_", .option_32bit = "CONFIG_COMPAT",
		.calls_shared = true,
		/* watchpoint_handler() of arch/arm64/kernel/hw_breakpoint.c steps over the access
		 * for its own handlers only; others are called before it, again and again. */
		.no_watchpoints = "the kernel does not continue after a watchpoint hit",
		.elf_machine = EM_AARCH64, .elf_machine_32 = EM_ARM,
		.libraries = "aarch64-linux-gnu", .lib = "lib64", .ldconfig = "AArch64",
		.platform = "aarch64", .code_fill = 0,
	},
	.passing = &rules,
	.registers = registers, .nregisters = COUNT(registers),
	.register_names = registers, .nregister_names = COUNT(registers),
	/* DWARF for the Arm 64-bit Architecture, 4.1: 64 to 95 are v0 to v31 */
	.first_simd = 64, .nsimd = 32,
	.arguments = registers, .narguments = ARGUMENT_REGISTERS,
	.call = call, .ncall = COUNT(call),
	.instruction_pointer = "pc",
	.stack_needs_all = true,
	.has_thread_memory = true, .thread_head = 16,
	.hwcaps = no_hwcaps,
	/* ELF for the Arm 64-bit Architecture, "Dynamic relocations" */
	.relocations = { R_AARCH64_ABS64, R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT,
			 R_AARCH64_RELATIVE, R_AARCH64_IRELATIVE },
	.plt_entry = plt_entry, .plt_word = plt_word,
	.flow = arch_flow_arm64, .flow_far = arch_flow_far_arm64,
	/* x0 to x18, x30; the result is in x0 */
	.effect = arch_effect_arm64, .call_loses = 0x4007ffff, .result = 0, .zero = 31,
	.operand = arch_operand_arm64,
};
