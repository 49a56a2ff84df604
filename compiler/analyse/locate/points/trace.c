/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel.trace: tracepoints of the kernel and of loaded modules. For each tracepoint, the kernel
 * has a function __traceiter_NAME, which calls the attached functions with its own arguments. Its
 * symbol shows that the tracepoint exists, its prototype which $variables there are.
 */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "target/btf/btf.h"
#include "target/kernel/module.h"
#include "target/kernel/kernel.h"
#include "analyse/locate/points/provider.h"
#include "analyse/locate/values/prototype.h"
#include "state.h"

#define ITERATOR "__traceiter_"

enum trace_what { OF_KERNEL, OF_MODULE };

static const struct form forms[] = {
	{ "kernel.trace(S)", NULL, OF_KERNEL },
	{ "kernel.tracepoint(S)", NULL, OF_KERNEL },
	{ "module(S).tracepoint(S)", NULL, OF_MODULE },
	{ "module(S).trace(S)", NULL, OF_MODULE },
};

struct trace_search {
	const struct located_request *rq;
	struct state *s;
	struct kernel *k;
	const char *prefix;      /* of what pp() returns */
	const char *system;      /* a pattern or a name; NULL: any */
	const char *name;        /* a pattern or a name */
	struct range range;      /* of both */
	struct located *ret;
};

static bool is_pattern(const char *name)
{
	return strpbrk(name, "*?[");
}

static bool is_of_system(const struct trace_search *f, const char *name)
{
	const char *system = f->system ? kernel_tracepoint_system(f->k, name) : NULL;

	return !f->system || (system && fnmatch(f->system, system, 0) == 0);
}

static void add_site(struct trace_search *f, struct kernel_module *m, const char *iterator)
{
	struct arena *a = f->s->arena;
	struct site *site = NEW(a, struct site);

	site->symbol = arena_strdup(a, iterator + strlen(ITERATOR));
	site->object = m ? m->name : "kernel";
	site->build_id = m ? m->build_id : NULL;
	site->pp = arena_printf(a, "%s(%s)", f->prefix, provider_quoted(a, site->symbol));

	const char *system = kernel_tracepoint_system(f->k, site->symbol);

	site->system = system ? system : "";
	site->prototype = prototype_of(f->s, m, iterator, 1);
	vec_push(a, &f->ret->sites, site);
}

/* Adds the tracepoints of the kernel itself or of one module that match. Returns how many match by
 * name alone. */
static size_t add_matches(struct trace_search *f, struct kernel_module *m)
{
	const char *iterators = arena_printf(f->s->arena, ITERATOR "%s", f->name), *why;
	const char *const *names;
	struct btf_db *btf;
	size_t n = 0;

	if (m)
		n = namelist_match(kernel_module_symbols(m), f->s->arena, iterators, &names);
	else if (kernel_symbols_known(f->k))
		n = kernel_symbols_match(f->s, f->k, iterators, &names);
	else if ((btf = kernel_btf(f->k, &why)))
		n = btf_db_func_names(btf, f->s->arena, iterators, &names);
	for (size_t i = 0; i < n; i++) {
		if (is_of_system(f, names[i] + strlen(ITERATOR)))
			add_site(f, m, names[i]);
	}
	return n;
}

static size_t add_loaded(struct trace_search *f)
{
	const char *iterators = arena_printf(f->s->arena, ITERATOR "%s", f->name), *why;
	const char *const *names;
	size_t found = 0, n = kernel_modules_owners(f->s, f->k, iterators, &names);

	for (size_t i = 0; i < n; i++) {
		struct kernel_module *m = kernel_module_find(f->s, f->k, names[i], &why);

		f->prefix = arena_printf(f->s->arena, "module(\"%s\").tracepoint", names[i]);
		found += m ? add_matches(f, m) : 0;
	}
	return found;
}

/* ---- errors ---- */

static const char *nearest(const struct trace_search *f)
{
	const char *const *names;
	size_t n = kernel_symbols_match(f->s, f->k, ITERATOR "*", &names);
	const char **bare = arena_alloc(f->s->arena, (n + 1) * sizeof(*bare));

	for (size_t i = 0; i < n; i++)
		bare[i] = names[i] + strlen(ITERATOR);
	return diag_nearest(f->name, bare, n);
}

/* @others: the number of tracepoints with the name, but of another system. */
static int no_match(const struct trace_search *f, size_t others)
{
	struct diag *d = f->s->diag;
	const char *system = kernel_tracepoint_system(f->k, f->name), *near;

	if (f->rq->quiet)
		return -ENOENT;
	diag_error(d, f->range, E_NO_MATCH, "kernel %s has no tracepoint '%s%s%s'",
		   kernel_release(f->k), f->system ? f->system : "", f->system ? ":" : "", f->name);
	if (others && !is_pattern(f->name) && system)
		diag_hint(d, "it belongs to the system '%s'", system);
	else if (system && strcmp(system, "syscalls") == 0)
		diag_hint(d, "that event is derived from the tracepoints sys_enter and sys_exit; "
			     "syscall.NAME probes one system call");
	else if (!is_pattern(f->name) && (near = nearest(f)) != NULL)
		diag_hint(d, "did you mean '%s'?", near);
	else
		diag_hint(d, "tracepoints of a module are known while it is loaded");
	return -ENOENT;
}

static int unknown_systems(const struct trace_search *f)
{
	if (!f->rq->quiet) {
		diag_error(f->s->diag, f->range, E_NO_MATCH,
			   "the tracepoints of the system '%s' are not known here", f->system);
		diag_hint(f->s->diag, "only root and captured targets have this information; "
			  "without the system: kernel.trace(\"%s\")", f->name);
	}
	return -ENODATA;
}

/* ---- interface ---- */

static int locate_in_module(struct trace_search *f, const struct expr *module)
{
	const char *why;
	struct kernel_module *m = kernel_module_find(f->s, f->k, module->u.str.s, &why);

	if (!m)
		return provider_unknown_module(f->rq, module, why);
	f->prefix = arena_printf(f->s->arena, "module(\"%s\").tracepoint", m->name);

	size_t n = add_matches(f, m);

	return f->ret->sites.n ? 0 : no_match(f, n);
}

static int locate(const struct located_request *rq, struct located *ret)
{
	const struct expr *arg = rq->pp->parts.v[1].arg, *module = rq->pp->parts.v[0].arg;
	struct trace_search f = {
		.rq = rq, .s = rq->s, .k = rq->s->kernel, .name = arg->u.str.s,
		.range = arg->range, .prefix = "kernel.trace", .ret = ret,
	};
	const char *colon = strchr(f.name, ':'), *why;

	if (colon) {
		f.system = arena_strndup(f.s->arena, f.name, (size_t)(colon - f.name));
		f.name = colon + 1;
	}
	if (!kernel_symbols_known(f.k) && !kernel_btf(f.k, &why))
		return provider_unknown_kernel(rq, f.range, why);
	if (f.system && !kernel_tracepoint_systems_known(f.k))
		return unknown_systems(&f);
	ret->kind = PK_TRACE;
	ret->from_wildcard = is_pattern(f.name) || (f.system && is_pattern(f.system));
	if (rq->form->what == OF_MODULE)
		return locate_in_module(&f, module);

	size_t n = add_matches(&f, NULL);

	if (!ret->sites.n || ret->from_wildcard)
		n += add_loaded(&f);
	return ret->sites.n ? 0 : no_match(&f, n);
}

const struct provider trace_provider = {
	"trace", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
