/* SPDX-License-Identifier: GPL-2.0 */
/* The arguments of SDT markers, as compilers write them. */
#include "target/arch/names.h"
#include "target/arch/operand.h"
#include "unit.h"

static struct arch_operand read_one(struct arena *a, const char *text)
{
	struct arch_operand o;

	assert_true(arch_operand(a, text, 1, false, &o));
	return o;
}

TEST(registers)
{
	static const struct {
		const char *text, *reg;
		unsigned size, shift;
		bool is_signed;
	} all[] = {
		{ "8@%rax", "ax", 8, 0, 0 },   { "-4@%ebx", "bx", 4, 0, 1 },
		{ "2@%cx", "cx", 2, 0, 0 },    { "-1@%dl", "dx", 1, 0, 1 },
		{ "1@%ah", "ax", 1, 8, 0 },    { "1@%bh", "bx", 1, 8, 0 },
		{ "1@%sil", "si", 1, 0, 0 },   { "-8@%rdi", "di", 8, 0, 1 },
		{ "8@%rbp", "bp", 8, 0, 0 },   { "8@%rsp", "sp", 8, 0, 0 },
		{ "8@%r8", "r8", 8, 0, 0 },    { "4@%r9d", "r9", 4, 0, 0 },
		{ "2@%r10w", "r10", 2, 0, 0 }, { "1@%r15b", "r15", 1, 0, 0 },
		{ "%r14", "r14", 8, 0, 1 },
	};
	struct arena *a = arena_create();

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct arch_operand o = read_one(a, all[i].text);

		assert_int_equal(o.kind, ARCH_OPERAND_REGISTER);
		assert_string_equal(o.reg, all[i].reg);
		assert_int_equal(o.size, all[i].size);
		assert_int_equal(o.shift, all[i].shift);
		assert_int_equal(o.is_signed, all[i].is_signed);
	}
	arena_destroy(a);
}

TEST(constants)
{
	struct arena *a = arena_create();

	assert_int_equal(read_one(a, "-4@$-7").value, -7);
	assert_int_equal(read_one(a, "8@$0x10").value, 16);
	assert_true(read_one(a, "8@$18446744073709551615").value == -1);
	assert_int_equal(read_one(a, "8@$name").kind, ARCH_OPERAND_REFUSED);
	assert_int_equal(read_one(a, "8@$3x").kind, ARCH_OPERAND_REFUSED);
	arena_destroy(a);
}

TEST(memory)
{
	struct arena *a = arena_create();
	struct arch_operand o;

	o = read_one(a, "-8@-24(%rbp)");
	assert_int_equal(o.kind, ARCH_OPERAND_MEMORY);
	assert_int_equal(o.value, -24);
	assert_string_equal(o.base, "bp");
	assert_null(o.index);
	o = read_one(a, "4@(%rax,%rcx,4)");
	assert_string_equal(o.base, "ax");
	assert_string_equal(o.index, "cx");
	assert_int_equal(o.scale, 4);
	o = read_one(a, "4@8(,%rdx,2)");
	assert_null(o.base);
	assert_string_equal(o.index, "dx");
	assert_int_equal(o.value, 8);
	o = read_one(a, "8@8+CheckpointStats(%rip)");
	assert_int_equal(o.kind, ARCH_OPERAND_MEMORY);
	assert_string_equal(o.symbol, "CheckpointStats");
	assert_int_equal(o.value, 8);
	o = read_one(a, "8@name-4(%rip)");
	assert_string_equal(o.symbol, "name");
	assert_int_equal(o.value, -4);
	arena_destroy(a);
}

TEST(of_thread)
{
	struct arena *a = arena_create();
	struct arch_operand o = read_one(a, "-4@%fs:counter@tpoff");

	assert_int_equal(o.kind, ARCH_OPERAND_MEMORY);
	assert_true(o.of_thread && o.is_distance);
	assert_string_equal(o.symbol, "counter");
	o = read_one(a, "8@%fs:list@tpoff+16(,%rdx,8)");
	assert_true(o.of_thread && o.is_distance);
	assert_int_equal(o.value, 16);
	assert_string_equal(o.index, "dx");
	o = read_one(a, "8@%fs:-8(%rax)");
	assert_true(o.of_thread && !o.is_distance);
	assert_null(o.symbol);
	assert_int_equal(o.value, -8);
	assert_string_equal(o.base, "ax");
	o = read_one(a, "8@%fs:0");
	assert_true(o.of_thread);
	assert_int_equal(o.value, 0);
	arena_destroy(a);
}

TEST(simd)
{
	struct arena *a = arena_create();
	struct arch_operand o = read_one(a, "8f@%xmm15");

	assert_int_equal(o.kind, ARCH_OPERAND_SIMD);
	assert_int_equal(o.value, 15);
	assert_int_equal(o.size, 8);
	assert_false(o.is_signed);
	o = read_one(a, "-4@%ymm3");
	assert_int_equal(o.kind, ARCH_OPERAND_SIMD);
	assert_int_equal(o.value, 3);
	assert_true(o.is_signed);
	o = read_one(a, "4f@-12(%rbp)");
	assert_int_equal(o.kind, ARCH_OPERAND_MEMORY);
	assert_int_equal(o.size, 4);
	assert_false(o.is_signed);
	o = read_one(a, "8f@%r9");
	assert_int_equal(o.kind, ARCH_OPERAND_REGISTER);
	arena_destroy(a);
}

