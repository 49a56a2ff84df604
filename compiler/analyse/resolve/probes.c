/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes probes from probe declarations. Each point is expanded by its aliases (alias.c) and located
 * by the providers. The body is copied for each set of sites at which it means the same
 * (sharing.c).
 */
#include <errno.h>
#include <string.h>

#include "target/arch/names.h"
#include "ast/points.h"
#include "ast/print.h"
#include "ast/walk.h"
#include "target/kernel/kernel.h"
#include "analyse/locate/locate.h"
#include "analyse/resolve/handler.h"
#include "analyse/resolve/probes.h"
#include "analyse/resolve/sites.h"
#include "analyse/resolve/tapset.h"
#include "analyse/resolve/values.h"

/* ---- the text and the tree of one probe ---- */

const char *probes_text(struct resolver *r, const struct probe_point *pp)
{
	struct probe_point bare = *pp;
	struct buf b;
	const char *text;

	bare.optional = bare.sufficient = false;
	bare.cond = NULL;
	buf_init(&b);
	print_probe_point(&b, &bare);
	text = arena_strdup(r->s->arena, b.s ? b.s : "");
	buf_deinit(&b);
	return text;
}

static struct stmt *compose(struct resolver *r, const struct derive *d)
{
	struct arena *a = r->s->arena;
	struct stmt *block;

	if (d->body.n == 1)
		return ast_clone_stmt(a, d->body.v[0]);
	block = ast_stmt(a, ST_BLOCK, d->written->range);
	vec_each(it, &d->body)
		vec_push(a, &block->u.block, ast_clone_stmt(a, *it));
	return block;
}

static struct expr *compose_cond(struct resolver *r, const struct derive *d)
{
	struct expr *all = NULL;

	vec_each(it, &d->conds) {
		struct expr *c = ast_clone_expr(r->s->arena, *it), *both;

		if (all) {
			both = ast_expr(r->s->arena, EX_BINARY, c->range);
			both->u.binary.op = OP_LAND;
			both->u.binary.a = all;
			both->u.binary.b = c;
			c = both;
		}
		all = c;
	}
	return all;
}

/* With --cgroup and the like, hits outside the group are no hits. What runs in the session's
 * thread, or by a timer that is not there for what it interrupts, is for the session as a whole. */
static bool is_limited(const struct resolver *r, const struct probe *p)
{
	return options_limit_group(&r->s->opt) && site_kind_is_hot(p->kind) &&
	       (p->kind != PK_CLOCK || p->each_cpu) && !(p->event && p->event->counter);
}

static struct expr *condition_of(struct resolver *r, const struct probe *p, const struct derive *d)
{
	struct expr *cond = compose_cond(r, d), *call, *both;

	if (!is_limited(r, p))
		return cond;
	call = ast_expr(r->s->arena, EX_CALL, p->range);
	call->u.call.name = "__in_cgroup";
	call->u.call.name_range = p->range;
	if (!cond)
		return call;
	both = ast_expr(r->s->arena, EX_BINARY, p->range);
	both->u.binary.op = OP_LAND;
	both->u.binary.a = call;
	both->u.binary.b = cond;
	return both;
}

/* ---- one probe ---- */

/* The interface of the calls that points like @pp name. */
static enum call_interface interface_named(const struct probe_point *pp)
{
	const char *family = pp->parts.v[0].name;

	if (pp->parts.n < 2)
		return CALL_NONE;
	if (strcmp(family, "syscall32") == 0)
		return CALL_32;
	return strcmp(family, "syscall") == 0 || strcmp(family, "nd_syscall") == 0 ? CALL_64 :
										    CALL_NONE;
}

/* The prefix of the functions of such calls; NULL: there are none. */
static const char *prefix_of_calls(enum call_interface interface)
{
	if (interface == CALL_NONE)
		return NULL;
	return interface == CALL_32 ? arch_names->system_call_32 : arch_names->system_call;
}

/* The interface that the outermost alias for calls in the expansion of @d names, if @site is a
 * function of such calls. */
static enum call_interface interface_of(const struct derive *d, const struct site *site)
{
	enum call_interface ret = CALL_NONE;

	for (; d; d = d->outer) {
		if (!d->alias)
			continue;
		vec_each(it, &d->alias->names)
			if (interface_named(*it) != CALL_NONE)
				ret = interface_named(*it);
	}
	return site->syscall || arch_is_system_call(site->symbol) ? ret : CALL_NONE;
}

#define MAX_PROBES 65535 /* struct prt_group has 16 bits for the number */

