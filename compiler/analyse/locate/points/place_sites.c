/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sites at places that debug information knows. A function that begins at a symbol of its own name
 * is an entry, which ftrace can reach; every other place needs a kprobe (PK_PLACE).
 */
#include "analyse/locate/points/place_sites.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "shared/buf.h"
#include "target/kernel/module.h"
#include "target/kernel/kernel.h"
#include "analyse/locate/points/parts.h"
#include "analyse/locate/points/process.h"
#include "target/object/object.h"
#include "state.h"

/* ---- one object ---- */

static int no_debuginfo(struct place_search *f, const char *why)
{
	if (f->rq->quiet)
		return -ENODATA;
	diag_error(f->s->diag, f->rq->pp->range, E_NO_DEBUGINFO, "'%s' needs debug information",
		   f->rq->text);
	diag_hint(f->s->diag, "%s", why);
	return -ENODATA;
}

static void describe(const struct located_request *rq, const struct kernel_module *module,
		     const struct expr *arg, struct located *ret, struct place_search *f)
{
	struct arena *a = rq->s->arena;

	*f = (struct place_search){
		.rq = rq, .s = rq->s, .object = module ? module->name : "kernel",
		.build_id = module ? module->build_id : NULL, .prefix = "kernel",
		.range = arg->range, .text = arg->kind == EX_STR ? arg->u.str.s : "", .ret = ret,
	};
	if (module)
		f->prefix = arena_printf(a, "module(%s)", provider_quoted(a, module->name));
	map_init(&f->names, a);
}

int place_sites_open(const struct located_request *rq, const struct kernel_module *module,
		     const struct expr *arg, struct located *ret, struct place_search *f)
{
	const char *why;

	describe(rq, module, arg, ret, f);
	f->db = dwarf_db_get(rq->s, module ? module->key : f->object, &why);
	return f->db ? 0 : no_debuginfo(f, why);
}

int place_sites_open_program(const struct located_request *rq, const struct user_scope *scope,
			     const char *prefix, const struct expr *arg, bool needless,
			     struct located *ret, struct place_search *f)
{
	const char *why;

	*f = (struct place_search){
		.rq = rq, .s = rq->s, .scope = scope, .object = scope->file->path,
		.build_id = scope->file->build_id, .prefix = prefix, .range = arg->range,
		.text = arg->kind == EX_STR ? arg->u.str.s : "", .ret = ret,
	};
	map_init(&f->names, rq->s->arena);
	f->db = dwarf_db_of_program(rq->s, scope->file, &why);
	if (f->db || needless)
		return f->db ? 0 : -ENODATA;
	return no_debuginfo(f, why);
}

static const char *name_of(struct place_search *f, const struct dwarf_place *place,
			   const char *part, const char *suffix)
{
	const char *function = place->caller ? place->caller : place->function;
	const char *file = place->caller ? place->caller_file : place->file;
	unsigned line = place->caller ? place->caller_line : place->line;
	struct buf where, name;

	if (!part)
		return f->rq->text;
	buf_init(&where);
	buf_init(&name);
	buf_puts(&where, function);
	if (file)
		buf_printf(&where, "@%s", file);
	if (file && line)
		buf_printf(&where, ":%u", line);
	buf_printf(&name, "%s.%s(", f->prefix, part);
	buf_put_quoted(&name, where.s, where.len);
	buf_printf(&name, ")%s", suffix);

	char *known = map_get(&f->names, name.s);

	if (!known) {
		known = arena_strdup(f->s->arena, name.s);
		map_set(&f->names, known, known);
	}
	buf_deinit(&where);
	buf_deinit(&name);
	return known;
}

/* Why the kernel refuses a probe there, or NULL. For a module, the kernel says so when the module
 * comes. */
static const char *forbids(struct place_search *f, const struct dwarf_place *place)
{
	if (f->scope || strcmp(f->object, "kernel") != 0)
		return NULL;
	if (place->is_init)
		return "it is __init code, which is gone once the kernel runs";
	if (kernel_symbols_blacklisted(f->s->kernel, place->symbol))
		return "it is on the kernel's blacklist of functions that must not be probed";
	return NULL;
}

/* The part of the result that has the sites of @kind. */
static struct located *of_kind(struct place_search *f, enum probe_kind kind)
{
	struct located *ret = f->ret;

