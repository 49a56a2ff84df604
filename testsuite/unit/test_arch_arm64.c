/* SPDX-License-Identifier: GPL-2.0 */
/* Instructions of arm64, as GNU as writes them: where control goes, their effects, entries
 * of .plt. */
#include "target/arch/arch.h"
#include "target/arch/effect.h"
#include "target/arch/flow.h"
#include "target/arch/names.h"
#include "unit.h"

enum { AT = 0x1000 };

TEST(flow)
{
	static const struct {
		uint32_t word;
		bool is_known;
		enum arch_flow_kind kind;
		int64_t away;
	} all[] = {
		{ 0xd503201f, true, ARCH_FLOW_PADDING, 0 },   /* nop */
		{ 0xd503233f, true, ARCH_FLOW_ON, 0 },        /* paciasp */
		{ 0x14000002, true, ARCH_FLOW_JUMP, 8 },      /* b .+8 */
		{ 0x17ffffff, true, ARCH_FLOW_JUMP, -4 },     /* b .-4 */
		{ 0x94000002, true, ARCH_FLOW_CALL, 0 },      /* bl .+8 */
		{ 0x54000041, true, ARCH_FLOW_BRANCH, 8 },    /* b.ne .+8 */
		{ 0x35ffffe0, true, ARCH_FLOW_BRANCH, -4 },   /* cbnz w0, .-4 */
		{ 0xb4000043, true, ARCH_FLOW_BRANCH, 8 },    /* cbz x3, .+8 */
		{ 0x36180041, true, ARCH_FLOW_BRANCH, 8 },    /* tbz w1, #3, .+8 */
		{ 0xd61f0200, true, ARCH_FLOW_COMPUTED, 0 },  /* br x16 */
		{ 0xd63f0020, true, ARCH_FLOW_CALL, 0 },      /* blr x1 */
		{ 0xd65f03c0, true, ARCH_FLOW_RETURN, 0 },    /* ret */
		{ 0xd65f0200, false, ARCH_FLOW_ON, 0 },       /* ret x16 */
		{ 0xd65f0bff, false, ARCH_FLOW_ON, 0 },       /* retaa */
		{ 0xd4200020, true, ARCH_FLOW_STOP, 0 },      /* brk #1 */
		{ 0x00000000, true, ARCH_FLOW_STOP, 0 },      /* udf #0 */
		{ 0xd4000001, true, ARCH_FLOW_ON, 0 },        /* svc #0 */
		{ 0x8b000020, true, ARCH_FLOW_ON, 0 },        /* add x0, x1, x0 */
	};

	assert_true(arch_choose("aarch64"));
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct arch_flow f;
		bool is_known = arch_flow((const void *)&all[i].word, 4, AT, false, &f);

		assert_int_equal(is_known, all[i].is_known);
		if (!is_known)
			continue;
		assert_int_equal(f.kind, all[i].kind);
		assert_int_equal(f.length, 4);
		if (all[i].away)
			assert_int_equal(f.target, AT + all[i].away);
	}
	assert_true(arch_choose("x86_64"));
}

TEST(effect)
{
	struct arch_effect e;
	static const struct {
		uint32_t word;
		uint32_t lost;
		bool sets, may_set, to_slot;
		unsigned reg, from, kind;
		uint64_t value;
	} all[] = {
		/* adrp x8, AT + 0x10000; adr x0, AT + 4 */
		{ 0x90000088, 1 << 8, true, false, false, 8, 0, ARCH_EFFECT_CONSTANT, 0x11000 },
		{ 0x10000020, 1 << 0, true, false, false, 0, 0, ARCH_EFFECT_CONSTANT, AT + 4 },
		/* add x9, x9, #0x734; mov x0, x9; csel x0, x10, x9, eq */
		{ 0x911cd129, 1 << 9, true, false, false, 9, 9, ARCH_EFFECT_REGISTER, 0x734 },
		{ 0xaa0903e0, 1 << 0, true, false, false, 0, 9, ARCH_EFFECT_REGISTER, 0 },
		{ 0x9a890140, 1 << 0, true, true, false, 0, 10, ARCH_EFFECT_REGISTER, 0 },
		/* ldr x8, [x8, #2216]; ldr x0, [sp, #8]; str x8, [sp, #8] */
		{ 0xf9445508, 1 << 8, true, false, false, 8, 8, ARCH_EFFECT_WORD, 2216 },
		{ 0xf94007e0, 1 << 0, true, false, false, 0, 0, ARCH_EFFECT_SLOT, 8 },
		{ 0xf90007e8, 0, true, false, true, 0, 8, ARCH_EFFECT_REGISTER, 0 },
		/* ldr w8, [x8]; cset w8, ne; cmp x1, #1; ret */
		{ 0xb9400108, 1 << 8, false, false, false, 0, 0, 0, 0 },
		{ 0x1a9f07e8, 1 << 8, false, false, false, 0, 0, 0, 0 },
		{ 0xf100043f, 0, false, false, false, 0, 0, 0, 0 },
		{ 0xd65f03c0, 0, false, false, false, 0, 0, 0, 0 },
	};

	assert_true(arch_choose("aarch64"));
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		assert_true(arch_effect((const void *)&all[i].word, 4, AT, false, &e));
		assert_int_equal(e.lost, all[i].lost);
		assert_int_equal(e.sets, all[i].sets);
		assert_int_equal(e.may_set, all[i].may_set);
		assert_int_equal(e.to_slot, all[i].to_slot);
		if (!e.sets)
			continue;
		assert_int_equal(e.reg, all[i].reg);
		assert_int_equal(e.from.kind, all[i].kind);
		assert_int_equal(e.from.reg, all[i].from);
		assert_int_equal(e.from.value, all[i].value);
	}
	assert_true(arch_choose("x86_64"));
}

