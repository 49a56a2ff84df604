/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Resolves the start of $-expressions: parameters and return values, by the prototype and the
 * calling convention.
 *
 * If several functions have the name, they may have several prototypes. The expression is resolved
 * for each of them, and is available only if all lead to the same access path. Some BTF has only
 * one function of each name; if several symbols have the name, that prototype is not used.
 */
#include <errno.h>
#include <string.h>

#include "target/arch/arch.h"
#include "base/words.h"
#include "target/kernel/kernel.h"
#include "target/kernel/namelist.h"
#include "analyse/locate/values/object_types.h"
#include "analyse/locate/values/path.h"

/* Whether the point is in the kprobe families, which probe symbols without parameters. */
static bool is_kprobe_family(const struct site *site)
{
	return strncmp(site->pp, "kprobe.", 7) == 0;
}

/* ---- the start ---- */

static int unknown_variable(struct walk *w)
{
	struct name_list names = {0};
	const char *name = w->e->u.context.name;

	locate_context_names(w->s, w->site, w->kind, CONTEXT_ALL, &names);
	path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENOENT,
		  "'%s' is not %s '%s'", name, site_kind_is_trace(w->kind) ?
		  "an argument of the tracepoint" : "a parameter of", w->site->symbol);
	if (names.v.n == 0) {
		path_hint(w, "it has no parameters");
		return -ENOENT;
	}

	static const char *const results[] = { "$retval", "$ret", "$rc", "$result" };
	const char *nearest = diag_nearest(name, names.v.v, names.v.n);

	if (words_has(results, sizeof(results) / sizeof(results[0]), name) &&
	    words_has(names.v.v, names.v.n, "$return"))
		nearest = "$return";
	if (nearest) {
		path_hint(w, "did you mean '%s'?", nearest);
		return -ENOENT;
	}

	const char *known = words_join(w->s->arena, names.v.v, names.v.n);

	if (site_kind_is_trace(w->kind))
		path_hint(w, "known here: %s", known);
	else
		path_hint(w, "known here: %s; local variables are known at a "
			  "statement(\"%s:LINE\")", known, w->func->name);
	return -ENOENT;
}

/* The same probe point in the family that has $variables. */
static const char *typed_point(struct walk *w)
{
	const struct site *site = w->site;

	if (strcmp(site->object, "kernel") == 0)
		return arena_printf(w->s->arena, "kernel.function(\"%s\")", site->symbol);
	return arena_printf(w->s->arena, "module(\"%s\").function(\"%s\")", site->object,
			    site->symbol);
}

static int start_at_return(struct walk *w, struct arch_passing *place)
{
	const char *function = w->func->name;

	if (!site_kind_is_return(w->kind)) {
		path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENOENT,
		     "'$return' is known only where a function returns");
		if (!site_kind_is_trace(w->kind))
			path_hint(w, "probe %s.return", typed_point(w));
		return -ENOENT;
	}
	*place = arch_return(w->func);
	w->type = btf_func_return(w->func);
	if (place->where == ARCH_NOWHERE && !place->why)
		return path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENOENT,
			    "'%s' returns nothing: there is no '$return'", function);
	return 0;
}

static int start_at_param(struct walk *w, struct arch_passing *place)
{
	const char *name = w->e->u.context.name + 1; /* without the $ */
	int i = path_param(w->func, w->kind, name);

	if (i < 0)
		return unknown_variable(w);
	btf_func_param(w->func, (unsigned)i, &w->type);
	*place = arch_param(w->func, (unsigned)i);
	w->access->at_entry_saved = site_kind_is_return(w->kind) || site_kind_is_trace(w->kind) ||
				    site_kind_is_hook(w->kind);
	return 0;
}

/* The parts of a value in vector registers, of which each has fewer bits than a word. What a return
 * probe saves at the entry is one register for each expression. */
