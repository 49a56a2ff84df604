/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Locations of debug information, form by form, on objects written by hand. The access path that
 * the compiler makes of one is executed (location_run.h) and compared with the meaning that the
 * DWARF standard gives it.
 */
#include <errno.h>

#include "locate_fixture.h"
#include "unit.h"

#include "target/dwarf/values/location.h"
#include "dwarf_writer.h"
#include "location_run.h"

/* An object with one variable `v`, and the variable's location at a byte of the function. */
struct trial {
	struct arena *arena;
	struct writer writer;
	struct dwarf_db db;
	struct location location;
	const char *why;
	int err;
};

static void look(struct trial *t, unsigned byte, enum writer_type type, enum writer_form form,
		 const void *bytes, size_t n)
{
	Dwarf_Die function, variable;

	memset(t, 0, sizeof(*t));
	t->arena = arena_create();
	writer_begin(&t->writer);
	writer_variable(&t->writer, "v", type, form, bytes, n);
	writer_end(&t->writer);
	assert_true(writer_open(&t->writer, t->arena, &t->db));
	assert_true(writer_find(&t->db, &function, &variable));

	struct location_place at = {
		.db = &t->db, .pc = WRITER_CODE + byte, .function = function, .entry = byte == 0,
	};

	t->err = location_of(&at, &variable, &t->location, &t->why);
}

static void done(struct trial *t)
{
	writer_close(&t->writer, &t->db);
	arena_destroy(t->arena);
}

/* Returns the value or address of a location with one piece. */
static uint64_t whole(struct trial *t, bool is_value)
{
	struct run r = {0};

	if (t->err)
		fail_msg("refused: %s", t->why);
	assert_int_equal(t->location.pieces.n, 1);
	assert_int_equal(t->location.pieces.v[0].is_value, is_value);
	assert_int_equal(t->location.pieces.v[0].bit_size, 0);

	uint64_t v = run_piece(&r, &t->location.pieces.v[0]);

	assert_false(r.broken);
	return v;
}

#define BYTES(...) (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })

#define VALUE(byte, v, ...) do { \
		struct trial t_; \
		look(&t_, byte, WRITER_LONG, WRITER_EXPR, BYTES(__VA_ARGS__)); \
		assert_int_equal(whole(&t_, true), (uint64_t)(v)); \
		done(&t_); \
	} while (0)
#define ADDRESS(byte, v, ...) do { \
		struct trial t_; \
		look(&t_, byte, WRITER_LONG, WRITER_EXPR, BYTES(__VA_ARGS__)); \
		assert_int_equal(whole(&t_, false), (uint64_t)(v)); \
		done(&t_); \
	} while (0)
#define REFUSED(byte, e, text, ...) do { \
		struct trial t_; \
		look(&t_, byte, WRITER_LONG, WRITER_EXPR, BYTES(__VA_ARGS__)); \
		assert_int_equal(t_.err, e); \
		assert_string_equal(t_.why, text); \
		done(&t_); \
	} while (0)
/* Checks the value of a computation. */
#define COMPUTES(v, ...) VALUE(16, v, __VA_ARGS__, DW_OP_stack_value)

/* CFA at byte 16: sp + 0x40. */
#define CFA (RUN_REGISTER(7) + 0x40)

TEST(registers)
{
	VALUE(16, RUN_REGISTER(5), DW_OP_reg5);
	VALUE(16, RUN_REGISTER(15), DW_OP_regx, 15);
	ADDRESS(16, RUN_REGISTER(6) - 8, DW_OP_breg6, 0x78);
	ADDRESS(16, RUN_REGISTER(6) + 200, DW_OP_bregx, 6, 0xc8, 0x01);
	REFUSED(16, -ENODATA, "it is in register 17, which a probe can't read", DW_OP_reg17);
	REFUSED(16, -ENODATA, "it is in register 40, which a probe can't read", DW_OP_regx, 40);
	REFUSED(16, -ENOTSUP, "its location is damaged", DW_OP_reg5, DW_OP_reg6);
}

