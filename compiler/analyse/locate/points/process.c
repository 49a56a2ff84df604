/* SPDX-License-Identifier: GPL-2.0 */
/*
 * process: functions, instructions and SDT markers of programs and libraries.
 *
 * The first components say which file is meant and whose processes. process("PATH") is a file, in
 * all processes that map it; process(PID) is the program of one process; process alone is the
 * program of -c or -x, in that process and its descendants. library("LIB") after one of these is
 * another file, in the processes that run the first one.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "ast/points.h"
#include "base/words.h"
#include "target/dwarf/dwarf.h"
#include "analyse/locate/points/other_names.h"
#include "analyse/locate/points/parts.h"
#include "analyse/locate/points/place_sites.h"
#include "analyse/locate/points/process.h"
#include "analyse/locate/points/symbol_sites.h"
#include "target/object/demangle.h"
#include "target/object/object.h"
#include "shared/search.h"
#include "state.h"

/* The meanings of components after the file. Suffixes of functions are those of all providers. */
enum { MARK = 16, PROVIDER_MARK, PLT, PLT_RETURN, EVENT };

enum { NAMES_SHOWN = 20 };

#define FORMS(file)                                                                                \
	{ file ".function(S)", NULL, 0 },                                                          \
	{ file ".function(S).call", NULL, SYMBOL_SITES_CALL },                                     \
	{ file ".function(S).return", NULL, SYMBOL_SITES_RETURN },                                 \
	{ file ".function(S).return.maxactive(N)", NULL, SYMBOL_SITES_MAXACTIVE },                 \
	{ file ".mark(S)", NULL, MARK },                                                           \
	{ file ".provider(S).mark(S)", NULL, PROVIDER_MARK },                                      \
	{ file ".plt", NULL, PLT },                                                                \
	{ file ".plt(S)", NULL, PLT },                                                             \
	{ file ".plt.return", NULL, PLT_RETURN },                                                  \
	{ file ".plt(S).return", NULL, PLT_RETURN }

#define EVENTS(process)                                                                            \
	{ process ".begin", NULL, EVENT + PROCESS_BEGIN },                                         \
	{ process ".end", NULL, EVENT + PROCESS_END },                                             \
	{ process ".thread.begin", NULL, EVENT + PROCESS_THREAD_BEGIN },                           \
	{ process ".thread.end", NULL, EVENT + PROCESS_THREAD_END },                               \
	{ process ".syscall", NULL, EVENT + PROCESS_SYSCALL },                                     \
	{ process ".syscall.return", NULL, EVENT + PROCESS_SYSCALL_RETURN }

static const struct form forms[] = {
	FORMS_OF_PROGRAMS(FORMS),
	EVENTS("process(S)"),
	EVENTS("process(N)"),
	EVENTS("process"),
};

static const struct pp_component *last_part(const struct located_request *rq)
{
	return &rq->pp->parts.v[rq->pp->parts.n - 1];
}

/* ---- functions ---- */

static struct site *make_site(const struct process_search *f, uint64_t offset, const char *symbol,
			      const char *pp)
{
	struct site *site = NEW(f->s->arena, struct site);

	site->object = f->scope->file->path;
	site->build_id = f->scope->file->build_id;
	site->symbol = symbol;
	site->user = f->scope;
	site->file_offset = offset;
	site->pp = pp;
	return site;
}

static struct site *new_site(const struct process_search *f, uint64_t offset, const char *symbol,
			     const char *pp)
{
	struct site *site = make_site(f, offset, symbol, pp);

	vec_push(f->s->arena, &f->ret->sites, site);
	return site;
}

/* Makes the site of a function's return. @name NULL: an entry of the procedure linkage table.
 * Returns NULL if the return can't be probed. */
static struct site *new_return(const struct process_search *f, uint64_t offset,
			       const struct object_symbol *symbol, const char *name, const char *pp)
{
	struct site *site = make_site(f, offset, symbol->name, pp);
	const char *why = process_return(f->s, site, name, symbol->address);

	if (why) {
		*f->refused = (struct process_refused){ symbol->name, why };
		return NULL;
	}
	vec_push(f->s->arena, &f->ret->sites, site);
	return site;
}

