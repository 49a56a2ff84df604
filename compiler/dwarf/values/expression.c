/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Expressions of debug information, operation by operation.
 *
 * Numbers are 64 bits wide in what is made here. Debug information has numbers without a type,
 * which are as wide, and such of a base type, which may be narrower: these are kept extended as
 * their type says, and put right after each operation that can leave more bits. Which type lies
 * where is known without running anything, because conditional jumps are refused.
 */
#include "dwarf/values/expression.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "arch/arch.h"

enum { MAX_STEPS = 500, MAX_NESTED = 4 };

static int fail(struct expression *x, int err, const char *why)
{
	x->why = why;
	return err;
}

/* Sets x->why for an operation that is not known here. */
static int refuse(struct expression *x, const Dwarf_Op *op)
{
	static const struct { unsigned atom; const char *name; } names[] = {
		{ DW_OP_bra, "DW_OP_bra" }, { DW_OP_xderef, "DW_OP_xderef" },
		{ DW_OP_xderef_size, "DW_OP_xderef_size" },
		{ DW_OP_xderef_type, "DW_OP_xderef_type" },
		{ DW_OP_push_object_address, "DW_OP_push_object_address" },
		{ DW_OP_call2, "DW_OP_call2" }, { DW_OP_call4, "DW_OP_call4" },
		{ DW_OP_call_ref, "DW_OP_call_ref" },
		{ DW_OP_GNU_parameter_ref, "DW_OP_GNU_parameter_ref" },
		{ DW_OP_GNU_variable_value, "DW_OP_GNU_variable_value" },
		{ DW_OP_GNU_encoded_addr, "DW_OP_GNU_encoded_addr" },
		{ DW_OP_GNU_uninit, "DW_OP_GNU_uninit" },
	};
	switch (op->atom) {
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		return fail(x, -ENOTSUP, "it is thread-local");
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		return fail(x, -ENODATA, "the compiler removed what it points to");
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (names[i].atom == op->atom)
			return fail(x, -ENOTSUP, arena_printf(x->arena, "its location needs %s, "
					"which is not known here", names[i].name));
	}
	return fail(x, -ENOTSUP, arena_printf(x->arena, "its location needs operation %#x of debug "
					      "information, which is not known here", op->atom));
}

/* ---- the stack ---- */

static void put(struct expression *x, enum location_op_kind kind, int64_t n)
{
	vec_push(x->arena, &x->ops.v, ((struct location_op){ .kind = kind, .n = n }));
}

static int push_typed(struct expression *x, struct location_op op, struct expression_type type)
{
	if (x->depth == EXPRESSION_DEPTH)
		return fail(x, -ENOTSUP, "its location is too complex");
	vec_push(x->arena, &x->ops.v, op);
	x->stack[x->depth++] = type;
	x->per_cpu = false;
	return 0;
}

int expression_push(struct expression *x, struct location_op op)
{
	return push_typed(x, op, (struct expression_type){0});
}

static int push_number(struct expression *x, int64_t n)
{
	return expression_push(x, (struct location_op){ .kind = LO_CONST, .n = n });
}

static int need(struct expression *x, unsigned n)
{
	return x->depth >= n ? 0 : fail(x, -ENOTSUP, "its location is damaged");
}

static struct expression_type *top(struct expression *x)
{
	return &x->stack[x->depth - 1];
}

/* The number on top has more bits than its type, perhaps. */
static void cut(struct expression *x, struct expression_type type)
{
	if (type.size && type.size < 8)
		put(x, type.is_signed ? LO_SEXT : LO_ZEXT, type.size);
}

/* ---- registers and addresses ---- */

int expression_register(struct expression *x, uint64_t number)
{
	const char *name = arch_register(number);
	if (!name)
		return fail(x, -ENODATA, arena_printf(x->arena, "it is in register %llu, which a "
				"probe can't see", (unsigned long long)number));
	return expression_push(x, (struct location_op){ .kind = LO_REG, .name = name,
							 .n = (int64_t)number });
}

