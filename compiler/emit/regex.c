/* SPDX-License-Identifier: GPL-2.0 */
/* Regular expressions: tables of the script unit, and the operator. */
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/tables.h"
#include "emit/value.h"

/* Whether the program is needed: not if the table decides every match. */
static bool needs_program(const struct emit *e, const struct regex *re)
{
	return e->p->groups_used || !re->nrows;
}

static void numbers(struct emit *e, const char *type, size_t id, const char *name,
		    const prt_u16 *words, const prt_u8 *bytes, size_t n)
{
	buf_printf(e->out, "static const %s re_%zu_%s[] = {", type, id, name);
	for (size_t i = 0; i < n; i++)
		buf_printf(e->out, "%s%u,", i % 16 ? " " : "\n\t", words ? words[i] : bytes[i]);
	buf_puts(e->out, "\n};\n");
}

static void program(struct emit *e, const struct regex *re, size_t id)
{
	static const char *const ops[] = {
		[PRT_REGEX_BYTE] = "BYTE", [PRT_REGEX_SET] = "SET", [PRT_REGEX_ANY] = "ANY",
		[PRT_REGEX_SPLIT] = "SPLIT", [PRT_REGEX_JUMP] = "JUMP", [PRT_REGEX_SAVE] = "SAVE",
		[PRT_REGEX_BEGIN] = "BEGIN", [PRT_REGEX_END] = "END", [PRT_REGEX_MATCH] = "MATCH",
	};

	buf_printf(e->out, "static const struct prt_regex_inst re_%zu_insts[] = {\n", id);
	vec_each(in, &((struct regex *)re)->insts)
		buf_printf(e->out, "\t{ PRT_REGEX_%s, %u, %u, %u },\n", ops[in->op], in->arg, in->x,
			   in->y);
	buf_puts(e->out, "};\n");
	if (!re->sets.n)
		return;
	buf_printf(e->out, "static const prt_u8 re_%zu_sets[][32] = {\n", id);
	for (size_t i = 0; i < re->sets.n; i++) {
		buf_puts(e->out, "\t{");
		for (int k = 0; k < 32; k++)
			buf_printf(e->out, "%s%u,", k == 16 ? "\n\t  " : " ",
				   re->sets.v[i].bits[k]);
		buf_puts(e->out, " },\n");
	}
	buf_puts(e->out, "};\n");
}

void emit_regex_tables(struct emit *e)
{
	for (size_t i = 0; i < e->p->regexes.n; i++) {
		const struct regex *re = e->p->regexes.v[i];
		bool run = needs_program(e, re);

		if (run)
			program(e, re, i);
		if (re->nrows) {
			numbers(e, "prt_u8", i, "classes", NULL, re->classes, 256);
			numbers(e, "prt_u16", i, "next", re->next, NULL, re->nrows * re->nclasses);
			numbers(e, "prt_u8", i, "at_end", NULL, re->at_end, re->nrows);
		}
		buf_printf(e->out, "static const struct prt_regex re_%zu = {\n"
			   "\t.ninsts = %zu, .ngroups = %u,\n", i,
			   run ? re->insts.n : 0, re->ngroups);
		if (run)
			buf_printf(e->out, "\t.insts = re_%zu_insts,\n", i);
		if (run && re->sets.n)
			buf_printf(e->out, "\t.sets = re_%zu_sets,\n", i);
		if (re->nrows)
			buf_printf(e->out, "\t.nrows = %u, .nclasses = %u,\n"
				   "\t.classes = re_%zu_classes, .next = re_%zu_next, "
				   ".at_end = re_%zu_at_end,\n", re->nrows, re->nclasses, i, i, i);
		buf_puts(e->out, "};\n\n");
	}
}

struct emit_val emit_regex(struct emit *e, struct expr *x)
{
	const struct regex *re = e->p->regexes.v[x->u.regex.id];
	struct emit_val a = emit_val_named(e, emit_expr_value(e, x->u.regex.a));
	const char *t = emit_temp(e, TMP_LONG), *scratch = "NULL";

	if (needs_program(e, re)) {
		unsigned bytes = PRT_REGEX_SCRATCH((unsigned)re->insts.n, re->ngroups);

		scratch = "f->scratch";
		e->fn->needs_workspace = true;
		if (e->fn->scratch < bytes)
			e->fn->scratch = bytes;
	}
	emit_line(e, "%s = %sprt_match(c, &re_%d, %s, %s, %u);", t, x->u.regex.negate ? "!" : "",
		  x->u.regex.id, a.text, scratch, emit_srcloc(e, x->range));
	emit_fail_if(e, "c->err");
	return emit_val_text(t, T_LONG, V_STABLE);
}