	if (!ret->sites.n && !ret->also)
		ret->kind = kind;
	if (ret->kind == kind)
		return ret;
	if (!ret->also) {
		ret->also = NEW(f->s->arena, struct located);
		ret->also->kind = kind;
		ret->also->pp = ret->pp;
		ret->also->from_wildcard = ret->from_wildcard;
	}
	return ret->also;
}

void place_sites_add_as(struct place_search *f, const struct dwarf_place *place,
			enum probe_kind kind, const char *pp)
{
	const char *why = forbids(f, place);

	if (why) {
		f->forbidden = why;
		f->forbidden_symbol = place->symbol;
		return;
	}

	uint64_t file_offset = 0;

	if (f->scope && !object_offset(f->scope->file, place->pc, &file_offset)) {
		f->forbidden = "no segment of the file has its code";
		f->forbidden_symbol = place->symbol;
		return;
	}

	struct site *site = NEW(f->s->arena, struct site);

	site->user = f->scope;
	site->file_offset = file_offset;
	site->object = f->object;
	site->build_id = f->build_id;
	site->symbol = place->symbol;
	site->function = place->target ? place->target :
			 strcmp(place->function, place->symbol) != 0 ? place->function : NULL;
	site->namesake = place->namesake;
	site->offset = place->offset;
	site->pp = pp;
	site->place = place;
	site->call = place->call;
	if (f->scope && site_kind_is_return(kind)) {
		why = process_return(f->s, site, place->symbol, place->pc);
		if (why) {
			f->forbidden = why;
			f->forbidden_symbol = place->symbol;
			return;
		}
	}

	struct located *to = of_kind(f, kind);

	vec_push(f->s->arena, &to->sites, site);
	/* If there are many copies, the kernel may refuse one without ending the script. */
	to->from_wildcard |= place->inlined && to->sites.n > 1;
}

void place_sites_add(struct place_search *f, const struct dwarf_place *place, enum probe_kind kind,
		     const char *part, const char *suffix)
{
	place_sites_add_as(f, place, kind, name_of(f, place, part, suffix));
}

int place_sites_end(struct place_search *f)
{
	if (f->ret->sites.n)
		return 0;
	if (f->forbidden && !f->rq->quiet)
		diag_error(f->s->diag, f->range, E_NOT_PROBEABLE, "'%s' can't be probed: %s",
			   f->forbidden_symbol, f->forbidden);
	return -ENOENT;
}

bool locate_is_copy(const struct site *site)
{
	return site->place && site->place->inlined;
}

void place_sites_note_missing(struct place_search *f)
{
	const char *missing = f->scope ? dwarf_missing(f->db) : NULL;

	if (missing)
		f->ret->lacks = missing;
}

/* ---- the entry of a function around a place ---- */

int locate_entry_of(struct state *s, const struct site *site, struct located *ret)
{
	const struct dwarf_place *at = dwarf_place_entry(site->place);
	bool of_kernel = strcmp(site->object, "kernel") == 0;
	struct buf pp;

	if (!at || !at->at_entry || (of_kernel && kernel_forbids(s->kernel, at->symbol)))
		return -ENODATA;

	struct site *entry = NEW(s->arena, struct site);

	*entry = (struct site){ .object = site->object, .build_id = site->build_id,
				.symbol = at->symbol, .namesake = at->namesake, .place = at,
				.user = site->user };
	if (site->user && !object_offset(site->user->file, at->pc, &entry->file_offset))
		return -ENODATA;
	buf_init(&pp);
	buf_printf(&pp, site->user ? "process(\"%2$s\").function(\"%1$s\").call" :
			of_kernel ? "kernel.function(\"%s\").call" :
				    "module(\"%2$s\").function(\"%1$s\").call",
		   site->user ? at->function : at->symbol, site->object);
	entry->pp = arena_strdup(s->arena, pp.s);
	buf_deinit(&pp);
	*ret = (struct located){ .kind = PK_ENTRY, .pp = entry->pp };
	if (strcmp(at->symbol, at->linkage) != 0 ||
	    (of_kernel && kernel_symbols_untraceable(s->kernel, at->symbol)))
		ret->kind = PK_PLACE;
	vec_push(s->arena, &ret->sites, entry);
	return 0;
}