/* Copies what the probe point says. */
static void take_point(struct probe *p, const struct located *loc)
{
	p->kind = loc->kind;
	p->pp = loc->pp;
	p->order = loc->order;
	p->period_ns = loc->period_ns;
	p->randomize_ns = loc->randomize_ns;
	p->in_jiffies = loc->in_jiffies;
	p->each_cpu = loc->each_cpu;
	p->most_calls = loc->most_calls;
	p->event = loc->event;
	p->channel = loc->channel;
	p->hook = loc->hook;
	p->maxactive = loc->maxactive;
	p->from_wildcard = loc->from_wildcard;
}

static void add_probe(struct resolver *r, const struct derive *d, const struct located *loc,
		      const struct site_set *set)
{
	struct site **sites = set->v.v;
	size_t nsites = set->v.n;
	struct arena *a = r->s->arena;
	struct probe *p = NEW(a, struct probe);

	take_point(p, loc);
	p->written = probes_text(r, d->written);
	p->alias = d->called;
	p->range = d->written->range;
	p->result = set->result;
	p->optional = d->optional;
	p->helper = d->helper;
	p->interface = nsites ? interface_of(d, sites[0]) : CALL_NONE;
	p->own = d->own;
	for (size_t i = 0; i < nsites; i++)
		vec_push(a, &p->sites, sites[i]);
	vec_each(it, &loc->owners)
		vec_push(a, &p->owners, *it);
	p->body = compose(r, d);
	p->cond = condition_of(r, p, d);
	handler_resolve(r, p, d->own, compose(r, d));
	if (p->kind == PK_NEVER) {
		r->saw_never = true;
		return;
	}
	if (r->p->probes.n == MAX_PROBES) {
		diag_error(r->s->diag, p->range, E_LIMIT, "more than %d probes", MAX_PROBES);
		return;
	}
	if (p->event && p->event->counter)
		counters_define(r, p);
	p->index = (int)r->p->probes.n;
	vec_push(a, &r->p->probes, p);
	vec_each(it, &p->sites) {
		(*it)->index = (int)r->p->sites.n;
		vec_push(a, &r->p->sites, *it);
	}
}

void probes_located(struct resolver *r, const struct derive *d, const struct located *loc)
{
	struct site_sets sets = { 0 };
	struct site_set none = { 0 };

	sharing_sets(r, d, loc, &sets);
	vec_each(it, &sets.v)
		add_probe(r, d, loc, *it);
	if (!loc->sites.n)
		add_probe(r, d, loc, &none);
}

/* ---- points ---- */

/* Whether it is syscall.NAME of a call that the kernel does not have, rather than one without an
 * alias. */
static bool is_no_call(struct resolver *r, const struct probe_point *pp)
{
	struct kernel *k = r->s->kernel;
	const char *prefix = prefix_of_calls(interface_named(pp));

	return prefix && !points_is_pattern(pp) && k && kernel_symbols_known(k) &&
	       !kernel_symbol_count(k, arena_printf(r->s->arena, "%s%s", prefix,
						    pp->parts.v[1].name));
}

bool probes_lacks_interface(struct resolver *r, const struct probe_point *pp)
{
	struct kernel *k = r->s->kernel;

	if (strcmp(pp->parts.v[0].name, "syscall32") != 0 || !k || !kernel_symbols_known(k))
		return false;
	return arch_names->calls_shared ||
	       !kernel_symbol_count(k, arena_printf(r->s->arena, "%sread",
						    arch_names->system_call_32));
}

/* The name of the call that is probably meant, or NULL. */
static const char *near_call(struct resolver *r, const struct probe_point *pp)
{
	struct suggestions sug = { 0 };

	vec_each(sc, &r->scripts)
		vec_each(alias, &(*sc)->aliases)
			vec_each(name, &(*alias)->names)
				if ((*name)->parts.n == 2 &&
				    strcmp((*name)->parts.v[0].name, pp->parts.v[0].name) == 0)
					vec_push(r->s->arena, &sug.v, (*name)->parts.v[1].name);
	return diag_nearest(pp->parts.v[1].name, sug.v.v, sug.v.n);
}

/* Whether an alias is FIRST.SECOND; @second NULL: whether one has that first component. */
static bool has_alias(struct resolver *r, const char *first, const char *second)
{
	vec_each(sc, &r->scripts)
		vec_each(alias, &(*sc)->aliases)
			vec_each(name, &(*alias)->names)
				if (strcmp((*name)->parts.v[0].name, first) == 0 &&
				    (!second || ((*name)->parts.n == 2 &&
						 strcmp((*name)->parts.v[1].name, second) == 0)))
					return true;
	return false;
}

