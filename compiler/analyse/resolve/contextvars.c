/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The $-expressions of a probe: each gets its access path; $$parms and its relatives become sprintf
 * of the plain ones. Values that a return probe needs from the entry are numbered here, each once.
 * All sites of a probe have the same paths (sharing.c), so the first site decides.
 */
#include <errno.h>
#include <string.h>

#include "target/arch/arch.h"
#include "ast/format.h"
#include "ast/walk.h"
#include "target/kernel/kernel.h"
#include "target/object/object.h"
#include "program/program.h"
#include "analyse/resolve/handler.h"
#include "analyse/resolve/values.h"

struct context_resolver {
	struct resolver *r;
	struct probe *p; /* NULL: a function */
	/* the kind of the probe; PK_ENTRY for code that runs at the entry of a function */
	enum probe_kind kind;
	bool in_function;
	struct stmt *plain; /* the body before anything was removed; NULL: a function */
	unsigned waits;     /* conditions around, with an @defined that is not decided yet */
};

static unsigned saved_index(struct context_resolver *c, const struct access *acc)
{
	struct probe *p = c->p;
	struct saved_value sv = { acc->base, acc->n, c->in_function };

	for (size_t i = 0; i < p->saved.n; i++) {
		if (p->saved.v[i].base != sv.base || p->saved.v[i].n != sv.n)
			continue;
		p->saved.v[i].in_function |= sv.in_function;
		return (unsigned)i;
	}
	vec_push(c->r->s->arena, &p->saved, sv);
	return (unsigned)p->saved.n - 1;
}

static void add_location(struct context_resolver *c, const struct location *l)
{
	if (l->return_at)
		add_location(c, l->return_at);
	variables_location(c->r, l);
	c->p->reads_regs |= access_uses(l, LO_REG);
}

/* ---- a variable of the tapset's, written with a $ ---- */

struct name_search {
	const char *name;
	struct range user;        /* of the $-expression */
	const char *found;        /* that name, or the first one that ends with it: futex_uaddr */
};

static bool look_for_name(struct expr **pe, void *data)
{
	struct name_search *search = data;
	size_t len = strlen(search->name), all;
	const char *name;

	if ((*pe)->kind != EX_NAME || (*pe)->range.src == search->user.src)
		return true;
	name = (*pe)->u.name.name;
	all = strlen(name);
	if (all < len || strcmp(name + all - len, search->name) != 0 ||
	    (all > len && (name[all - len - 1] != '_' || search->found)))
		return true;
	search->found = name;
	return all > len;
}

static bool is_variable_of_kernel(struct state *s, const char *name)
{
	return s->kernel && strlen(name) > 2 && kernel_has_symbol(s->kernel, name) &&
	       !kernel_symbol_count(s->kernel, name);
}

static void hint_at_tapset(struct context_resolver *c, const struct expr *e)
{
	struct name_search search = { e->u.context.name + 1, e->range, NULL };
	struct visitor v = { .expr = look_for_name, .data = &search };
	struct name_list known = {0};

	locate_context_names(c->r->s, c->p->sites.v[0], c->kind, CONTEXT_ALL, &known);
	vec_each(name, &known.v)
		if (strcmp(*name, e->u.context.name) == 0)
			return;
	walk_stmt(&c->plain, &v);
	if (search.found)
		diag_hint(c->r->s->diag, "the tapset gives this probe point '%s', without the $",
			  search.found);
	else if (c->p->kind != PK_USER && c->p->kind != PK_USER_RETURN &&
		 is_variable_of_kernel(c->r->s, search.name))
		diag_hint(c->r->s->diag, "@var(\"%s\") is the kernel's variable of that name",
			  search.name);
}

