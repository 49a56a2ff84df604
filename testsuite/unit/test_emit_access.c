/* SPDX-License-Identifier: GPL-2.0 */
/* Access paths as C, from trees made by hand: this needs no kernel. */
#include "emit/emit.h"
#include "program/program.h"
#include "shared/buf.h"
#include "state.h"
#include "unit.h"

struct fixture {
	struct state s;
	struct probe probe;
	struct expr value, print;
	struct access ac;
	struct buf c;
};

/* A probe that prints one $value; the test fills in fx->ac. */
static struct fixture *fixture_create(void)
{
	struct arena *a = arena_create();
	struct fixture *fx = NEW(a, struct fixture);
	struct print_statement *st = NEW(a, struct print_statement);
	struct stmt *body = NEW(a, struct stmt);

	fx->s.arena = a;
	fx->s.diag = diag_create(a, 0);
	fx->s.opt.caps = (struct caps){ 512, 2048, 10000, 32, 0, 50, 50, 2, 5, 0, 16384, 5000 };
	fx->s.program = NEW(a, struct program);
	fx->value.kind = EX_CONTEXT;
	fx->value.type = T_LONG;
	fx->value.u.context.access = &fx->ac;
	fx->print.kind = EX_PRINT;
	vec_push(a, &fx->print.u.print.args, &fx->value);
	body->kind = ST_EXPR;
	body->u.expr = &fx->print;
	fx->probe = (struct probe){ .kind = PK_RETURN, .pp = "p", .body = body, .bounded = true };
	*st = (struct print_statement){ .format = "%d", .format_len = 2, .types = "l" };
	vec_push(a, &fx->s.program->probes, &fx->probe);
	vec_push(a, &fx->s.program->prints, st);
	buf_init(&fx->c);
	return fx;
}

static void fixture_destroy(struct fixture *fx)
{
	buf_deinit(&fx->c);
	arena_destroy(fx->s.arena);
}

static void step(struct fixture *fx, int kind, int64_t add)
{
	struct access_step st = { .kind = kind, .add = add, .scale = kind == AS_DEREF ? 8 : 0 };

	vec_push(fx->s.arena, &fx->ac.steps, st);
}

static void expect(struct fixture *fx, const char *text)
{
	fx->c.len = 0;
	assert_int_equal(emit_program(&fx->s, &fx->c), 0);
	if (!strstr(fx->c.s, text))
		fail_msg("no '%s' in\n%s", text, fx->c.s);
}

TEST(values)
{
	struct fixture *fx = fixture_create();

	fx->ac = (struct access){ .base = AB_REG_ARG, .n = 3, .result = AR_VALUE, .size = 4,
				  .is_signed = true };
	expect(fx, "prt_put_long(o, prt_cut(prt_arg_reg(c, 3), 4, true));");
	fx->ac.at_entry_saved = true;
	fx->ac.saved_index = 2;
	expect(fx, "prt_put_long(o, prt_cut(c->saved[2], 4, true));");
	fx->ac = (struct access){ .base = AB_RETURN, .result = AR_VALUE, .size = 1 };
	expect(fx, "prt_put_long(o, prt_cut((u64)c->retval, 1, false));");
	fx->ac = (struct access){ .base = AB_STACK_ARG, .n = 1, .result = AR_VALUE, .size = 8 };
	expect(fx, "\ta0 = prt_arg_stack(c, 1, 0);\n\tif (unlikely(c->err))\n\t\tgoto out;\n");
	expect(fx, "prt_put_long(o, prt_cut(a0, 8, false));");
	/* A member of a structure that is passed by value. */
	fx->ac = (struct access){ .base = AB_REG_ARG, .n = 1, .result = AR_VALUE, .size = 4,
				  .bit_offset = 32, .bit_size = 32, .is_signed = true };
	expect(fx, "prt_put_long(o, prt_bits(prt_arg_reg(c, 1), 32, 32, true));");
	fixture_destroy(fx);
}

TEST(reads)
{
	struct fixture *fx = fixture_create();

	fx->ac = (struct access){ .base = AB_REG_ARG, .result = AR_READ, .size = 2,
				  .is_signed = true };
	expect(fx, "t0 = prt_read(c, prt_arg_reg(c, 0), 2, true, 0);");
	step(fx, AS_ADD, 24);
	step(fx, AS_DEREF, 0);
	step(fx, AS_ADD, -8);
	expect(fx, "\ta0 = (u64)prt_read(c, prt_arg_reg(c, 0) + 24, 8, false, 0);\n"
	       "\tif (unlikely(c->err))\n\t\tgoto out;\n"
	       "\tt0 = prt_read(c, a0 - 8, 2, true, 0);\n");
	fx->ac.bit_offset = 3;
	fx->ac.bit_size = 5;
	expect(fx, "t0 = prt_read(c, a0 - 8, 2, false, 0);");
	expect(fx, "prt_put_long(o, prt_bits((u64)t0, 3, 5, true));");
	fixture_destroy(fx);
}

