/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Translates expressions of debug information, operation by operation.
 *
 * Numbers in the result have 64 bits. Debug information has numbers without a type, which are as
 * wide, and numbers of a base type, which may be narrower: these are kept extended according to
 * their type, and are extended again after each operation that may leave more bits. In a 32-bit
 * program numbers without a type have 32 bits, and are kept without their sign; only the sum of one
 * and a constant is left as it is until an operation needs it (expression_settle()). The types on
 * the stack are known without running anything, because the only conditional jump that is accepted
 * is the one that chooses between two numbers of one type.
 */
#include "target/dwarf/values/expression.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "target/arch/arch.h"
#include "target/dwarf/values/read.h"

enum {
	MAX_STEPS = 500, MAX_NESTED = 4,
	/* Registers of the i386 ABI. */
	STACK_POINTER_32 = 4, FRAME_POINTER_32 = 5,
};

/* Sets x->why for an unknown operation. */
static int refuse(struct expression *x, const Dwarf_Op *op)
{
	static const struct { unsigned atom; const char *name; } names[] = {
		{ DW_OP_bra, "DW_OP_bra" }, { DW_OP_xderef, "DW_OP_xderef" },
		{ DW_OP_xderef_size, "DW_OP_xderef_size" },
		{ DW_OP_xderef_type, "DW_OP_xderef_type" },
		{ DW_OP_push_object_address, "DW_OP_push_object_address" },
		{ DW_OP_call2, "DW_OP_call2" }, { DW_OP_call4, "DW_OP_call4" },
		{ DW_OP_call_ref, "DW_OP_call_ref" },
		{ DW_OP_GNU_variable_value, "DW_OP_GNU_variable_value" },
		{ DW_OP_GNU_encoded_addr, "DW_OP_GNU_encoded_addr" },
		{ DW_OP_GNU_uninit, "DW_OP_GNU_uninit" },
	};

	if (op->atom == DW_OP_implicit_pointer || op->atom == DW_OP_GNU_implicit_pointer)
		return expression_fail(x, -ENODATA, "the compiler removed what it points to");
	if (op->atom == DW_OP_GNU_parameter_ref)
		return expression_fail(x, -ENOTSUP, "the compiler no longer passes it "
				       "(DW_OP_GNU_parameter_ref)");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (names[i].atom == op->atom)
			return expression_fail(x, -ENOTSUP,
					       arena_printf(x->arena, "its location needs %s, "
							    "which is not supported",
							    names[i].name));
	}
	return expression_fail(x, -ENOTSUP,
			       arena_printf(x->arena, "its location needs operation %#x of debug "
					    "information, which is not supported", op->atom));
}

/* ---- registers and addresses ---- */

int expression_register(struct expression *x, uint64_t number)
{
	const char *name = arch_register(number, x->at->db->is_32bit);
	int simd = arch_simd_register(number, x->at->db->is_32bit);

	/* The kernel's own code has nothing there. */
	if (simd >= 0 && x->at->db->is_program)
		return expression_push(x, (struct location_op){ .kind = LO_SIMD, .n = simd });
	if (!name)
		return expression_fail(x, -ENODATA,
				       arena_printf(x->arena, "it is in register %llu, which a "
							      "probe can't read",
						    (unsigned long long)number));

	int err = expression_push(x, (struct location_op){ .kind = LO_REG, .name = name,
							   .n = (int64_t)number });

	/* A program that also runs 64-bit code may have left something in the upper half. */
	if (!err && x->at->db->is_32bit && strcmp(name, ARCH_STACK_POINTER) != 0)
		expression_put(x, LO_ZEXT, 4);
	return err;
}

/* Compilers describe the stack pointer as it is after the prologue; call frame information has it
 * as it is at each instruction. */
static void note_stack(struct expression *x)
{
	const struct location_op *last = x->ops.v.n ? &x->ops.v.v[x->ops.v.n - 1] : NULL;

	if (x->attr && last && last->kind == LO_REG && strcmp(last->name, ARCH_STACK_POINTER) == 0)
		x->moves = true;
}