/* Some compilers name the register of one half as if it were that of the whole. */
TEST(narrow_register)
{
	static const uint8_t in_register[] = { DW_OP_reg5 };
	static const uint8_t at_entry[] = { DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value };
	struct trial t;

	look(&t, 16, WRITER_PAIR, WRITER_EXPR, in_register, sizeof(in_register));
	assert_int_equal(t.err, -ENODATA);
	assert_string_equal(t.why, "debug information has only a part of it, in a register");
	done(&t);
	look(&t, 16, WRITER_PAIR, WRITER_EXPR, at_entry, sizeof(at_entry));
	assert_int_equal(t.err, -ENODATA);
	done(&t);
}

TEST(frame)
{
	ADDRESS(16, CFA - 0x20, DW_OP_fbreg, 0x60);
	ADDRESS(16, CFA, DW_OP_call_frame_cfa);
	/* At the entry the frame does not exist yet, but what the caller put on the stack does. */
	REFUSED(0, -ENODATA, "it is not stored yet at that place", DW_OP_fbreg, 0x60);
	ADDRESS(0, RUN_REGISTER(7) + 16, DW_OP_fbreg, 8);
	REFUSED(2, -ENODATA, "it is not stored yet at that place", DW_OP_fbreg, 0x60);
}

TEST(entry)
{
	VALUE(0, RUN_REGISTER(4), DW_OP_reg4);
	REFUSED(0, -ENODATA,
		"debug information has it only after the function's first instructions",
		DW_OP_reg3);
	VALUE(0, RUN_REGISTER(5), DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value);
}

/* Behind the entry, a probe at the entry has to save the argument register, by its frame. */
TEST(kept)
{
	struct trial t;
	struct run r = {0};

	VALUE(16, RUN_KEPT(5), DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value);
	VALUE(16, RUN_KEPT(9), DW_OP_GNU_entry_value, 1, DW_OP_reg9, DW_OP_stack_value);
	VALUE(16, RUN_KEPT(5) + 8, DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_plus_uconst, 8,
	      DW_OP_stack_value);
	VALUE(16, RUN_KEPT(4) * 2, DW_OP_entry_value, 1, DW_OP_reg4, DW_OP_entry_value, 1,
	      DW_OP_reg4, DW_OP_plus, DW_OP_stack_value);
	VALUE(16, RUN_KEPT(5) + RUN_REGISTER(3), DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_breg3, 0,
	      DW_OP_plus, DW_OP_stack_value);
	ADDRESS(16, RUN_KEPT(1) + 16, DW_OP_entry_value, 1, DW_OP_reg1, DW_OP_plus_uconst, 16);
	REFUSED(16, -ENODATA,
		"it is not the entry value of an argument register, and no others are kept",
		DW_OP_entry_value, 2, DW_OP_breg5, 0, DW_OP_stack_value);
	REFUSED(16, -ENODATA,
		"it is not the entry value of an argument register, and no others are kept",
		DW_OP_entry_value, 1, DW_OP_reg3, DW_OP_stack_value);
	REFUSED(16, -ENOTSUP, "it is computed from the entry values of two registers",
		DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_entry_value, 1, DW_OP_reg4, DW_OP_plus,
		DW_OP_stack_value);

	look(&t, 16, WRITER_LONG, WRITER_EXPR,
	     BYTES(DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value));
	assert_int_equal(t.err, 0);
	assert_string_equal(t.location.entry_reg, "di");
	assert_int_equal(t.location.return_at->pieces.n, 1);
	assert_true(t.location.return_at->pieces.v[0].is_value);
	assert_int_equal(run_piece(&r, &t.location.return_at->pieces.v[0]), CFA - 8);
	done(&t);
	look(&t, 16, WRITER_LONG, WRITER_EXPR, BYTES(DW_OP_reg5));
	assert_null(t.location.entry_reg);
	done(&t);
}

