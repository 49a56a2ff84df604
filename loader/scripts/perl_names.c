/* SPDX-License-Identifier: GPL-2.0 */
/* The description of a sub, an eval or the main program: its file and its name. */
#include "scripts/perl.h"

/* The name that begins at the HEK in @a. @utf8 and @after are labels for this alone. */
static void emit_name(struct script_program *p, unsigned a, enum prt_script_kind kind,
		      unsigned utf8, unsigned after)
{
	enum { LENGTH = INDEX, BITS = CV };

	script_load(p, LENGTH, a, HEK_LENGTH, -4);
	add(p, TEMP, a, HEK_KEY);
	script_op(p, PRT_SCRIPT_SUM, BITS, TEMP, LENGTH, 0);
	script_load(p, BITS, BITS, 1, 1);   /* behind the NUL */
	and_mask(p, BITS, BITS, HEK_IS_UTF8);
	if_not(p, BITS, utf8);
	script_op(p, PRT_SCRIPT_TEXT, TEMP, LENGTH, kind, 1);
	jump(p, after);
	script_label(p, utf8);
	script_op(p, PRT_SCRIPT_TEXT, TEMP, LENGTH, kind, PRT_SCRIPT_UTF8);
	script_label(p, after);
}

/* CLASS = the name of the package CLASS; 0: it has none. */
static void emit_package(struct script_program *p, const struct perl_layout *l)
{
	enum { BODY = TEMP, BITS = INDEX, ARRAY = CONTEXTS };

	if_zero(p, CLASS, HAS_CLASS);
	script_load(p, BODY, CLASS, SV_BODY, 8);
	script_load(p, BITS, CLASS, SV_FLAGS, 4);
	script_load(p, ARRAY, CLASS, SV_VALUE, 8);
	set(p, CLASS, 0);
	and_mask(p, BITS, BITS, HV_HAS_AUXILIARY);
	if_zero(p, BITS, HAS_CLASS);
	if (l->auxiliary_is_last) {
		script_load(p, BODY, BODY, HV_MAX, 8);
		script_op(p, PRT_SCRIPT_SHIFT, BODY, BODY, 0, -3);
		script_op(p, PRT_SCRIPT_SUM, BODY, BODY, ARRAY, 0);
		add(p, BODY, BODY, 8);
	} else {
		add(p, BODY, BODY, HV_AUXILIARY);
	}
	script_load(p, CLASS, BODY, AUX_NAME, 8);
	script_load(p, BITS, BODY, AUX_NAMES, 4);
	if_zero(p, CLASS, HAS_CLASS);
	if_zero(p, BITS, HAS_CLASS);
	script_load(p, CLASS, CLASS, 0, 8); /* one of several */
	script_label(p, HAS_CLASS);
}

/* NAME and CLASS of a sub, as cv_name() finds them. */
static void emit_sub(struct script_program *p)
{
	enum { BODY = TEMP, BITS = INDEX, GP = CONTEXTS };

	if_zero(p, NAME, HAS_NAME);
	script_load(p, BODY, CV, SV_BODY, 8);
	script_load(p, BITS, BODY, CV_FLAGS, 4);
	script_load(p, CLASS, BODY, CV_STASH, 8);
	and_mask(p, TEMP, BITS, CV_IS_NAMED);
	if_not(p, TEMP, HAS_OWN_NAME);
	/* NAME is a GV. That under which it was made has the name. */
	script_load(p, GP, NAME, SV_VALUE, 8);
	if_zero(p, GP, IS_EGV);
	script_load(p, GP, GP, GP_EGV, 8);
	if_zero(p, GP, IS_EGV);
	add(p, NAME, GP, 0);
	script_label(p, IS_EGV);
	script_load(p, BODY, NAME, SV_BODY, 8);
	script_load(p, CLASS, BODY, GV_STASH, 8);
	script_load(p, NAME, BODY, GV_NAME, 8);
	script_label(p, HAS_OWN_NAME);
	if_zero(p, NAME, HAS_NAME);
	and_mask(p, TEMP, BITS, CV_IS_LEXICAL);
	if_not(p, TEMP, CLASS_IS_WRITTEN);
	jump(p, IN_PACKAGE);
}

/* An eval has the name of its operation, the main program that of its package. */
static void emit_others(struct script_program *p, const struct perl_layout *l, uint64_t key,
			uint64_t names)
{
	script_label(p, IS_NO_SUB);
	if_is(p, KIND, KIND_MAIN, IS_MAIN);
	script_address(p, TEMP, names);
	script_op(p, PRT_SCRIPT_SHIFT, KIND, KIND, 0, -3);
	script_op(p, PRT_SCRIPT_SUM, TEMP, TEMP, KIND, 0);
	script_load(p, TEMP, TEMP, 0, 8);
	script_op(p, PRT_SCRIPT_STRING, TEMP, 0, PRT_SCRIPT_NAME, 0);
	jump(p, HAS_NAME);

	script_label(p, IS_MAIN);
	find_interpreter(p, key);
	script_load(p, CLASS, TEMP, l->defstash, 8);
}

void perl_describe(struct script_program *p, const struct perl_layout *l, uint64_t key,
		   uint64_t names)
{
	script_describe(p);
	script_op(p, PRT_SCRIPT_STRING, FILE_NAME, 0, PRT_SCRIPT_FILE, 0);
	if_not(p, KIND, IS_NO_SUB);
	emit_sub(p);
	emit_others(p, l, key, names);
	script_label(p, IN_PACKAGE);
	emit_package(p, l);
	if_not(p, NAME, CLASS_IS_FOUND);
	add(p, NAME, CLASS, 0);
	if_zero(p, NAME, HAS_NAME);
	jump(p, CLASS_IS_WRITTEN);
	script_label(p, CLASS_IS_FOUND);
	if_zero(p, CLASS, CLASS_IS_WRITTEN);
	emit_name(p, CLASS, PRT_SCRIPT_CLASS, CLASS_IS_UTF8, CLASS_IS_WRITTEN);
	emit_name(p, NAME, PRT_SCRIPT_NAME, NAME_IS_UTF8, HAS_NAME);
	script_op(p, PRT_SCRIPT_END, 0, 0, 0, PRT_SCRIPT_WHOLE);
}

