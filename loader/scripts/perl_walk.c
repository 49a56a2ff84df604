/* SPDX-License-Identifier: GPL-2.0 */
/* The walk over Perl's contexts, and the search for the line of a place. */
#include "scripts/perl.h"

static void emit_start(struct script_program *p, const struct perl_layout *l, uint64_t key)
{
	find_interpreter(p, key);
	if_zero(p, TEMP, NO_THREAD);
	script_load(p, STACK, TEMP, l->stackinfo, 8);
	script_load(p, COP, TEMP, l->cop, 8);
	script_load(p, OP, TEMP, INTERPRETER_OP, 8);
	add(p, OP, OP, OP_IS_IT);
}

/* @ret = the context whose number is INDEX. */
static void address_context(struct script_program *p, unsigned ret)
{
	script_op(p, PRT_SCRIPT_TIMES, ret, INDEX, 0, CONTEXT_SIZE);
	script_op(p, PRT_SCRIPT_SUM, ret, ret, CONTEXTS, 0);
}

/* Loads that are compared with those of the last time go to ZERO as well. */
static void clear_zero(struct script_program *p)
{
	script_op(p, PRT_SCRIPT_LESS, ZERO, ZERO, ZERO, 0);
}

/* A context at the same place comes again if it has the same sub, and was pushed by the same
 * statement. That an eval has the same name follows from what it returns to. */
static void emit_same(struct script_program *p)
{
	script_same(p, CONTEXT);
	script_load(p, CONTEXTS, STACK, STACK_CONTEXTS, 8);
	script_load(p, COP, INNER, CONTEXT_COP, 8);
	script_load(p, OP, INNER, CONTEXT_RETURN, 8);
	script_load(p, HINTS, COP, COP_HINTS, 8);
	script_load(p, TEMP, COP, COP_LINE - 4, 8);
	script_load(p, FLAGS, CONTEXT, CONTEXT_TYPE, 8);
	script_load(p, LINE, CONTEXT, CONTEXT_RETURN, 8);
	script_load(p, KIND, CONTEXT, CONTEXT_NEXT_SUB, 8);
	script_load(p, CV, CONTEXT, CONTEXT_CV, 8);
	script_load(p, NAME, CV, SV_BODY, 8);
	script_load(p, FILE_NAME, NAME, CV_GV, 8);
	script_load(p, ZERO, NAME, CV_SEQUENCE, 8);
	script_same_end(p);
}

/* Where a stack ends, the way on depends on what is outwards of it; INNER stays what it is. */
static void emit_same_end(struct script_program *p)
{
	script_label(p, AT_STACK_END);
	script_same(p, INNER);
	script_load(p, OP, INNER, CONTEXT_RETURN, 8);
	script_load(p, KIND, STACK, STACK_TOP_SUB, 8);  /* and STACK_TYPE */
	script_load(p, TEMP, STACK, STACK_PREV, 8);
	script_load(p, FLAGS, TEMP, STACK_TOP_SUB, 8);
	script_load(p, CONTEXTS, TEMP, STACK_CONTEXTS, 8);
	script_same_end(p);
	jump(p, RELOAD);
}

static void emit_stack(struct script_program *p)
{
	script_label(p, IN_STACK);
	if_zero(p, STACK, DAMAGED);
	script_load(p, INDEX, STACK, STACK_TOP_SUB, -4);

	script_label(p, NEXT);
	if_zero(p, INNER, KNOWN_PLACE);
	script_load(p, CONTEXTS, STACK, STACK_CONTEXTS, 8);
	script_op(p, PRT_SCRIPT_IF_BELOW, INDEX, ZERO, 0, AT_STACK_END);
	address_context(p, CONTEXT);
	emit_same(p);

	script_label(p, RELOAD);
	clear_zero(p);
	script_load(p, COP, INNER, CONTEXT_COP, 8);
	script_load(p, OP, INNER, CONTEXT_RETURN, 8);
}

/* Registers of the search for a line. */
enum {
	PLACE = CV,               /* an operation */
	TOP = FLAGS,              /* that of the whole statement */
	TYPE = FILE_NAME, OP_BITS = NAME, SIBLING = NAME, TARGET = LINE,
	PARENT = KIND,
	LEFT = CONTEXT,           /* operations that are still looked at */
	EARLIER = CONTEXTS,       /* the nextstate that was found, or 0 */
};

static void emit_count(struct script_program *p)
{
	add(p, LEFT, LEFT, -1);
	if_zero(p, LEFT, NO_EARLIER);
}