TEST(addresses)
{
	ADDRESS(16, RUN_SYMBOL + WRITER_DATA + 8 - WRITER_CODE, DW_OP_addr, 8, 0x30, 0, 0, 0, 0,
		0, 0);
	VALUE(16, RUN_SYMBOL + WRITER_DATA - WRITER_CODE, DW_OP_addr, 0, 0x30, 0, 0, 0, 0, 0, 0,
	      DW_OP_stack_value);
	/* The variable of this processor; as a number, its address is that of the per-CPU
	 * template. */
	ADDRESS(16, 0x18 + RUN_PERCPU, DW_OP_addr, 0x10, 0, 0, 0, 0, 0, 0, 0, DW_OP_plus_uconst, 8);
	VALUE(16, 0x10, DW_OP_addr, 0x10, 0, 0, 0, 0, 0, 0, 0, DW_OP_stack_value);
	REFUSED(16, -ENOTSUP, "it is at 0x900000, where no symbol is", DW_OP_addr, 0, 0, 0x90, 0, 0,
		0, 0, 0);
}

TEST(constants)
{
	struct trial t;
	struct location bits;
	struct run r = {0};

	COMPUTES(17, DW_OP_lit17);
	COMPUTES(200, DW_OP_const1u, 200);
	COMPUTES(-56, DW_OP_const1s, 200);
	COMPUTES(-2, DW_OP_const2s, 0xfe, 0xff);
	COMPUTES(0xfffffffeu, DW_OP_const4u, 0xfe, 0xff, 0xff, 0xff);
	COMPUTES(-2, DW_OP_const8s, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
	COMPUTES(300, DW_OP_constu, 0xac, 0x02);
	COMPUTES(-1, DW_OP_consts, 0x7f);
	VALUE(16, 0x0201, DW_OP_implicit_value, 2, 1, 2);
	look(&t, 16, WRITER_INT, WRITER_NUMBER, BYTES(0x7e));
	assert_int_equal(whole(&t, true), (uint64_t)-2);
	done(&t);
	/* A form of fixed size, which is not sign-extended. */
	look(&t, 16, WRITER_INT, WRITER_BYTE, BYTES(0xfa));
	assert_int_equal(whole(&t, true), 0xfa);
	done(&t);
	/* 12 bytes are two pieces. */
	look(&t, 16, WRITER_PAIR, WRITER_BYTES, BYTES(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
	assert_int_equal(t.err, 0);
	assert_int_equal(t.location.pieces.n, 2);
	assert_true(access_bits(t.arena, &t.location, 64, 32, &bits));
	assert_int_equal(run_bits(&r, &bits), 0x0c0b0a09);
	assert_true(access_bits(t.arena, &t.location, 48, 32, &bits));
	assert_int_equal(run_bits(&r, &bits), 0x0a090807);
	assert_false(access_bits(t.arena, &t.location, 80, 32, &bits));
	assert_false(r.broken);
	done(&t);
}

TEST(arithmetic)
{
	COMPUTES(RUN_REGISTER(0) + 5 - RUN_REGISTER(1), DW_OP_breg0, 5, DW_OP_breg1, 0,
		 DW_OP_minus);
	COMPUTES(RUN_REGISTER(0) + 7, DW_OP_breg0, 4, DW_OP_lit3, DW_OP_plus);
	COMPUTES(42, DW_OP_lit6, DW_OP_lit7, DW_OP_mul);
	COMPUTES(-3, DW_OP_consts, 0x79, DW_OP_lit2, DW_OP_div); /* -7 / 2 */
	COMPUTES(1, DW_OP_lit7, DW_OP_lit2, DW_OP_mod);
	COMPUTES(UINT64_MAX % 10, DW_OP_consts, 0x7f, DW_OP_lit10, DW_OP_mod);
	COMPUTES(-16, DW_OP_consts, 0x7f, DW_OP_lit4, DW_OP_shl);
	COMPUTES(UINT64_MAX >> 4, DW_OP_consts, 0x7f, DW_OP_lit4, DW_OP_shr);
	COMPUTES(-1, DW_OP_consts, 0x7f, DW_OP_lit4, DW_OP_shra);
	COMPUTES(0, DW_OP_lit1, DW_OP_const1u, 64, DW_OP_shl);
	COMPUTES(6, DW_OP_lit7, DW_OP_lit14, DW_OP_and);
	COMPUTES(5, DW_OP_lit4, DW_OP_lit1, DW_OP_or);
	COMPUTES(9, DW_OP_lit14, DW_OP_lit7, DW_OP_xor);
	COMPUTES(-5, DW_OP_lit5, DW_OP_neg);
	COMPUTES(-6, DW_OP_lit5, DW_OP_not);
	COMPUTES(5, DW_OP_consts, 0x7b, DW_OP_abs);
	COMPUTES(5, DW_OP_lit5, DW_OP_abs);
	COMPUTES(1, DW_OP_consts, 0x7f, DW_OP_lit1, DW_OP_lt);
	COMPUTES(0, DW_OP_consts, 0x7f, DW_OP_lit1, DW_OP_ge);
	COMPUTES(1, DW_OP_lit1, DW_OP_lit1, DW_OP_eq);
	COMPUTES(0, DW_OP_lit1, DW_OP_lit1, DW_OP_ne);
	COMPUTES(1, DW_OP_lit1, DW_OP_lit1, DW_OP_le);
	COMPUTES(1, DW_OP_lit2, DW_OP_lit1, DW_OP_gt);
	REFUSED(16, -ENOTSUP, "its location is damaged", DW_OP_lit1, DW_OP_plus, DW_OP_stack_value);
}

TEST(stack)
{
	COMPUTES(10, DW_OP_lit5, DW_OP_dup, DW_OP_plus);
	COMPUTES(2, DW_OP_lit2, DW_OP_lit9, DW_OP_drop);
	COMPUTES(4, DW_OP_lit3, DW_OP_lit7, DW_OP_swap, DW_OP_minus);
	COMPUTES(5, DW_OP_lit5, DW_OP_lit6, DW_OP_over);
	COMPUTES(1, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_pick, 2);
	/* 1 2 3 becomes 3 1 2. */
	COMPUTES(2, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot);
	COMPUTES(1, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot, DW_OP_drop);
	COMPUTES(3, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot, DW_OP_drop, DW_OP_drop);
	COMPUTES(8, DW_OP_nop, DW_OP_lit8);
	REFUSED(16, -ENOTSUP, "its location is damaged", DW_OP_drop);
	REFUSED(16, -ENOTSUP, "its location is damaged", DW_OP_lit1, DW_OP_pick, 1);
	REFUSED(16, -ENOTSUP, "its location is damaged", DW_OP_lit1, DW_OP_pick, 255);
	REFUSED(16, -ENOTSUP, "its location is damaged", DW_OP_lit1, DW_OP_lit2, DW_OP_rot);
	REFUSED(16, -ENOTSUP, "its location is damaged", DW_OP_stack_value);

	uint8_t deep[40];
	struct trial t;

	memset(deep, DW_OP_lit1, sizeof(deep));
	look(&t, 16, WRITER_LONG, WRITER_EXPR, deep, sizeof(deep));
	assert_int_equal(t.err, -ENOTSUP);
	assert_string_equal(t.why, "its location is too complex");
	done(&t);
}

TEST(memory)
{
	uint64_t at = RUN_REGISTER(3) + 8;

	ADDRESS(16, run_read(at, 8), DW_OP_breg3, 8, DW_OP_deref);
	COMPUTES(run_read(at, 4), DW_OP_breg3, 8, DW_OP_deref_size, 4);
	COMPUTES(run_read(at, 1), DW_OP_breg3, 8, DW_OP_deref_size, 1);
	REFUSED(16, -ENOTSUP, "its location reads a number of bytes that is not a power of 2",
		DW_OP_breg3, 8, DW_OP_deref_size, 3);
}

TEST(jumps)
{
	/* Jumps over the two bytes of a constant. */
	COMPUTES(3, DW_OP_lit3, DW_OP_skip, 2, 0, DW_OP_const1u, 99, DW_OP_nop);
	REFUSED(16, -ENOTSUP, "its location jumps (DW_OP_skip), which is not supported",
		DW_OP_lit3, DW_OP_skip, 0xfc, 0xff, DW_OP_stack_value);
	REFUSED(16, -ENOTSUP, "its location needs DW_OP_bra, which is not supported", DW_OP_lit3,
		DW_OP_bra, 0, 0, DW_OP_stack_value);
	/* c ? 3 : 9, and the smaller and the larger of two numbers, as gcc writes them */
	COMPUTES(3, DW_OP_lit3, DW_OP_lit9, DW_OP_lit1, DW_OP_bra, 1, 0, DW_OP_swap, DW_OP_drop);
	COMPUTES(9, DW_OP_lit3, DW_OP_lit9, DW_OP_lit0, DW_OP_bra, 1, 0, DW_OP_swap, DW_OP_drop);
	COMPUTES(-1, DW_OP_consts, 0x7f, DW_OP_lit9, DW_OP_const1u, 32, DW_OP_bra, 1, 0, DW_OP_swap,
		 DW_OP_drop);
	COMPUTES(-1, DW_OP_lit9, DW_OP_consts, 0x7f, DW_OP_over, DW_OP_over, DW_OP_lt, DW_OP_bra, 1,
		 0, DW_OP_swap, DW_OP_drop);
	COMPUTES(12, DW_OP_lit3, DW_OP_lit2, DW_OP_lit7, DW_OP_over, DW_OP_over, DW_OP_gt,
		 DW_OP_bra, 1, 0, DW_OP_swap, DW_OP_drop, DW_OP_lit2, DW_OP_plus, DW_OP_plus);
	REFUSED(16, -ENOTSUP, "its location is damaged", DW_OP_lit9, DW_OP_lit1, DW_OP_bra, 1, 0,
		DW_OP_swap, DW_OP_drop, DW_OP_stack_value);
	REFUSED(16, -ENOTSUP, "its location needs DW_OP_bra, which is not supported", DW_OP_lit3,
		DW_OP_lit9, DW_OP_lit1, DW_OP_bra, 2, 0, DW_OP_swap, DW_OP_drop, DW_OP_stack_value);
}

TEST(refused)
{
	REFUSED(16, -ENOTSUP, "it is thread-local", DW_OP_lit1, DW_OP_form_tls_address);
	REFUSED(16, -ENOTSUP, "it is thread-local", DW_OP_lit1, DW_OP_GNU_push_tls_address);
	REFUSED(16, -ENOTSUP,
		"its location needs DW_OP_push_object_address, which is not supported",
		DW_OP_push_object_address);
	REFUSED(16, -ENODATA, "the compiler removed what it points to", DW_OP_implicit_pointer, 0,
		0, 0, 0, 0);
	REFUSED(16, -ENOTSUP, "its location needs DW_OP_call2, which is not supported",
		DW_OP_call2, 0, 0);
	REFUSED(16, -ENOTSUP, "the compiler no longer passes it (DW_OP_GNU_parameter_ref)",
		DW_OP_GNU_parameter_ref, 0, 0, 0, 0);

	struct trial t;

	look(&t, 16, WRITER_LONG, WRITER_NOTHING, NULL, 0);
	assert_int_equal(t.err, -ENODATA);
	assert_string_equal(t.why, "the compiler removed it");
	done(&t);
	look(&t, 16, WRITER_LONG, WRITER_EXPR, NULL, 0);
	assert_int_equal(t.err, -ENODATA);
	assert_string_equal(t.why, "the compiler removed it");
	done(&t);
}

TEST(list)
{
	struct trial t;

	look(&t, 0x10, WRITER_LONG, WRITER_LIST, BYTES(DW_OP_reg3));
	assert_int_equal(whole(&t, true), RUN_REGISTER(3));
	done(&t);
	look(&t, 0x20, WRITER_LONG, WRITER_LIST, BYTES(DW_OP_reg3));
	assert_int_equal(t.err, -ENODATA);
	assert_string_equal(t.why, "debug information does not have it at that place");
	done(&t);
}

static uint64_t bits_of(struct trial *t, uint32_t from, uint32_t n)
{
	struct location bits;
	struct run r = {0};

	if (t->err)
		fail_msg("refused: %s", t->why);
	assert_true(access_bits(t->arena, &t->location, from, n, &bits));

	uint64_t v = run_bits(&r, &bits);

	assert_false(r.broken);
	return v;
}

TEST(pieces)
{
	struct trial t;
	struct location bits;

	/* a is in rbx, b does not exist, c and d are in memory behind rsi + 4. */
	look(&t, 16, WRITER_PAIR, WRITER_EXPR,
	     BYTES(DW_OP_reg3, DW_OP_piece, 4, DW_OP_piece, 4, DW_OP_breg4, 4, DW_OP_piece, 8));
	assert_int_equal(t.location.pieces.n, 3);
	assert_int_equal(bits_of(&t, 0, 32), RUN_REGISTER(3) & 0xffffffff);
	assert_false(access_bits(t.arena, &t.location, 32, 32, &bits));
	assert_int_equal(bits_of(&t, 64, 32), run_read(RUN_REGISTER(4) + 4, 4));
	assert_int_equal(bits_of(&t, 96, 32), run_read(RUN_REGISTER(4) + 8, 4));
	assert_int_equal(bits_of(&t, 99, 5), run_read(RUN_REGISTER(4) + 8, 4) >> 3 & 31);
	done(&t);
	/* One number in two registers, and in 3 bytes of memory that must not become 4. */
	look(&t, 16, WRITER_LONG, WRITER_EXPR,
	     BYTES(DW_OP_reg0, DW_OP_piece, 5, DW_OP_breg1, 0, DW_OP_piece, 3));
	assert_int_equal(bits_of(&t, 0, 64), (RUN_REGISTER(0) & 0xffffffffff) |
					     run_read(RUN_REGISTER(1), 3) << 40);
	assert_int_equal(t.location.pieces.n, 2);
	done(&t);
	/* 12 bits from bit 4 of one piece, 20 bits of another. */
	look(&t, 16, WRITER_INT, WRITER_EXPR,
	     BYTES(DW_OP_reg0, DW_OP_bit_piece, 12, 4, DW_OP_lit7, DW_OP_stack_value,
		   DW_OP_bit_piece, 20, 0));
	assert_int_equal(bits_of(&t, 0, 32), (RUN_REGISTER(0) >> 4 & 0xfff) | 7 << 12);
	done(&t);
	/* The whole structure is in memory. */
	look(&t, 16, WRITER_PAIR, WRITER_EXPR, BYTES(DW_OP_breg4, 4));
	assert_int_equal(bits_of(&t, 64, 64), run_read(RUN_REGISTER(4) + 12, 8));
	done(&t);
	REFUSED(16, -ENOTSUP, "its location is damaged", DW_OP_reg0, DW_OP_piece, 0);
	REFUSED(16, -ENOTSUP, "its location is damaged", DW_OP_reg0, DW_OP_piece, 4, DW_OP_reg1);
	REFUSED(16, -ENOTSUP, "its location is too complex", DW_OP_implicit_value, 9, 1, 2, 3, 4, 5,
		6, 7, 8, 9, DW_OP_piece, 9);
	REFUSED(16, -ENOTSUP, "it is an empty constant", DW_OP_implicit_value, 0);
}

/* Typed operations: the operands are offsets in the unit of base types that the writer wrote. */
TEST(typed)
{
	struct writer w;

	writer_begin(&w);

	uint8_t i = (uint8_t)w.type[WRITER_INT], u = (uint8_t)w.type[WRITER_UINT];
	uint8_t c = (uint8_t)w.type[WRITER_CHAR], ul = (uint8_t)w.type[WRITER_ULONG];
	uint8_t d = (uint8_t)w.type[WRITER_DOUBLE];
	uint8_t i12 = (uint8_t)w.type[WRITER_SIGNED_12], u12 = (uint8_t)w.type[WRITER_UNSIGNED_12];

	writer_end(&w);
	buf_deinit(&w.elf);
	assert_true(d < 128 && u12 < 128);

	uint64_t rax = RUN_REGISTER(0), rdi = RUN_REGISTER(5);

	COMPUTES((int64_t)(int32_t)rax, DW_OP_regval_type, 0, i);
	COMPUTES((uint32_t)rax, DW_OP_regval_type, 0, u);
	COMPUTES((uint32_t)((uint32_t)rax * (uint32_t)rdi), DW_OP_regval_type, 0, u,
		 DW_OP_regval_type, 5, u, DW_OP_mul);
	COMPUTES((int64_t)(int8_t)0x90, DW_OP_const1u, 0x90, DW_OP_convert, c);
	COMPUTES((int64_t)(int8_t)0x90, DW_OP_const1u, 0x90, DW_OP_convert, c, DW_OP_convert, 0);
	COMPUTES((uint32_t)(int8_t)0x90, DW_OP_const1u, 0x90, DW_OP_convert, c, DW_OP_convert, u);
	/* An operation that overflows an int. */
	COMPUTES((int64_t)INT32_MIN, DW_OP_const4u, 0xff, 0xff, 0xff, 0x7f, DW_OP_convert, i,
		 DW_OP_lit1, DW_OP_convert, i, DW_OP_plus);
	/* A logical shift. */
	COMPUTES(0x7fffffff, DW_OP_consts, 0x7f, DW_OP_convert, i, DW_OP_lit1, DW_OP_shr);
	COMPUTES(-1, DW_OP_consts, 0x7f, DW_OP_convert, i, DW_OP_lit1, DW_OP_shra);
	COMPUTES(0xffffffff, DW_OP_consts, 0x7f, DW_OP_convert, u, DW_OP_lit1, DW_OP_shra);
	COMPUTES(0, DW_OP_consts, 0x7f, DW_OP_convert, ul, DW_OP_lit1, DW_OP_convert, ul, DW_OP_lt);
	COMPUTES(UINT64_MAX / 3, DW_OP_consts, 0x7f, DW_OP_convert, ul, DW_OP_lit3, DW_OP_convert,
		 ul, DW_OP_div);
	COMPUTES((int64_t)(int8_t)0x81, DW_OP_const_type, c, 1, 0x81);
	COMPUTES((int64_t)(int32_t)run_read(rax, 4), DW_OP_breg0, 0, DW_OP_deref_type, 4, i);
	COMPUTES((int64_t)(int32_t)0xfffffff0, DW_OP_const4u, 0xf0, 0xff, 0xff, 0xff, DW_OP_convert,
		 u, DW_OP_reinterpret, i);
	/* LLVM's numbers have any number of bits. */
	COMPUTES(-0x555, DW_OP_const2u, 0xab, 0x7a, DW_OP_convert, i12);
	COMPUTES(0xaab, DW_OP_const2u, 0xab, 0x7a, DW_OP_convert, u12);
	COMPUTES(0xaab, DW_OP_const2u, 0xab, 0x7a, DW_OP_convert, i12, DW_OP_convert, u12);
	COMPUTES(0x2aa, DW_OP_const2u, 0xab, 0x7a, DW_OP_convert, i12, DW_OP_lit2, DW_OP_shr);
	REFUSED(16, -ENOTSUP, "it is computed in floating point", DW_OP_regval_type, 0, d);
	REFUSED(16, -ENOTSUP, "its location mixes types", DW_OP_regval_type, 0, i, DW_OP_lit1,
		DW_OP_plus, DW_OP_stack_value);
	REFUSED(16, -ENOTSUP, "its location is damaged", DW_OP_lit1, DW_OP_convert, 5,
		DW_OP_stack_value);
}
