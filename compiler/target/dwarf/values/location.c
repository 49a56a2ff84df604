/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the location of a DIE at a place, in pieces: location.h. expression.c has the
 * operations. */
#include "target/dwarf/values/location.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "target/arch/arch.h"
#include "target/arch/flow.h"
#include "target/dwarf/values/classes.h"
#include "target/dwarf/values/expression.h"
#include "target/dwarf/values/params.h"
#include "target/dwarf/values/read.h"

/* ---- the value of an expression ---- */

/* The state while one piece is read. */
struct reading {
	struct expression x;
	struct location_piece piece;
	bool ended;            /* it is a value, so only the end of the piece may follow */
	bool any;              /* it has an operation */
	struct location *ret;
};

/* Below the stack pointer, a function of the kernel has nothing, because interrupts write there. A
 * value that debug information has there will be stored later. In a program, 128 bytes there belong
 * to the function, but not in one of 32 bits. */
static bool not_stored_yet(const struct dwarf_db *db, const struct location_ops *ops)
{
	return (!db->is_program || db->is_32bit) && ops->v.n == 3 && ops->v.v[0].kind == LO_REG &&
	       strcmp(ops->v.v[0].name, ARCH_STACK_POINTER) == 0 && ops->v.v[1].kind == LO_CONST &&
	       ops->v.v[1].n < 0 && ops->v.v[2].kind == LO_ADD;
}

/* Whether gcc has one register for the whole function, which the function's code fills before it
 * uses what the caller left there. Its debug information may not say that it was asked for that
 * (-gno-record-gcc-switches). */
static bool is_filled_later(const struct location_place *at, Dwarf_Die *die, const Dwarf_Op *ops,
			    size_t n)
{
	const char *name = n == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31 ?
				   arch_register(ops[0].atom - DW_OP_reg0, at->db->is_32bit) : NULL;
	int argument = name ? arch_argument(name) : -1;
	Dwarf_Die function = at->function;
	struct arch_taken taken;

	return argument >= 0 && function.addr && location_is_whole(die) &&
	       dwarf_units_is_by_gcc(die) &&
	       entry_taken(at->db, &function, at->pc, &taken) &&
	       taken.writes & ~taken.reads & 1u << argument;
}

/* Whether the stack pointer, operation @i, is the base of a slot that the caller filled, above the
 * return address. */
static bool is_callers_slot(const struct dwarf_db *db, const struct location_ops *ops, size_t i)
{
	int64_t offset = 0;

	if (i + 2 < ops->v.n && ops->v.v[i + 1].kind == LO_CONST && ops->v.v[i + 2].kind == LO_ADD)
		offset = ops->v.v[i + 1].n;
	return offset >= (int64_t)arch_flow_entry_cfa(db->is_32bit);
}

/* Whether gcc was asked not to follow values from place to place: a register is then given for the
 * whole function, and only the compiler knows from where on it is meant. Without the options of the
 * compiler (-gno-record-gcc-switches), is_filled_later() tells, but not in 32-bit code. */
static bool is_untracked(const struct dwarf_db *db, Dwarf_Die *die, const Dwarf_Op *ops, size_t n)
{
	static const char option[] = " -fno-var-tracking";
	const char *producer = dwarf_units_producer(die), *found = strstr(producer, option);
	bool is_unknown = db->is_32bit && dwarf_units_is_by_gcc(die) && !strstr(producer, " -");

	/* Another option is -fno-var-tracking-assignments. */
	while (found && found[sizeof(option) - 1] == '-')
		found = strstr(found + 1, option);
	return (found || is_unknown) && n == 1 && ops[0].atom >= DW_OP_reg0 &&
	       ops[0].atom <= DW_OP_reg31 && location_is_whole(die);
}

/* At the first instruction of a function, finds what its caller filled by the stack pointer, if the
 * location has it by the frame's register, which the function is about to set (clang). */
static void base_on_stack(struct expression *x)
{
	const unsigned slot = arch_flow_entry_cfa(false);
	const struct location_place *at = x->at;
	struct location_op *ops = x->ops.v.v;
	const unsigned char *code;
	const char *frame;
	size_t n;

	if (!at->entry || at->db->is_32bit || x->ops.v.n < 3 || ops[0].kind != LO_REG ||
	    ops[1].kind != LO_CONST || ops[2].kind != LO_ADD || ops[1].n < 2 * (int64_t)slot)
		return;
	code = entry_code(at->db, at->pc, &n);
	frame = code ? arch_flow_frame(code, n) : NULL;
	if (!frame || strcmp(frame, ops[0].name) != 0)
		return;
	ops[0].name = ARCH_STACK_POINTER;
	ops[1].n -= slot;
}

