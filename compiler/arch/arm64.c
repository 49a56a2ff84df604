/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calling convention of arm64 (AAPCS64), as far as kernel code uses it.
 *
 * Integers and pointers take the next of eight registers, then stack slots of 8 bytes. A structure
 * of at most 16 bytes takes one or two registers; where it is aligned to 16 bytes, the first of
 * them has an even number. If there are not enough registers left, it and all later parameters are
 * on the stack. Of a larger one the caller passes the address of a copy, and of a larger result the
 * caller passes the address in a register that the function may overwrite. Floating-point values,
 * and structures of nothing else, are in registers that no probe can read.
 */
#include "arch/private.h"

#include <elf.h>

#include "shared/plt_arm64.h"

enum { ARGUMENT_REGISTERS = 8 };

enum arm64_passing { PASS_INTEGER, PASS_COPY, PASS_FLOAT, PASS_NOTHING, PASS_UNKNOWN };

static enum arm64_passing classify(const struct btf_func *f, const struct btf_shape *shape)
{
	switch (shape->kind) {
	case BTF_INTEGER:
	case BTF_POINTER:
		return PASS_INTEGER;
	case BTF_FLOATING:
		return PASS_FLOAT;
	case BTF_STRUCT:
		if (shape->size == 0)
			return PASS_NOTHING;
		if (btf_types_has_float(f->db, shape->id))
			return PASS_UNKNOWN;
		return shape->size > 16 ? PASS_COPY : PASS_INTEGER;
	default:
		return PASS_UNKNOWN;
	}
}

/* The registers and stack slots that are in use. */
struct arm64_cursor {
	unsigned registers, slots;
};

static struct arch_passing pass_words(struct arm64_cursor *c, unsigned n, bool is_even)
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

static struct arch_passing pass(struct arm64_cursor *c, const struct btf_func *f, uint32_t type)
{
	struct btf_shape shape = btf_types_shape(f->db, type);
	struct arch_passing place = { .where = ARCH_NOWHERE };

	switch (classify(f, &shape)) {
	case PASS_INTEGER:
		return pass_words(c, (unsigned)((shape.size + 7) / 8),
				  shape.size > 8 && btf_types_alignment(f->db, shape.id) >= 16);
	case PASS_COPY:
		pass_words(c, 1, false);
		place.why = "its type has more than 16 bytes, and the address of a copy is passed";
		break;
	case PASS_FLOAT:
		place.why = "it is passed in a floating-point register";
		break;
	case PASS_NOTHING:
		place.why = "its type has no size";
		break;
	case PASS_UNKNOWN:
		place.why = "how its type is passed is not known";
		break;
	}
	return place;
}

static struct arch_passing result(const struct btf_func *f)
{
	struct btf_shape shape = btf_types_shape(f->db, btf_func_return(f));
	struct arch_passing place = { .where = ARCH_NOWHERE };

	if (shape.kind == BTF_VOID)
		return place;
	switch (classify(f, &shape)) {
	case PASS_INTEGER:
		place.where = ARCH_RETURN_VALUE;
		place.n = (unsigned)((shape.size + 7) / 8);
		break;
	case PASS_COPY:
		place.why = "it is returned in memory whose address is gone at the return";
		break;
	case PASS_FLOAT:
		place.why = "it is returned in a floating-point register";
		break;
	case PASS_NOTHING:
		place.why = "its type has no size";
		break;
	case PASS_UNKNOWN:
		place.why = "how its type is returned is not known";
		break;
	}
	return place;
}

static struct arch_passing param(const struct btf_func *f, unsigned i)
{
	struct arm64_cursor c = {0};
	uint32_t type;

	for (unsigned before = 0; before < i; before++) {
		btf_func_param(f, before, &type);

		struct btf_shape shape = btf_types_shape(f->db, type);

		if (classify(f, &shape) == PASS_UNKNOWN) {
			return (struct arch_passing){
				.why = "it is not known how a parameter before it is passed",
			};
		}
		pass(&c, f, type);
	}
	btf_func_param(f, i, &type);
	return pass(&c, f, type);
}

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

/* ELF for the Arm 64-bit Architecture, "Dynamic relocations". */
static bool is_import(uint64_t relocation)
{
	return relocation == R_AARCH64_JUMP_SLOT || relocation == R_AARCH64_GLOB_DAT;
}

/* Entries have 16 bytes, or 24 with a `bti c` or a check of the address. */
static size_t plt_entry(uint64_t stated)
{
	return stated == 24 ? 24 : 16;
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

const struct arch arch_arm64 = {
	.names = {
		.machine = "aarch64", .folder = "arm64", .image = "boot/Image",
		.option = "CONFIG_ARM64", .tools = "aarch64-linux-gnu-",
		.system_call = "__arm64_sys_", .system_call_32 = "__arm64_sys_",
		.compat_call = "__arm64_compat_sys_", .option_32bit = "CONFIG_COMPAT",
		.calls_shared = true,
		/* watchpoint_handler() of arch/arm64/kernel/hw_breakpoint.c steps over the access
		 * for its own handlers only; others are called before it, again and again. */
		.no_watchpoints = "the kernel does not go on after the hit of a watchpoint",
		.elf_machine = EM_AARCH64, .elf_machine_32 = EM_ARM,
		.libraries = "aarch64-linux-gnu", .ldconfig = "AArch64", .platform = "aarch64",
		.code_fill = 0,
	},
	.param = param, .result = result,
	.registers = registers, .nregisters = COUNT(registers),
	.register_names = registers, .nregister_names = COUNT(registers),
	.arguments = registers, .narguments = ARGUMENT_REGISTERS,
	.call = call, .ncall = COUNT(call),
	.instruction_pointer = "pc",
	.stack_needs_all = true,
	.hwcaps = no_hwcaps, .is_import = is_import,
	.plt_entry = plt_entry, .plt_word = plt_arm64_word,
	.flow = arch_flow_arm64, .flow_far = arch_flow_far_arm64,
	.operand = arch_operand_arm64,
};