static void start_at_vectors(struct walk *w, const struct arch_passing *place)
{
	struct arena *a = w->s->arena;
	struct location *l = NEW(a, struct location);

	w->piece_bits = 8 * place->bytes;
	w->access->base = place->where == ARCH_SIMD ? AB_SIMD_ARG : AB_SIMD_RETURN;
	if (w->standing != ON_PIECES || place->bytes == 8 || w->access->at_entry_saved)
		return;
	for (unsigned i = 0; i < place->n; i++) {
		struct location_piece part = { .is_value = true, .bit_size = w->piece_bits };

		vec_push(a, &part.ops,
			 ((struct location_op){ .kind = LO_SIMD, .n = place->first + i }));
		vec_push(a, &l->pieces, part);
	}
	w->access->base = AB_LOCATION;
	w->access->location = l;
}

/* A result in two registers, with @bits bits of it in each. */
static void start_at_pair(struct walk *w, uint32_t bits)
{
	struct arena *a = w->s->arena;
	struct location *l = NEW(a, struct location);

	for (unsigned i = 0; i < 2; i++) {
		struct location_piece half = { .is_value = true, .bit_size = bits };

		vec_push(a, &half.ops, ((struct location_op){
			.kind = LO_REG, .name = arch_result_register(i, bits == 32) }));
		vec_push(a, &l->pieces, half);
	}
	w->access->base = AB_LOCATION;
	w->access->location = l;
	w->standing = ON_PIECES;
}

static int not_there(struct walk *w, const char *why)
{
	return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL, "'%s' is not available: %s",
			 w->e->u.context.name, why);
}

static int start(struct walk *w)
{
	struct arch_passing place = {0};
	bool is_return = strcmp(w->e->u.context.name, "$return") == 0;
	int err = is_return ? start_at_return(w, &place) : start_at_param(w, &place);

	if (err)
		return err;

	/* Rust passes small arrays by value as well. */
	enum btf_kind_of kind = btf_types_shape(w->db, w->type).kind;
	bool by_value = kind == BTF_STRUCT || kind == BTF_ARRAY;

	w->standing = place.is_address ? ON_ADDRESS : by_value ? ON_PIECES : ON_VALUE;
	w->access->origin = w->origin;
	w->access->n = place.first;
	w->pieces = place.n;
	switch (place.where) {
	case ARCH_NOWHERE:
		return not_there(w, place.why);
	case ARCH_REGISTERS:
		w->access->base = AB_REG_ARG;
		break;
	case ARCH_STACK:
		w->access->base = AB_STACK_ARG;
		break;
	case ARCH_STACK_32:
		w->access->base = by_value || place.n == 1 ? AB_STACK_ARG_32 : AB_STACK_PAIR_32;
		break;
	case ARCH_SIMD:
	case ARCH_RETURN_SIMD:
		if (!w->access->of_user)
			return not_there(w, place.why);
		start_at_vectors(w, &place);
		break;
	case ARCH_RETURN_VALUE:
		/* In the kernel, not all ways to a return keep the second register. */
		if (by_value && place.n == 2 && w->access->of_user)
			start_at_pair(w, 64);
		else
			w->access->base = AB_RETURN;
		break;
	case ARCH_RETURN_PAIR:
		start_at_pair(w, 32);
		break;
	case ARCH_RETURN_MEMORY:
		w->access->base = AB_RETURN;
		w->standing = ON_ADDRESS;
		break;
	case ARCH_ENTRY_MEMORY:
		w->access->base = AB_REG_ARG;
		w->access->at_entry_saved = true;
		w->standing = ON_ADDRESS;
		break;
	}
	return 0;
}

/* The number of a tracepoint's argument: arguments in registers come first, without the first
 * register, then arguments on the stack. */
static unsigned trace_argument(const struct access *access)
{
	return access->base == AB_REG_ARG ? access->n - 1 :
					    access->n + arch_argument_registers() - 1;
}

/* ---- all prototypes of the name ---- */