/* At the first instruction of a function, only values that its caller left are available. */
static bool left_by_caller(const struct dwarf_db *db, const struct location_ops *ops)
{
	for (size_t i = 0; i < ops->v.n; i++) {
		const struct location_op *op = &ops->v.v[i];

		if (op->kind == LO_REG && (strcmp(op->name, ARCH_STACK_POINTER) == 0 ?
					   !is_callers_slot(db, ops, i) :
					   !arch_may_pass(op->name, db->is_32bit)))
			return false;
	}
	return true;
}

static int finish(struct reading *r, uint32_t bits, uint32_t bit_offset)
{
	struct expression *x = &r->x;

	if (r->any && !r->ended && x->depth == 0) {
		x->why = "its location is damaged";
		return -ENOTSUP;
	}
	base_on_stack(x);
	if (!r->piece.is_value && not_stored_yet(x->at->db, &x->ops)) {
		x->why = "it is not stored yet at that place";
		return -ENODATA;
	}
	if (x->at->entry && (x->moves || !left_by_caller(x->at->db, &x->ops))) {
		x->why = "debug information has it only after the function's first instructions";
		return -ENODATA;
	}
	if (r->piece.is_value && x->depth)
		expression_settle(x);
	if (!r->piece.is_value && x->per_cpu)
		vec_push(x->arena, &x->ops.v, ((struct location_op){ .kind = LO_PERCPU }));
	memcpy(&r->piece.ops, &x->ops.v, sizeof(r->piece.ops));
	r->piece.bit_size = bits;
	r->piece.bit_offset = bit_offset;
	vec_push(x->arena, &r->ret->pieces, r->piece);
	memset(&r->piece, 0, sizeof(r->piece));
	memset(&x->ops, 0, sizeof(x->ops));
	x->depth = 0;
	x->per_cpu = false;
	r->ended = r->any = false;
	return 0;
}

/* Adds literal bytes as pieces of 8; all but the last piece end here. */
static int constant_bytes(struct reading *r, const unsigned char *p, uint64_t n)
{
	int err = 0;

	if (n == 0 || n > 256) {
		r->x.why = n ? "it is a constant of more than 256 bytes" :
			       "it is an empty constant";
		return -ENOTSUP;
	}
	while (!err && n) {
		uint64_t v = 0, size = n < 8 ? n : 8;

		for (uint64_t i = 0; i < size; i++)
			v |= (uint64_t)p[i] << (8 * i);
		err = expression_push(&r->x, (struct location_op){ .kind = LO_CONST,
								   .n = (int64_t)v });
		r->piece.is_value = r->ended = r->any = true;
		p += size;
		n -= size;
		if (!err && (n || r->ret->pieces.n))
			err = finish(r, (uint32_t)size * 8, 0);
	}
	return err;
}

static int value_op(struct reading *r, const Dwarf_Op *op)
{
	Dwarf_Block block;

	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return expression_register(&r->x, op->atom - DW_OP_reg0);
	if (op->atom == DW_OP_regx)
		return expression_register(&r->x, op->number);
	if (op->atom == DW_OP_stack_value && r->x.depth)
		return 0;
	if (op->atom == DW_OP_implicit_value &&
	    dwarf_getlocation_implicit_value(r->x.attr, op, &block) == 0)
		return constant_bytes(r, block.data, block.length);
	r->x.why = "its location is damaged";
	return -ENOTSUP;
}

static bool is_value_op(const Dwarf_Op *op)
{
	return (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) || op->atom == DW_OP_regx ||
	       op->atom == DW_OP_stack_value || op->atom == DW_OP_implicit_value;
}

/* The number of operations up to the next one that does not compute an address; jumps stay within
 * them. */
static size_t run_length(const Dwarf_Op *ops, size_t n)
{
	size_t i = 0;

	while (i < n && !is_value_op(&ops[i]) && ops[i].atom != DW_OP_piece &&
	       ops[i].atom != DW_OP_bit_piece)
		i++;
	return i;
}

