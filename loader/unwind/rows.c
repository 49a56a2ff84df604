/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The instructions of call frame information are those of a small machine. Its state is one row of
 * a table, the rule of each register, and the instruction "advance" moves it to a later address.
 *
 * A rule that is a DWARF expression is understood in the forms that compilers, assemblers and
 * linkers write: a register and an offset, the word there, and the entries of a procedure linkage
 * table.
 */
#include "unwind/rows.h"

#include "arch/arch.h"
#include "unwind/pointer.h"
#include "unwind/private.h"

enum { STATES = 32 /* remembered at once */ };

/* ---- expressions ---- */

enum { OP_DEREF = 0x06, OP_PLUS_CONSTANT = 0x23, OP_BREG0 = 0x70 };

/* bregN OFFSET, the whole expression or its beginning. */
static bool read_base(const struct frames *f, struct bytes *c, unsigned char *reg, int64_t *offset)
{
	uint64_t op = bytes_fixed(c, 1), number;

	if (op < OP_BREG0)
		return false;
	number = frames_register(f, op - OP_BREG0);
	if (number >= PRT_UNWIND_REGISTERS)
		return false;
	*reg = (unsigned char)number;
	*offset = bytes_sleb(c);
	return !c->bad;
}

/* deref, and a small constant that is added. */
static bool read_load(struct bytes *c, unsigned char *add)
{
	uint64_t n = 0;

	if (bytes_fixed(c, 1) != OP_DEREF)
		return false;
	if (c->p < c->end) {
		if (bytes_fixed(c, 1) != OP_PLUS_CONSTANT)
			return false;
		n = bytes_uleb(c);
	}
	*add = (unsigned char)n;
	return !c->bad && c->p == c->end && n <= UINT8_MAX;
}

/* The bytes of an expression; @c continues after them. */
static struct bytes take_block(struct bytes *c)
{
	uint64_t size = bytes_uleb(c);
	struct bytes block = *c;

	bytes_skip(c, size);
	block.end = c->p;
	block.bad = c->bad;
	return block;
}

static void set_cfa_expression(const struct frames *f, struct bytes *c, struct frame_row *row)
{
	struct bytes block = take_block(c);
	unsigned char reg = 0;

	row->cfa = PRT_UNWIND_UNKNOWN;
	if (block.bad)
		return;
	if (f->is_32bit ? arch_is_plt_of_32bit(block.p, bytes_left(&block), &row->plt) :
			  arch_is_plt(block.p, bytes_left(&block), &row->plt)) {
		row->cfa = PRT_UNWIND_PLT;
		row->expression_reg = PRT_UNWIND_SP;
		row->expression_offset = row->add = (unsigned char)frames_word(f);
		return;
	}
	if (!read_base(f, &block, &reg, &row->expression_offset))
		return;
	row->expression_reg = reg;
	if (read_load(&block, &row->add))
		row->cfa = PRT_UNWIND_LOAD;
}

/* ---- instructions ---- */

struct machine {
	const struct frames *of;
	struct frames_common *common;
	struct bytes c;
	struct frame_row row;
	struct frame_row *remembered;
	unsigned nremembered;
	uint64_t address;
	struct prt_unwind_rule rule; /* of an earlier row */
	bool other_registers; /* their rules may have changed since that row */
};

static void set_register(struct machine *m, uint64_t reg, struct register_rule rule)
{
	if (reg >= ROW_REGISTERS)
		return;
	m->row.rules[reg] = rule;
	m->other_registers = true;
}

static void set_rule(struct machine *m, uint64_t number, enum rule_kind kind, int64_t offset)
{
	set_register(m, frames_register(m->of, number),
		     (struct register_rule){ .kind = kind, .offset = offset });
}

static int64_t factored(const struct machine *m, int64_t n)
{
	return (int64_t)((uint64_t)n * (uint64_t)m->common->data_factor);
}

static void set_expression(struct machine *m)
{
	uint64_t number = bytes_uleb(&m->c), reg = frames_register(m->of, number);
	struct bytes block = take_block(&m->c);
	unsigned char base = 0;
	int64_t offset = 0;

	if (!block.bad && read_base(m->of, &block, &base, &offset) && block.p == block.end &&
	    reg < ROW_REGISTERS)
		set_register(m, reg, (struct register_rule){ AT_BASE, base, offset });
	else
		set_rule(m, number, OTHER, 0);
}

static void restore(struct machine *m, uint64_t number)
{
	uint64_t reg = frames_register(m->of, number);

	if (reg < ROW_REGISTERS)
		set_register(m, reg, m->common->first.rules[reg]);
}