static int based(struct expression *x, uint64_t number, int64_t offset)
{
	int err = expression_register(x, number);

	note_stack(x);

	if (!err)
		expression_add(x, offset);
	return err;
}

/* Runs an inner expression, of the attribute @attr, which pushes one value. Otherwise, @damaged is
 * the reason of the failure. */
static int run_nested(struct expression *x, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n,
		      const char *damaged)
{
	Dwarf_Attribute *outer = x->attr;
	unsigned depth = x->depth;

	if (x->nested == MAX_NESTED)
		return expression_fail(x, -ENOTSUP, "its location is too complex");
	x->nested++;
	x->attr = attr;

	int err = expression_run(x, ops, n);

	x->attr = outer;
	x->nested--;
	if (err)
		return err;
	return x->depth == depth + 1 ? 0 : expression_fail(x, -ENOTSUP, damaged);
}

static int push_cfa(struct expression *x)
{
	size_t n;
	const Dwarf_Op *ops = cfi_frame(x->at->db, x->at->pc, &n);

	if (!ops)
		return expression_fail(x, -ENODATA, "there is no call frame information for that "
				       "instruction");
	return run_nested(x, NULL, ops, n, "its frame is damaged");
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

/* Runs an inner expression and pushes its value; a single register is that value. */
static int run_inside(struct expression *x, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n)
{
	uint64_t number;

	if (n == 1 && is_register(&ops[0], &number)) {
		int err = expression_register(x, number);

		note_stack(x);
		return err;
	}
	return run_nested(x, attr, ops, n, "its location is damaged");
}

/* Whether the frame is described by the frame pointer, which the first instructions of a function
 * of a 32-bit program set to the address below that of the return address. */
static bool is_future_pointer(const struct expression *x, const Dwarf_Op *ops, size_t n)
{
	uint64_t number;

	return x->at->entry && x->at->db->is_32bit && n == 1 && is_register(&ops[0], &number) &&
	       number == FRAME_POINTER_32;
}

static int push_future_pointer(struct expression *x)
{
	int err = expression_register(x, STACK_POINTER_32);

	if (!err)
		expression_add(x, -4);
	return err;
}

static int push_frame_base(struct expression *x)
{
	Dwarf_Die function = x->at->function;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!function.addr || !dwarf_read_location(&function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, x->at->pc, &ops, &n, 1) != 1)
		return expression_fail(x, -ENODATA, "the function's frame is not known there");
	if (is_future_pointer(x, ops, n))
		return push_future_pointer(x);
	return run_inside(x, &attr, ops, n);
}

/* Pushes an argument register at the entry, which a probe there has to save. Each location can have
 * one. */
static int push_entry_reg(struct expression *x, const Dwarf_Op *ops, size_t n)
{
	uint64_t number;
	const char *name = n == 1 && is_register(&ops[0], &number) ?
				   arch_register((unsigned)number, x->at->db->is_32bit) : NULL;

	if (!name || arch_argument(name) < 0)
		return expression_fail(x, -ENODATA,
			    "it is not the entry value of an argument register, and no others are "
			    "kept");
	if (x->entry_reg && strcmp(x->entry_reg, name) != 0)
		return expression_fail(x, -ENOTSUP,
			    "it is computed from the entry values of two registers");
	x->entry_reg = name;
	return expression_push(x, (struct location_op){ .kind = LO_ENTRY_REG, .name = name });
}

static int push_entry_value(struct expression *x, const Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!x->attr || dwarf_getlocation_attr(x->attr, op, &attr) != 0 ||
	    dwarf_getlocation(&attr, &ops, &n) != 0)
		return expression_fail(x, -ENOTSUP, "its location is damaged");
	return x->at->entry ? run_inside(x, &attr, ops, n) : push_entry_reg(x, ops, n);
}

