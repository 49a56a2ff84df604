/* SPDX-License-Identifier: GPL-2.0 */
/*
 * @var("name"): a variable of the kernel, of a module or of a program. In a probe of that program,
 * its address is computed from that of the probed instruction, in others from the load address of
 * the current process's program, if that is the same one. In the kernel, its address is a global of
 * the script, which the loader sets before anything runs. For per-CPU variables that BTF knows,
 * that global is read by a function that is made here, one for each variable. Other variables are
 * found by debug information, whose locations name symbols that need such a global, too.
 */
#include <errno.h>
#include <string.h>

#include "ast/walk.h"
#include "shared/buf.h"
#include "target/kernel/kernel.h"
#include "parse/parse.h"
#include "analyse/resolve/values.h"

static struct function *address_function(struct resolver *r, const char *name, bool per_cpu)
{
	struct source *src;
	struct script *sc;
	struct buf b;

	vec_each(v, &r->variables)
		if (strcmp(v->name, name) == 0)
			return v->f;
	buf_init(&b);
	buf_printf(&b, "global __var_%s\nfunction __address_%s:long () { return ", name, name);
	buf_printf(&b, per_cpu ? "__this_cpu(__var_%s) }\n" : "__var_%s }\n", name);
	src = source_from_text(r->s->arena, "<var>", b.s, b.len);
	buf_deinit(&b);
	src->in_tapset = 1;
	sc = parse_source(r->s, src);
	if (!sc || sc->functions.n != 1 || sc->globals.n != 1)
		return NULL;
	resolve_load(r, sc);
	sc->globals.v[0]->kernel_symbol = name;
	vec_push(r->s->arena, &r->variables, ((struct address_function){ name,
									 sc->functions.v[0] }));
	return sc->functions.v[0];
}

/* The global that the loader sets to the address of a symbol of the kernel or of a module. */
static struct symbol *address_of(struct resolver *r, const char *object, const char *name)
{
	struct arena *a = r->s->arena;
	bool of_kernel = strcmp(object, "kernel") == 0;
	const char *symbol = of_kernel ? name : arena_printf(a, "%s:%s", object, name), *text;
	struct global_info *gi;
	struct symbol *global;
	struct script *sc;

	vec_each(it, &r->addresses)
		if (strcmp((*it)->kernel_symbol, symbol) == 0)
			return *it;
	text = arena_printf(a, "global __symbol_%zu = 0\n", r->addresses.n);

	struct source *src = source_from_text(a, "<symbol>", text, strlen(text));

	src->in_tapset = 1;
	sc = parse_source(r->s, src);
	resolve_load(r, sc);
	global = sc->globals.v[0];
	global->kernel_symbol = symbol;
	global->type = T_LONG;
	/* The script's text does not name it. */
	gi = map_get(&r->globals, global->cname);
	gi->read = true;
	vec_push(a, &r->addresses, global);
	return global;
}

void variables_location(struct resolver *r, const struct location *l)
{
	vec_each(p, &l->pieces)
		vec_each(op, &p->ops)
			if (op->kind == LO_SYMBOL)
				op->global = address_of(r, op->object, op->name);
			else if (op->kind == LO_PROGRAM)
				vec_push(r->s->arena, &r->p->programs, op->program);
			else if (op->kind == LO_THREAD_BLOCK)
				vec_push(r->s->arena, &r->p->threads, op->layout);
}

/* No type is suggested: one that is too large would read beyond the variable. */
static void hint_type(struct resolver *r, const struct expr *e, const char *name)
{
	struct diag *d = r->s->diag;

	if (e->u.context.path.n)
		diag_hint(d, "or, if the kernel has such a variable, name its type, which its "
			  "sources have: @cast(&@var(\"%s\"), \"struct NAME\")->MEMBER", name);
	else
		diag_hint(d, "or, if the kernel has such a variable, name its type; where that is "
			  "int: @cast(&@var(\"%s\"), \"int\")[0]", name);
}

static bool lacks_symbol(struct resolver *r, const char *name)
{
	return r->s->kernel && kernel_lacks_symbol(r->s->kernel, name);
}

