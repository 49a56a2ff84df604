/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sites at functions that are known by name. Names come from the kernel's symbols, or from BTF
 * where the symbols are not known; prototypes come from BTF. A name that stands for several
 * functions makes a site for each.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "locate/btf/btf.h"
#include "locate/kernel_private.h"
#include "locate/providers/symbol_sites.h"
#include "session.h"

struct search {
	const struct located_request *rq;
	struct session *s;
	struct kernel *k;
	struct btf_db *btf;      /* NULL: none */
	const char *prefix, *suffix;
	const char *name;        /* as written, a pattern or a name */
	struct range range;      /* of the name */
	bool prototypes;
	bool by_symbols;         /* names are symbols; else functions of BTF */
	unsigned left_out;       /* functions of a wildcard that can't be probed */
	struct located *ret;
};

static const char *quoted(struct arena *a, const char *text)
{
	struct buf b;
	buf_init(&b);
	buf_put_quoted(&b, text, strlen(text));
	const char *copy = arena_strdup(a, b.s);
	buf_deinit(&b);
	return copy;
}

/* How many functions have exactly that name. */
static int count_functions(const struct search *f, const char *name)
{
	const struct btf_func *funcs;
	if (f->by_symbols)
		return kernel_symbol_count(f->k, name);
	return (int)btf_db_funcs(f->btf, name, &funcs);
}

/* The kernel's reason, or NULL. */
static const char *forbids(const struct search *f, const char *name)
{
	if (f->prototypes || kernel_symbols_blacklisted(f->k, name))
		return kernel_forbids(f->k, name);
	return NULL;
}

/* The prototypes of a name that @n functions have; NULL: none is known. */
static const struct btf_func *find_prototypes(const struct search *f, const char *name, int n)
{
	const struct btf_func *found;
	/* The calling convention does not hold for clones (name.isra.0). */
	if (!f->prototypes || !f->btf || strchr(name, '.') ||
	    btf_db_funcs(f->btf, name, &found) == 0)
		return NULL;
	if (n == 1 || found->of > 1 || btf_db_knows_namesakes(f->btf))
		return found;
	struct btf_func *one = NEW(f->s->arena, struct btf_func);
	*one = *found;
	one->doubtful = (unsigned)n;
	return one;
}

static void add_sites(struct search *f, const char *name, int n)
{
	struct arena *a = f->s->arena;
	const struct btf_func *proto = find_prototypes(f, name, n);
	const char *pp = arena_printf(a, "%s(%s)%s", f->prefix, quoted(a, name), f->suffix);
	for (int i = 0; i < n; i++) {
		struct site *site = NEW(a, struct site);
		site->object = "kernel";
		site->symbol = name;
		site->namesake = i;
		site->pp = pp;
		site->proto = proto;
		vec_push(a, &f->ret->sites, site);
	}
}

static int no_match(const struct search *f)
{
	struct diag *d = f->s->diag;
	if (f->rq->quiet)
		return -ENOENT;
	diag_error(d, f->range, E_NO_MATCH, "kernel %s has no function '%s'", kernel_release(f->k),
		   f->name);
	if (!f->by_symbols)
		return -ENOENT;
	const char *clone = kernel_symbols_clone(f->s, f->k, f->name);
	const char *module = clone ? NULL : kernel_symbols_module(f->s, f->k, f->name);
	const char *nearest = kernel_symbols_nearest(f->s, f->k, f->name);
	if (clone)
		diag_hint(d, "the compiler made the clone '%s' of it; that name can be probed, "
			  "without $variables", clone);
	else if (module)
		diag_hint(d, "it belongs to the module '%s'; probes in modules come later", module);
	else if (nearest)
		diag_hint(d, "did you mean '%s'?", nearest);
	else
		diag_hint(d, "it may be inlined everywhere, or belong to a module");
	return -ENOENT;
}

static int locate_name(struct search *f)
{
	int n = count_functions(f, f->name);
	if (n == 0)
		return no_match(f);
	const char *why = forbids(f, f->name);
	if (why && !f->rq->quiet) {
		diag_error(f->s->diag, f->range, E_NOT_PROBEABLE, "'%s' can't be probed: %s",
			   f->name, why);
		if (f->prototypes && !kernel_symbols_blacklisted(f->k, f->name))
			diag_hint(f->s->diag, "kprobe.function(\"%s\") does not go by that list",
				  f->name);
	}
	if (why)
		return -ENOENT;
	add_sites(f, arena_strdup(f->s->arena, f->name), n);
	return 0;
}