TEST(index)
{
	struct fixture *fx = fixture_create();
	struct expr index = { .kind = EX_NUM, .type = T_LONG, .u.num.v = -2 };

	fx->ac = (struct access){ .base = AB_REG_ARG, .result = AR_READ, .size = 8 };
	step(fx, AS_DEREF, 0);
	step(fx, AS_INDEX, 0);
	fx->ac.steps.v[1].index = &index;
	fx->ac.steps.v[1].scale = 16;
	expect(fx, "t0 = prt_read(c, a0 + (u64)(-2) * 16, 8, false, 0);");
	fixture_destroy(fx);
}

static struct location_piece *piece(struct fixture *fx, struct location *l)
{
	struct location_piece p = { .is_value = true };

	vec_push(fx->s.arena, &l->pieces, p);
	return &l->pieces.v[l->pieces.n - 1];
}

static void op(struct fixture *fx, struct location_piece *p, enum location_op_kind kind, int64_t n,
	       const char *name)
{
	struct location_op one = { .kind = kind, .n = n, .name = name };

	vec_push(fx->s.arena, &p->ops, one);
}

/* Programs of debug information. */
TEST(locations)
{
	struct fixture *fx = fixture_create();
	struct location reg = { 0 }, mem = { 0 }, parts = { 0 };
	struct location_piece *p;

	fx->ac = (struct access){ .base = AB_LOCATION, .location = &reg, .result = AR_VALUE,
				  .size = 4 };
	op(fx, piece(fx, &reg), LO_REG, 12, "r12");
	fx->probe.reads_regs = true;
	expect(fx, "prt_put_long(o, prt_cut(PRT_REG(c, R12), 4, false));");
	expect(fx, ".flags = PRT_NEED_REGS");

	/* The address is read from memory 8 bytes behind a register. */
	fx->ac = (struct access){ .base = AB_LOCATION, .location = &mem, .result = AR_READ,
				  .size = 2, .is_signed = true };
	p = piece(fx, &mem);
	op(fx, p, LO_REG, 7, "sp");
	op(fx, p, LO_CONST, 8, NULL);
	op(fx, p, LO_ADD, 0, NULL);
	op(fx, p, LO_DEREF, 8, NULL);
	expect(fx, "\ta0 = (u64)prt_read(c, (PRT_REG(c, SP) + 8ull), 8, false, 0);\n"
	       "\tif (unlikely(c->err))\n\t\tgoto out;\n"
	       "\tt0 = prt_read(c, a0, 2, true, 0);\n");

	/* 32 bits of one register below 32 of another, negated. */
	fx->ac = (struct access){ .base = AB_LOCATION, .location = &parts, .result = AR_VALUE,
				  .size = 8 };
	p = piece(fx, &parts);
	op(fx, p, LO_REG, 0, "ax");
	p->bit_size = 32;
	p = piece(fx, &parts);
	op(fx, p, LO_REG, 3, "bx");
	op(fx, p, LO_NEG, 0, NULL);
	p->bit_offset = 8;
	p->bit_size = 32;
	expect(fx, "\ta0 = (u64)prt_bits(PRT_REG(c, AX), 0, 32, false) << 0;\n"
	       "\ta0 |= (u64)prt_bits((0 - PRT_REG(c, BX)), 8, 32, false) << 32;\n");
	fixture_destroy(fx);
}

/* Operations that can fail end the handler; an unsigned division has a check of its own. */
TEST(location_arithmetic)
{
	struct fixture *fx = fixture_create();
	struct location l = { 0 };
	struct location_piece *p = piece(fx, &l);

	fx->ac = (struct access){ .base = AB_LOCATION, .location = &l, .result = AR_VALUE,
				  .size = 8 };
	op(fx, p, LO_CONST, -1, NULL);
	op(fx, p, LO_REG, 5, "di");
	op(fx, p, LO_ROT, 1, NULL);
	op(fx, p, LO_UDIV, 0, NULL);
	expect(fx, "\ta0 = (u64)prt_udiv(c, PRT_REG(c, DI), 0xffffffffffffffffull, 0);\n"
	       "\tif (unlikely(c->err))\n\t\tgoto out;\n");
	op(fx, p, LO_PICK, 0, NULL);
	op(fx, p, LO_LT, 0, NULL);
	op(fx, p, LO_CONST, 40, NULL);
	op(fx, p, LO_SHL, 0, NULL);
	expect(fx, "a1 = 40ull < 64 ? (u64)((s64)a0 < (s64)a0) << 40ull : 0;");
	fixture_destroy(fx);
}
