/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The System V calling convention of x86-64, as far as kernel code uses it.
 *
 * Integers and pointers take the next of six registers, then stack slots of 8 bytes. A structure of
 * at most 16 bytes takes one or two registers if enough are free, otherwise the stack (later
 * parameters may still use the remaining register). A larger one, or one with unaligned members, is
 * always on the stack. A function that returns such a structure gets the address for it in the
 * first register, and returns that address. Floating-point values take the next of eight vector
 * registers, then stack slots; they are returned in the first of these. The two words of a small
 * structure are passed each by what it holds. A class of C++ with special members is passed by its
 * address, and so is the place for a result of such a class (Itanium C++ ABI, 3.1).
 */
#include "target/arch/private.h"

#include <elf.h>
#include <string.h>

#include "shared/elf.h"

enum { ARGUMENT_REGISTERS = 6, VECTOR_REGISTERS = 8 };

static enum passing_class classify_small(const struct btf_func *f, const struct btf_shape *shape)
{
	enum btf_held words[2];
	unsigned n = shape->size > 8 ? 2 : 1;
	unsigned count[BTF_HELD_UNKNOWN + 1] = { 0 };

	btf_types_words(f->db, shape->id, words);
	for (unsigned i = 0; i < n; i++)
		count[words[i]]++;
	if (count[BTF_HELD_UNKNOWN])
		return PASSING_UNKNOWN;
	/* The second half of a long double needs the first one. */
	if (count[BTF_HELD_MEMORY] || count[BTF_HELD_X87])
		return PASSING_MEMORY;
	if (count[BTF_HELD_NOTHING] == n)
		return PASSING_NOTHING;
	/* A word of padding, which only alignment makes, is where the ABI is read in two ways. */
	if (count[BTF_HELD_NOTHING])
		return PASSING_UNKNOWN;
	if (count[BTF_HELD_INTEGER] == n)
		return PASSING_INTEGER;
	return count[BTF_HELD_FLOAT] == n ? PASSING_FLOAT : PASSING_MIXED;
}

static enum passing_class classify(const struct btf_func *f, const struct btf_shape *shape)
{
	switch (shape->kind) {
	case BTF_INTEGER:
	case BTF_POINTER:
		return PASSING_INTEGER;
	case BTF_FLOATING:
		return shape->size <= 8 ? PASSING_FLOAT : PASSING_MEMORY;
	case BTF_STRUCT:
		if (shape->size == 0)
			return PASSING_NOTHING;
		if (shape->size > 16 || btf_types_has_unaligned(f->db, shape->id))
			return PASSING_MEMORY;
		return classify_small(f, shape);
	default:
		return PASSING_UNKNOWN;
	}
}

static struct arch_passing on_stack(struct passing_cursor *c, const struct btf_func *f,
				    const struct btf_shape *shape, unsigned n)
{
	/* The caller aligns its stack for the strictest one, from which slots count. */
	unsigned by_members = btf_types_alignment(f->db, shape->id);
	unsigned words = (by_members > c->alignment ? by_members : c->alignment) / 8;

	if (n > 1 && words > 1)
		c->slots += (words - c->slots % words) % words;

	struct arch_passing place = { .where = ARCH_STACK, .first = c->slots, .n = n };

	c->slots += n;
	return place;
}

static struct arch_passing in_registers(struct passing_cursor *c, const struct btf_func *f,
					const struct btf_shape *shape, unsigned n)
{
	struct arch_passing place = { .where = ARCH_REGISTERS, .first = c->registers, .n = n };

	if (c->registers + n > ARGUMENT_REGISTERS)
		return on_stack(c, f, shape, n);
	c->registers += n;
	return place;
}

/* A structure with a long double is passed on the stack, but returned in a register. */
static bool is_in_x87(const struct btf_func *f, const struct btf_shape *shape)
{
	enum btf_held words[2];

	if (shape->kind != BTF_STRUCT)
		return true;
	btf_types_words(f->db, shape->id, words);
	return shape->size <= 16 && words[0] == BTF_HELD_X87 && words[1] == BTF_HELD_X87;
}

static struct arch_passing memory_result(const struct btf_func *f, const struct btf_shape *shape)
{
	if (!shape || !is_in_x87(f, shape))
		return (struct arch_passing){ .where = ARCH_RETURN_MEMORY, .n = 1 };
	return (struct arch_passing){ .why = "it is returned in a floating-point register" };
}

static bool in_vectors(struct passing_cursor *c, const struct btf_func *f, unsigned general,
		       const struct passing_vectors *v)
{
	(void)f;
	if (c->vectors + v->n > VECTOR_REGISTERS || c->registers + general > ARGUMENT_REGISTERS) {
		c->slots += general + v->slots;
		return true;
	}
	c->vectors += v->n;
	c->registers += general;
	return false;
}