/* One constant is enough for a sum. */
static void add(struct expression *x, int64_t n)
{
	struct location_op *last = x->ops.v.v + x->ops.v.n;
	if (n == 0)
		return;
	if (x->ops.v.n >= 2 && last[-1].kind == LO_ADD && last[-2].kind == LO_CONST) {
		last[-2].n = (int64_t)((uint64_t)last[-2].n + (uint64_t)n);
		if (last[-2].n == 0)
			x->ops.v.n -= 2;
		return;
	}
	if (x->ops.v.n && (last[-1].kind == LO_CONST || last[-1].kind == LO_SYMBOL)) {
		last[-1].n = (int64_t)((uint64_t)last[-1].n + (uint64_t)n);
		return;
	}
	put(x, LO_CONST, n);
	put(x, LO_ADD, 0);
}

static int based(struct expression *x, uint64_t number, int64_t offset)
{
	int err = expression_register(x, number);
	if (!err)
		add(x, offset);
	return err;
}

static int push_cfa(struct expression *x)
{
	size_t n;
	const Dwarf_Op *ops = cfi_frame(x->at->db, x->at->pc, &n);
	Dwarf_Attribute *attr = x->attr;
	unsigned depth = x->depth;
	if (!ops)
		return fail(x, -ENODATA, "there is no call frame information for that instruction");
	if (x->nested == MAX_NESTED)
		return fail(x, -ENOTSUP, "its location is too complex");
	x->nested++;
	x->attr = NULL;
	int err = expression_run(x, ops, n);
	x->attr = attr;
	x->nested--;
	return err ? err : x->depth == depth + 1 ? 0 : fail(x, -ENOTSUP, "its frame is damaged");
}

static bool is_register(const Dwarf_Op *op, uint64_t *number)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		*number = op->atom - DW_OP_reg0;
	else if (op->atom == DW_OP_regx)
		*number = op->number;
	else
		return false;
	return true;
}

/* An expression inside of this one, whose value is pushed; alone, a register is that value. */
static int run_inside(struct expression *x, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n)
{
	Dwarf_Attribute *outer = x->attr;
	unsigned depth = x->depth;
	uint64_t number;
	if (x->nested == MAX_NESTED)
		return fail(x, -ENOTSUP, "its location is too complex");
	if (n == 1 && is_register(&ops[0], &number))
		return expression_register(x, number);
	x->nested++;
	x->attr = attr;
	int err = expression_run(x, ops, n);
	x->attr = outer;
	x->nested--;
	return err ? err : x->depth == depth + 1 ? 0 : fail(x, -ENOTSUP, "its location is damaged");
}

static int push_frame_base(struct expression *x)
{
	Dwarf_Die function = x->at->function;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;
	if (!function.addr || !dwarf_attr_integrate(&function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, x->at->pc, &ops, &n, 1) != 1)
		return fail(x, -ENODATA, "the function's frame is not known there");
	return run_inside(x, &attr, ops, n);
}

/* Further on a probe at the entry has to keep it: one argument register of each location. */
static int push_kept(struct expression *x, const Dwarf_Op *ops, size_t n)
{
	uint64_t number;
	const char *name = n == 1 && is_register(&ops[0], &number) ?
				   arch_register((unsigned)number) : NULL;
	if (!name || arch_argument(name) < 0)
		return fail(x, -ENODATA,
			    "it is not what an argument register was at the function's "
			    "entry, and the rest is not kept");
	if (x->kept && strcmp(x->kept, name) != 0)
		return fail(x, -ENOTSUP,
			    "it is computed from two registers of the function's entry");
	x->kept = name;
	return expression_push(x, (struct location_op){ .kind = LO_KEPT, .name = name });
}

static int push_entry_value(struct expression *x, const Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;
	if (!x->attr || dwarf_getlocation_attr(x->attr, op, &attr) != 0 ||
	    dwarf_getlocation(&attr, &ops, &n) != 0)
		return fail(x, -ENOTSUP, "its location is damaged");
	return x->at->entry ? run_inside(x, &attr, ops, n) : push_kept(x, ops, n);
}

static int push_address(struct expression *x, uint64_t address)
{
	struct location_ops ops = {0};
	bool per_cpu;
	if (!address_program(x->at->db, address, &ops, &per_cpu))
		return fail(x, -ENOTSUP, arena_printf(x->arena, "it is at %#llx, where no symbol "
				"is", (unsigned long long)address));
	int err = expression_push(x, ops.v.v[0]);
	x->per_cpu = per_cpu;
	return err;
}

