/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes that need debug information: lines (statement), inlined copies, exported functions,
 * labels, calls and their returns, in the kernel, in modules and in programs; also instructions by
 * address.
 */
#include <errno.h>
#include <string.h>

#include "base/words.h"
#include "target/kernel/module.h"
#include "target/kernel/kernel.h"
#include "analyse/locate/points/parts.h"
#include "analyse/locate/points/place_sites.h"
#include "analyse/locate/points/process.h"
#include "state.h"

enum { INLINE = 1, EXPORTED, EXPORTED_RETURN, LABEL, CALLEE, CALLEES, LINES, NEAREST, ADDRESS,
       FUNCTION_ADDRESS, FUNCTION_ADDRESS_RETURN, ABSOLUTE };
/* In form.what, beside the kind: the part of a call that is meant. */
enum { CALLED = 32, RETURNS = 64, MAXACTIVE = 128, SUFFIXES = CALLED | RETURNS | MAXACTIVE };

/* Limits of chains: calls, names, and places of one point, each of which needs a kprobe. */
enum { MOST_CALLS = 32, MOST_NAMES = 4, MOST_PLACES = 2000 };

enum { NAMES_SHOWN = 20 }; /* names of labels and calls that a message lists */

#define MORE_NAMES "four calls in a row can be named"

#define CALLS(point, what)                                                                         \
	{ point, NULL, what },                                                                     \
	{ point ".call", NULL, (what) | CALLED },                                                  \
	{ point ".return", NULL, (what) | RETURNS },                                               \
	{ point ".return.maxactive(N)", NULL, (what) | RETURNS | MAXACTIVE }
#define FORMS(object)                                                                              \
	{ object ".function(S).inline", NULL, INLINE },                                            \
	{ object ".function(S).exported", NULL, EXPORTED },                                        \
	{ object ".function(S).exported.call", NULL, EXPORTED },                                   \
	{ object ".function(S).exported.return", NULL, EXPORTED_RETURN },                          \
	{ object ".function(S).label(S)", NULL, LABEL },                                           \
	CALLS(object ".function(S).callee(S)", CALLEE),                                            \
	CALLS(object ".function(S).callee(S).callee(S)", CALLEE),                                  \
	CALLS(object ".function(S).callee(S).callee(S).callee(S)", CALLEE),                        \
	CALLS(object ".function(S).callee(S).callee(S).callee(S).callee(S)", CALLEE),              \
	{ object ".function(S).callee(S).callee(S).**", MORE_NAMES, 0 },                           \
	CALLS(object ".function(S).callees", CALLEES),                                             \
	CALLS(object ".function(S).callees(N)", CALLEES),                                          \
	{ object ".function(N)", NULL, FUNCTION_ADDRESS },                                         \
	{ object ".function(N).call", NULL, FUNCTION_ADDRESS },                                    \
	{ object ".function(N).return", NULL, FUNCTION_ADDRESS_RETURN },                           \
	{ object ".statement(S)", NULL, LINES },                                                   \
	{ object ".statement(S).nearest", NULL, NEAREST },                                         \
	{ object ".statement(N)", NULL, ADDRESS }

static const struct form forms[] = {
	FORMS("kernel"),
	FORMS("module(S)"),
	FORMS_OF_PROGRAMS(FORMS),
	{ "kernel.statement(N).absolute", NULL, ABSOLUTE },
	{ "kprobe.statement(N).absolute", NULL, ABSOLUTE },
};

static int64_t kind_of(const struct located_request *rq)
{
	return rq->form->what & ~SUFFIXES;
}

/* The component that names the function or the lines; others may follow it. */
static const struct pp_component *subject(const struct located_request *rq)
{
	const struct pp_component *parts = rq->pp->parts.v;

	return strcmp(parts[1].name, "library") == 0 ? &parts[2] : &parts[1];
}

/* ---- missing files ---- */

static int report(struct place_search *f, const struct range range, const char *text)
{
	if (f->forbidden || f->rq->quiet)
		return place_sites_end(f);

	const char *missing = f->scope ? dwarf_missing(f->db) : NULL;

	diag_error(f->s->diag, range, missing ? E_NO_DEBUGINFO : E_NO_MATCH, "%s", text);
	if (missing)
		diag_hint(f->s->diag, "%s", missing);
	return -ENOENT;
}

static bool knows_function(struct place_search *f, const struct dwarf_spec *spec)
{
	struct dwarf_spec other = { .function = spec->function, .file = spec->file };
	struct dwarf_places found = {{0}};

	dwarf_functions(f->db, &other, DWARF_ENTRIES | DWARF_COPIES, &found);
	return found.v.n;
}