/* Notes what the probe has to keep, and gives values that it saves at the entry their numbers. */
static int settle_one(struct context_resolver *c, struct expr *e, bool quiet)
{
	struct access *acc = e->u.context.access;

	c->p->reads_regs |= acc->base == AB_STACK_ARG && arch_stack_needs_all();
	if (acc->base == AB_LOCATION) {
		/* A list of all values neither adds a probe nor skips hits. */
		if (acc->location->entry_reg && acc->location->return_at && quiet)
			return -ENODATA;
		add_location(c, acc->location);
		if (acc->location->entry_reg)
			entry_regs_resolve(c->r, c->p, e);
	} else if (site_kind_is_return(c->kind) && acc->base != AB_RETURN &&
		   acc->base != AB_SIMD_RETURN) {
		acc->at_entry_saved = true;
		acc->saved_index = saved_index(c, acc);
	}
	if (site_kind_is_trace(c->p->kind) && acc->saved_index >= c->p->nargs)
		c->p->nargs = acc->saved_index + 1;
	return 0;
}

/* The same for a value that is shown from its words, for each of them. */
static int settle(struct context_resolver *c, struct expr *e, bool quiet)
{
	int rc = e->u.context.words.n ? 0 : settle_one(c, e, quiet);

	for (size_t i = 0; i < e->u.context.words.n && !rc; i++)
		if (e->u.context.words.v[i]->kind == EX_CONTEXT)
			rc = settle_one(c, e->u.context.words.v[i], quiet);
	return rc;
}

static int resolve_value(struct context_resolver *c, struct expr *e, bool quiet)
{
	int rc = locate_context(c->r->s, c->p->sites.v[0], c->kind, e, quiet);

	if (rc < 0) {
		if (!quiet)
			hint_at_tapset(c, e);
		if (!quiet && rc == -ENOENT && c->p->from_wildcard)
			diag_hint(c->r->s->diag,
				  "if (@defined(%s)) reads it where the functions of "
				  "the pattern have it",
				  e->u.context.name);
		return rc;
	}
	return settle(c, e, quiet);
}

/* ---- $$parms, $$vars, $$return, $$name ---- */

static enum context_names names_of(const char *which)
{
	return strcmp(which, "$$parms") == 0 ? CONTEXT_PARAMS :
	       strcmp(which, "$$locals") == 0 ? CONTEXT_LOCALS : CONTEXT_ALL;
}

static bool belongs_to_list(const char *which, const char *name)
{
	bool is_return = strcmp(name, "$return") == 0;

	return strcmp(which, "$$return") == 0 ? is_return : !is_return;
}

/* Whether a thread may have no memory for the variable, an error that would end the handler. */
static bool may_be_missing(const struct expr *e)
{
	const struct access *access = e->u.context.access;

	return access && access->base == AB_LOCATION &&
	       access_uses(access->location, LO_THREAD_BLOCK);
}

/* Writes "file=%#x buf=%#x"; a parameter without a value (a structure) is shown as "x=?". */
static void rewrite_list(struct context_resolver *c, struct expr **pe)
{
	struct arena *a = c->r->s->arena;
	struct expr *old = *pe, *e = ast_expr(a, EX_PRINT, old->range);
	struct name_list names = { 0 };
	const char *format = "";

	locate_context_names(c->r->s, c->p->sites.v[0], c->kind, names_of(old->u.context.name),
			     &names);
	vec_each(it, &names.v) {
		struct expr *v;
		bool ok;

		if (!belongs_to_list(old->u.context.name, *it))
			continue;
		v = ast_expr(a, EX_CONTEXT, old->range);
		v->u.context.name = *it;
		v->u.context.pretty = old->u.context.pretty;
		ok = resolve_value(c, v, true) == 0 && !may_be_missing(v);
		format = arena_printf(a, "%s%s%s=%s", format, *format ? " " : "", *it + 1,
				      !ok ? "?" : v->type == T_STRING ? "%s" :
				      v->type == T_DOUBLE ? FORMAT_DOUBLE : "%#x");
		if (ok)
			vec_push(a, &e->u.print.args, v);
	}
	if (!e->u.print.args.n) {
		e->kind = EX_STR;
		e->type = T_STRING;
		e->u.str.s = format;
		e->u.str.len = strlen(format);
	} else {
		e->u.print.kind = PRINT_SPRINTF;
		e->u.print.format = format;
		e->u.print.format_len = strlen(format);
		e->u.print.format_range = old->range;
	}
	*pe = e;
}