TEST(refused)
{
	static const char *const all[] = {
		"8f@%xmm16", "8@%mm1", "16@%rax", "16@%xmm0", "8@%gs:0", "8@name@GOTPCREL(%rip)",
		"8@%fs:name", "8@%fs:name@GOTPCREL", "8@name@tpoff",
		"8@(%rip)", "8@a+b(%rip)", "8@(%rax", "8@(%eflags)", "8@%cr0", "3@%rax",
		"8@name(%rax)", "8@", "8@(%rax,%rcx,4)x",
	};
	struct arena *a = arena_create();

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct arch_operand o = read_one(a, all[i]);

		if (o.kind != ARCH_OPERAND_REFUSED)
			fail_msg("'%s' is not refused", all[i]);
		assert_non_null(o.why);
	}
	arena_destroy(a);
}

TEST(several)
{
	const char *text = "  8@%rax -4@$3   2@4(%rsp)";
	struct arena *a = arena_create();
	struct arch_operand o;

	assert_int_equal(arch_operand_count(text), 3);
	assert_int_equal(arch_operand_count(""), 0);
	assert_true(arch_operand(a, text, 3, false, &o));
	assert_int_equal(o.value, 4);
	assert_false(arch_operand(a, text, 4, false, &o));
	assert_false(arch_operand(a, text, 0, false, &o));
	arena_destroy(a);
}

TEST(of_arm64)
{
	static const char text[] = "-4@w1 8@[sp, 16] 8@x30 -1@[x2] 4@5 8@[x0,x3] 8@d3 "
				   "8@[x0, w1] 8@x31";
	struct arena *a = arena_create();
	struct arch_operand o;

	assert_true(arch_choose("aarch64"));
	assert_int_equal(arch_operand_count(text), 9);
	arch_operand(a, text, 1, false, &o);
	assert_int_equal(o.kind, ARCH_OPERAND_REGISTER);
	assert_string_equal(o.reg, "x1");
	assert_int_equal(o.size, 4);
	assert_true(o.is_signed);
	arch_operand(a, text, 2, false, &o);
	assert_int_equal(o.kind, ARCH_OPERAND_MEMORY);
	assert_string_equal(o.base, "sp");
	assert_int_equal(o.value, 16);
	arch_operand(a, text, 3, false, &o);
	assert_string_equal(o.reg, "x30");
	arch_operand(a, text, 4, false, &o);
	assert_string_equal(o.base, "x2");
	assert_null(o.index);
	arch_operand(a, text, 5, false, &o);
	assert_int_equal(o.kind, ARCH_OPERAND_CONSTANT);
	assert_int_equal(o.value, 5);
	arch_operand(a, text, 6, false, &o);
	assert_string_equal(o.index, "x3");
	arch_operand(a, text, 7, false, &o);
	assert_int_equal(o.kind, ARCH_OPERAND_SIMD);
	assert_int_equal(o.value, 3);
	for (unsigned n = 8; n <= 9; n++) {
		arch_operand(a, text, n, false, &o);
		assert_int_equal(o.kind, ARCH_OPERAND_REFUSED);
	}
	assert_true(arch_choose("x86_64"));
	arena_destroy(a);
}

TEST(of_arm64_memory)
{
	static const struct {
		const char *text, *base, *index, *symbol;
		unsigned scale;
		int extends;
		int64_t value;
	} all[] = {
		{ "8@[x0, x1, lsl 3]", "x0", "x1", NULL, 8, 0, 0 },
		{ "8@[x0,x1,lsl #2]", "x0", "x1", NULL, 4, 0, 0 },
		{ "4@[x0, w1, sxtw 2]", "x0", "x1", NULL, 4, -4, 0 },
		{ "4@[x5, w30, uxtw]", "x5", "x30", NULL, 1, 4, 0 },
		{ "8@[x0, x1, sxtx]", "x0", "x1", NULL, 1, 0, 0 },
		{ "8@[sp, #-16]", "sp", NULL, NULL, 0, 0, -16 },
		{ "8@[x3, #:lo12:counter]", NULL, NULL, "counter", 0, 0, 0 },
		{ "8@[x3, :lo12:counter+8]", NULL, NULL, "counter", 0, 0, 8 },
	};
	static const char *const refused[] = {
		"8@[x0, w1]", "8@[w0]", "8@[x0, x1, lsl 9]", "8@[x0, x1, sxtw 3]",
		"8@[x0, w1, lsl 3]", "8@[x0, 8]!", "8@[x0], 8", "8@[x0, :got_lo12:a]",
		"8@[x0, #:lo12:]", "8@[x31]",
	};
	struct arena *a = arena_create();
	struct arch_operand o;

	assert_true(arch_choose("aarch64"));
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		o = read_one(a, all[i].text);
		assert_int_equal(o.kind, ARCH_OPERAND_MEMORY);
		assert_string_equal(o.base ? o.base : "", all[i].base ? all[i].base : "");
		assert_string_equal(o.index ? o.index : "", all[i].index ? all[i].index : "");
		assert_string_equal(o.symbol ? o.symbol : "", all[i].symbol ? all[i].symbol : "");
		assert_int_equal(o.scale, all[i].scale);
		assert_int_equal(o.index_extends, all[i].extends);
		assert_int_equal(o.value, all[i].value);
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		assert_int_equal(read_one(a, refused[i]).kind, ARCH_OPERAND_REFUSED);
	assert_int_equal(read_one(a, "4@wzr").kind, ARCH_OPERAND_CONSTANT);
	assert_int_equal(read_one(a, "8@xzr").value, 0);
	assert_int_equal(read_one(a, "4f@s15").value, 15);
	assert_int_equal(read_one(a, "2@w7").size, 2);
	assert_true(arch_choose("x86_64"));
	arena_destroy(a);
}