static bool is_refused(const struct process_search *f, struct range at)
{
	if (f->refused->why && !f->rq->quiet) {
		diag_error(f->s->diag, at, E_NOT_PROBEABLE,
			   "the return of '%s' can't be probed: %s", f->refused->name,
			   f->refused->why);
		diag_hint(f->s->diag, "probe its entry (.call), or the functions that call it");
	}
	return f->refused->why;
}

/* Offsets in the file, in ascending order. */
struct known_offsets { VEC(uint64_t) v; };

static int by_number(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

static void sort_offsets(struct known_offsets *known)
{
	if (known->v.n)
		qsort(known->v.v, known->v.n, sizeof(*known->v.v), by_number);
}

/* Finds the offsets at which these processes have a site already. */
static void find_known(const struct process_search *f, struct known_offsets *ret)
{
	for (size_t i = f->first; i < f->ret->sites.n; i++)
		vec_push(f->s->arena, &ret->v, f->ret->sites.v[i]->file_offset);
	sort_offsets(ret);
}

static bool is_known(const struct known_offsets *known, uint64_t offset)
{
	size_t i;

	search_first(i, known->v.n, known->v.v[i] < offset);
	return i < known->v.n && known->v.v[i] == offset;
}

const char *process_point(const struct process_search *f, const char *name)
{
	return arena_printf(f->s->arena, "%s.function(%s)%s", f->prefix,
			    provider_quoted(f->s->arena, name), f->suffix);
}

void process_add_function(const struct process_search *f, const struct object_symbol *symbol,
			  uint64_t offset, const char *pp)
{
	const char *name = demangle_shown(f->s->arena, symbol->name);
	struct site *site = f->returns ? new_return(f, offset, symbol, symbol->name, pp) :
					 new_site(f, offset, symbol->name, pp);

	if (site)
		site->function = name == symbol->name ? NULL : name;
}

/* Whether a function that is named can't be probed as a whole. An obsolete version of the same
 * name, which can, is not what is meant. */
static bool is_incomplete(const struct process_search *f)
{
	return f->unknown->why && !f->ret->from_wildcard;
}

static bool is_only_inlined(const struct process_search *f, const char *name)
{
	struct dwarf_spec spec = { .function = name };
	struct dwarf_places found = {{0}};
	const char *why;
	struct dwarf_db *db = dwarf_db_of_program(f->s, f->scope->file, &why);

	if (!db || dwarf_spec_is_pattern(&spec))
		return false;
	dwarf_functions(db, &spec, DWARF_COPIES, &found);
	return found.v.n > 0;
}

static int no_function(const struct process_search *f, const struct expr *name)
{
	const struct program_file *o = f->scope->file;
	VEC(const char *) names = { 0 };
	const char *near, *text = arena_printf(f->s->arena, "%s has no function '%s'", o->path,
					       name->u.str.s);

	if (f->rq->quiet || is_refused(f, name->range))
		return -ENOENT;
	if (f->unknown->why)
		return process_indirect_refuse(f, name->range);
	if (is_only_inlined(f, name->u.str.s))
		return process_fail(f->rq, name->range, text, f->returns ?
				    "it is inlined everywhere, and inlined copies have no return" :
				    "it is inlined everywhere: .inline has its copies");
	vec_each(it, &o->unfound)
		if (strcmp(it->name, name->u.str.s) == 0 ||
		    strcmp(demangle_name(f->s->arena, it->name), name->u.str.s) == 0)
			return process_fail(f->rq, name->range, text,
				arena_printf(f->s->arena, "%s has it; of the functions in %s, %s",
					     o->other_build, o->path, it->why));
	if (!o->symbols.n && !o->indirect.n)
		return process_fail(f->rq, name->range, text,
				    arena_printf(f->s->arena, "it is stripped of its symbols; a "
						 "separate debug file of build-id %s would have "
						 "them", o->build_id ? o->build_id : "(none)"));
	vec_each(it, &o->symbols)
		vec_push(f->s->arena, &names, demangle_name(f->s->arena, it->name));
	vec_each(it, &o->indirect)
		vec_push(f->s->arena, &names, demangle_name(f->s->arena, it->name));
	near = diag_nearest(name->u.str.s, names.v, names.n);
	return process_fail(f->rq, name->range, text, near ?
		    arena_printf(f->s->arena, "did you mean '%s'?", near) : NULL);
}

/* Whether it is the `main` that rustc makes for the C library, which calls the one of the source:
 * that is among the symbols @found by the same name, or debug information has found it. */
static bool is_rust_shim(const struct process_search *f, const struct object_symbols *found,
			 const struct object_symbol *symbol)
{
	if (f->ret->from_wildcard || strcmp(symbol->name, "main") != 0)
		return false;
	vec_each(it, &found->v)
		if (demangle_is_rust((*it)->name))
			return true;
	for (size_t i = f->first; i < f->ret->sites.n; i++) {
		const struct dwarf_place *place = f->ret->sites.v[i]->place;

		if (place && dwarf_is_rust(place))
			return true;
	}
	return false;
}

/* Adds functions by their symbols: all of them without debug information, otherwise those that
 * debug information lacks. */
static int add_functions(const struct process_search *f, const struct expr *name)
{
	struct object_symbols found = { 0 };
	struct known_offsets known = { 0 };
	size_t before = f->ret->sites.n;
	uint64_t offset, last = UINT64_MAX;

	f->ret->kind = f->returns ? PK_RETURN : PK_ENTRY;
	object_find(f->s, f->scope->file, name->u.str.s, &found);
	find_known(f, &known);
	vec_each(it, &found.v) {
		/* Several names of one function are neighbours, and make one site. */
		if ((*it)->is_indirect || (f->exported && !(*it)->is_exported) ||
		    !object_offset(f->scope->file, (*it)->address, &offset) ||
		    offset == last || is_known(&known, offset) || is_rust_shim(f, &found, *it))
			continue;
		process_add_function(f, *it, offset,
			process_point(f, demangle_shown(f->s->arena, (*it)->name)));
		last = offset;
	}
	vec_each(it, &found.v)
		if ((*it)->is_indirect)
			process_indirect_add(f, *it);
	return f->ret->sites.n > before ? 0 : -ENOENT;
}

/* Counts the functions that were found only by debug information, because their symbols have
 * another name. */
static void count_clones(const struct process_search *f, const char *name)
{
	struct object_symbols found = { 0 };
	struct known_offsets known = { 0 };
	uint64_t offset;

	object_find(f->s, f->scope->file, name, &found);
	vec_each(it, &found.v) {
		if ((*it)->is_indirect)
			vec_each(choice, &object_choices(f->s, f->scope->file,
							 (*it)->address)->addresses)
				if (object_offset(f->scope->file, *choice, &offset))
					vec_push(f->s->arena, &known.v, offset);
		if (object_offset(f->scope->file, (*it)->address, &offset))
			vec_push(f->s->arena, &known.v, offset);
	}
	sort_offsets(&known);
	for (size_t i = f->first; i < f->ret->sites.n; i++) {
		const struct site *site = f->ret->sites.v[i];

		f->ret->clones += !locate_is_copy(site) && !is_known(&known, site->file_offset);
	}
}

/* Whether the text, "f@file.c" or "f:12", needs debug information. */
static bool needs_files(const struct dwarf_spec *spec)
{
	return spec->file || spec->lines != DWARF_LINES_NONE;
}

static int locate_functions(struct process_search *f)
{
	const struct expr *name = points_part(f->rq->pp, "function")->arg;
	size_t before = f->ret->sites.n, by_places;
	struct place_search by_debuginfo;
	struct dwarf_spec spec;
	const char *why;
	int err;

	if (!dwarf_spec_read(f->s->arena, name->u.str.s, &spec, &why)) {
		if (!f->rq->quiet)
			diag_error(f->s->diag, name->range, E_PROBE_POINT, "%s", why);
		return -EINVAL;
	}
	f->ret->from_wildcard |= dwarf_spec_is_pattern(&spec);
	err = place_sites_open_program(f->rq, f->scope, f->prefix, name, !needs_files(&spec),
				       f->ret, &by_debuginfo);
	if (err && needs_files(&spec))
		return err;
	if (!err) {
		place_sites_functions(&by_debuginfo, &spec);
		f->debug = &by_debuginfo;
	}
	by_places = f->ret->sites.n;
	f->ret->needs_debuginfo = needs_files(&spec);
	if (!needs_files(&spec))
		add_functions(f, name);
	if (is_incomplete(f) && by_places == before) {
		f->ret->sites.n = before;
		return process_indirect_refuse(f, name->range);
	}
	other_names_find(f->s, f->ret, f->first);
	parts_leave_out(f->s, name->u.str.s, f->ret, f->first);
	if (!needs_files(&spec))
		count_clones(f, name->u.str.s);
	if (f->ret->sites.n > before) {
		/* Entries of a plain name have symbols. */
		if (!err && (f->rq->form->what == 0 || dwarf_spec_is_pattern(&spec)))
			place_sites_note_missing(&by_debuginfo);
		return 0;
	}
	return err || !needs_files(&spec) ? no_function(f, name) :
					    place_sites_no_function(&by_debuginfo, &spec);
}

/* ---- instructions ---- */

static int locate_address(const struct process_search *f)
{
	const struct pp_component *part = last_part(f->rq);
	const struct object_symbol *symbol;
	int64_t address = 0;
	uint64_t offset;
	struct site *site;

	provider_number(part, &address);
	f->ret->kind = PK_PLACE;
	if (!object_offset(f->scope->file, (uint64_t)address, &offset))
		return process_fail(f->rq, part->arg->range,
			    arena_printf(f->s->arena, "%s has no code at 0x%llx",
					 f->scope->file->path, (unsigned long long)address),
			    "addresses are those of the file, as objdump -d shows them");
	symbol = object_symbol_at(f->scope->file, (uint64_t)address);
	site = new_site(f, offset, symbol ? symbol->name : "", f->rq->text);
	site->offset = symbol ? (uint64_t)address - symbol->address : (uint64_t)address;
	return 0;
}

int process_by_symbols(const struct located_request *rq, const struct user_scope *scope,
		       const char *prefix, enum process_what what, struct located *ret)
{
	struct process_search f = {
		.rq = rq, .s = rq->s, .scope = scope, .prefix = prefix, .ret = ret,
		.first = ret->sites.n,
		.exported = true, .returns = what == PROCESS_EXPORTED_RETURN,
		.suffix = what == PROCESS_EXPORTED ? ".exported" : ".exported.return",
		.refused = &(struct process_refused){ 0 },
		.unknown = &(struct process_refused){ 0 },
	};
	const struct expr *name;
	int err;

	if (what == PROCESS_ADDRESS)
		return locate_address(&f);
	name = points_part(rq->pp, "function")->arg;
	ret->from_wildcard |= demangle_is_pattern(name->u.str.s);
	err = add_functions(&f, name);
	if (is_incomplete(&f)) {
		ret->sites.n = f.first;
		return process_indirect_refuse(&f, name->range);
	}
	if (err)
		return no_function(&f, name);
	other_names_find(f.s, ret, f.first);
	parts_leave_out(f.s, name->u.str.s, ret, f.first);
	return 0;
}

/* ---- markers ---- */

static bool matches(const char *pattern, const char *name)
{
	return !pattern || fnmatch(pattern, name, 0) == 0;
}

static void add_mark(const struct process_search *f, const struct object_mark *mark)
{
	const struct program_file *o = f->scope->file;
	struct arena *a = f->s->arena;
	const struct object_symbol *symbol;
	struct site *site;
	uint64_t offset;

	if (!object_offset(o, mark->address, &offset))
		return;
	symbol = object_symbol_at(o, mark->address);
	site = new_site(f, offset, symbol ? symbol->name : "",
			arena_printf(a, "%s.provider(%s).mark(%s)", f->prefix,
				     provider_quoted(a, mark->provider),
				     provider_quoted(a, mark->name)));
	site->offset = symbol ? mark->address - symbol->address : mark->address;
	site->mark = mark;
}

static int no_mark(const struct process_search *f, const struct expr *name)
{
	const struct program_file *o = f->scope->file;
	VEC(const char *) names = { 0 };
	const char *near, *hint;

	if (f->rq->quiet)
		return -ENOENT;
	vec_each(it, &o->marks)
		if (!words_has(names.v, names.n, it->name))
			vec_push(f->s->arena, &names, it->name);
	near = diag_nearest(name->u.str.s, names.v, names.n);
	if (!names.n)
		hint = "it has no SDT markers at all";
	else if (near)
		hint = arena_printf(f->s->arena, "did you mean '%s'?", near);
	else
		hint = arena_printf(f->s->arena, "it has: %s%s",
				    words_join(f->s->arena, names.v,
					       names.n < NAMES_SHOWN ? names.n : NAMES_SHOWN),
				    names.n > NAMES_SHOWN ? ", ..." : "");
	return process_fail(f->rq, name->range,
			    arena_printf(f->s->arena, "%s has no marker '%s'", o->path,
					 name->u.str.s), hint);
}

static int locate_marks(const struct process_search *f)
{
	const struct pp_component *provider = points_part(f->rq->pp, "provider");
	const struct expr *name = last_part(f->rq)->arg;
	const char *of = provider ? provider->arg->u.str.s : NULL;
	size_t before = f->ret->sites.n;

	f->ret->kind = PK_PLACE;
	f->ret->from_wildcard |= process_is_pattern(name->u.str.s) ||
				 (of && process_is_pattern(of));
	vec_each(it, &f->scope->file->marks)
		if (matches(of, it->provider) && matches(name->u.str.s, it->name))
			add_mark(f, it);
	return f->ret->sites.n > before ? 0 : no_mark(f, name);
}

/* ---- calls of other files ---- */

static int no_import(const struct process_search *f, const char *name, struct range at)
{
	const struct program_file *o = f->scope->file;
	VEC(const char *) names = { 0 };
	const char *near;

	if (f->rq->quiet)
		return -ENOENT;
	vec_each(it, &o->imports)
		vec_push(f->s->arena, &names, it->name);
	near = diag_nearest(name, names.v, names.n);
	return process_fail(f->rq, at,
			    arena_printf(f->s->arena, "%s has no entry '%s' in its procedure "
					 "linkage table", o->path, name),
			    !names.n ? "it has none: it calls library functions directly, or is "
				       "statically linked" :
			    near ? arena_printf(f->s->arena, "did you mean '%s'?", near) :
				   "objdump -d --section=.plt --section=.plt.sec shows what is "
				   "available");
}

static int locate_imports(const struct process_search *f, bool returns)
{
	const struct pp_component *part = points_part(f->rq->pp, "plt");
	const char *name = part->has_arg ? part->arg->u.str.s : "*";
	size_t before = f->ret->sites.n;
	uint64_t offset, last = UINT64_MAX;

	f->ret->kind = returns ? PK_RETURN : PK_ENTRY;
	f->ret->from_wildcard |= process_is_pattern(name);
	vec_each(it, &f->scope->file->imports) {
		const char *pp;

		/* Several names of one entry are neighbours. */
		if (fnmatch(name, it->name, 0) != 0 ||
		    !object_offset(f->scope->file, it->address, &offset) || offset == last)
			continue;
		last = offset;
		pp = arena_printf(f->s->arena, "%s.plt(%s)%s", f->prefix,
				  provider_quoted(f->s->arena, it->name), returns ? ".return" : "");
		if (returns)
			new_return(f, offset, it, NULL, pp);
		else
			new_site(f, offset, it->name, pp);
	}
	if (f->ret->sites.n == before &&
	    is_refused(f, part->has_arg ? part->arg->range : part->range))
		return -ENOENT;
	return f->ret->sites.n > before ? 0 :
	       no_import(f, name, part->has_arg ? part->arg->range : part->range);
}

/* ---- the forms ---- */

static int locate_in(const struct located_request *rq, const struct user_scope *scope,
		     const char *prefix, struct located *ret)
{
	bool returns = rq->form->what == SYMBOL_SITES_RETURN ||
		       rq->form->what == SYMBOL_SITES_MAXACTIVE;
	struct process_search f = {
		.rq = rq, .s = rq->s, .scope = scope, .prefix = prefix, .ret = ret,
		.first = ret->sites.n, .returns = returns, .suffix = returns ? ".return" :
			rq->form->what == SYMBOL_SITES_CALL ? ".call" : "",
		.refused = &(struct process_refused){ 0 },
		.unknown = &(struct process_refused){ 0 },
	};

	if (rq->form->what == MARK || rq->form->what == PROVIDER_MARK)
		return locate_marks(&f);
	if (rq->form->what == PLT || rq->form->what == PLT_RETURN)
		return locate_imports(&f, rq->form->what == PLT_RETURN);
	return locate_functions(&f);
}

static int locate(const struct located_request *rq, struct located *ret)
{
	int err = 0;

	if (rq->form->what > EVENT)
		return process_event_locate(rq, (enum process_event)(rq->form->what - EVENT), ret);
	if (rq->form->what == SYMBOL_SITES_MAXACTIVE)
		err = symbol_sites_maxactive(rq, ret);
	return err ? err : process_each_file(rq, locate_in, ret);
}

const struct provider process_provider = {
	"process", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