/* ---- functions ---- */

/* Whether it is a function that begins at a symbol of its own name and that ftrace can trace. */
static bool is_plain(const struct place_search *f, const struct dwarf_place *place)
{
	return place->at_entry && strcmp(place->symbol, place->linkage) == 0 &&
	       (strcmp(f->object, "kernel") != 0 ||
		!kernel_symbols_untraceable(f->s->kernel, place->symbol));
}

static size_t count_sites(const struct located *l)
{
	return l->sites.n + (l->also ? l->also->sites.n : 0);
}

/* Adds a site, and counts it if it is an inlined copy. Returns the number of sites added. */
static unsigned add_function(struct place_search *f, const struct dwarf_place *place)
{
	bool returns = f->rq->form->what >= SYMBOL_SITES_RETURN;
	size_t before = count_sites(f->ret);

	if (returns && place->inlined)
		return 0;

	/* In a program, one mechanism serves all places. */
	bool entry = f->scope || is_plain(f, place);

	place_sites_add(f, place, returns ? PK_RETURN : entry ? PK_ENTRY : PK_PLACE, "function",
			place->inlined ? ".inline" : returns ? ".return" :
			f->rq->form->what == SYMBOL_SITES_CALL ? ".call" : "");

	unsigned added = (unsigned)(count_sites(f->ret) - before);

	if (place->inlined)
		f->ret->copies += added;
	return added;
}

/* Whether a place is the beginning of the function, not only of a part of it. */
static bool has_whole(const struct dwarf_places *found)
{
	vec_each(it, &found->v)
		if ((*it)->inlined || !parts_is_part((*it)->symbol))
			return true;
	return false;
}

void place_sites_more(const struct located_request *rq, const struct kernel_module *module,
		      const struct expr *arg, bool has_symbol, struct located *ret)
{
	struct place_search f;
	struct dwarf_spec spec = { .function = arg->u.str.s };
	struct dwarf_places found = {{0}};
	bool plain = rq->form->what == 0, pattern = dwarf_spec_is_pattern(&spec);
	const char *clone = pattern || module || !has_symbol ? NULL :
			    kernel_symbols_clone(rq->s, rq->s->kernel, spec.function);
	bool clones = clone || (!pattern && (module || !has_symbol));
	const char *why;

	describe(rq, module, arg, ret, &f);
	if (!plain && !clones)
		return;
	f.db = dwarf_db_get(rq->s, module ? module->key : f.object, &why);
	if (!f.db) {
		/* A .part is entered from its function, whose entry is probed. */
		ret->left_out = clone && !parts_is_part(clone) ? clone : NULL;
		return;
	}

	ret->needs_debuginfo = !has_symbol;

	bool copies = plain && (pattern || !has_symbol ||
				dwarf_function_copied(f.db, spec.function));

	if (copies || clones)
		dwarf_functions(f.db, &spec, (clones ? DWARF_ENTRIES : 0) |
				(copies ? DWARF_COPIES : 0), &found);
	vec_each(place, &found.v) {
		/* Such sites were found by their symbols already. */
		if (!(*place)->inlined && is_plain(&f, *place))
			continue;
		if (!(*place)->inlined && parts_is_part((*place)->symbol) &&
		    (has_symbol || has_whole(&found)))
			continue;

		unsigned added = add_function(&f, *place);

		if (has_symbol && !(*place)->inlined)
			ret->clones += added;
		if (added && !(*place)->inlined && parts_is_part((*place)->symbol))
			ret->part = (*place)->symbol;
	}
}

bool place_sites_copied(const struct located_request *rq, const struct kernel_module *module,
			const struct expr *arg)
{
	struct place_search f;
	struct dwarf_spec spec = { .function = arg->u.str.s };
	struct dwarf_places found = {{0}};
	struct located none = {0};
	const char *why;

	describe(rq, module, arg, &none, &f);
	f.db = dwarf_db_get(rq->s, module ? module->key : f.object, &why);
	if (f.db)
		dwarf_functions(f.db, &spec, DWARF_COPIES, &found);
	return found.v.n;
}

static const char *nearest_function(struct place_search *f, const char *name)
{
	struct dwarf_function_names names = {{0}};

	dwarf_function_names(f->db, &names);
	return diag_nearest(name, names.v.v, names.v.n);
}