static void remember(struct machine *m)
{
	if (m->nremembered == STATES) {
		m->c.bad = true;
		return;
	}
	m->remembered[m->nremembered++] = m->row;
}

static void recall(struct machine *m)
{
	if (!m->nremembered) {
		m->c.bad = true;
		return;
	}
	m->row = m->remembered[--m->nremembered];
	m->other_registers = true;
}

static void set_cfa_register(struct machine *m, uint64_t reg)
{
	m->row.cfa = PRT_UNWIND_REG;
	m->row.reg = reg;
}

/* DW_CFA_..., DWARF 5, table 7.29; those of GNU: LSB 5.0 Core, 10.4.1. */
enum {
	CFA_ADVANCE = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0, CFA_HIGH = 0xc0,
	CFA_NOP = 0x00, CFA_SET_LOC = 0x01, CFA_ADVANCE1 = 0x02, CFA_ADVANCE2 = 0x03,
	CFA_ADVANCE4 = 0x04, CFA_OFFSET_EXTENDED = 0x05, CFA_RESTORE_EXTENDED = 0x06,
	CFA_UNDEFINED = 0x07, CFA_SAME_VALUE = 0x08, CFA_REGISTER = 0x09, CFA_REMEMBER = 0x0a,
	CFA_RECALL = 0x0b, CFA_DEF_CFA = 0x0c, CFA_DEF_CFA_REGISTER = 0x0d,
	CFA_DEF_CFA_OFFSET = 0x0e, CFA_DEF_CFA_EXPRESSION = 0x0f, CFA_EXPRESSION = 0x10,
	CFA_OFFSET_SF = 0x11, CFA_DEF_CFA_SF = 0x12, CFA_DEF_CFA_OFFSET_SF = 0x13,
	CFA_VAL_OFFSET = 0x14, CFA_VAL_OFFSET_SF = 0x15, CFA_VAL_EXPRESSION = 0x16,
	CFA_AARCH64_NEGATE_RA_STATE = 0x2d, /* the return address is signed, or no longer */
	CFA_GNU_ARGS_SIZE = 0x2e, CFA_GNU_NEGATIVE_OFFSET = 0x2f,
};

/* Instructions that set the rule of a register. false: it is another one. */
static bool run_register(struct machine *m, unsigned op)
{
	struct bytes *c = &m->c;
	uint64_t reg;

	switch (op) {
	case CFA_OFFSET_EXTENDED:
		reg = bytes_uleb(c);
		set_rule(m, reg, AT_CFA, factored(m, (int64_t)bytes_uleb(c)));
		return true;
	case CFA_OFFSET_SF:
		reg = bytes_uleb(c);
		set_rule(m, reg, AT_CFA, factored(m, bytes_sleb(c)));
		return true;
	case CFA_GNU_NEGATIVE_OFFSET:
		reg = bytes_uleb(c);
		set_rule(m, reg, AT_CFA, -factored(m, (int64_t)bytes_uleb(c)));
		return true;
	case CFA_RESTORE_EXTENDED:
		restore(m, bytes_uleb(c));
		return true;
	case CFA_UNDEFINED:
		set_rule(m, bytes_uleb(c), UNDEFINED, 0);
		return true;
	case CFA_SAME_VALUE:
		set_rule(m, bytes_uleb(c), SAME, 0);
		return true;
	case CFA_EXPRESSION:
		set_expression(m);
		return true;
	case CFA_REGISTER:
		reg = bytes_uleb(c);
		set_rule(m, reg, IN_REGISTER,
			 (int64_t)frames_register(m->of, bytes_uleb(c)));
		return true;
	case CFA_VAL_OFFSET:
	case CFA_VAL_OFFSET_SF:
		set_rule(m, bytes_uleb(c), OTHER, 0);
		bytes_uleb(c);
		return true;
	case CFA_VAL_EXPRESSION:
		set_rule(m, bytes_uleb(c), OTHER, 0);
		take_block(c);
		return true;
	}
	return false;
}