/* Says that only 32-bit programs have the call, if that is so. */
static bool hint_interface(struct resolver *r, const struct probe_point *pp)
{
	const char *prefix = prefix_of_calls(interface_named(pp));

	if (!prefix || prefix == arch_names->system_call_32)
		return false;
	tapset_need_alias(r, "syscall32", pp->parts.v[1].name);
	if (!has_alias(r, "syscall32", pp->parts.v[1].name))
		return false;
	diag_hint(r->s->diag, "32-bit programs have it: syscall32.%s", pp->parts.v[1].name);
	return true;
}

static bool is_family(struct resolver *r, const struct probe_point *pp)
{
	return pp->parts.n && has_alias(r, pp->parts.v[0].name, NULL);
}

static bool is_pattern_of_aliases(struct resolver *r, const struct probe_point *pp)
{
	return points_is_pattern(pp) && is_family(r, pp);
}

bool probes_is_function(struct resolver *r, const struct probe_point *pp)
{
	struct kernel *k = r->s->kernel;
	const char *const *names;

	if (pp->parts.n != 1 || pp->parts.v[0].has_arg || !k || !kernel_symbols_known(k))
		return false;
	if (!points_is_pattern(pp))
		return kernel_symbol_count(k, pp->parts.v[0].name) > 0;
	return kernel_symbols_match(r->s, k, pp->parts.v[0].name, &names) > 0;
}

bool probes_is_tracepoint(struct resolver *r, const struct probe_point *pp)
{
	struct located_list found = { 0 };
	struct expr *name;

	if (pp->parts.n != 1 || pp->parts.v[0].has_arg || !r->s->kernel)
		return false;

	struct probe_point *trace = points_new(r->s->arena, pp->range);

	name = ast_expr(r->s->arena, EX_STR, pp->range);
	name->u.str.s = pp->parts.v[0].name;
	name->u.str.len = strlen(name->u.str.s);
	points_add(r->s->arena, trace, pp->range, "kernel", NULL);
	points_add(r->s->arena, trace, pp->range, "trace", name);
	return locate_probe_point(r->s, trace, true, &found) == 0;
}

/* A point that no provider knows may be a misspelt alias, which is suggested first. */
int probes_report(struct resolver *r, struct probe_point *pp, int rc)
{
	struct located_list none = { 0 };
	const char *near = rc == -EINVAL || is_family(r, pp) ? alias_suggest(r, pp) : NULL;
	bool of_alias = near && strchr(near, '.');

	if ((rc == -ENOTSUP || rc == -EINVAL) && is_no_call(r, pp)) {
		diag_error(r->s->diag, pp->range, E_PROBE_POINT,
			   "kernel %s has no system call '%s'", kernel_release(r->s->kernel),
			   pp->parts.v[1].name);
		near = near_call(r, pp);
		if (!hint_interface(r, pp) && near)
			diag_hint(r->s->diag, "did you mean '%s.%s'?", pp->parts.v[0].name, near);
		return -1;
	}
	if (rc == -ENOTSUP && is_pattern_of_aliases(r, pp)) {
		diag_error(r->s->diag, pp->range, E_NO_MATCH, "no probe point matches '%s'",
			   probes_text(r, pp));
		diag_hint(r->s->diag, "probec -l '%s.*' lists what is available",
			  pp->parts.v[0].name);
		return -1;
	}
	if (rc == -EINVAL && near && (!locate_is_builtin(pp) || of_alias)) {
		diag_error(r->s->diag, pp->range, E_PROBE_POINT, "'%s' is not a known probe point",
			   probes_text(r, pp));
		diag_hint(r->s->diag, "did you mean '%s'?", near);
		return -1;
	}
	locate_probe_point(r->s, pp, false, &none);
	if (rc == -ENOTSUP)
		hint_interface(r, pp);
	if (rc == -EINVAL && probes_is_function(r, pp))
		diag_hint(r->s->diag,
			  "kernel functions are probed by kernel.function(\"%s\")",
			  pp->parts.v[0].name);
	if (rc == -EINVAL && probes_is_tracepoint(r, pp))
		diag_hint(r->s->diag, "tracepoints are probed by kernel.trace(\"%s\")",
			  pp->parts.v[0].name);
	if (rc == -ENOTSUP && of_alias && interface_named(pp) == CALL_NONE)
		diag_hint(r->s->diag, "did you mean '%s'?", near);
	return -1;
}

void probes_report_missed(struct resolver *r, const struct probe_point *pp)
{
	struct located_list none = { 0 };
	const char *why, *hint;

	diag_hold(r->s->diag);
	locate_probe_point(r->s, r->missed, false, &none);
	why = diag_held_text(r->s->diag);
	hint = diag_held_hint(r->s->diag);
	diag_release(r->s->diag);
	diag_error(r->s->diag, pp->range, E_NO_MATCH, "nothing that '%s' stands for can be probed",
		   probes_text(r, pp));
	diag_hint(r->s->diag, "%s: %s", probes_text(r, r->missed), why ? why : "it is not there");
	if (hint)
		diag_hint(r->s->diag, "%s", hint);
}