static int read_pieces(struct reading *r, const Dwarf_Op *ops, size_t n)
{
	struct expression *x = &r->x;
	int err = 0;

	for (size_t i = 0; i < n && !err;) {
		size_t run = run_length(ops + i, n - i);

		if (r->ended && (run || is_value_op(&ops[i]))) {
			x->why = "its location is damaged";
			return -ENOTSUP;
		}
		if (run) {
			r->any = true;
			err = expression_run(x, ops + i, run);
			i += run;
		} else if (is_value_op(&ops[i])) {
			r->piece.is_value = r->ended = r->any = true;
			err = value_op(r, &ops[i++]);
			/* More than 8 bytes have become pieces already. */
			if (!err && !r->any && i < n) {
				x->why = "its location is too complex";
				return -ENOTSUP;
			}
		} else {
			uint64_t bits = ops[i].atom == DW_OP_piece ? ops[i].number * 8 :
								     ops[i].number;
			uint64_t from = ops[i].atom == DW_OP_piece ? 0 : ops[i].number2;

			if (bits == 0 || bits > 1 << 20 || from > 1 << 20) {
				x->why = "its location is damaged";
				return -ENOTSUP;
			}
			err = finish(r, (uint32_t)bits, (uint32_t)from);
			i++;
		}
	}
	if (!err && r->any && r->ret->pieces.n) {
		x->why = "its location is damaged";
		return -ENOTSUP;
	}
	if (!err && r->ret->pieces.n == 0)
		err = finish(r, 0, 0);
	return err;
}

/* ---- attributes ---- */

static int constant_value(struct reading *r, Dwarf_Attribute *attr)
{
	Dwarf_Block block;
	int64_t v;
	const char *text;
	int err;

	if (dwarf_formblock(attr, &block) == 0) {
		err = constant_bytes(r, block.data, block.length);
	} else if (dwarf_constant(attr, &v)) {
		err = expression_push(&r->x, (struct location_op){ .kind = LO_CONST, .n = v });
		r->piece.is_value = r->ended = r->any = true;
	} else if ((text = dwarf_formstring(attr))) {
		err = constant_bytes(r, (const unsigned char *)text, strlen(text) + 1);
	} else {
		r->x.why = "its constant value is damaged";
		return -ENOTSUP;
	}
	return !err && r->any ? finish(r, 0, 0) : err;
}

static int optimised_out(struct reading *r)
{
	r->x.why = "the compiler removed it";
	return -ENODATA;
}

bool location_is_nowhere(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Addr base, start, end;
	Dwarf_Op *ops;
	ptrdiff_t at = 0;
	size_t n;

	if (!dwarf_attr_integrate(die, DW_AT_location, &attr))
		return !dwarf_attr_integrate(die, DW_AT_const_value, &attr);
	while ((at = dwarf_getlocations(&attr, at, &base, &start, &end, &ops, &n)) > 0)
		if (n && start < end)
			return false;
	/* A part that can't be read may be a location. */
	return at == 0;
}

bool location_is_whole(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Addr base, start, end;
	Dwarf_Op *ops;
	size_t n;

	/* A single expression is given for all addresses. */
	return dwarf_attr_integrate(die, DW_AT_location, &attr) &&
	       dwarf_getlocations(&attr, 0, &base, &start, &end, &ops, &n) > 0 && start == 0 &&
	       end == (Dwarf_Addr)-1;
}

/* As dwarf_getlocation_addr(). Of several locations at the first instruction of a function, the
 * first one is what the caller passed: gcc has a location without any code for a parameter that
 * gets another value at once ("views", DWARF 6). */
static int location_at(Dwarf_Attribute *attr, const struct location_place *place, Dwarf_Op **ops,
		       size_t *n)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	if (!place->entry)
		return dwarf_getlocation_addr(attr, place->pc, ops, n, 1);
	while ((at = dwarf_getlocations(attr, at, &base, &start, &end, ops, n)) > 0)
		if (start <= place->pc && (place->pc < end || (start == end && start == place->pc)))
			return 1;
	return (int)at;
}

static int read_die(struct reading *r, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Block block;
	Dwarf_Op *ops;
	size_t n;

	r->x.attr = &attr;
	if (!dwarf_read_location(die, DW_AT_location, &attr)) {
		return dwarf_attr_integrate(die, DW_AT_const_value, &attr) ?
			       constant_value(r, &attr) : optimised_out(r);
	}

	if (dwarf_formblock(&attr, &block) == 0 && block.length == 0)
		return optimised_out(r);

	int found = location_at(&attr, r->x.at, &ops, &n);

	if (found < 0) {
		r->x.why = "its location is damaged";
		return -ENOTSUP;
	}
	if (found == 0) {
		if (location_is_nowhere(die))
			return optimised_out(r);
		r->x.why = "debug information does not have it at that place";
		return -ENODATA;
	}
	if (r->x.at->entry && (is_untracked(r->x.at->db, die, ops, n) ||
			       is_filled_later(r->x.at, die, ops, n))) {
		r->x.why = "the compiler was told not to say where in the function its register "
			   "has it (-fno-var-tracking)";
		return -ENODATA;
	}
	return n ? read_pieces(r, ops, n) : optimised_out(r);
}