/* Instructions that set the CFA. false: it is another one. */
static bool run_cfa(struct machine *m, unsigned op)
{
	struct bytes *c = &m->c;

	switch (op) {
	case CFA_DEF_CFA:
		set_cfa_register(m, frames_register(m->of, bytes_uleb(c)));
		m->row.offset = (int64_t)bytes_uleb(c);
		return true;
	case CFA_DEF_CFA_SF:
		set_cfa_register(m, frames_register(m->of, bytes_uleb(c)));
		m->row.offset = factored(m, bytes_sleb(c));
		return true;
	case CFA_DEF_CFA_REGISTER:
		set_cfa_register(m, frames_register(m->of, bytes_uleb(c)));
		return true;
	case CFA_DEF_CFA_OFFSET:
		m->row.offset = (int64_t)bytes_uleb(c);
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		m->row.offset = factored(m, bytes_sleb(c));
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		set_cfa_expression(m->of, c, &m->row);
		return true;
	}
	return false;
}

/* Instructions that begin a row. false: it is another one. @address: that of the operand. */
static bool run_advance(struct machine *m, unsigned op, uint64_t address)
{
	uint64_t by;

	switch (op) {
	case CFA_SET_LOC:
		by = pointer_read(&m->c, m->common->encoding, frames_word(m->of), address);
		m->c.bad |= by < m->address;
		m->address = by;
		return true;
	case CFA_ADVANCE1:
		by = bytes_fixed(&m->c, 1);
		break;
	case CFA_ADVANCE2:
		by = bytes_fixed(&m->c, 2);
		break;
	case CFA_ADVANCE4:
		by = bytes_fixed(&m->c, 4);
		break;
	default:
		if ((op & CFA_HIGH) != CFA_ADVANCE)
			return false;
		by = op & 0x3f;
	}
	by *= m->common->code_factor;
	m->c.bad |= by > UINT64_MAX - m->address;
	m->address += by;
	return true;
}

/* An instruction that begins no row. `bad`: it is not known. */
static void run_one(struct machine *m, unsigned op)
{
	if ((op & CFA_HIGH) == CFA_OFFSET)
		set_rule(m, op & 0x3f, AT_CFA, factored(m, (int64_t)bytes_uleb(&m->c)));
	else if ((op & CFA_HIGH) == CFA_RESTORE)
		restore(m, op & 0x3f);
	else if (op == CFA_REMEMBER)
		remember(m);
	else if (op == CFA_RECALL)
		recall(m);
	else if (op == CFA_GNU_ARGS_SIZE)
		bytes_uleb(&m->c);
	else if (op != CFA_NOP && !(op == CFA_AARCH64_NEGATE_RA_STATE && PRT_UNWIND_RA_KEPT) &&
		 !run_register(m, op) && !run_cfa(m, op))
		m->c.bad = true;
}

/* ---- rules ---- */

static bool fits(int64_t n) { return n >= INT32_MIN && n <= INT32_MAX; }

/* Where a signal's frame has each register, in words of @words; PRT_UNWIND_NO_SIGNAL_WORD: nowhere.
 * All registers are in one struct sigcontext, whose first one of these is @first. */
static bool is_signal_frame(const struct frames *f, const struct frame_row *row,
			    struct prt_unwind_rule *ret)
{
	const unsigned char *words = f->is_32bit ? prt_arch_signal_words_32 : prt_arch_signal_words;
	unsigned word = frames_word(f);
	const struct register_rule *sp_from = &row->rules[PRT_UNWIND_IP];
	int64_t start = sp_from->offset - word * words[PRT_UNWIND_IP];

	if (row->cfa != PRT_UNWIND_LOAD || sp_from->kind != AT_BASE || !fits(start) ||
	    row->expression_reg != sp_from->base || row->add ||
	    row->expression_offset != start + word * words[PRT_UNWIND_SP])
		return false;
	for (unsigned i = 0; i < ROW_REGISTERS; i++) {
		const struct register_rule *it = &row->rules[i];

		if (i != PRT_UNWIND_SP && words[i] != PRT_UNWIND_NO_SIGNAL_WORD &&
		    (it->kind != AT_BASE || it->base != sp_from->base ||
		     it->offset != start + word * words[i]))
			return false;
	}
	*ret = (struct prt_unwind_rule){
		.cfa = f->is_32bit ? PRT_UNWIND_SIGNAL_32 : PRT_UNWIND_SIGNAL,
		.reg = sp_from->base, .offset = (int)start,
	};
	return true;
}

