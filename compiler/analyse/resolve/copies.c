/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Points at functions that have inlined copies or clones. Without debug information, a function is
 * probed only at its symbol; a note gives both numbers, unless the point needs debug information
 * anyway. If a script also probes the returns of such a function, which inlined copies do not have,
 * a warning is given instead. So is one of system calls that may have inlined copies. Where there
 * are copies, both say that their hits may not be calls.
 */
#include <string.h>

#include "base/words.h"
#include "target/kernel/kernel.h"
#include "analyse/resolve/probes.h"
#include "analyse/resolve/sites.h"

enum { NAMES_SHOWN = 8 }; /* that a message lists */

static const char *counted(struct resolver *r, size_t n, const char *one, const char *many)
{
	return arena_printf(r->s->arena, "%zu %s", n, n == 1 ? one : many);
}

void copies_lacking(struct resolver *r, struct range at, const struct located_list *list)
{
	const struct located *first = list->v.n ? list->v.v[0] : NULL;

	if (!first || !first->lacks)
		return;
	diag_warn(r->s->diag, at, E_NO_DEBUGINFO, "%s may have more places than are known",
		  first->pp);
	diag_hint(r->s->diag, "%s", first->lacks);
}

/* Nothing but a part of the function was found. */
static void remark_part(struct resolver *r, const struct probe_point *written,
			const struct located *found)
{
	diag_warn(r->s->diag, written->range, E_COPIES, "%s is probed only at '%s', which not "
							"every call of the function "
							"reaches", found->pp, found->part);
	diag_hint(r->s->diag, "the compiler split it, and its beginning is inlined wherever it is "
		  "called%s", site_kind_is_return(found->kind) ? ", so it has no return" :
		  ": debug information shows these copies, which .call leaves out");
}

/* The unwinder of x86 finds return addresses that a kretprobe has replaced from commit 03bac0df2886
 * ("kprobes: Enable stacktrace from pt_regs in kretprobe handler") on. */
static void warn_of_chains(struct resolver *r, struct range at, const struct located *found)
{
	struct kernel *k = r->s->kernel;

	if (found->most_calls < 2 || resolve_file(at)->in_tapset || !kernel_symbols_known(k) ||
	    kernel_has_symbol(k, "kretprobe_find_ret_addr") ||
	    kernel_has_symbol(k, "rethook_find_ret_addr"))
		return;
	diag_warn(r->s->diag, at, E_COPIES, "%s: a chain is not seen while one of its functions "
		  "has a return probe", found->pp);
	diag_hint(r->s->diag, "this kernel does not find return addresses that kretprobes have "
		  "replaced, whoever has set them; kernels from 5.16 on do");
}

void copies_of_other_names(struct resolver *r, struct range at, const struct located_list *list)
{
	const struct located *found = list->v.n ? list->v.v[0] : NULL;
	struct diag *d = r->s->diag;

	if (!found || resolve_file(at)->in_tapset)
		return;
	if (found->thunks.n) {
		diag_warn(d, at, E_COPIES, "%s: calls by way of a base class are not counted where "
			  "the compiler copied the function into a thunk", found->pp);
		diag_hint(d, "function(\"NAME\") probes such code: %s; $this is that of the base "
			  "class there", words_some(r->s->arena, found->thunks.v, found->thunks.n,
						    NAMES_SHOWN));
	}
	if (found->merged.n) {
		diag_remark(d, at, E_COPIES, "calls of any of %s are counted: they are identical "
					     "and were merged into one "
					     "function", words_some(r->s->arena, found->merged.v,
								 found->merged.n, NAMES_SHOWN));
		diag_hint(d, "link the program without --icf, or compile it with -fno-ipa-icf, to "
			  "tell them apart");
	}
}

void copies_located(struct resolver *r, const struct derive *d, const struct located_list *list)
{
	const struct located *first = list->v.n ? list->v.v[0] : NULL;
	struct counted_point one = { .written = d->written, .pp = first ? first->pp : NULL };

	copies_lacking(r, d->written->range, list);
	copies_of_other_names(r, d->written->range, list);
	if (first)
		warn_of_chains(r, d->written->range, first);
	if (!first || resolve_file(d->written->range)->in_tapset ||
	    (!first->copies && !first->clones && !first->left_out && !first->part))
		return;
	if (first->part && (!first->from_wildcard || (first->sites.n == 1 && !first->also)))
		remark_part(r, d->written, first);
	for (const struct located *it = first; it; it = it->also)
		vec_each(site, &it->sites)
			vec_push(r->s->arena, &one.sites, *site);
	one.copies = first->copies;
	one.clones = first->clones;
	one.left_out = first->left_out;
	one.functions = one.sites.n - one.copies - one.clones;
	one.needs_debuginfo = first->needs_debuginfo;
	vec_push(r->s->arena, &r->counted, one);
}

/* "1 function, 1 clone and 3 inlined copies" */
static const char *places(struct resolver *r, const struct counted_point *c)
{
	const char *functions = counted(r, c->functions, "function", "functions");
	const char *clones = counted(r, c->clones, "clone", "clones");
	const char *copies = counted(r, c->copies, "inlined copy", "inlined copies");

	if (!c->functions && !c->clones)
		return copies;
	if (!c->functions)
		return arena_printf(r->s->arena, "%s and %s", clones, copies);
	if (c->clones && c->copies)
		return arena_printf(r->s->arena, "%s, %s and %s", functions, clones, copies);
	return arena_printf(r->s->arena, "%s and %s", functions, c->clones ? clones : copies);
}