static int push_address(struct expression *x, uint64_t address)
{
	struct location_ops ops = {0};
	bool per_cpu;

	if (!address_program(x->at->db, address, &ops, &per_cpu))
		return expression_fail(x, -ENOTSUP,
				       arena_printf(x->arena, "it is at %#llx, where no symbol is",
						    (unsigned long long)address));

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
		return expression_fail(x, -ENOTSUP, "its location is damaged");
	if (op->atom == DW_OP_constx || op->atom == DW_OP_GNU_const_index)
		return expression_push_number(x, (int64_t)address);
	return push_address(x, address);
}

/* The offset in the file's thread-local memory is a constant before the operation. gcc 12 writes
 * expressions that have it afterwards. */
static int thread_local_address(struct expression *x)
{
	bool is_constant = x->ops.v.n && x->ops.v.v[x->ops.v.n - 1].kind == LO_CONST;

	if (!x->at->db->is_program)
		return expression_fail(x, -ENOTSUP, "it is thread-local");
	if (!arch_has_thread_memory(x->at->db->is_32bit))
		return expression_fail(x, -ENOTSUP, "it is thread-local, and such variables can be "
				       "read in 64-bit programs only");
	if (!is_constant)
		return expression_fail(x, -ENOTSUP, "its location is damaged");
	expression_put(x, LO_THREAD_LOCAL, 0);
	*expression_top(x) = (struct expression_type){ 0 };
	return 0;
}

/* ---- types ---- */

/* LLVM describes numbers of any number of bits, which is in their names. */
static uint8_t base_bits(Dwarf_Die *die, Dwarf_Word size)
{
	uint64_t bits = 8 * size, own = 0;
	unsigned of_name = 0;

	if (!dwarf_read_number(die, DW_AT_bit_size, &own) &&
	    (sscanf(dwarf_read_name(die), "DW_ATE_unsigned_%u", &of_name) == 1 ||
	     sscanf(dwarf_read_name(die), "DW_ATE_signed_%u", &of_name) == 1))
		own = of_name;
	return (uint8_t)(own && own < bits ? own : bits);
}

static int base_type(struct expression *x, const Dwarf_Op *op, struct expression_type *ret)
{
	Dwarf_Die die;
	Dwarf_Attribute attr;
	Dwarf_Word size, encoding;

	if (!x->attr || dwarf_getlocation_die(x->attr, op, &die) != 0 ||
	    !dwarf_attr(&die, DW_AT_byte_size, &attr) || dwarf_formudata(&attr, &size) != 0 ||
	    !dwarf_attr(&die, DW_AT_encoding, &attr) || dwarf_formudata(&attr, &encoding) != 0)
		return expression_fail(x, -ENOTSUP, "its location is damaged");
	if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float)
		return expression_fail(x, -ENOTSUP, "it is computed in floating point");
	if (size < 1 || size > 8)
		return expression_fail(x, -ENOTSUP,
				       "it is computed in a type of more than 8 bytes");
	*ret = (struct expression_type){
		.bits = base_bits(&die, size),
		.is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char,
	};
	return 0;
}

static int convert(struct expression *x, const Dwarf_Op *op)
{
	struct expression_type type = {0};
	int err = expression_need(x, 1);

	/* A conversion to no type leaves the number as it is, extended by its old type. */
	if (!err && op->number)
		err = base_type(x, op, &type);
	if (err)
		return err;
	expression_settle(x);
	expression_cut(x, type);
	*expression_top(x) = type;
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
	expression_cut(x, type);
	*expression_top(x) = type;
	return 0;
}

static int typed_constant(struct expression *x, const Dwarf_Op *op)
{
	struct expression_type type;
	int64_t v = 0;
	int err = base_type(x, op, &type);

	if (err)
		return err;

	/* The bytes follow a byte with their number. */
	const unsigned char *p = (const unsigned char *)(uintptr_t)op->number2;

	for (unsigned i = 0; i < *p && i < 8; i++)
		v |= (int64_t)((uint64_t)p[1 + i] << (8 * i));
	err = expression_push_number(x, v);
	if (err)
		return err;
	expression_cut(x, type);
	*expression_top(x) = type;
	return 0;
}