static bool same_access(const struct access *a, const struct access *b)
{
	if (a->base != b->base || a->n != b->n || a->steps.n != b->steps.n ||
	    a->result != b->result || a->size != b->size || a->is_signed != b->is_signed ||
	    a->bit_offset != b->bit_offset || a->bit_size != b->bit_size ||
	    strcmp(a->type_name, b->type_name) != 0)
		return false;
	for (size_t i = 0; i < a->steps.n; i++) {
		const struct access_step *sa = &a->steps.v[i], *sb = &b->steps.v[i];

		if (sa->kind != sb->kind || sa->add != sb->add || sa->index != sb->index ||
		    sa->scale != sb->scale)
			return false;
	}
	return true;
}

static int walk_one(const struct walk *common, const struct btf_func *func, bool quiet,
		    struct access **ret)
{
	struct walk w = *common;

	w.func = func;
	w.db = func->db;
	w.quiet = quiet;
	w.access = NEW(w.s->arena, struct access);
	w.access->of_user = w.site && w.site->user;
	w.end = w.e->range.end;
	w.access->text = path_text(&w);

	int err = start(&w);

	if (!err)
		err = path_follow(&w);
	if (!err && site_kind_is_trace(w.kind))
		w.access->saved_index = trace_argument(w.access);
	if (!err && site_kind_is_hook(w.kind))
		w.access->saved_index = w.access->n;
	*ret = w.access;
	return err;
}

#define BY_NUMBER "int_arg(n) and pointer_arg(n) give arguments by number"

static int ambiguous(struct walk *w, const struct btf_func *funcs)
{
	path_fail(w, w->e->range, E_AMBIGUOUS, -ENOTUNIQ,
	     "'%s' differs between the %u prototypes of functions named '%s'",
	     w->e->u.context.name, funcs->of, funcs->name);
	for (unsigned i = 0; i < funcs->of; i++)
		path_hint(w, "%s", btf_func_text(w->s->arena, &funcs[i]));
	path_hint(w, "%s", BY_NUMBER);
	return -ENOTUNIQ;
}

static int doubtful(struct walk *w, const struct btf_func *func)
{
	path_fail(w, w->e->range, E_AMBIGUOUS, -ENOTUNIQ,
	     "'%s' is not available: there are %u functions named '%s' and BTF has the prototype "
	     "of only one", w->e->u.context.name, func->doubtful, func->name);
	path_hint(w, "%s", btf_func_text(w->s->arena, func));
	path_hint(w, "%s", BY_NUMBER);
	return -ENOTUNIQ;
}

static int walk_all(struct walk *w)
{
	const struct btf_func *funcs = locate_prototype(w->site);
	struct access *first, *other;

	w->origin = site_kind_is_trace(w->kind) ? ACCESS_OTHER : ACCESS_PROTOTYPE;
	if (funcs->doubtful)
		return doubtful(w, funcs);

	int first_err = walk_one(w, &funcs[0], w->quiet || funcs->of > 1, &first);

	for (unsigned i = 1; i < funcs->of; i++) {
		int err = walk_one(w, &funcs[i], true, &other);

		if (err != first_err || (!err && !same_access(first, other)))
			return ambiguous(w, funcs);
	}
	if (first_err && funcs->of > 1 && !w->quiet)
		walk_one(w, &funcs[0], false, &first);
	if (!first_err) {
		w->e->u.context.access = first;
		w->e->type = access_value_type(first);
	}
	return first_err;
}

int context_walk(struct walk *w, const struct btf_func *func)
{
	struct access *access;
	int err = walk_one(w, func, w->quiet, &access);

	if (err)
		return err;
	w->e->u.context.access = access;
	w->e->type = access_value_type(access);
	return 0;
}

/* Reports that there is no prototype of the function; @nodebug: why there is no debug information
 * that would have it. */