/* The text of $$system at a tracepoint, or of $$provider or $$name at a marker; otherwise NULL. */
static const char *site_text(const struct site *site, const char *name)
{
	if (site->mark && strcmp(name, "$$name") == 0)
		return site->mark->name;
	if (site->mark && strcmp(name, "$$provider") == 0)
		return site->mark->provider;
	return strcmp(name, "$$system") != 0 ? NULL : site->system;
}

static void rewrite(struct context_resolver *c, struct expr **pe)
{
	struct expr *old = *pe, *call, *e;
	const char *name = old->u.context.name, *text = site_text(c->p->sites.v[0], name);

	if (strcmp(name, "$$locals") == 0 && site_kind_is_trace(c->p->kind)) {
		diag_error(c->r->s->diag, old->range, E_NOT_SUPPORTED,
			   "'$$locals' is not supported: local variables need debug information");
	} else if (strcmp(name, "$$parms") == 0 || strcmp(name, "$$vars") == 0 ||
		   strcmp(name, "$$return") == 0 || strcmp(name, "$$locals") == 0) {
		rewrite_list(c, pe);
	} else if (text) {
		e = ast_expr(c->r->s->arena, EX_STR, old->range);
		e->type = T_STRING;
		e->u.str.s = text;
		e->u.str.len = strlen(text);
		*pe = e;
	} else if (strcmp(name, "$$name") == 0) {
		call = ast_expr(c->r->s->arena, EX_CALL, old->range);
		call->u.call.name = "probefunc";
		call->u.call.name_range = old->range;
		*pe = call;
	} else {
		diag_error(c->r->s->diag, old->range, E_UNKNOWN_CONTEXT_VARIABLE,
			   "there is no '%s'", name);
		diag_hint(c->r->s->diag,
			  "there are $$parms, $$locals, $$vars, $$return and $$name%s",
			  site_kind_is_trace(c->p->kind) ? ", and $$system" :
			  c->p->sites.v[0]->mark ? ", and $$provider" : "");
	}
}

/* With --skip-badvars, an expression that is not available is 0, or "" where a text is used. */
static void resolve_or_zero(struct context_resolver *c, struct expr **pe)
{
	struct expr *e = *pe;
	struct diag *d = c->r->s->diag;
	bool is_text = e->u.context.pretty;
	unsigned errors;
	int rc;

	diag_hold(d);
	rc = resolve_value(c, e, false);
	errors = diag_release(d);
	if (rc >= 0 && !errors)
		return;
	diag_warn(d, e->range, E_NOT_SUPPORTED, "'%.*s' is not available here and is treated as %s",
		  (int)(e->range.end - e->range.start), e->range.src->text + e->range.start,
		  is_text ? "\"\"" : "0");
	*pe = ast_expr(c->r->s->arena, is_text ? EX_STR : EX_NUM, e->range);
	(*pe)->type = is_text ? T_STRING : T_LONG;
	if (is_text)
		(*pe)->u.str.s = "";
}

/* ---- $value, the text that a process reads or writes ---- */

#define TEXT_VALUE "__channel_value"

static struct expr *call_library(struct context_resolver *c, const struct expr *old,
				 const char *name, struct expr *arg)
{
	struct expr *call = ast_expr(c->r->s->arena, EX_CALL, old->range);

	call->u.call.name = name;
	call->u.call.name_range = old->range;
	if (arg)
		vec_push(c->r->s->arena, &call->u.call.args, arg);
	return call;
}

static void resolve_text(struct context_resolver *c, struct expr **pe)
{
	struct expr *e = *pe;
	bool is_value = strcmp(e->u.context.name, "$value") == 0 && !e->u.context.pretty &&
			!e->u.context.path.n;

	if (is_value) {
		*pe = call_library(c, e, TEXT_VALUE, NULL);
		return;
	}
	diag_error(c->r->s->diag, e->range, E_UNKNOWN_CONTEXT_VARIABLE,
		   "probe point '%s' has only $value, the text", c->p->pp);
}