/* Symbols of the text that are no functions, or not whole ones. */
static bool is_no_function(const char *name)
{
	return strstr(name, ".cold") || strncmp(name, "__pfx_", 6) == 0 ||
	       strncmp(name, "__cfi_", 6) == 0 || strncmp(name, "__SCT__", 7) == 0;
}

static int locate_pattern(struct search *f)
{
	const char *const *names;
	size_t n = f->by_symbols ? kernel_symbols_match(f->s, f->k, f->name, &names) :
				   btf_db_func_names(f->btf, f->s->arena, f->name, &names);
	f->ret->from_wildcard = true;
	for (size_t i = 0; i < n; i++) {
		if (is_no_function(names[i]))
			continue;
		if (forbids(f, names[i]))
			f->left_out++;
		else
			add_sites(f, names[i], count_functions(f, names[i]));
	}
	if (f->ret->sites.n) {
		if (f->left_out && f->s->opt.verbose)
			fprintf(stderr, "probec: %s: %u functions that can't be probed are left "
				"out\n", f->rq->text, f->left_out);
		return 0;
	}
	if (f->rq->quiet)
		return -ENOENT;
	diag_error(f->s->diag, f->range, E_NO_MATCH, "no function of kernel %s matches '%s'",
		   kernel_release(f->k), f->name);
	if (f->left_out)
		diag_hint(f->s->diag, "%u match that the kernel does not allow to be probed",
			  f->left_out);
	return -ENOENT;
}

static int unknown_kernel(const struct search *f, const char *why)
{
	if (!f->rq->quiet) {
		diag_error(f->s->diag, f->range, E_NO_BTF,
			   "neither the symbols nor the BTF of kernel %s are known",
			   kernel_release(f->k));
		diag_hint(f->s->diag, "%s", why);
	}
	return -ENODATA;
}

/* What in the name asks for more than a symbol table can tell; NULL: nothing. */
static const char *needs_more(const char *name)
{
	if (strchr(name, '@'))
		return "a source file or line needs debug information, which comes later";
	if (strchr(name, '+'))
		return "an offset into a function needs debug information, which comes later";
	return NULL;
}

static int read_maxactive(const struct located_request *rq, struct located *ret)
{
	const struct pp_component *last = &rq->pp->parts.v[rq->pp->parts.n - 1];
	if (rq->pp->parts.n < 4)
		return 0;
	table_number(last, &ret->maxactive);
	if (ret->maxactive >= 0 && ret->maxactive <= UINT16_MAX)
		return 0;
	if (!rq->quiet)
		diag_error(rq->s->diag, last->arg ? last->arg->range : last->range, E_PROBE_POINT,
			   "maxactive must be between 0 and %d", UINT16_MAX);
	return -EINVAL;
}

int symbol_sites_locate(const struct located_request *rq, const char *prefix, bool prototypes,
			struct located *ret)
{
	const struct expr *arg = rq->pp->parts.v[1].arg;
	struct session *s = rq->s;
	const char *btf_why, *more = needs_more(arg->u.str.s);
	struct search f = {
		.rq = rq, .s = s, .k = s->kernel, .prefix = prefix, .name = arg->u.str.s,
		.range = arg->range, .prototypes = prototypes, .ret = ret, .suffix = "",
	};
	if (more) {
		if (!rq->quiet)
			diag_error(s->diag, arg->range, E_NOT_SUPPORTED,
				   "'%s' is not supported: %s", arg->u.str.s, more);
		return -ENOTSUP;
	}
	ret->kind = rq->form->what & SYMBOL_SITES_RETURN ? PK_RETURN : PK_ENTRY;
	if (rq->form->what)
		f.suffix = rq->form->what & SYMBOL_SITES_RETURN ? ".return" : ".call";
	int err = read_maxactive(rq, ret);
	if (err)
		return err;
	f.by_symbols = kernel_symbols_known(s->kernel);
	if (prototypes || !f.by_symbols)
		f.btf = kernel_btf(s->kernel, &btf_why);
	if (!f.by_symbols && !f.btf)
		return unknown_kernel(&f, btf_why);
	return strpbrk(f.name, "*?[") ? locate_pattern(&f) : locate_name(&f);
}