static int locate_point(struct resolver *r, const struct derive *d, struct probe_point *pp,
			bool optional)
{
	struct located_list list = { 0 };
	int rc = locate_probe_point(r->s, pp, true, &list);

	if (rc < 0 && !optional)
		return probes_report(r, pp, rc);
	if (rc == -ENOTSUP && !resolve_file(pp->range)->in_tapset)
		diag_warn(r->s->diag, pp->range, E_NOT_SUPPORTED,
			  "'%s' is not supported; it is optional and left out", probes_text(r, pp));
	if (rc < 0 && d->alias && !r->missed)
		r->missed = pp;
	if (rc < 0)
		return 0;
	if (list.v.v[0]->sites.n)
		inlined_calls_use(r, interface_of(d, list.v.v[0]->sites.v[0]), &list);
	copies_located(r, d, &list);
	indirect_located(r, d->written->range, &list);
	vec_each(it, &list.v)
		probes_located(r, d, *it);
	return (int)list.v.n;
}

/* ---- ** in the names of built-in forms ---- */

/* The argument of a pattern is that of the last component of a ** that it stands for. */
static bool may_have(const struct pp_component *want, const struct pp_component *have)
{
	return !have->arg || (want->arg && want->arg->kind == have->arg->kind);
}

/* @pp with the names of a form that its pattern matches, or NULL if it does not. */
static struct probe_point *with_names(struct resolver *r, const struct probe_point *pp,
				      const struct probe_point *form)
{
	struct probe_point *ret = points_new(r->s->arena, pp->range);
	size_t i = 0;

	if (!points_match(pp, form, may_have))
		return NULL;
	ret->optional = pp->optional;
	ret->sufficient = pp->sufficient;
	vec_each(it, &form->parts) {
		while (it->has_arg && i < pp->parts.n && !pp->parts.v[i].has_arg)
			i++;
		if (it->has_arg && i == pp->parts.n)
			return NULL;
		points_add(r->s->arena, ret, pp->range, it->name,
			   it->has_arg ? pp->parts.v[i++].arg : NULL);
	}
	for (; i < pp->parts.n; i++)
		if (pp->parts.v[i].has_arg)
			return NULL;
	return ret;
}

/* Locates each form that a pattern with ** matches. Returns how many points were found. */
static int locate_across(struct resolver *r, const struct derive *d, const struct probe_point *pp)
{
	struct form_list forms = { 0 };
	int total = 0;

	locate_forms(r->s, &forms);
	vec_each(form, &forms.v) {
		struct probe_point *meant = with_names(r, pp, *form);
		int n = meant ? locate_point(r, d, meant, true) : 0;

		total += n > 0 ? n : 0;
	}
	return total;
}

/* Whether a name has more than a ** alone, which stands for aliases only. */
static bool crosses(const struct probe_point *pp)
{
	vec_each(part, &pp->parts)
		if (points_crosses(part) && (pp->parts.n > 1 || strcmp(part->name, "**") != 0))
			return true;
	return false;
}

int probes_point(struct resolver *r, const struct derive *d, struct probe_point *pp)
{
	struct derive here = *d;
	bool found = false;
	int n, more;

	here.optional |= pp->optional || pp->sufficient;
	if (pp->cond) {
		here.conds.v = NULL;
		here.conds.n = here.conds.cap = 0;
		vec_each(it, &d->conds)
			vec_push(r->s->arena, &here.conds, *it);
		vec_push(r->s->arena, &here.conds, pp->cond);
	}
	n = alias_expand(r, &here, pp, &found);
	more = n >= 0 && crosses(pp) ? locate_across(r, &here, pp) : 0;
	if (more)
		return n + more;
	if (!found)
		return locate_point(r, &here, pp, here.optional);
	if (n >= 0 && points_is_pattern(pp) && locate_is_builtin(pp)) {
		more = locate_point(r, &here, pp, true);
		n += more > 0 ? more : 0;
	}
	return n;
}

void probes_declare(struct resolver *r, struct probe_decl *decl)
{
	vec_each(it, &decl->points) {
		struct derive d = { .written = *it, .own = decl->body };
		int n;

		vec_push(r->s->arena, &d.body, decl->body);
		r->missed = NULL;
		n = probes_point(r, &d, *it);
		if (!n && r->missed && !(*it)->optional && !(*it)->sufficient &&
		    !points_is_pattern(*it) && !probes_lacks_interface(r, *it))
			probes_report_missed(r, *it);
		if ((*it)->sufficient && n > 0)
			break;
	}
}