/* An assignment whose left side has become a call of TEXT_VALUE. */
static void resolve_assignment(struct context_resolver *c, struct expr **pe)
{
	struct expr *e = *pe;
	bool assigns = e->kind == EX_ASSIGN;
	struct expr *left = assigns ? e->u.assign.left : e->u.incdec.a;

	if (left->kind != EX_CALL || strcmp(left->u.call.name, TEXT_VALUE) != 0)
		return;
	if (assigns && c->p->kind != PK_PROCFS_READ)
		diag_error(c->r->s->diag, left->range, E_NOT_LVALUE,
			   "$value is what was written; only a read probe sets it");
	else if (assigns && e->u.assign.op == OP_SET)
		*pe = call_library(c, e, "__channel_set", e->u.assign.right);
	else if (assigns && (enum binary_op)e->u.assign.op == OP_CONCAT)
		*pe = call_library(c, e, "__channel_add", e->u.assign.right);
	else
		diag_error(c->r->s->diag, e->range, E_NOT_LVALUE,
			   "$value is a string: assign to it with = or .=");
}

/* ---- $verdict, what becomes of a packet ---- */

#define VERDICT "__verdict"

static bool is_verdict(const struct expr *e)
{
	return strcmp(e->u.context.name, "$verdict") == 0 && !e->u.context.pretty &&
	       !e->u.context.path.n && !e->u.context.address;
}

/* An assignment whose left side has become a call of VERDICT. */
static void resolve_verdict(struct context_resolver *c, struct expr **pe)
{
	struct expr *e = *pe, *left = e->kind == EX_ASSIGN ? e->u.assign.left : e->u.incdec.a;
	struct diag *d = c->r->s->diag;

	if (left->kind != EX_CALL || strcmp(left->u.call.name, VERDICT) != 0)
		return;
	if (!c->r->s->opt.guru && !resolve_file(left->range)->in_tapset) {
		diag_error(d, left->range, E_GURU, "assigning to '$verdict' needs guru mode");
		diag_hint(d, "give -g; the kernel drops a packet with the verdict nf_drop");
		*pe = ast_number(c->r->s->arena, e->range, 0);
	} else if (e->kind != EX_ASSIGN || e->u.assign.op != OP_SET) {
		diag_error(d, e->range, E_NOT_LVALUE, "assign to $verdict with = only");
		*pe = ast_number(c->r->s->arena, e->range, 0);
	} else {
		*pe = call_library(c, e, "__verdict_set", e->u.assign.right);
	}
}

static void resolve_one(struct context_resolver *c, struct expr **pe)
{
	struct expr *e = *pe;
	bool has_text = c->p && site_kind(c->p->kind)->values == PRT_VALUES_TEXT;

	if (has_text && (e->kind == EX_ASSIGN || e->kind == EX_INCDEC)) {
		resolve_assignment(c, pe);
		return;
	}

	if (c->p && site_kind_is_hook(c->p->kind) &&
	    (e->kind == EX_ASSIGN || e->kind == EX_INCDEC)) {
		resolve_verdict(c, pe);
		return;
	}
	if (casts_is(e) &&
	    !(c->p && c->p->sites.n && !c->in_function &&
	      casts_become_local(c->r, c->p->sites.v[0], c->kind, e))) {
		casts_resolve(c->r, c->p, c->p && c->p->sites.n ? c->p->sites.v[0] : NULL, pe,
			      false);
		return;
	}
	if (e->kind != EX_CONTEXT || e->u.context.access || e->u.context.base || !c->p)
		return;
	if (has_text) {
		resolve_text(c, pe);
		return;
	}
	if (site_kind_is_hook(c->p->kind) && is_verdict(e)) {
		*pe = call_library(c, e, VERDICT, NULL);
		return;
	}
	if (!c->p->sites.n || site_kind(c->p->kind)->values == PRT_VALUES_NONE) {
		diag_error(c->r->s->diag, e->range, E_UNKNOWN_CONTEXT_VARIABLE,
			   "probe point '%s' has no $variables, so there is no '%s'", c->p->pp,
			   e->u.context.name);
		diag_hint(c->r->s->diag, "$variables are parameters of a probed kernel function");
		return;
	}
	if (strncmp(e->u.context.name, "$$", 2) != 0 && c->r->s->opt.skip_badvars)
		resolve_or_zero(c, pe);
	else if (strncmp(e->u.context.name, "$$", 2) != 0)
		resolve_value(c, e, false);
	else
		rewrite(c, pe);
}

