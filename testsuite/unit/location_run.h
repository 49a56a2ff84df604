/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Executes locations: a twin of the code that emit makes of them. Registers and memory are made up:
 * register number n of debug information holds RUN_REGISTER(n), the byte at an address RUN_BYTE(a),
 * a symbol lies at RUN_SYMBOL, per-CPU data RUN_PERCPU behind its address, and thread-local data
 * RUN_THREAD behind its offset.
 */
#ifndef LOCATION_RUN_H
#define LOCATION_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "target/arch/arch.h"
#include "program/access.h"

#define RUN_REGISTER(n) (0x1122334455667700ull + (uint64_t)(n) * 0x10101ull)
#define RUN_KEPT(n) (RUN_REGISTER(n) + 0x5500000000000000ull) /* at the function's entry */
#define RUN_BYTE(address) ((uint8_t)((address) * 7 + 1))
#define RUN_SYMBOL 0xffffffff81000000ull
#define RUN_PERCPU 0xffff888000000000ull
#define RUN_THREAD 0x00007f1234567700ull

struct run {
	uint64_t stack[64];
	unsigned n;
	bool broken;   /* the program pops from an empty stack */
	bool by_zero;  /* the program divides by zero */
	bool reads;
};

static uint64_t run_read(uint64_t address, unsigned size)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < size; i++)
		v |= (uint64_t)RUN_BYTE(address + i) << (8 * i);
	return v;
}

static uint64_t run_register(struct run *r, const char *name)
{
	for (unsigned i = 0; i < 17; i++) {
		const char *known = arch_register(i, false);

		if (known && strcmp(known, name) == 0)
			return RUN_REGISTER(i);
	}
	r->broken = true;
	return 0;
}

static void run_push(struct run *r, uint64_t v)
{
	if (r->n == 64)
		r->broken = true;
	else
		r->stack[r->n++] = v;
}

static uint64_t run_pop(struct run *r)
{
	if (r->n == 0) {
		r->broken = true;
		return 0;
	}
	return r->stack[--r->n];
}

static uint64_t run_extend(uint64_t v, int64_t size, bool sign)
{
	unsigned up = (unsigned)(64 - size * 8);

	return sign ? (uint64_t)((int64_t)(v << up) >> up) : v << up >> up;
}

static uint64_t run_divide(struct run *r, enum location_op_kind kind, uint64_t a, uint64_t b)
{
	if (b == 0) {
		r->by_zero = true;
		return 0;
	}
	if (kind == LO_UDIV)
		return a / b;
	if (kind == LO_UMOD)
		return a % b;
	if (b == UINT64_MAX)
		return kind == LO_DIV ? 0 - a : 0;
	return kind == LO_DIV ? (uint64_t)((int64_t)a / (int64_t)b) :
				(uint64_t)((int64_t)a % (int64_t)b);
}

static uint64_t run_two(struct run *r, enum location_op_kind kind, uint64_t a, uint64_t b)
{
	int64_t sa = (int64_t)a, sb = (int64_t)b;

	switch (kind) {
	case LO_ADD: return a + b;
	case LO_SUB: return a - b;
	case LO_MUL: return a * b;
	case LO_AND: return a & b;
	case LO_OR: return a | b;
	case LO_XOR: return a ^ b;
	case LO_SHL: return b < 64 ? a << b : 0;
	case LO_SHR: return b < 64 ? a >> b : 0;
	case LO_SAR: return (uint64_t)(sa >> (b < 64 ? b : 63));
	case LO_EQ: return a == b;
	case LO_NE: return a != b;
	case LO_LT: return sa < sb;
	case LO_LE: return sa <= sb;
	case LO_GT: return sa > sb;
	case LO_GE: return sa >= sb;
	case LO_ULT: return a < b;
	case LO_ULE: return a <= b;
	case LO_UGT: return a > b;
	case LO_UGE: return a >= b;
	default: return run_divide(r, kind, a, b);
	}
}

static void run_rotate(struct run *r, int64_t n)
{
	if (n < 1 || (uint64_t)n >= r->n) {
		r->broken = true;
		return;
	}

	uint64_t top = r->stack[r->n - 1];

	memmove(&r->stack[r->n - n], &r->stack[r->n - 1 - n], (size_t)n * sizeof(top));
	r->stack[r->n - 1 - n] = top;
}

static void run_op(struct run *r, const struct location_op *op)
{
	uint64_t v;

	switch (op->kind) {
	case LO_CONST:
		run_push(r, (uint64_t)op->n);
		break;
	case LO_REG:
		run_push(r, run_register(r, op->name));
		break;
	case LO_SIMD:
		/* xmm0 is register 17 of debug information. */
		run_push(r, RUN_REGISTER(17 + (uint64_t)op->n));
		break;
	case LO_ENTRY_REG:
		run_push(r, run_register(r, op->name) + RUN_KEPT(0) - RUN_REGISTER(0));
		break;
	case LO_SYMBOL:
		run_push(r, RUN_SYMBOL + (uint64_t)op->n);
		break;
	case LO_THREAD_LOCAL:
		run_push(r, run_pop(r) + RUN_THREAD);
		break;
	case LO_PERCPU:
		run_push(r, run_pop(r) + RUN_PERCPU);
		break;
	case LO_DEREF:
		r->reads = true;
		r->broken |= op->n != 1 && op->n != 2 && op->n != 4 && op->n != 8;
		run_push(r, run_read(run_pop(r), (unsigned)op->n));
		break;
	case LO_PICK:
		if (op->n < 0 || (uint64_t)op->n >= r->n)
			r->broken = true;
		else
			run_push(r, r->stack[r->n - 1 - op->n]);
		break;
	case LO_ROT:
		run_rotate(r, op->n);
		break;
	case LO_DROP:
		run_pop(r);
		break;
	case LO_ZEXT:
	case LO_SEXT:
		r->broken |= op->n != 1 && op->n != 2 && op->n != 4;
		run_push(r, r->broken ? 0 : run_extend(run_pop(r), op->n, op->kind == LO_SEXT));
		break;
	case LO_NEG:
		run_push(r, 0 - run_pop(r));
		break;
	case LO_NOT:
		run_push(r, ~run_pop(r));
		break;
	default:
		v = run_pop(r);
		run_push(r, run_two(r, op->kind, run_pop(r), v));
	}
}

/* Returns the result of one piece. */
static inline uint64_t run_piece(struct run *r, const struct location_piece *p)
{
	r->n = 0;
	vec_each(op, &p->ops) {
		if (!r->broken)
			run_op(r, op);
	}
	return run_pop(r);
}

/* Returns the combined value of all pieces. */
static inline uint64_t run_bits(struct run *r, const struct location *l)
{
	uint64_t v = 0;
	unsigned at = 0;

	vec_each(p, &l->pieces) {
		uint64_t one = run_piece(r, p) >> p->bit_offset;

		if (p->bit_size < 64)
			one &= (1ull << p->bit_size) - 1;
		r->broken |= !p->is_value || !p->bit_size || p->bit_offset + p->bit_size > 64 ||
			     at + p->bit_size > 64;
		if (r->broken)
			return 0;
		v |= one << at;
		at += p->bit_size;
	}
	return v;
}

#endif