/* PLACE = the operation below TOP that goes on at OP. */
static void emit_down(struct script_program *p, const struct perl_layout *l)
{
	script_label(p, AT_PLACE);
	emit_count(p);
	script_load(p, TEMP, PLACE, OP_NEXT, 8);
	script_load(p, TYPE, PLACE, OP_TYPE, 2);
	script_load(p, OP_BITS, PLACE, OP_FLAGS, 1);
	script_op(p, PRT_SCRIPT_IF_OTHER, TEMP, OP, 0, AT_KIDS);
	and_mask(p, TEMP, TYPE, OP_TYPE_MASK);
	add(p, TEMP, TEMP, -l->scope);
	if_not(p, TEMP, AT_PARENT);

	script_label(p, AT_KIDS);
	and_mask(p, OP_BITS, OP_BITS, OP_HAS_KIDS);
	if_zero(p, OP_BITS, AT_SIBLING);
	script_load(p, PLACE, PLACE, OP_FIRST, 8);
	if_not(p, PLACE, AT_PLACE);
	jump(p, NO_EARLIER);

	/* The last one of an operation has it as its sibling. */
	script_label(p, AT_SIBLING);
	emit_count(p);
	script_op(p, PRT_SCRIPT_IF_SAME, PLACE, TOP, 0, NO_EARLIER);
	script_load(p, PLACE, PLACE, OP_SIBLING, 8);
	if_zero(p, PLACE, NO_EARLIER);
	and_mask(p, TYPE, TYPE, OP_HAS_SIBLING);
	if_not(p, TYPE, AT_PLACE);
	script_load(p, TYPE, PLACE, OP_TYPE, 2);
	jump(p, AT_SIBLING);
}

/* EARLIER = the nearest nextstate before PLACE among its siblings or those of the operations that
 * it is part of, below TOP. */
static void emit_up(struct script_program *p, const struct perl_layout *l)
{
	script_label(p, AT_PARENT);
	script_op(p, PRT_SCRIPT_IF_SAME, PLACE, TOP, 0, IS_TOP);
	add(p, PARENT, PLACE, 0);
	script_label(p, TO_LAST);
	emit_count(p);
	script_load(p, TYPE, PARENT, OP_TYPE, 2);
	script_load(p, PARENT, PARENT, OP_SIBLING, 8);
	if_zero(p, PARENT, NO_EARLIER);
	and_mask(p, TYPE, TYPE, OP_HAS_SIBLING);
	if_not(p, TYPE, TO_LAST);
	if_not(p, EARLIER, HAS_EARLIER);
	script_load(p, SIBLING, PARENT, OP_FIRST, 8);

	script_label(p, AT_EARLIER);
	emit_count(p);
	if_zero(p, SIBLING, NO_EARLIER);
	script_load(p, TYPE, SIBLING, OP_TYPE, 2);
	script_load(p, TARGET, SIBLING, OP_TARGET, 8);
	and_mask(p, TYPE, TYPE, OP_TYPE_MASK);
	if_not(p, TYPE, IS_NO_COP);   /* what is optimised away has type 0, and its own here: */
	add(p, TARGET, TARGET, -l->nextstate);
	if_not(p, TARGET, IS_NO_COP);
	add(p, EARLIER, SIBLING, 0);
	script_label(p, IS_NO_COP);
	script_op(p, PRT_SCRIPT_IF_SAME, SIBLING, PLACE, 0, HAS_EARLIER);
	script_load(p, SIBLING, SIBLING, OP_SIBLING, 8);
	jump(p, AT_EARLIER);

	script_label(p, HAS_EARLIER);
	add(p, PLACE, PARENT, 0);
	jump(p, AT_PARENT);
}

/* LINE = that of COP and OP, as Perl_closest_cop() finds it. That of PL_compiling, which has no
 * sibling, changes. */
static void emit_line(struct script_program *p, const struct perl_layout *l)
{
	script_label(p, KNOWN_PLACE);
	script_load(p, HINTS, COP, COP_HINTS, 8);
	script_op(p, PRT_SCRIPT_MEMO, LINE, HINTS, LINE_KEY_SIZE, HAS_LINE);
	script_load(p, LINE, COP, COP_LINE, 4);
	script_load(p, TYPE, COP, OP_TYPE, 2);
	script_load(p, TOP, COP, OP_SIBLING, 8);
	and_mask(p, TYPE, TYPE, OP_HAS_SIBLING);
	if_zero(p, TYPE, HAS_LINE);
	and_mask(p, PLACE, OP, ~OP_IS_IT);
	if_zero(p, PLACE, HAS_LINE);
	set(p, LEFT, PLACES_MAX);
	set(p, EARLIER, 0);
	script_op(p, PRT_SCRIPT_IF_OTHER, PLACE, OP, 0, AT_PARENT);
	add(p, PLACE, TOP, 0);
	emit_down(p, l);
	emit_up(p, l);
	script_label(p, NO_EARLIER);
	add(p, EARLIER, COP, 0);
	script_label(p, IS_TOP);
	if_zero(p, EARLIER, NO_EARLIER);
	script_load(p, LINE, EARLIER, COP_LINE, 4);
	script_op(p, PRT_SCRIPT_REMEMBER, LINE, HINTS, LINE_KEY_SIZE, 0);
}