static bool enter_expr(struct expr **pe, void *data);
static bool enter_stmt(struct stmt **ps, void *data);

/* Where the code may still be excluded, an expression that can't be resolved is left as it is. */
static void resolve_context(struct expr **pe, void *data)
{
	struct context_resolver *c = data;
	struct expr *old = *pe, *copy;

	if (!c->waits || (old->kind != EX_CONTEXT && !casts_is(old))) {
		resolve_one(c, pe);
		return;
	}
	copy = ast_clone_expr(c->r->s->arena, old);
	diag_hold(c->r->s->diag);
	resolve_one(c, pe);
	if (!diag_release(c->r->s->diag))
		return;
	*pe = copy;
	vec_push(c->r->s->arena, &c->r->left, ((struct left_value){ copy, c->p }));
}

static bool enter_expr(struct expr **pe, void *data)
{
	struct context_resolver *c = data;
	struct visitor v = { enter_expr, enter_stmt, resolve_context, c };
	struct expr *e = *pe;
	bool is_logical = e->kind == EX_BINARY &&
			  (e->u.binary.op == OP_LAND || e->u.binary.op == OP_LOR);

	if (!is_logical && e->kind != EX_COND)
		return true;
	if (!defined_waits(is_logical ? e->u.binary.a : e->u.cond.c))
		return true;
	walk_expr(is_logical ? &e->u.binary.a : &e->u.cond.c, &v);
	c->waits++;
	walk_expr(is_logical ? &e->u.binary.b : &e->u.cond.a, &v);
	if (!is_logical)
		walk_expr(&e->u.cond.b, &v);
	c->waits--;
	return false;
}

static bool enter_stmt(struct stmt **ps, void *data)
{
	struct context_resolver *c = data;
	struct visitor v = { enter_expr, enter_stmt, resolve_context, c };
	struct stmt *s = *ps;

	if (s->kind != ST_IF || !defined_waits(s->u.if_.c))
		return true;
	walk_expr(&s->u.if_.c, &v);
	c->waits++;
	walk_stmt(&s->u.if_.then, &v);
	walk_stmt(&s->u.if_.els, &v);
	c->waits--;
	return false;
}

void contextvars_function(struct resolver *r, struct function *f, struct probe *p)
{
	struct context_resolver c = { r, p, p ? p->kind : PK_NO_PROBE, true, NULL, 0 };
	struct visitor v = { enter_expr, enter_stmt, resolve_context, &c };

	walk_stmt(&f->body, &v);
}

void contextvars_resolve(struct resolver *r, struct probe *p, struct stmt *plain)
{
	struct context_resolver c = { r, p, p->kind, false, plain, 0 };
	struct visitor v = { enter_expr, enter_stmt, resolve_context, &c };

	walk_stmt(&p->body, &v);
	if (!site_kind_is_return(p->kind))
		return;
	walk_expr(&p->cond, &v);
	c.kind = PK_ENTRY;
	walk_stmt(&p->entry, &v);
}

static bool report_left(struct expr **pe, void *data)
{
	struct resolver *r = data;

	vec_each(it, &r->left) {
		struct context_resolver c = { .r = r, .p = it->p };

		if (it->e != *pe)
			continue;
		c.kind = it->p ? it->p->kind : PK_NO_PROBE;
		resolve_one(&c, pe);
	}
	return true;
}

void contextvars_left(struct resolver *r)
{
	struct visitor v = { .expr = report_left, .data = r };

	if (!r->left.n)
		return;
	vec_each(f, &r->queue)
		walk_stmt(&(*f)->body, &v);
	vec_each(p, &r->p->probes)
		walk_stmt(&(*p)->body, &v);
}