static int push_index(struct expression *x, const Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Addr address;
	if (!x->attr || dwarf_getlocation_attr(x->attr, op, &attr) != 0 ||
	    dwarf_formaddr(&attr, &address) != 0)
		return fail(x, -ENOTSUP, "its location is damaged");
	if (op->atom == DW_OP_constx || op->atom == DW_OP_GNU_const_index)
		return push_number(x, (int64_t)address);
	return push_address(x, address);
}

/* ---- types ---- */

static int base_type(struct expression *x, const Dwarf_Op *op, struct expression_type *ret)
{
	Dwarf_Die die;
	Dwarf_Attribute attr;
	Dwarf_Word size, encoding;
	if (!x->attr || dwarf_getlocation_die(x->attr, op, &die) != 0 ||
	    !dwarf_attr(&die, DW_AT_byte_size, &attr) || dwarf_formudata(&attr, &size) != 0 ||
	    !dwarf_attr(&die, DW_AT_encoding, &attr) || dwarf_formudata(&attr, &encoding) != 0)
		return fail(x, -ENOTSUP, "its location is damaged");
	if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float)
		return fail(x, -ENOTSUP, "it is computed in floating point");
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return fail(x, -ENOTSUP, "it is computed in a type of more than 8 bytes");
	ret->size = (uint8_t)size;
	ret->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	return 0;
}

static int convert(struct expression *x, const Dwarf_Op *op)
{
	struct expression_type type = {0};
	int err = need(x, 1);
	/* To no type: as it is, extended as its old type says. */
	if (!err && op->number)
		err = base_type(x, op, &type);
	if (err)
		return err;
	if (type.size)
		cut(x, type);
	*top(x) = type;
	return 0;
}

static int typed_register(struct expression *x, const Dwarf_Op *op)
{
	struct expression_type type;
	int err = base_type(x, op, &type);
	if (!err)
		err = expression_register(x, op->number);
	if (err)
		return err;
	cut(x, type);
	*top(x) = type;
	return 0;
}

static int typed_constant(struct expression *x, const Dwarf_Op *op)
{
	struct expression_type type;
	int64_t v = 0;
	int err = base_type(x, op, &type);
	if (err)
		return err;
	/* The bytes lie behind a byte with their number. */
	const unsigned char *p = (const unsigned char *)(uintptr_t)op->number2;
	for (unsigned i = 0; i < *p && i < 8; i++)
		v |= (int64_t)((uint64_t)p[1 + i] << (8 * i));
	err = push_number(x, v);
	if (err)
		return err;
	cut(x, type);
	*top(x) = type;
	return 0;
}

static int deref(struct expression *x, const Dwarf_Op *op)
{
	struct expression_type type = {0};
	uint64_t size = op->atom == DW_OP_deref ? 8 : op->number;
	bool typed = op->atom == DW_OP_deref_type || op->atom == DW_OP_GNU_deref_type;
	int err = need(x, 1);
	if (!err && typed)
		err = base_type(x, op, &type);
	if (err)
		return err;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return fail(x, -ENOTSUP, "its location reads a number of bytes that is "
			    "not a power of 2");
	put(x, LO_DEREF, (int64_t)size);
	if (type.is_signed)
		cut(x, type);
	*top(x) = type;
	x->per_cpu = false;
	return 0;
}

/* ---- arithmetic ---- */

struct binary {
	uint8_t atom;
	enum location_op_kind kind, unsigned_kind;
	enum { KEEPS, OVERFLOWS, SHIFTS, COMPARES } sort;
};