/* A frame at CONTEXT. Where the array of contexts is changes when it grows; the number of a context
 * is that of its place in the stack. */
static void emit_frame(struct script_program *p)
{
	script_op(p, PRT_SCRIPT_SHIFT, TEMP, STACK, 0, -STACK_NUMBER_SHIFT);
	script_op(p, PRT_SCRIPT_SUM, TEMP, TEMP, CONTEXT, 0);
	script_op(p, PRT_SCRIPT_LESS, TEMP, TEMP, CONTEXTS, 0);
	add(p, INNER, CONTEXT, 0);
	script_op(p, PRT_SCRIPT_FRAME, LINE, KIND, KEY_SIZE, TEMP + 1);
}

static void emit_contexts(struct script_program *p)
{
	script_label(p, HAS_LINE);
	script_load(p, FILE_NAME, COP, COP_FILE, 8);
	script_load(p, CONTEXTS, STACK, STACK_CONTEXTS, 8);
	script_op(p, PRT_SCRIPT_IF_BELOW, INDEX, ZERO, 0, STACK_ENDS);
	address_context(p, CONTEXT);
	script_load(p, FLAGS, CONTEXT, CONTEXT_TYPE, 1);
	script_load(p, INDEX, CONTEXT, CONTEXT_NEXT_SUB, -4);
	and_mask(p, KIND, FLAGS, TYPE_MASK);
	if_is(p, KIND, TYPE_EVAL, IS_EVAL);

	/* A sub or a format. */
	and_mask(p, TEMP, FLAGS, SUB_IS_FAKE);
	if_not(p, TEMP, IS_HIDDEN);
	script_load(p, OP, CONTEXT, CONTEXT_RETURN, 8);
	script_load(p, CV, CONTEXT, CONTEXT_CV, 8);
	script_load(p, NAME, CV, SV_BODY, 8);
	script_load(p, SEQUENCE, NAME, CV_SEQUENCE, 4);
	script_load(p, NAME, NAME, CV_GV, 8);
	set(p, KIND, 0);
	emit_frame(p);
	if_not(p, OP, NEXT);

	/* C code has called it. The eval of that call is shown with it. A sub that is called at the
	 * end of (?{ }) returns nowhere, either. */
	script_op(p, PRT_SCRIPT_IF_BELOW, INDEX, ZERO, 0, BEGAN_LOOP);
	script_load(p, CONTEXTS, STACK, STACK_CONTEXTS, 8);
	address_context(p, TEMP);
	script_load(p, FLAGS, TEMP, CONTEXT_TYPE, 1);
	script_load(p, OP, TEMP, CONTEXT_RETURN, 8);
	and_mask(p, FLAGS, FLAGS, TYPE_MASK | EVAL_IS_BLOCK);
	if_is(p, FLAGS, TYPE_SUB | SUB_IS_PATTERN, NEXT);
	add(p, TEMP, FLAGS, -(TYPE_EVAL | EVAL_IS_BLOCK));
	if_not(p, TEMP, BEGAN_LOOP);
	if_zero(p, OP, NEXT);

	script_label(p, BEGAN_LOOP);
	script_op(p, PRT_SCRIPT_YIELD, 0, 0, 0, 0);
	clear_zero(p);
	jump(p, NEXT);

	script_label(p, IS_HIDDEN);
	script_load(p, TEMP, CONTEXT, CONTEXT_RETURN, 8);
	if_not(p, TEMP, NEXT);
	jump(p, BEGAN_LOOP);
}

/* SEQUENCE of an eval at COP. PL_compiling has none: the number of the next statement that is
 * compiled will do. */
static void emit_sequence(struct script_program *p, const struct perl_layout *l, uint64_t key)
{
	script_load(p, SEQUENCE, COP, COP_SEQUENCE, 4);
	if_not(p, SEQUENCE, HAS_SEQUENCE);
	find_interpreter(p, key);
	script_load(p, SEQUENCE, TEMP, l->sequence, 4);
	script_label(p, HAS_SEQUENCE);
}