static int deref(struct expression *x, const Dwarf_Op *op)
{
	struct expression_type type = {0};
	uint64_t size = op->atom == DW_OP_deref ? expression_word(x) : op->number;
	bool typed = op->atom == DW_OP_deref_type || op->atom == DW_OP_GNU_deref_type;
	int err = expression_need(x, 1);

	if (!err && typed)
		err = base_type(x, op, &type);
	if (err)
		return err;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return expression_fail(x, -ENOTSUP, "its location reads a number of bytes that is "
			    "not a power of 2");
	expression_settle(x);
	expression_put(x, LO_DEREF, (int64_t)size);
	if (type.is_signed || type.bits < 8 * size)
		expression_cut(x, type);
	*expression_top(x) = type;
	x->per_cpu = false;
	return 0;
}

/* ---- all ---- */

static int constant(struct expression *x, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return expression_push_number(x, op->atom - DW_OP_lit0);
	return expression_push_number(x, (int64_t)op->number);
}

static int step(struct expression *x, const Dwarf_Op *op)
{
	if (expression_is_binary(op->atom))
		return expression_binary(x, op->atom);
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
			expression_add(x, (int64_t)op->number);
		return err;
	case DW_OP_call_frame_cfa:
		return push_cfa(x);
	case DW_OP_entry_value: case DW_OP_GNU_entry_value:
		return push_entry_value(x, op);
	case DW_OP_deref: case DW_OP_deref_size: case DW_OP_deref_type: case DW_OP_GNU_deref_type:
		return deref(x, op);
	case DW_OP_neg: case DW_OP_not: case DW_OP_abs: case DW_OP_plus_uconst:
		return expression_unary(x, op);
	case DW_OP_dup:
		return expression_copy(x, 0);
	case DW_OP_over:
		return expression_copy(x, 1);
	case DW_OP_pick:
		return expression_copy(x, op->number);
	case DW_OP_swap:
		return expression_rotate(x, 1);
	case DW_OP_rot:
		return expression_rotate(x, 2);
	case DW_OP_drop:
		return expression_drop(x);
	case DW_OP_convert: case DW_OP_GNU_convert:
	case DW_OP_reinterpret: case DW_OP_GNU_reinterpret:
		return convert(x, op);
	case DW_OP_regval_type: case DW_OP_GNU_regval_type:
		return typed_register(x, op);
	case DW_OP_const_type: case DW_OP_GNU_const_type:
		return typed_constant(x, op);
	case DW_OP_form_tls_address: case DW_OP_GNU_push_tls_address:
		return thread_local_address(x);
	case DW_OP_nop: return 0;
	default:
		return refuse(x, op);
	}
}

/* The index of the operation after a jump. Only forward jumps are accepted, so every expression
 * ends. */
static size_t after_skip(const Dwarf_Op *ops, size_t n, size_t i)
{
	uint64_t to = ops[i].offset + 3 + (uint64_t)(int64_t)(int16_t)ops[i].number;
	size_t j = i + 1;

	while (j < n && ops[j].offset != to)
		j++;
	return j;
}

/* Whether a conditional jump at @i chooses between the two entries below the condition. gcc writes
 * `c ? a : b`, the minimum and the maximum as a jump over a swap to the drop after it. */
static bool chooses(const Dwarf_Op *ops, size_t n, size_t i)
{
	return ops[i].atom == DW_OP_bra && i + 2 < n && ops[i + 1].atom == DW_OP_swap &&
	       ops[i + 2].atom == DW_OP_drop && after_skip(ops, n, i) == i + 2;
}

int expression_run(struct expression *x, const Dwarf_Op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (++x->steps > MAX_STEPS)
			return expression_fail(x, -ENOTSUP, "its location is too complex");
		if (ops[i].atom == DW_OP_skip) {
			size_t to = after_skip(ops, n, i);

			if (to == n)
				return expression_fail(x, -ENOTSUP, "its location jumps "
						       "(DW_OP_skip), which is not supported");
			i = to - 1;
			continue;
		}

		int err;

		if (chooses(ops, n, i)) {
			err = expression_choose(x);
			i += 2;
		} else {
			err = step(x, &ops[i]);
		}
		if (err)
			return err;
	}
	return 0;
}