/* The point that was located, after the name of the alias that led to it. */
static const char *point(struct resolver *r, const struct counted_point *c)
{
	const char *written = probes_text(r, c->written);

	if (strcmp(written, c->pp) == 0)
		return c->pp;
	return arena_printf(r->s->arena, "%s: %s", written, c->pp);
}

/* Debug information has one entry for a call in the source, whatever the compiler made of it
 * (target/dwarf/code/beginnings.c). */
static void hint_copies(struct resolver *r, const struct counted_point *c)
{
	if (!c->copies)
		return;
	diag_hint(r->s->diag, "hits may be more or fewer than calls: the compiler may have moved, "
		  "merged or repeated the code of %s",
		  counted(r, c->copies, "inlined copy", "inlined copies"));
	diag_hint(r->s->diag, "to count each call, use .call in a build in which the function is "
		  "not inlined, or probe the functions that call it");
}

static void remark(struct resolver *r, const struct counted_point *c)
{
	const char *only = c->functions == 1 ? "the function" : "the functions";
	struct diag *d = r->s->diag;

	if (c->left_out) {
		diag_remark(d, c->written->range, E_COPIES,
			    "%s is probed at %s, and not at its clone '%s'", point(r, c),
			    counted(r, c->functions, "function", "functions"), c->left_out);
		diag_hint(d, "with debug symbols the clone is probed as well");
		return;
	}
	diag_remark(d, c->written->range, E_COPIES, "%s is probed at %s", point(r, c),
		    places(r, c));
	if (!c->needs_debuginfo && c->functions && c->clones)
		diag_hint(d, "without debug symbols, only at %s", only);
	else if (!c->needs_debuginfo && c->functions)
		diag_hint(d, "without debug symbols, or with .call, only at %s", only);
	if (c->functions && c->clones && c->copies)
		diag_hint(d, "with .call, not at the inlined copies");
	hint_copies(r, c);
}

/* ---- calls that are paired with returns ---- */

static const char *name_at(struct resolver *r, const struct site *site)
{
	return arena_printf(r->s->arena, "%s:%s", site->object,
			    site->function ? site->function : site->symbol);
}

/* Collects the functions at whose return the user has a probe. */
static void collect_returns(struct resolver *r, struct map *returns)
{
	map_init(returns, r->s->arena);
	vec_each(p, &r->p->probes) {
		if (!site_kind_is_return((*p)->kind) || resolve_file((*p)->range)->in_tapset)
			continue;
		vec_each(site, &(*p)->sites)
			map_set(returns, name_at(r, *site), *p);
	}
}

/* A probe at the return of a function that has inlined copies in @c, or NULL. */
static struct probe *return_of(struct resolver *r, const struct counted_point *c,
			       struct map *returns)
{
	vec_each(site, &c->sites) {
		struct probe *p = NULL;

		if (locate_is_copy(*site))
			p = map_get(returns, name_at(r, *site));
		if (p)
			return p;
	}
	return NULL;
}

static void warn(struct resolver *r, const struct counted_point *c, const struct probe *returns)
{
	struct diag *d = r->s->diag;

	diag_warn(d, c->written->range, E_COPIES, "%s is probed at %s, but %s only where functions "
		  "return", point(r, c), places(r, c), returns->written);
	diag_note(d, returns->range, "an inlined copy has no return, so there are more calls than "
		  "returns");
	diag_hint(d, "add .call to the first point: it leaves out inlined copies");
	hint_copies(r, c);
}

/* ---- system calls ---- */

static bool has_copy(const struct probe *p)
{
	vec_each(site, &p->sites)
		if (locate_is_copy(*site))
			return true;
	return false;
}

/* Functions of system calls may be inlined, and the probe could not be placed where they are called
 * (inlined_calls.c). */
static void warn_of_calls(struct resolver *r)
{
	struct kernel *k = r->s->kernel;

	vec_each(it, &r->p->probes) {
		const struct probe *p = *it;
		const char *caller, *why;

		if (p->interface == CALL_NONE || has_copy(p))
			continue;
		if (!kernel_is_joined(r->s))
			return;
		caller = inlined_calls_first(r, p->interface);
		why = inlined_calls_why_not(r, p->interface);
		if (!caller || !why)
			continue;
		diag_warn(r->s->diag, p->range, E_COPIES, "the files of kernel %s were optimised "
			  "together: the functions of some system calls may be inlined into "
			  "'%s', where no probe of syscall.NAME sees them", kernel_release(k),
			  caller);
		diag_hint(r->s->diag, "they can't be probed there: %s", why);
		diag_hint(r->s->diag, "kernel.trace(\"sys_enter\") and kernel.trace(\"sys_exit\") "
			  "see each call");
		return;
	}
}

void copies_report(struct resolver *r)
{
	struct map returns;

	warn_of_calls(r);
	if (!r->counted.n)
		return;
	collect_returns(r, &returns);
	vec_each(c, &r->counted) {
		const struct probe *p = return_of(r, c, &returns);

		if (p && (c->functions || c->clones))
			warn(r, c, p);
		else if ((!c->needs_debuginfo && c->functions) || c->copies)
			remark(r, c);
	}
}