static int no_prototype(struct walk *w, const char *nodebug)
{
	const char *symbol = w->site->symbol, *name = w->e->u.context.name;
	struct object_types_missing why;
	struct range r = w->e->range;

	if (is_kprobe_family(w->site)) {
		path_fail(w, r, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
		     "'%s' is not available: kprobe.function() has no $variables", name);
		path_hint(w, "use %s, or int_arg(n) and pointer_arg(n)", typed_point(w));
	} else if (namelist_clone_suffix(symbol)) {
		path_fail(w, r, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
		     "'%s' is not available: the calling convention does not hold for compiler "
		     "clones such as '%s'", name, symbol);
		path_hint(w, "it needs debug information: %s", nodebug);
	} else if (object_types_missing(w->s, w->site->object, &why)) {
		bool of_kernel = strcmp(w->site->object, "kernel") == 0;

		path_fail(w, r, E_NO_BTF, -ENODATA, "'%s' needs the BTF or the debug information "
		     "of %s %s, and neither can be used", name, of_kernel ? "kernel" : "the module",
		     of_kernel ? kernel_release(w->s->kernel) : w->site->object);
		if (!w->quiet)
			object_types_hint(w->s, &why);
	} else {
		path_fail(w, r, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
		     "'%s' is not available: %s has no prototype of '%s'", name,
		     why.btf ? "debug information" : "BTF",
		     namelist_unpromoted(w->s->arena, symbol));
		if (!site_kind_is_trace(w->kind) && !why.btf)
			path_hint(w, "int_arg(n) and pointer_arg(n) give its arguments by number; "
				  "debug information would have it: %s", nodebug);
	}
	return -ENODATA;
}

/* Uses debug information, which tells functions of the same name apart. */
static int walk_place(struct walk *w)
{
	const char *why;
	const struct dwarf_place *at = context_place_of(w->s, w->site, &why);

	if (at)
		return context_place_walk(w, at);
	return locate_prototype(w->site) ? walk_all(w) : no_prototype(w, why);
}

int locate_context(struct state *s, const struct site *site, enum probe_kind kind, struct expr *e,
		   bool quiet)
{
	struct walk w = { .s = s, .site = site, .kind = kind, .e = e, .quiet = quiet };
	int rc;

	if (!site)
		return path_fail(&w, e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENOENT,
			    "'%s': this kind of probe has no $variables", e->u.context.name);
	if (site_kind_is_hook(kind))
		return context_hook_walk(&w);
	if (context_user_syscall(&w, &rc))
		return rc;
	if (site->user && context_user_answers(&w))
		return context_user_walk(&w);
	if (is_kprobe_family(site) || (site_kind_is_trace(kind) && !locate_prototype(site)))
		return no_prototype(&w, "");

	const struct btf_func *f = locate_prototype(site);
	bool certain = f && !f->doubtful && f->of == 1;

	return certain && !site->place ? walk_all(&w) : walk_place(&w);
}

void locate_context_names(struct state *s, const struct site *site, enum probe_kind kind,
			  enum context_names which, struct name_list *ret)
{
	const char *why;

	if (site && ((site->user && !site->place) || context_user_is_syscall(site))) {
		context_user_names(s, site, kind, which, ret);
		return;
	}

	if (site && site_kind_is_hook(kind)) {
		context_hook_names(s, which, ret);
		return;
	}

	const struct btf_func *f = site ? locate_prototype(site) : NULL;
	const struct dwarf_place *at = NULL;

	if (site && !site_kind_is_trace(kind) && !is_kprobe_family(site) && (site->place || !f))
		at = context_place_of(s, site, &why);
	if (at)
		context_place_names(s, at, kind, which, ret);
	if (at || !f || which == CONTEXT_LOCALS)
		return;

	unsigned n = btf_func_nparams(f);

	for (unsigned i = path_first_param(kind); i < n; i++) {
		uint32_t type;
		const char *name = btf_func_param(f, i, &type);

		if (name && *name)
			vec_push(s->arena, &ret->v, arena_printf(s->arena, "$%s", name));
	}
	if (site_kind_is_return(kind) && btf_func_return(f) != 0)
		vec_push(s->arena, &ret->v, "$return");
}