static const struct binary *binary_of(unsigned atom)
{
	static const struct binary all[] = {
		{ DW_OP_plus, LO_ADD, LO_ADD, OVERFLOWS },
		{ DW_OP_minus, LO_SUB, LO_SUB, OVERFLOWS },
		{ DW_OP_mul, LO_MUL, LO_MUL, OVERFLOWS },
		{ DW_OP_and, LO_AND, LO_AND, KEEPS }, { DW_OP_or, LO_OR, LO_OR, KEEPS },
		{ DW_OP_xor, LO_XOR, LO_XOR, KEEPS },
		{ DW_OP_div, LO_DIV, LO_UDIV, OVERFLOWS },
		{ DW_OP_mod, LO_MOD, LO_UMOD, KEEPS },
		{ DW_OP_shl, LO_SHL, LO_SHL, SHIFTS }, { DW_OP_shr, LO_SHR, LO_SHR, SHIFTS },
		{ DW_OP_shra, LO_SAR, LO_SAR, SHIFTS },
		{ DW_OP_eq, LO_EQ, LO_EQ, COMPARES }, { DW_OP_ne, LO_NE, LO_NE, COMPARES },
		{ DW_OP_lt, LO_LT, LO_ULT, COMPARES }, { DW_OP_le, LO_LE, LO_ULE, COMPARES },
		{ DW_OP_gt, LO_GT, LO_UGT, COMPARES }, { DW_OP_ge, LO_GE, LO_UGE, COMPARES },
	};
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (all[i].atom == atom)
			return &all[i];
	}
	return NULL;
}

/* A number to the right that is a constant joins it: fewer lines of C, and what is below the stack
 * pointer can be seen (location.c). */
static bool fold(struct expression *x, const struct binary *b)
{
	struct location_op *last = x->ops.v.v + x->ops.v.n - 1;
	if (b->kind != LO_ADD || last->kind != LO_CONST || top(x)->size)
		return false;
	int64_t n = last->n;
	x->ops.v.n--;
	x->depth--;
	add(x, n);
	return true;
}

static int binary(struct expression *x, const struct binary *b)
{
	int err = need(x, 2);
	if (err)
		return err;
	struct expression_type right = x->stack[x->depth - 1], left = x->stack[x->depth - 2];
	if (b->sort != SHIFTS && (right.size != left.size || right.is_signed != left.is_signed))
		return fail(x, -ENOTSUP, "its location mixes types");
	if (fold(x, b))
		return 0;
	/* Untyped values are divided and compared as signed numbers; the remainder is unsigned. */
	bool is_signed = left.size ? left.is_signed : b->kind != LO_MOD;
	if (b->sort == SHIFTS && b->kind != LO_SHL && left.size && left.size < 8 &&
	    (b->kind == LO_SAR) != left.is_signed) {
		put(x, LO_ROT, 1);
		put(x, b->kind == LO_SAR ? LO_SEXT : LO_ZEXT, left.size);
		put(x, LO_ROT, 1);
	}
	put(x, is_signed ? b->kind : b->unsigned_kind, 0);
	x->depth--;
	x->per_cpu = false;
	if (b->sort == COMPARES)
		*top(x) = (struct expression_type){0};
	else if (b->sort != KEEPS)
		cut(x, left);
	return 0;
}

static int unary(struct expression *x, const Dwarf_Op *op)
{
	int err = need(x, 1);
	if (err)
		return err;
	struct expression_type type = *top(x);
	if (op->atom == DW_OP_plus_uconst && !type.size) {
		add(x, (int64_t)op->number);
		return 0;
	}
	x->per_cpu = false;
	switch (op->atom) {
	case DW_OP_neg:
		put(x, LO_NEG, 0);
		break;
	case DW_OP_not:
		put(x, LO_NOT, 0);
		break;
	case DW_OP_plus_uconst:
		put(x, LO_CONST, (int64_t)op->number);
		put(x, LO_ADD, 0);
		break;
	case DW_OP_abs: /* v ^ (v >> 63), less (v >> 63) */
		if (type.size && !type.is_signed)
			return 0;
		put(x, LO_PICK, 0);
		put(x, LO_CONST, 63);
		put(x, LO_SAR, 0);
		put(x, LO_PICK, 0);
		put(x, LO_ROT, 2);
		put(x, LO_XOR, 0);
		put(x, LO_ROT, 1);
		put(x, LO_SUB, 0);
		break;
	}
	cut(x, type);
	return 0;
}

/* ---- moving what is there ---- */

static int copy(struct expression *x, uint64_t n)
{
	int err = need(x, n < EXPRESSION_DEPTH ? (unsigned)n + 1 : EXPRESSION_DEPTH + 1);
	if (err)
		return err;
	return push_typed(x, (struct location_op){ .kind = LO_PICK, .n = (int64_t)n },
			  x->stack[x->depth - 1 - n]);
}