TEST(plt)
{
	/* adrp x16, 0x11000; ldr x17, [x16, #24]; add x16, x16, #24; br x17 */
	static const uint32_t plain[] = { 0x90000090, 0xf9400e11, 0x91006210, 0xd61f0220 };
	static const uint32_t bti[] = { 0xd503245f, 0x90000090, 0xf9400e11, 0x91006210,
					0xd61f0220 };
	static const uint32_t other[] = { 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f };
	uint64_t word;

	assert_true(arch_choose("aarch64"));
	assert_true(arch_plt_word((const void *)plain, sizeof(plain), AT, 0, false, &word));
	assert_int_equal(word, 0x11018);
	assert_true(arch_plt_word((const void *)bti, sizeof(bti), AT + 0x10, 0, false, &word));
	assert_int_equal(word, 0x11018);
	assert_false(arch_plt_word((const void *)other, sizeof(other), AT, 0, false, &word));
	assert_true(arch_choose("x86_64"));
}

TEST(names)
{
	assert_false(arch_choose("riscv64"));
	assert_true(arch_choose("aarch64"));
	assert_int_equal(arch_argument("x7"), 7);
	assert_int_equal(arch_argument("x8"), -1);
	assert_string_equal(arch_register(31, false), "sp");
	assert_string_equal(arch_register(32, false), "pc");
	assert_null(arch_register(33, false));
	assert_string_equal(arch_syscall_register(0), "x8");
	assert_true(arch_is_system_call("__arm64_sys_read"));
	assert_false(arch_is_system_call("__x64_sys_read"));
	assert_true(arch_choose("x86_64"));
	assert_int_equal(arch_argument("di"), 0);
}

TEST(exclusive)
{
	static const struct { uint32_t word; int exclusive; } all[] = {
		{ 0xc85f7c20, ARCH_FLOW_LOAD_EXCLUSIVE },  /* ldxr x0, [x1] */
		{ 0x885ffc20, ARCH_FLOW_LOAD_EXCLUSIVE },  /* ldaxr w0, [x1] */
		{ 0x085f7c20, ARCH_FLOW_LOAD_EXCLUSIVE },  /* ldxrb w0, [x1] */
		{ 0xc87f0440, ARCH_FLOW_LOAD_EXCLUSIVE },  /* ldxp x0, x1, [x2] */
		{ 0xc8027c20, ARCH_FLOW_STORE_EXCLUSIVE }, /* stxr w2, x0, [x1] */
		{ 0x8802fc20, ARCH_FLOW_STORE_EXCLUSIVE }, /* stlxr w2, w0, [x1] */
		{ 0xc8230440, ARCH_FLOW_STORE_EXCLUSIVE }, /* stxp w3, x0, x1, [x2] */
		{ 0xc8dffc20, ARCH_FLOW_PLAIN },           /* ldar x0, [x1] */
		{ 0xc89ffc20, ARCH_FLOW_PLAIN },           /* stlr x0, [x1] */
		{ 0xc8a07c41, ARCH_FLOW_PLAIN },           /* cas x0, x1, [x2] */
		{ 0x48207c82, ARCH_FLOW_PLAIN },           /* casp x0, x1, x2, x3, [x4] */
		{ 0xf9400020, ARCH_FLOW_PLAIN },           /* ldr x0, [x1] */
	};
	struct arch_flow f;

	assert_true(arch_choose("aarch64"));
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		assert_true(arch_flow((const void *)&all[i].word, 4, AT, false, &f));
		assert_int_equal(f.exclusive, all[i].exclusive);
	}
	assert_true(arch_choose("x86_64"));
}