static void add_column(const struct frame_row *row, unsigned column, struct prt_unwind_rule *ret)
{
	const struct register_rule *it = &row->rules[prt_arch_unwind_columns[column]];
	unsigned char bit = (unsigned char)(1u << column);

	if (it->kind == SAME && column != PRT_UNWIND_RA)
		return;
	if (it->kind == IN_REGISTER && column == PRT_UNWIND_RA && it->offset >= 0 &&
	    it->offset < PRT_UNWIND_REGISTERS) {
		ret->ra_reg = (unsigned char)(1 + it->offset);
		return;
	}
	if (it->kind == SAME && PRT_UNWIND_RA_KEPT) {
		ret->ra_reg = 1 + PRT_UNWIND_IP;
		return;
	}
	if ((it->kind != AT_CFA && it->kind != AT_BASE) || !fits(it->offset) ||
	    (it->kind == AT_BASE && ret->by_base && ret->base != it->base)) {
		ret->gone |= bit;
		return;
	}
	ret->stored |= bit;
	ret->at[column] = (int)it->offset;
	if (it->kind == AT_BASE) {
		ret->by_base |= bit;
		ret->base = it->base;
	}
}

static struct prt_unwind_rule rule_of(const struct frames *f, const struct frame_row *row,
				      bool is_signal)
{
	struct prt_unwind_rule ret = { .cfa = (unsigned char)row->cfa };
	bool plain = row->cfa == PRT_UNWIND_REG;
	uint64_t reg = plain ? row->reg : row->expression_reg;
	int64_t offset = plain ? row->offset : row->expression_offset;

	if (row->rules[PRT_UNWIND_IP].kind == UNDEFINED)
		return (struct prt_unwind_rule){ .cfa = PRT_UNWIND_END };
	if (is_signal)
		return is_signal_frame(f, row, &ret) ? ret : (struct prt_unwind_rule){ 0 };
	if (ret.cfa == PRT_UNWIND_UNKNOWN || reg >= PRT_UNWIND_REGISTERS || !fits(offset))
		return (struct prt_unwind_rule){ 0 };
	ret.reg = (unsigned char)reg;
	ret.offset = (int)offset;
	ret.add = ret.cfa == PRT_UNWIND_LOAD || ret.cfa == PRT_UNWIND_PLT ? row->add : 0;
	for (unsigned i = 0; i < PRT_UNWIND_COLUMNS; i++)
		add_column(row, i, &ret);
	if (ret.gone & 1u << PRT_UNWIND_RA)
		return (struct prt_unwind_rule){ 0 };
	/* The entries' code only pushes: no column of a register is used. */
	if (ret.cfa == PRT_UNWIND_PLT)
		ret.at[0] = (int)row->plt;
	return ret;
}

/* Sets `rule` to that of the row. Most rows differ from the one before by the CFA alone. */
static void make_rule(struct machine *m)
{
	const struct frame_row *row = &m->row;

	if (!m->other_registers && m->rule.cfa == PRT_UNWIND_REG && row->cfa == PRT_UNWIND_REG &&
	    row->reg < PRT_UNWIND_REGISTERS && fits(row->offset)) {
		m->rule.reg = (unsigned char)row->reg;
		m->rule.offset = (int)row->offset;
	} else {
		m->rule = rule_of(m->of, row, m->common->is_signal);
	}
	m->other_registers = false;
}

static void run_first(struct frames *f, struct frames_common *common, struct frame_row *remembered)
{
	struct machine m = { .of = f, .common = common, .remembered = remembered,
			     .c = frames_bytes(f, common->at, common->at_end) };

	if (common->has_run)
		return;
	common->has_run = true;
	while (!m.c.bad && m.c.p < m.c.end)
		run_one(&m, (unsigned)bytes_fixed(&m.c, 1));
	common->is_usable = !m.c.bad;
	common->first = m.row;
}

void rows_run(struct frames *f, const struct frames_function *fn,
	      void (*row)(void *arg, uint64_t address, const struct prt_unwind_rule *rule),
	      void *arg)
{
	struct frames_common *common = &f->common[fn->common];
	struct frame_row remembered[STATES];
	struct machine m = { .of = f, .common = common, .remembered = remembered,
			     .address = fn->start,
			     .c = frames_bytes(f, fn->at, fn->at_end) };
	uint64_t from = fn->start;

	run_first(f, common, remembered);
	m.row = common->first;
	m.other_registers = true;
	m.c.bad = !common->is_usable;
	while (!m.c.bad && m.c.p < m.c.end && m.address < fn->end) {
		unsigned op = (unsigned)bytes_fixed(&m.c, 1);

		if (!run_advance(&m, op, frames_address(f, &m.c))) {
			run_one(&m, op);
		} else if (m.address > from) {
			make_rule(&m);
			row(arg, from, &m.rule);
			from = m.address;
		}
	}
	if (m.c.bad)
		m.rule = (struct prt_unwind_rule){ 0 };
	else
		make_rule(&m);
	if (from < fn->end)
		row(arg, from, &m.rule);
}