static void emit_evals(struct script_program *p, const struct perl_layout *l, uint64_t key)
{
	script_label(p, IS_EVAL);
	script_load(p, KIND, CONTEXT, CONTEXT_NUMBERS, 2);
	script_load(p, OP, CONTEXT, CONTEXT_RETURN, 8);
	script_op(p, PRT_SCRIPT_SHIFT, KIND, KIND, 0, EVAL_OP_SHIFT);
	set(p, NAME, 0);
	if_not(p, OP, IS_OWN_EVAL);
	and_mask(p, TEMP, FLAGS, EVAL_IS_BLOCK);
	if_zero(p, TEMP, IS_OWN_EVAL);
	set(p, KIND, l->entertry);    /* by call_sv() */
	jump(p, EVAL_FRAME);

	/* By the script, or by eval_sv(), which returns nowhere. */
	script_label(p, IS_OWN_EVAL);
	and_mask(p, TEMP, FLAGS, EVAL_IS_TRY);
	if_not(p, TEMP, NEXT);

	script_label(p, EVAL_FRAME);
	emit_sequence(p, l, key);
	script_op(p, PRT_SCRIPT_LESS, CV, INNER, CONTEXT, 0);
	emit_frame(p);
	if_not(p, OP, NEXT);
	if (!l->loop_calls) {
		/* Nothing but a sub that is next to the eval of its call is in a loop. */
		add(p, TEMP, KIND, -l->entertry);
		if_not(p, TEMP, BEGAN_LOOP);
		add(p, TEMP, CV, -CONTEXT_SIZE);
		if_not(p, TEMP, NEXT);
	}
	jump(p, BEGAN_LOOP);
}

static void emit_stack_ends(struct script_program *p, const struct perl_layout *l)
{
	enum { TOP_SUB = CV };

	script_label(p, STACK_ENDS);
	script_load(p, TOP_SUB, STACK, STACK_TOP_SUB, -4);
	script_load(p, KIND, STACK, STACK_TYPE, 4);
	script_load(p, STACK, STACK, STACK_PREV, 8);
	if_is(p, KIND, STACK_MAIN, IN_MAIN);
	if_is(p, KIND, STACK_SORT, IS_SORT);
	if (l->loop_calls) {
		script_op(p, PRT_SCRIPT_IF_BELOW, TOP_SUB, ZERO, 0, IS_EMPTY);
		jump(p, IN_STACK);
		script_label(p, IS_EMPTY);
		if_is(p, KIND, STACK_MAGIC, HAS_LOOP);
		if_is(p, KIND, STACK_OVERLOAD, HAS_LOOP);
	}
	jump(p, IN_STACK);

	/* Its outermost sub was called by C code, or by the block. */
	script_label(p, IS_SORT);
	script_op(p, PRT_SCRIPT_IF_BELOW, TOP_SUB, ZERO, 0, HAS_LOOP);
	if_zero(p, INNER, HAS_LOOP);
	script_load(p, TEMP, INNER, CONTEXT_RETURN, 8);
	if_zero(p, TEMP, IN_STACK);
	script_label(p, HAS_LOOP);
	script_op(p, PRT_SCRIPT_YIELD, 0, 0, 0, 0);
	clear_zero(p);
	jump(p, IN_STACK);
}

static void emit_ends(struct script_program *p)
{
	enum { TOP_SUB = CV };

	/* C code, not the main program, has called the outermost context if that began a loop. */
	script_label(p, IN_MAIN);
	script_op(p, PRT_SCRIPT_IF_BELOW, TOP_SUB, ZERO, 0, IS_PROGRAM);
	if_zero(p, INNER, IS_PROGRAM);
	script_load(p, TEMP, INNER, CONTEXT_RETURN, 8);
	if_zero(p, TEMP, NO_MAIN);
	script_label(p, IS_PROGRAM);
	set(p, NAME, 0);
	script_load(p, SEQUENCE, COP, COP_SEQUENCE, 4);
	set(p, KIND, KIND_MAIN);
	script_op(p, PRT_SCRIPT_FRAME, LINE, KIND, KEY_SIZE, ZERO + 1);
	script_label(p, NO_MAIN);
	script_op(p, PRT_SCRIPT_END, 0, 0, 0, PRT_SCRIPT_WHOLE);
	script_label(p, NO_THREAD);
	script_op(p, PRT_SCRIPT_END, 0, 0, 0, PRT_SCRIPT_NO_THREAD);
	script_label(p, DAMAGED);
	script_op(p, PRT_SCRIPT_END, 0, 0, 0, PRT_SCRIPT_DAMAGED);
}

void perl_walk(struct script_program *p, const struct perl_layout *l, uint64_t key)
{
	emit_start(p, l, key);
	emit_stack(p);
	emit_line(p, l);
	emit_contexts(p);
	emit_evals(p, l, key);
	emit_stack_ends(p, l);
	emit_ends(p);
	emit_same_end(p);
}