static const struct passing_rules rules = {
	.word = 8, .classify = classify, .integer = in_registers, .memory = on_stack,
	.memory_result = memory_result, .vectors = in_vectors,
	.flexible_in_memory = true,
};

/* In the order of the ABI's DWARF register numbers. */
static const char *const registers[] = {
	"ax", "dx", "cx", "bx", "si", "di", "bp", "sp", "r8", "r9", "r10", "r11", "r12", "r13",
	"r14", "r15",
};
static const char *const register_names[] = {
	"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11",
	"r12", "r13", "r14", "r15", "rip",
};
static const char *const arguments[ARGUMENT_REGISTERS] = { "di", "si", "dx", "cx", "r8", "r9" };
static const char *const call[] = { "orig_ax", "di", "si", "dx", "r10", "r8", "r9" };

/* The script's programs run on this machine's processor, if it is one of x86-64. */
static const char *hwcaps(unsigned i)
{
#ifdef __x86_64__
	const struct { const char *name; int supported; } levels[] = {
		/* gcc knows the levels by name since version 12, clang since 16. */
		{ "x86-64-v4", __builtin_cpu_supports("avx512vl") },
		{ "x86-64-v3", __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
			       __builtin_cpu_supports("fma") },
		{ "x86-64-v2", __builtin_cpu_supports("sse4.2") &&
			       __builtin_cpu_supports("popcnt") },
	};

	for (size_t n = 0; n < sizeof(levels) / sizeof(*levels); n++)
		if (levels[n].supported && i-- == 0)
			return levels[n].name;
#else
	(void)i;
#endif
	return NULL;
}

/* The linkers make entries of 16 bytes, and GNU ld also some of 8 in .plt.got, whose size it states
 * since version 2.26, and in .plt of static programs, where only the alignment shows it. */
size_t arch_plt_entry_x86(uint64_t stated, uint64_t alignment)
{
	if (alignment == 8)
		return 8;
	return stated == 8 || stated == 16 ? (size_t)stated : 16;
}

static bool plt_word(const unsigned char *code, size_t n, uint64_t address, uint64_t got,
		     uint64_t *ret)
{
	(void)got;
	return elf_plt_word_x86_64(code, n, address, ret);
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define NUMBERS "arch/x86/include/generated/asm/"

static const struct arch_call_switch call_switches[] = {
	{ "x64_sys_call", "__x64_", NUMBERS "syscalls_64.h", false },
	{ "x32_sys_call", "__x64_", NUMBERS "syscalls_x32.h", false },
	{ "ia32_sys_call", "__ia32_", NUMBERS "syscalls_32.h", true },
	{ NULL, NULL, NULL, false },
};

const struct arch arch_x86_64 = {
	.names = {
		.machine = "x86_64", .folder = "x86", .image = "boot/bzImage",
		.option = "CONFIG_X86_64", .tools = "x86_64-linux-gnu-",
		.system_call = "__x64_sys_", .system_call_32 = "__ia32_sys_",
		.call_switches = call_switches,
		.compat_call = "__ia32_compat_sys_", .option_32bit = "CONFIG_IA32_EMULATION",
		.elf_machine = EM_X86_64, .elf_machine_32 = EM_386,
		.watchpoints = 4,
		.libraries = "x86_64-linux-gnu", .lib = "lib64", .ldconfig = "x86-64",
		.platform = "x86_64", .code_fill = 0xcc,
	},
	.of_32bit = &arch_i386,
	.passing = &rules,
	.registers = registers, .nregisters = COUNT(registers),
	/* psABI, "DWARF Register Number Mapping": 17 to 32 are xmm0 to xmm15 */
	.first_simd = 17, .nsimd = 16,
	.register_names = register_names, .nregister_names = COUNT(register_names),
	.arguments = arguments, .narguments = COUNT(arguments),
	.call = call, .ncall = COUNT(call),
	.instruction_pointer = "ip",
	.hwcaps = hwcaps,
	.relocations = { R_X86_64_64, R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT, R_X86_64_RELATIVE,
			 R_X86_64_IRELATIVE },
	.plt_entry = arch_plt_entry_x86, .plt_word = plt_word,
	.flow = arch_flow_x86_64, .flow_far = arch_flow_far_x86_64,
	.stored = arch_stored_x86_64, .frame = arch_frame_x86_64,
	.taken = arch_taken_x86_64, .entry_cfa = 8,
	/* rax, rcx, rdx, rsi, rdi, r8 to r11; the result is in rax */
	.effect = arch_effect_x86_64, .call_loses = 0xfc7, .result = 0,
	.zero = ARCH_EFFECT_REGISTERS,
	.references = arch_references_x86_64,
	.has_thread_memory = true,
	.operand = arch_operand_x86_64,
};