static int no_function(struct place_search *f, const struct dwarf_spec *spec)
{
	struct dwarf_function_names names = {{0}};
	const char *file = spec->file ? arena_printf(f->s->arena, " in '%s'", spec->file) : "";
	int err = report(f, f->range, arena_printf(f->s->arena, "%s has no function '%s'%s",
						   f->object, spec->function, file));

	if (f->rq->quiet || f->forbidden || dwarf_spec_is_pattern(spec))
		return err;

	struct dwarf_spec anywhere = { .function = spec->function };

	if (spec->file && knows_function(f, &anywhere)) {
		diag_hint(f->s->diag, "there is one in another file");
		return err;
	}
	dwarf_function_names(f->db, &names);

	const char *near = diag_nearest(spec->function, names.v.v, names.v.n);

	if (near && strcmp(near, spec->function) == 0)
		diag_hint(f->s->diag, "it is inlined everywhere: .inline has its copies");
	else if (near)
		diag_hint(f->s->diag, "did you mean '%s'?", near);
	return err;
}

static int no_line(struct place_search *f, const struct dwarf_spec *spec, unsigned before,
		   unsigned after)
{
	struct arena *a = f->s->arena;

	if (strcmp(spec->function, "*") != 0 && !before && !after && !knows_function(f, spec))
		return no_function(f, spec);

	int err = report(f, f->range, arena_printf(a, "no code of %s belongs to '%s'", f->object,
						   f->text));

	if (f->rq->quiet || f->forbidden)
		return err;
	if (before && after)
		diag_hint(f->s->diag, "the nearest lines with code are %u and %u", before, after);
	else if (before || after)
		diag_hint(f->s->diag, "the nearest line with code is %u", before + after);
	else if (!spec->file)
		diag_hint(f->s->diag, "a file is needed: \"*@FILE:LINE\"");
	else
		diag_hint(f->s->diag, "no source file of that name, or none with code");
	return err;
}

/* Lists each name once, in the order of the code: many functions call another one twice. */
static void find_names(struct place_search *f, const struct dwarf_places *found,
		       struct name_list *ret)
{
	vec_each(it, &found->v) {
		const char *name = (*it)->label ? (*it)->label : (*it)->target;

		if (!words_has(ret->v.v, ret->v.n, name))
			vec_push(f->s->arena, &ret->v, name);
	}
}

static void hint_names(struct place_search *f, const char *wanted, const struct name_list *names)
{
	const char *near = diag_nearest(wanted, names->v.v, names->v.n);

	if (near)
		diag_hint(f->s->diag, "did you mean '%s'?", near);
	diag_hint(f->s->diag, "known there: %s", !names->v.n ? "none" :
		  words_some(f->s->arena, names->v.v, names->v.n, NAMES_SHOWN));
}

static int nothing_inside(struct place_search *f, const struct dwarf_spec *spec, const char *what,
			  const char *pattern, const struct dwarf_places *known)
{
	struct name_list names = {0};

	if (!knows_function(f, spec))
		return no_function(f, spec);

	int err = report(f, f->range, arena_printf(f->s->arena, "'%s' has no %s '%s'", f->text,
						   what, pattern));

	if (f->rq->quiet || f->forbidden)
		return err;
	find_names(f, known, &names);
	hint_names(f, pattern, &names);
	return err;
}

/* ---- the forms ---- */

static int locate_lines(struct place_search *f, const struct dwarf_spec *spec)
{
	struct dwarf_places found = {{0}};
	size_t first = f->ret->sites.n;
	unsigned before = 0, after = 0;

	if (spec->lines == DWARF_LINES_NONE) {
		dwarf_functions(f->db, spec, DWARF_ENTRIES | DWARF_COPIES, &found);
		if (!found.v.n)
			return no_function(f, spec);
	} else {
		dwarf_statements(f->db, spec, f->rq->form->what == NEAREST, &found, &before,
				 &after);
	}
	vec_each(it, &found.v)
		place_sites_add(f, *it, PK_PLACE, "statement", "");
	if (spec->lines == DWARF_LINES_NONE)
		parts_leave_out(f->s, f->text, f->ret, first);
	f->ret->from_wildcard |= spec->lines != DWARF_LINES_AT && found.v.n > 1;
	return found.v.n ? place_sites_end(f) : no_line(f, spec, before, after);
}