static int rotate(struct expression *x, unsigned n)
{
	int err = need(x, n + 1);
	if (err)
		return err;
	struct expression_type moved = *top(x);
	put(x, LO_ROT, n);
	for (unsigned i = 0; i < n; i++)
		x->stack[x->depth - 1 - i] = x->stack[x->depth - 2 - i];
	x->stack[x->depth - 1 - n] = moved;
	return 0;
}

static int drop(struct expression *x)
{
	int err = need(x, 1);
	if (err)
		return err;
	put(x, LO_DROP, 0);
	x->depth--;
	return 0;
}

/* ---- all ---- */

static int constant(struct expression *x, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push_number(x, op->atom - DW_OP_lit0);
	return push_number(x, (int64_t)op->number);
}

static int step(struct expression *x, const Dwarf_Op *op)
{
	const struct binary *b = binary_of(op->atom);
	if (b)
		return binary(x, b);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return based(x, op->atom - DW_OP_breg0, (int64_t)op->number);
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return constant(x, op);
	int err;
	switch (op->atom) {
	case DW_OP_const1u: case DW_OP_const1s: case DW_OP_const2u: case DW_OP_const2s:
	case DW_OP_const4u: case DW_OP_const4s: case DW_OP_const8u: case DW_OP_const8s:
	case DW_OP_constu: case DW_OP_consts:
		return constant(x, op);
	case DW_OP_addr:
		return push_address(x, op->number);
	case DW_OP_addrx: case DW_OP_constx:
	case DW_OP_GNU_addr_index: case DW_OP_GNU_const_index:
		return push_index(x, op);
	case DW_OP_bregx:
		return based(x, op->number, (int64_t)op->number2);
	case DW_OP_fbreg:
		err = push_frame_base(x);
		if (!err)
			add(x, (int64_t)op->number);
		return err;
	case DW_OP_call_frame_cfa:
		return push_cfa(x);
	case DW_OP_entry_value: case DW_OP_GNU_entry_value:
		return push_entry_value(x, op);
	case DW_OP_deref: case DW_OP_deref_size: case DW_OP_deref_type: case DW_OP_GNU_deref_type:
		return deref(x, op);
	case DW_OP_neg: case DW_OP_not: case DW_OP_abs: case DW_OP_plus_uconst:
		return unary(x, op);
	case DW_OP_dup:
		return copy(x, 0);
	case DW_OP_over:
		return copy(x, 1);
	case DW_OP_pick:
		return copy(x, op->number);
	case DW_OP_swap:
		return rotate(x, 1);
	case DW_OP_rot:
		return rotate(x, 2);
	case DW_OP_drop:
		return drop(x);
	case DW_OP_convert: case DW_OP_GNU_convert:
	case DW_OP_reinterpret: case DW_OP_GNU_reinterpret:
		return convert(x, op);
	case DW_OP_regval_type: case DW_OP_GNU_regval_type:
		return typed_register(x, op);
	case DW_OP_const_type: case DW_OP_GNU_const_type:
		return typed_constant(x, op);
	case DW_OP_nop:
		return 0;
	default:
		return refuse(x, op);
	}
}

/* The target of a jump. Jumps go forward only, so every expression ends. */
static size_t after_skip(const Dwarf_Op *ops, size_t n, size_t i)
{
	uint64_t to = ops[i].offset + 3 + (uint64_t)(int64_t)(int16_t)ops[i].number;
	size_t j = i + 1;
	while (j < n && ops[j].offset != to)
		j++;
	return j;
}

int expression_run(struct expression *x, const Dwarf_Op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (++x->steps > MAX_STEPS)
			return fail(x, -ENOTSUP, "its location is too complex");
		if (ops[i].atom == DW_OP_skip) {
			size_t to = after_skip(ops, n, i);
			if (to == n)
				return fail(x, -ENOTSUP, "its location jumps (DW_OP_skip), which "
					    "is not known here");
			i = to - 1;
			continue;
		}
		int err = step(x, &ops[i]);
		if (err)
			return err;
	}
	return 0;
}
