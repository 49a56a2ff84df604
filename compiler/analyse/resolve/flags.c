/* SPDX-License-Identifier: GPL-2.0 */
/*
 * @flags: the names of the bits of a number, by a function of the library that has a table of them
 * (_NAME_flags_str or _NAME_str, whose only parameter is `flags`), or by one that is made here of
 * an enum's constants or a header's macros.
 */
#include <stdlib.h>
#include <string.h>

#include "parse/parse.h"
#include "analyse/resolve/functions.h"
#include "analyse/resolve/tapset.h"
#include "analyse/resolve/values.h"
#include "shared/buf.h"

/* ---- tables of the library ---- */

static struct function *table(struct resolver *r, const char *name)
{
	const struct fn_set *set = functions_named(r, name);
	struct function *f = set && set->v.n ? set->v.v[0] : NULL;

	return f && f->src->in_tapset && f->params.n == 1 &&
	       strcmp(f->params.v[0]->name, "flags") == 0 ? f : NULL;
}

struct function *flags_of_library(struct resolver *r, const char *name)
{
	struct function *f = table(r, arena_printf(r->s->arena, "_%s_flags_str", name));

	return f ? f : table(r, arena_printf(r->s->arena, "_%s_str", name));
}

const char *flags_nearest(struct resolver *r, const char *name)
{
	struct suggestions all = { 0 }, tables = { 0 };

	tapset_function_names(r, true, &all);
	vec_each(it, &all.v) {
		size_t len = strlen(*it);
		const char *word;

		if (**it != '_' || len < 6 || strcmp(*it + len - 4, "_str") != 0)
			continue;
		word = arena_strndup(r->s->arena, *it + 1, len - 5);
		vec_push(r->s->arena, &tables.v, word);
	}
	name = diag_nearest(name, tables.v.v, tables.v.n);
	return name && flags_of_library(r, name) ? name : NULL;
}

/* ---- tables that are made here ---- */

struct bits {
	const char *name;
	uint64_t value;
	size_t declared; /* its place among the constants */
};

/* Numbers with a bit that has no name of its own come first, those with more bits before others;
 * then single bits from the lowest one on, then 0. */
static int by_bits(const void *a, const void *b)
{
	const struct bits *ba = a, *bb = b;
	int na = __builtin_popcountll(ba->value), nb = __builtin_popcountll(bb->value);

	if (na != nb)
		return na > nb ? -1 : 1;
	if (ba->value != bb->value)
		return ba->value < bb->value ? -1 : 1;
	return ba->declared < bb->declared ? -1 : ba->declared > bb->declared;
}

/* Keeps the constants that can be shown, in the order in which they are looked for. Returns how
 * many these are. */
static size_t shown_bits(const struct constant_list *all, struct bits *ret)
{
	uint64_t single = 0;
	size_t n = 0, kept = 0;

	vec_each(it, &all->v) {
		uint64_t v = (uint64_t)it->value;

		/* A negative number is one of 32 bits. */
		if (it->value < 0 && it->value >= INT32_MIN)
			v = (uint32_t)v;
		if (__builtin_popcountll(v) == 1)
			single |= v;
		ret[n] = (struct bits){ it->name, v, n };
		n++;
	}
	qsort(ret, n, sizeof(*ret), by_bits);
	for (size_t i = 0; i < n; i++) {
		bool covered = __builtin_popcountll(ret[i].value) > 1 && !(ret[i].value & ~single);

		if (!covered && (!kept || ret[kept - 1].value != ret[i].value))
			ret[kept++] = ret[i];
	}
	return kept;
}

struct function *flags_of_constants(struct resolver *r, const struct constant_list *all)
{
	struct bits *v = arena_alloc(r->s->arena, (all->v.n + 1) * sizeof(*v));
	size_t n = shown_bits(all, v);
	bool wide = false;
	struct function *f;
	struct buf b;

	if (!n)
		return NULL;
	buf_init(&b);
	buf_puts(&b, "function __flags:string (flags:long) %{ /* pure */\n"
		 "\tstatic const struct prt_word words[] = {\n");
	for (size_t i = 0; i < n; i++) {
		buf_printf(&b, "\t\t{ 0x%llxULL, \"%s\" },\n", (unsigned long long)v[i].value,
			   v[i].name);
		wide |= v[i].value > UINT32_MAX;
	}
	/* The sign of an int with the highest bit is no flag. */
	buf_printf(&b, "\t};\n\ts64 flags = STAP_ARG_flags;\n\n%s"
		   "\tSTAP_RETURN(prt_flags_str(PRT_BUF, flags, words, PRT_COUNT(words)));\n%%}\n",
		   wide ? "" : "\tif (flags == (s32)flags)\n\t\tflags = (u32)flags;\n");
	f = casts_function(r, "__flags", b.s, b.len);
	buf_deinit(&b);
	return f;
}