static int locate_copies(struct place_search *f, const struct dwarf_spec *spec)
{
	struct dwarf_places found = {{0}};
	size_t first = f->ret->sites.n;

	dwarf_functions(f->db, spec, DWARF_COPIES, &found);
	vec_each(it, &found.v)
		place_sites_add(f, *it, PK_PLACE, "function", ".inline");
	f->ret->copies += (unsigned)(f->ret->sites.n - first);
	parts_leave_out(f->s, f->text, f->ret, first);
	if (found.v.n)
		return place_sites_end(f);
	if (!knows_function(f, spec))
		return no_function(f, spec);
	return report(f, f->range,
		      arena_printf(f->s->arena, "'%s' is not inlined anywhere", f->text));
}

static int locate_exported(struct place_search *f, const struct dwarf_spec *spec)
{
	struct dwarf_places found = {{0}};
	bool returns = f->rq->form->what == EXPORTED_RETURN;

	dwarf_functions(f->db, spec, DWARF_ENTRIES, &found);
	vec_each(it, &found.v) {
		if (!(*it)->is_global || strcmp((*it)->symbol, (*it)->linkage) != 0)
			continue;
		place_sites_add(f, *it, returns ? PK_RETURN : PK_ENTRY, "function",
				returns ? ".exported.return" : ".exported");
	}
	if (f->ret->sites.n || f->forbidden)
		return place_sites_end(f);
	if (!found.v.n)
		return no_function(f, spec);
	return report(f, f->range, arena_printf(f->s->arena, "'%s' is static: no other file can "
						"name it", f->text));
}

static int locate_labels(struct place_search *f, const struct dwarf_spec *spec)
{
	struct dwarf_places found = {{0}}, all = {{0}};
	const char *pattern = subject(f->rq)[1].arg->u.str.s;

	dwarf_labels(f->db, spec, pattern, &found);
	vec_each(it, &found.v)
		place_sites_add(f, *it, PK_PLACE, "function",
				arena_printf(f->s->arena, ".label(\"%s\")", (*it)->label));
	f->ret->from_wildcard |= strpbrk(pattern, "*?[") != NULL;
	if (found.v.n)
		return place_sites_end(f);
	dwarf_labels(f->db, spec, "*", &all);
	return nothing_inside(f, spec, "label", pattern, &all);
}

/* Report the first name of a chain that is not called, and suggest names that are. */
static int no_call(struct place_search *f, const struct dwarf_spec *spec,
		   const struct dwarf_calls *which)
{
	const char *names[MOST_NAMES], *wanted = "*";
	struct dwarf_calls some = { .most = 0, .names = names };
	struct dwarf_places all = {{0}};

	while (which->names && some.most < which->most) {
		wanted = which->names[some.most];
		names[some.most++] = wanted;
		if (!dwarf_callees(f->db, spec, &some, &all))
			break;
	}
	if (some.most > 1) {
		f->text = names[some.most - 2];
		f->range = subject(f->rq)[some.most].arg->range;
	}
	all.v.n = 0;
	some.most = some.most ? some.most : 1;
	names[some.most - 1] = "*";
	dwarf_callees(f->db, spec, &some, &all);
	return nothing_inside(f, spec, "call of", wanted, &all);
}

static int too_many(struct place_search *f, size_t n)
{
	if (f->rq->quiet)
		return -EINVAL;
	diag_error(f->s->diag, f->rq->pp->range, E_LIMIT, "'%s' means %zu places, more than %d",
		   f->rq->text, n, MOST_PLACES);
	diag_hint(f->s->diag, "name fewer functions or a smaller depth, or name the calls: "
		  ".callee(\"A\").callee(\"B\")");
	return -EINVAL;
}

/* Reports that calls of that name exist, but none as the suffix requires. */
static int no_such_call(struct place_search *f, const struct dwarf_calls *which)
{
	const char *what = which->returns ?
		"no such call returns there, or its target is not known" :
		"it is inlined there, not called";
	int err = report(f, f->rq->pp->range,
			 arena_printf(f->s->arena, "'%s': %s", f->rq->text, what));

	if (f->rq->quiet || f->forbidden)
		return err;
	if (which->returns)
		diag_hint(f->s->diag, "inlined copies have no return, and a function that it jumps "
			  "to at its end does not return to it");
	else
		diag_hint(f->s->diag, "without .call its copies are probed");
	return err;
}

/* Adds the return of a call. Only calls of the function itself count; the point names the function
 * without its last component. */