/* Returns the path of the first file with code that @name means, or NULL. */
static const char *file_of_name(struct place_search *f, const char *name)
{
	struct dwarf_spec all = { .function = "*", .file = name };
	struct dwarf_places found = {{0}};

	dwarf_functions(f->db, &all, DWARF_ENTRIES | DWARF_COPIES, &found);
	return found.v.n ? found.v.v[0]->file : NULL;
}

/* The file of a pattern may be that of another object, or have moved. */
static void hint_at_file(struct place_search *f, const struct dwarf_spec *spec)
{
	const char *slash = spec->file ? strrchr(spec->file, '/') : NULL, *near;

	if (!spec->file || file_of_name(f, spec->file))
		return;
	near = slash ? file_of_name(f, slash + 1) : NULL;
	if (near)
		diag_hint(f->s->diag, "did you mean the file %s?", near);
	else if (!f->scope && strcmp(f->object, "kernel") == 0)
		diag_hint(f->s->diag, "vmlinux has no code of %s; that of a module is found by "
			  "module(\"NAME\").function(\"%s\")", spec->file, f->text);
	else
		diag_hint(f->s->diag, "%s has no code of %s; -l '%s.function(\"*\")' shows the "
			  "files", f->prefix, spec->file, f->prefix);
}

int place_sites_no_function(struct place_search *f, const struct dwarf_spec *spec)
{
	struct diag *d = f->s->diag;

	if (f->forbidden || f->rq->quiet)
		return place_sites_end(f);

	const char *missing = f->scope ? dwarf_missing(f->db) : NULL;

	diag_error(d, f->range, missing ? E_NO_DEBUGINFO : E_NO_MATCH, "no function matches '%s'",
		   f->text);
	if (missing)
		diag_hint(d, "%s", missing);
	if (dwarf_spec_is_pattern(spec)) {
		hint_at_file(f, spec);
		return -ENOENT;
	}

	struct dwarf_spec anywhere = { .function = spec->function };
	struct dwarf_places found = {{0}};

	dwarf_functions(f->db, &anywhere, DWARF_ENTRIES | DWARF_COPIES, &found);
	if (found.v.n && f->rq->form->what >= SYMBOL_SITES_RETURN && found.v.v[0]->inlined)
		diag_hint(d, "it is inlined everywhere, and inlined copies have no return");
	else if (found.v.n)
		diag_hint(d, "'%s' is in %s, and begins at line %u", spec->function,
			  found.v.v[0]->file ? found.v.v[0]->file : "?", found.v.v[0]->line);

	const char *near = found.v.n ? NULL : nearest_function(f, spec->function);

	if (near)
		diag_hint(d, "did you mean '%s'?", near);
	return -ENOENT;
}

int place_sites_functions(struct place_search *f, struct dwarf_spec *spec)
{
	struct dwarf_places found = {{0}};
	unsigned copies = f->rq->form->what ? 0 : DWARF_COPIES;

	dwarf_functions(f->db, spec, DWARF_ENTRIES | copies, &found);
	vec_each(place, &found.v)
		add_function(f, *place);
	return found.v.n ? 0 : -ENOENT;
}

int place_sites_spec(const struct located_request *rq, const struct kernel_module *module,
		     const struct expr *arg, struct located *ret)
{
	struct place_search f;
	struct dwarf_spec spec;
	struct dwarf_places found = {{0}};
	const char *why;
	int err = place_sites_open(rq, module, arg, ret, &f);

	if (err)
		return err;
	if (!dwarf_spec_read(rq->s->arena, f.text, &spec, &why)) {
		if (!rq->quiet)
			diag_error(rq->s->diag, arg->range, E_PROBE_POINT, "%s", why);
		return -EINVAL;
	}
	ret->from_wildcard |= dwarf_spec_is_pattern(&spec);
	ret->needs_debuginfo = true;
	dwarf_functions(f.db, &spec, DWARF_ENTRIES | (rq->form->what ? 0 : DWARF_COPIES), &found);
	vec_each(place, &found.v)
		add_function(&f, *place);
	parts_leave_out(rq->s, f.text, ret, 0);
	return ret->sites.n ? 0 : place_sites_no_function(&f, &spec);
}
