/* SPDX-License-Identifier: GPL-2.0 */
/*
 * @var("name"): a variable of the kernel. Its address is a global of the script that the loader
 * sets before anything runs, behind a function made here, one for each variable: what BTF says
 * is per CPU is that of the processor at hand. From the address on it is a path like any other.
 */
#include <errno.h>
#include <string.h>

#include "ast/walk.h"
#include "base/buf.h"
#include "passes.h"
#include "resolve/resolve.h"

static struct function *address_function(struct resolver *r, const char *name, bool per_cpu)
{
	struct source *src;
	struct script *sc;
	struct buf b;

	vec_each(v, &r->variables)
		if (!strcmp(v->name, name))
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

static int no_variable(struct resolver *r, const struct expr *e, const char *name, bool known,
		       bool quiet)
{
	if (quiet)
		return -ENOENT;
	if (known)
		diag_error(r->s->diag, e->range, E_UNKNOWN_TYPE,
			   "the type of '%s' is not in the kernel's BTF, which has those of "
			   "per-CPU variables", name);
	else
		diag_error(r->s->diag, e->range, E_UNKNOWN_TYPE, "'%s' is no name of a variable",
			   name);
	if (known)
		diag_hint(r->s->diag, "name it: @cast(&@var(\"%s\"), \"struct NAME\")->member, or "
			  "\"unsigned long\")[0]", name);
	return -ENOENT;
}

enum { LONGEST_NAME = 100 }; /* what the loader sets has room for little more */

static bool is_name(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

	return n && n <= LONGEST_NAME && !s[n] && (*s < '0' || *s > '9');
}

int variables_resolve(struct resolver *r, struct expr *e, const char *text, bool quiet)
{
	/* Which file a variable is of is not in BTF; the loader refuses what has namesakes. */
	const char *name = arena_strndup(r->s->arena, text, strcspn(text, "@"));
	struct expr *base = ast_expr(r->s->arena, EX_CALL, e->range);
	struct variable var = { 0 };
	bool address = e->u.at.address && !e->u.at.path.n;
	struct function *f;
	int rc;

	if (!is_name(name))
		return no_variable(r, e, text, false, quiet);
	rc = locate_variable(r->s, name, &var);
	if (rc < 0 && !address)
		return no_variable(r, e, name, true, quiet);
	if (quiet)
		return rc;
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