static void add_return(struct place_search *f, const struct dwarf_calls *which,
		       const struct dwarf_place *place)
{
	struct arena *a = f->s->arena;
	const char *pp = arena_printf(a, "%s.function(%s)", f->prefix, provider_quoted(a, f->text));

	if (!which->names && which->most > 1) {
		place_sites_add(f, place, PK_RETURN, "function", ".return");
		return;
	}
	for (unsigned i = 0; i + 1 < which->most; i++)
		pp = arena_printf(a, "%s.callee(%s)", pp, provider_quoted(a, which->names[i]));
	pp = arena_printf(a, "%s.callee(%s).return", pp, provider_quoted(a, place->function));
	place_sites_add_as(f, place, PK_RETURN, pp);
}

static void add_call(struct place_search *f, const struct dwarf_place *place)
{
	place_sites_add(f, place, PK_PLACE, "function",
			arena_printf(f->s->arena, ".callee(\"%s\")", place->target));
}

static void read_calls(struct place_search *f, struct dwarf_calls *ret, const char **names)
{
	const struct pp_component *part = subject(f->rq) + 1;
	const struct pp_component *end = f->rq->pp->parts.v + f->rq->pp->parts.n;
	int64_t depth = 1;

	ret->called = f->rq->form->what & CALLED;
	ret->returns = f->rq->form->what & RETURNS;
	if (kind_of(f->rq) == CALLEES) {
		provider_number(part, &depth);
		ret->most = (unsigned)depth;
	} else {
		ret->names = names;
		for (; part < end && part->arg && part->arg->kind == EX_STR; part++) {
			names[ret->most++] = part->arg->u.str.s;
			f->ret->from_wildcard |= strpbrk(part->arg->u.str.s, "*?[") != NULL;
		}
	}
	ret->limit = ret->most > 1 || ret->returns ? MOST_PLACES : 0;
}

static int locate_calls(struct place_search *f, const struct dwarf_spec *spec)
{
	struct dwarf_places found = {{0}};
	const char *names[MOST_NAMES];
	struct dwarf_calls which = { .most = 0 };

	read_calls(f, &which, names);

	size_t n = dwarf_callees(f->db, spec, &which, &found);

	if (which.limit && n > which.limit)
		return too_many(f, n);
	f->ret->from_wildcard |= which.most > 1 || !which.names;
	f->ret->most_calls = which.most;
	vec_each(it, &found.v) {
		if (which.returns)
			add_return(f, &which, *it);
		else
			add_call(f, *it);
	}
	if (found.v.n)
		return place_sites_end(f);

	struct dwarf_calls any = which;

	any.returns = any.called = false;
	if (dwarf_callees(f->db, spec, &any, &found))
		return no_such_call(f, &which);
	return no_call(f, spec, &any);
}

static int locate_address(struct place_search *f, int64_t address)
{
	bool function = f->rq->form->what != ADDRESS;
	bool returns = f->rq->form->what == FUNCTION_ADDRESS_RETURN;
	struct dwarf_place *place = dwarf_place_at(f->db, dwarf_address(f->db, (uint64_t)address));

	if (!place)
		return report(f, f->range,
			      arena_printf(f->s->arena, "no function of %s has code at 0x%llx",
					   f->object, (unsigned long long)address));
	if (function) {
		place->offset = 0;
		place->at_entry = true;
	}
	place_sites_add(f, place, returns ? PK_RETURN : PK_PLACE, NULL, "");
	return place_sites_end(f);
}

/* An address of the running kernel, about which nothing is known here. */
static int locate_absolute(const struct located_request *rq, struct located *ret)
{
	struct site *site = NEW(rq->s->arena, struct site);
	int64_t address = 0;

	if (!rq->s->opt.guru) {
		if (!rq->quiet)
			diag_error(rq->s->diag, rq->pp->range, E_GURU, "'%s' needs guru mode (-g): "
				   "the code there is not checked", rq->text);
		return -EINVAL;
	}
	provider_number(&rq->pp->parts.v[1], &address);
	site->object = "kernel";
	site->symbol = "";
	site->offset = (uint64_t)address;
	site->pp = rq->text;
	ret->kind = PK_PLACE;
	vec_push(rq->s->arena, &ret->sites, site);
	return 0;
}