/* Looks up a variable that only debug information describes. */
static int ask_debuginfo(struct resolver *r, struct expr *e, const char *object, const char *name,
			 const char *file, bool quiet)
{
	const struct access *access;
	int rc;

	/* Debug information also has variables within functions, whose symbols have a number. */
	if (strcmp(object, "kernel") == 0 && lacks_symbol(r, name) &&
	    !locate_has_debuginfo(r->s, "kernel")) {
		if (!quiet)
			diag_error(r->s->diag, e->range, E_UNKNOWN_CONTEXT_VARIABLE,
				   "kernel %s has no variable '%s'",
				   kernel_release(r->s->kernel), name);
		return -ENOENT;
	}
	casts_start_path(e, NULL);
	rc = locate_global(r->s, object, name, file, e, quiet);
	access = e->u.context.access;
	if (!rc)
		variables_location(r, access->location);
	else if (rc == -ENODATA && !quiet && strcmp(object, "kernel") == 0 && !file)
		hint_type(r, e, name);
	return rc;
}

enum { LONGEST_NAME = 100 }; /* the loader's field has little more room */

static bool is_name(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

	return n && n <= LONGEST_NAME && !s[n] && (*s < '0' || *s > '9');
}

/* Whether @e can be the variable @name of the kernel; the address of one without a type is looked
 * up when the module is loaded. */
static bool is_of_kernel(struct resolver *r, struct expr *e, const char *name)
{
	const struct expr old = *e;
	int rc = variables_resolve(r, e, name, NULL, true);

	*e = old;
	return rc >= 0 || (e->u.at.address && !e->u.at.path.n && !lacks_symbol(r, name));
}

/* The program whose events @p is hit by, if it is one. */
static const char *program_of_events(const struct probe *p)
{
	return p && p->owners.n == 1 ? p->owners.v[0]->program : NULL;
}

int variables_of_program(struct resolver *r, struct probe *p, const struct site *site,
			 struct expr *e, const char *text, const char *where, bool quiet)
{
	const char *name = arena_strndup(r->s->arena, text, strcspn(text, "@"));
	const char *file = text[strlen(name)] ? text + strlen(name) + 1 : NULL;
	bool named = where && strchr(where, '/') && !strstr(where, ".ko");
	bool is_there = site && site->user;
	const char *program = named ? where : where || is_there ? NULL : program_of_events(p);
	enum probe_kind kind = p ? p->kind : PK_PLACE;
	struct expr old = *e;
	int rc;

	if (!named && (where || !(is_there || program)))
		return -ENXIO;
	/* A name that the program does not have may be a variable of the kernel. */
	casts_start_path(e, NULL);
	rc = locate_program_global(r->s, site, kind, program, name, file, e,
				   quiet || !(named || file));
	if (rc) {
		*e = old;
		if (named || file || quiet || is_of_kernel(r, e, name))
			return named || file ? rc : -ENXIO;
		return locate_program_global(r->s, site, kind, program, name, NULL, e, false);
	}
	if (!quiet)
		variables_location(r, e->u.context.access->location);
	if (p && e->u.context.access->location->entry_reg)
		entry_regs_resolve(r, p, e);
	return 0;
}

int variables_resolve(struct resolver *r, struct expr *e, const char *text, const char *object,
		      bool quiet)
{
	const char *name = arena_strndup(r->s->arena, text, strcspn(text, "@"));
	const char *file = text[strlen(name)] ? text + strlen(name) + 1 : NULL;
	bool of_kernel = !object || strcmp(object, "kernel") == 0;
	struct expr *base = ast_expr(r->s->arena, EX_CALL, e->range);
	struct variable var = { 0 };
	bool address = e->u.at.address && !e->u.at.path.n;
	struct function *f;
	int rc = -ENOENT;

	if (!is_name(name)) {
		if (!quiet)
			diag_error(r->s->diag, e->range, E_UNKNOWN_TYPE,
				   "'%s' is not the name of a variable", text);
		return -ENOENT;
	}
	/* BTF does not know the file of a variable; the loader refuses symbols with namesakes. */
	if (of_kernel && (!file || !locate_has_debuginfo(r->s, "kernel")))
		rc = locate_variable(r->s, name, &var);
	if (rc < 0 && (!address || !of_kernel || lacks_symbol(r, name)))
		return ask_debuginfo(r, e, of_kernel ? "kernel" : object, name, file, quiet);
	if (quiet)
		return rc < 0 && r->s->kernel && kernel_has_symbol(r->s->kernel, name) ? 0 : rc;
	f = address_function(r, name, var.per_cpu);
	if (!f)
		return -EINVAL;
	base->u.call.name = f->name;
	base->u.call.name_range = e->range;
	vec_push(r->s->arena, &base->u.call.targets, f);
	vec_push(r->s->arena, &r->queue, f);
	if (rc < 0) {
		*e = *base;
		return 0;
	}
	casts_start_path(e, base);
	return locate_object(r->s, var.type, e, false);
}