/* The address of the return address. It identifies a frame: it is the same at the entry of a
 * function and at all places in it, and no other active call has it. */
static int find_frame(struct reading *r)
{
	const Dwarf_Op cfa = { .atom = DW_OP_call_frame_cfa };
	struct expression x = { .arena = r->x.arena, .at = r->x.at };
	struct location *frame = NEW(x.arena, struct location);
	struct location_piece value = { .is_value = true };
	int err = expression_run(&x, &cfa, 1);

	r->x.why = x.why;
	if (err)
		return err;
	vec_push(x.arena, &x.ops.v, ((struct location_op){
		.kind = LO_CONST, .n = x.at->db->is_32bit ? -4 : -8 }));
	vec_push(x.arena, &x.ops.v, ((struct location_op){ .kind = LO_ADD }));
	memcpy(&value.ops, &x.ops.v, sizeof(value.ops));
	vec_push(x.arena, &frame->pieces, value);
	r->ret->entry_reg = r->x.entry_reg;
	r->ret->return_at = frame;
	return 0;
}

/* Whether a location without pieces names one register, or its value at the entry, for a value that
 * no such register can hold. Clang's code of 32 bits has that for the lower half of a long long. */
static bool is_too_narrow(const struct reading *r, Dwarf_Die *die)
{
	const struct location_piece *p = r->ret->pieces.n == 1 ? &r->ret->pieces.v[0] : NULL;
	const struct location_op *op = p && p->ops.n ? p->ops.v : NULL;
	Dwarf_Word size = 0;
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (!op || !p->is_value || p->bit_size ||
	    (op->kind != LO_REG && op->kind != LO_ENTRY_REG) ||
	    p->ops.n > (op[p->ops.n - 1].kind == LO_ZEXT ? 2 : 1))
		return false;
	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), &type) &&
	       dwarf_aggregate_size(&type, &size) == 0 && size > (r->x.at->db->is_32bit ? 4 : 8);
}

/* Whether it is in the register in which callers passed another type. */
static bool is_as_passed(const struct reading *r, Dwarf_Die *die)
{
	const struct location_piece *p = r->ret->pieces.n == 1 ? &r->ret->pieces.v[0] : NULL;
	Dwarf_Die function = r->x.at->function;

	return p && p->ops.n && p->ops.v[0].kind == LO_SIMD && function.addr &&
	       passing_is_promoted(&function, die);
}

/* Whether a location may be the value itself: before DWARF 4, which has DW_OP_stack_value, LLVM
 * writes the same for a computed number and for its address. No number is in memory at an address
 * that an argument register or a constant has. */
static bool is_unmarked(const struct reading *r, Dwarf_Die *die)
{
	Dwarf_Half version = 4;
	Dwarf_Die type, class;

	dwarf_cu_info(die->cu, &version, NULL, NULL, NULL, NULL, NULL, NULL);
	if (version >= 4 || !r->x.at->db->is_program || !dwarf_read_target(die, &type) ||
	    classes_of(&type, &class) || dwarf_units_is_by_gcc(die))
		return false;
	vec_each(p, &r->ret->pieces) {
		const struct location_op *op = p->is_value || !p->ops.n ? NULL : p->ops.v;

		if (op && (op->kind == LO_ENTRY_REG || op->kind == LO_CONST ||
			   (op->kind == LO_REG && arch_argument(op->name) >= 0)))
			return true;
	}
	return false;
}

int location_of(const struct location_place *at, Dwarf_Die *die, struct location *ret,
		const char **why)
{
	struct reading r = {
		.x = { .arena = at->db->arena, .at = at }, .ret = ret,
	};

	memset(&ret->pieces, 0, sizeof(ret->pieces));
	ret->entry_reg = NULL;
	ret->return_at = NULL;

	int err = read_die(&r, die);

	if (!err && is_too_narrow(&r, die)) {
		r.x.why = "debug information has only a part of it, in a register";
		err = -ENODATA;
	}
	if (!err && is_as_passed(&r, die)) {
		r.x.why = PASSING_PROMOTED;
		err = -ENODATA;
	}
	if (!err && is_unmarked(&r, die)) {
		r.x.why = "debug information before DWARF 4 does not say whether it has the value "
			  "or its address";
		err = -ENODATA;
	}
	if (!err && r.x.entry_reg)
		err = find_frame(&r);
	if (err && slot_at_entry(at, die, ret))
		return 0;
	if (err)
		*why = r.x.why;
	return err;
}