/* Returns -EINVAL for callees(0). */
static int check_depth(const struct located_request *rq)
{
	const struct pp_component *part = subject(rq) + 1;
	int64_t depth = 1;

	if (kind_of(rq) == CALLEES && part->arg)
		provider_number(part, &depth);
	if (depth >= 1 && depth <= MOST_CALLS)
		return 0;
	return provider_bad_number(rq, part, "a function",
				   arena_printf(rq->s->arena, "from 1 to %d", MOST_CALLS));
}

static int locate_inside(struct place_search *f)
{
	const struct pp_component *part = subject(f->rq);
	struct dwarf_spec spec;
	int64_t address = 0;
	const char *why;

	f->ret->kind = PK_PLACE;
	if (part->arg->kind != EX_STR) {
		provider_number(part, &address);
		return locate_address(f, address);
	}
	if (!dwarf_spec_read(f->s->arena, f->text, &spec, &why)) {
		if (!f->rq->quiet)
			diag_error(f->s->diag, f->range, E_PROBE_POINT, "%s", why);
		return -EINVAL;
	}
	f->ret->from_wildcard |= dwarf_spec_is_pattern(&spec);
	switch (kind_of(f->rq)) {
	case INLINE: return locate_copies(f, &spec);
	case EXPORTED: case EXPORTED_RETURN: return locate_exported(f, &spec);
	case LABEL: return locate_labels(f, &spec);
	case CALLEE: case CALLEES: return locate_calls(f, &spec);
	default: return locate_lines(f, &spec);
	}
}

static int locate_in(const struct located_request *rq, const struct kernel_module *module,
		     struct located *ret)
{
	struct place_search f;
	int err = place_sites_open(rq, module, subject(rq)->arg, ret, &f);

	return err ? err : locate_inside(&f);
}

/* Whether debug information has a function at the address in the point. */
static bool is_in_function(struct place_search *f)
{
	int64_t address = 0;

	provider_number(subject(f->rq), &address);
	return dwarf_place_at(f->db, (uint64_t)address);
}

static int locate_in_program(const struct located_request *rq, const struct user_scope *scope,
			     const char *prefix, struct located *ret)
{
	enum process_what what = kind_of(rq) == EXPORTED ? PROCESS_EXPORTED :
				 kind_of(rq) == EXPORTED_RETURN ? PROCESS_EXPORTED_RETURN :
				 PROCESS_ADDRESS;
	bool needless = what != PROCESS_ADDRESS || kind_of(rq) == ADDRESS;
	struct place_search f;
	int err = place_sites_open_program(rq, scope, prefix, subject(rq)->arg, needless, ret, &f);

	if (needless && (err || (what == PROCESS_ADDRESS && !is_in_function(&f))))
		return process_by_symbols(rq, scope, prefix, what, ret);
	err = err ? err : locate_inside(&f);
	if (!err)
		place_sites_note_missing(&f);
	return err;
}

static int locate_in_modules(const struct located_request *rq, struct located *ret)
{
	const struct expr *arg = rq->pp->parts.v[0].arg;
	const char *const *names, *name = arg->u.str.s, *why;
	struct located_request each = *rq;
	bool pattern = strpbrk(name, "*?[");
	size_t n = 1;

	if (pattern)
		n = kernel_modules_match(rq->s, rq->s->kernel, name, &names);
	else
		names = &name;
	ret->from_wildcard = pattern;
	each.quiet |= pattern;
	for (size_t i = 0; i < n; i++) {
		struct kernel_module *m = kernel_module_find(rq->s, rq->s->kernel, names[i], &why);

		if (m) {
			int err = locate_in(&each, m, ret);

			if (!pattern)
				return err;
			continue;
		}
		if (!pattern)
			return provider_unknown_module(rq, arg, why);
	}
	if (!ret->sites.n && pattern && !rq->quiet)
		diag_error(rq->s->diag, rq->pp->range, E_NO_MATCH, "no module that matches '%s' "
			   "has such a place, or debug information", name);
	return ret->sites.n ? 0 : -ENOENT;
}

static int locate(const struct located_request *rq, struct located *ret)
{
	int err = check_depth(rq);

	if (!err && rq->form->what & MAXACTIVE)
		err = symbol_sites_maxactive(rq, ret);
	if (err)
		return err;
	if (rq->form->what == ABSOLUTE)
		return locate_absolute(rq, ret);
	if (strncmp(rq->form->text, "module(", 7) == 0)
		return locate_in_modules(rq, ret);
	if (strncmp(rq->form->text, "process", 7) == 0)
		return process_each_file(rq, locate_in_program, ret);
	return locate_in(rq, NULL, ret);
}

const struct provider places_provider = {
	"places", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
