/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The @words that the kernel's types give a meaning: @cast and @kderef become paths from a value,
 * @enum a number, others calls of the library. @enumname and @flags become calls of functions that
 * are made here (the latter by flags.c), one for each enum, unless the library has one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shared/buf.h"
#include "target/arch/arch.h"
#include "ast/walk.h"
#include "parse/parse.h"
#include "target/object/object.h"
#include "analyse/resolve/values.h"

struct cast {
	struct resolver *r;
	struct probe *p;       /* NULL: none is known */
	const struct site *site;
	bool quiet;
};

typedef int resolve_word(struct cast *c, struct expr **pe);

static int wrong_arguments(struct cast *c, const struct expr *e, const char *takes)
{
	if (!c->quiet)
		diag_error(c->r->s->diag, e->range, E_ARITY, "%s takes %s", e->u.at.name, takes);
	return -EINVAL;
}

/* Argument @i if it is a literal string, otherwise NULL. */
static const char *literal(const struct expr *e, size_t i)
{
	if (i >= e->u.at.args.n || e->u.at.args.v[i]->kind != EX_STR)
		return NULL;
	return e->u.at.args.v[i]->u.str.s;
}

/* "module" means the module of the site. */
static const char *place(const struct expr *e, size_t i)
{
	const char *where = literal(e, i);

	return where && strcmp(where, "module") == 0 ? NULL : where;
}

void casts_start_path(struct expr *e, struct expr *base)
{
	struct expr old = *e;

	memset(&e->u, 0, sizeof(e->u));
	e->kind = EX_CONTEXT;
	e->u.context.name = old.u.at.name;
	e->u.context.base = base;
	memcpy(&e->u.context.path, &old.u.at.path, sizeof(e->u.context.path));
	e->u.context.pretty = old.u.at.pretty;
	e->u.context.plain = old.u.at.plain;
	e->u.context.address = old.u.at.address;
}

const char *casts_plain_variable(struct arena *a, const struct expr *e)
{
	const char *name = NULL;

	if (e->kind == EX_AT && strcmp(e->u.at.name, "@var") == 0 && e->u.at.args.n == 1)
		name = literal(e, 0);
	return name && !strpbrk(name, "@:") ? arena_printf(a, "$%s", name) : NULL;
}

bool casts_become_local(struct resolver *r, const struct site *site, enum probe_kind kind,
			struct expr *e)
{
	static const enum context_names lists[] = { CONTEXT_PARAMS, CONTEXT_LOCALS };
	const char *name = casts_plain_variable(r->s->arena, e);

	for (size_t i = 0; name && site && i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct name_list names = { 0 };

		locate_context_names(r->s, site, kind, lists[i], &names);
		vec_each(it, &names.v) {
			if (strcmp(*it, name) != 0)
				continue;
			casts_start_path(e, NULL);
			e->u.context.name = name;
			return true;
		}
	}
	return false;
}

static int resolve_cast(struct cast *c, struct expr **pe)
{
	struct expr *e = *pe;
	const char *type = literal(e, 1);
	size_t n = e->u.at.args.n;
	struct access_type target = { 0 };
	int rc;

	if (n < 2 || n > 3 || !type || (n == 3 && !literal(e, 2)))
		return wrong_arguments(c, e, "a pointer, a type and perhaps where the type is "
				       "known: @cast(p, \"struct file\", \"kernel\")");
	rc = locate_type(c->r->s, c->site, e->u.at.args.v[1]->range, type, place(e, 2), c->quiet,
			 &target);
	if (rc < 0)
		return rc;
	casts_start_path(e, e->u.at.args.v[0]);
	return locate_value(c->r->s, target, e, c->quiet);
}

static int resolve_enum(struct cast *c, struct expr **pe)
{
	struct expr *e = *pe;
	const char *name = literal(e, 0);
	size_t n = e->u.at.args.n;
	int64_t v;
	int rc;

	if (n < 1 || n > 2 || !name || (n == 2 && !literal(e, 1)) || e->u.at.path.n)
		return wrong_arguments(c, e, "the name of a constant: @enum(\"PIDTYPE_PID\")");
	rc = locate_constant(c->r->s, c->site, e->u.at.args.v[0]->range, name, place(e, 1),
			     c->quiet, &v);
	if (rc < 0)
		return rc;
	memset(&e->u, 0, sizeof(e->u));
	e->kind = EX_NUM;
	e->type = T_LONG;
	e->u.num.v = v;
	return 0;
}

static int resolve_kderef(struct cast *c, struct expr **pe)
{
	struct expr *e = *pe;
	struct access *acc;
	const struct expr *size;

	size = e->u.at.args.n == 2 ? e->u.at.args.v[0] : NULL;
	if (!size || size->kind != EX_NUM || e->u.at.path.n ||
	    (size->u.num.v != 1 && size->u.num.v != 2 && size->u.num.v != 4 && size->u.num.v != 8))
		return wrong_arguments(c, e, "a size (1, 2, 4 or 8) and an address: "
				       "@kderef(8, p)");
	acc = NEW(c->r->s->arena, struct access);
	acc->base = AB_VALUE;
	acc->result = AR_READ;
	acc->size = (uint8_t)size->u.num.v;
	acc->type_name = "long";
	acc->text = e->u.at.name;
	casts_start_path(e, e->u.at.args.v[1]);
	e->u.context.access = acc;
	return 0;
}

/* Turns the EX_AT into a call of a function of the library. */
static void call_library(struct cast *c, struct expr *e, const char *name, struct expr *arg)
{
	memset(&e->u, 0, sizeof(e->u));
	e->kind = EX_CALL;
	e->u.call.name = name;
	e->u.call.name_range = e->range;
	vec_push(c->r->s->arena, &e->u.call.args, arg);
}

static int resolve_uderef(struct cast *c, struct expr **pe)
{
	static const char *const by_size[] = {
		[1] = "user_uint8", [2] = "user_uint16", [4] = "user_uint32", [8] = "user_uint64",
	};
	struct expr *e = *pe, *size = e->u.at.args.n == 2 ? e->u.at.args.v[0] : NULL;
	int64_t n = size && size->kind == EX_NUM ? size->u.num.v : 0;

	if (n < 1 || n > 8 || !by_size[n] || e->u.at.path.n)
		return wrong_arguments(c, e, "a size (1, 2, 4 or 8) and an address: "
				       "@uderef(8, p)");
	call_library(c, e, by_size[n], e->u.at.args.v[1]);
	return 0;
}

/* The name of the register whose number is the only argument, or NULL. */
static const char *register_of(const struct expr *e)
{
	const struct expr *n = e->u.at.args.n == 1 ? e->u.at.args.v[0] : NULL;

	return n && n->kind == EX_NUM && !e->u.at.path.n ?
	       arch_register_name((uint64_t)n->u.num.v, false) : NULL;
}

static int resolve_kregister(struct cast *c, struct expr **pe)
{
	struct expr *e = *pe, *name;
	const char *found = register_of(e);

	if (!found)
		return wrong_arguments(c, e, "the number of a register, 0 to 16: @kregister(5) "
				       "is rdi");
	if (!c->r->s->opt.guru && !resolve_file(e->range)->in_tapset) {
		if (!c->quiet) {
			diag_error(c->r->s->diag, e->range, E_GURU, "@kregister needs guru mode");
			diag_hint(c->r->s->diag, "give -g, or use register(\"%s\")",
				  found);
		}
		return -EPERM;
	}
	name = ast_expr(c->r->s->arena, EX_STR, e->u.at.args.v[0]->range);
	name->type = T_STRING;
	name->u.str.s = found;
	name->u.str.len = strlen(name->u.str.s);
	call_library(c, e, "register", name);
	return 0;
}

static int resolve_uregister(struct cast *c, struct expr **pe)
{
	struct expr *e = *pe;

	if (!register_of(e))
		return wrong_arguments(c, e, "the number of a register, 0 to 16: @uregister(5) "
				       "is rdi");
	call_library(c, e, "__user_register", e->u.at.args.v[0]);
	return 0;
}

/* The first of the objects that @where lists, separated by ':', which has the variable; the first
 * of all if none has it. */
static const char *object_with(struct cast *c, const struct expr *e, const char *name,
			       const char *where)
{
	struct arena *a = c->r->s->arena;
	const char *first = NULL;

	for (const char *at = where; at && *at; at += strcspn(at, ":"), at += *at == ':') {
		const char *one = arena_strndup(a, at, strcspn(at, ":"));
		struct expr *probe = ast_clone_expr(a, e);
		int rc = variables_of_program(c->r, c->p, c->site, probe, name, one, true);

		if (rc == -ENXIO)
			rc = variables_resolve(c->r, probe, name, one, true);
		if (rc >= 0)
			return one;
		if (!first)
			first = one;
	}
	return first;
}

static int resolve_var(struct cast *c, struct expr **pe)
{
	struct expr *e = *pe;
	const char *name = literal(e, 0), *where = literal(e, 1);
	size_t n = e->u.at.args.n;
	int rc;

	if (n < 1 || n > 2 || !name || (n == 2 && !where))
		return wrong_arguments(c, e, "the name of a variable of the kernel or of a "
				       "program: @var(\"runqueues\")");
	if (where && strchr(where, ':'))
		where = object_with(c, e, name, where);
	rc = variables_of_program(c->r, c->p, c->site, e, name, where, c->quiet);
	if (rc != -ENXIO)
		return rc;
	/* A file of the site's own module comes before one of the kernel. */
	if (!where && strchr(name, '@') && c->site && !c->site->user)
		where = c->site->object;
	return variables_resolve(c->r, e, name, where, c->quiet);
}

/* ---- @enumname and @flags ---- */

struct function *casts_function(struct resolver *r, const char *name, const char *text, size_t len)
{
	struct source *src = source_from_text(r->s->arena, arena_printf(r->s->arena, "<%s>", name),
					      text, len);
	struct script *sc;
	struct function *f;

	src->in_tapset = 2;
	sc = parse_source(r->s, src);
	if (!sc || sc->functions.n != 1)
		return NULL;
	vec_push(r->s->arena, &r->scripts, sc);
	f = sc->functions.v[0];
	f->src = src;
	f->cname = resolve_cname(r, &r->cnames, name);
	return f;
}

static int by_value(const void *a, const void *b)
{
	const struct constant *ca = a, *cb = b;

	return ca->value < cb->value ? -1 : ca->value > cb->value;
}

/* Writes a tree of comparisons, so that nesting grows with the logarithm of the number of names. */
static void put_comparisons(struct buf *b, const struct constant *v, size_t n)
{
	if (n == 1) {
		buf_printf(b, "v == %lld ? \"%s\" : \"\"", (long long)v->value, v->name);
		return;
	}
	buf_printf(b, "v < %lld ? (", (long long)v[n / 2].value);
	put_comparisons(b, v, n / 2);
	buf_puts(b, ") : (");
	put_comparisons(b, v + n / 2, n - n / 2);
	buf_putc(b, ')');
}

static struct function *name_function(struct resolver *r, struct constant_list *list)
{
	struct function *f;
	size_t n = 0;
	struct buf b;

	/* If a value has several names, the first one counts; qsort() is not stable. */
	vec_each(it, &list->v) {
		size_t i = 0;

		while (i < n && list->v.v[i].value != it->value)
			i++;
		if (i == n)
			list->v.v[n++] = *it;
	}
	qsort(list->v.v, n, sizeof(*list->v.v), by_value);
	buf_init(&b);
	buf_puts(&b, "function __enumname:string (v:long) { s = ");
	put_comparisons(&b, list->v.v, n);
	buf_puts(&b, "\nreturn s == \"\" ? sprint(v) : s }\n");
	f = casts_function(r, "__enumname", b.s, b.len);
	buf_deinit(&b);
	return f;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static struct function *known_function(struct resolver *r, const struct enum_function *wanted)
{
	vec_each(it, &r->enums)
		if (strcmp(it->word, wanted->word) == 0 && it->type.db == wanted->type.db &&
		    it->type.id == wanted->type.id && is_same(it->pattern, wanted->pattern) &&
		    is_same(it->headers, wanted->headers) && it->of_32bit == wanted->of_32bit)
			return it->f;
	return NULL;
}

static struct function *new_function(struct resolver *r, struct enum_function wanted,
				     struct constant_list *list)
{
	wanted.f = strcmp(wanted.word, "@flags") == 0 ? flags_of_constants(r, list) :
		   name_function(r, list);
	if (wanted.f)
		vec_push(r->s->arena, &r->enums, wanted);
	return wanted.f;
}

/* Turns the EX_AT into a call of a function that was made here. */
static void call_function(struct resolver *r, struct expr *e, struct function *f)
{
	struct expr *value = e->u.at.args.v[0];

	memset(&e->u, 0, sizeof(e->u));
	e->kind = EX_CALL;
	e->u.call.name = f->name;
	e->u.call.name_range = e->range;
	vec_push(r->s->arena, &e->u.call.args, value);
	vec_push(r->s->arena, &e->u.call.targets, f);
	vec_push(r->s->arena, &r->queue, f);
}

/* @enumname or @flags with a type, or of a value whose type is used, and may not be known yet. */
static int resolve_named(struct cast *c, struct expr **pe, const char *text)
{
	struct expr *e = *pe, *value = e->u.at.args.v[0];
	struct access_type type = { 0 };
	int rc;

	if (text) {
		rc = locate_type(c->r->s, c->site, e->u.at.args.v[1]->range, text, place(e, 2),
				 c->quiet, &type);
		if (rc < 0)
			return rc;
	} else if (value->kind == EX_DEREF) {
		return 0;
	} else if (value->kind == EX_CONTEXT && value->u.context.access) {
		type = value->u.context.access->type;
	}
	return casts_enumname(c->r, e, type, c->quiet);
}

static bool takes_value(const struct expr *e)
{
	size_t n = e->u.at.args.n;

	return n >= 1 && n <= 3 && (n == 1 || literal(e, 1)) && (n < 3 || literal(e, 2)) &&
	       !e->u.at.path.n;
}

static int resolve_enumname(struct cast *c, struct expr **pe)
{
	if (!takes_value(*pe))
		return wrong_arguments(c, *pe, "a value and perhaps its type: "
				       "@enumname(v, \"enum pid_type\")");
	return resolve_named(c, pe, literal(*pe, 1));
}

int casts_enumname(struct resolver *r, struct expr *e, struct access_type type, bool quiet)
{
	struct enum_function wanted = { .word = e->u.at.name, .type = type };
	struct constant_list list = { 0 };
	struct function *f = known_function(r, &wanted);

	if (!f && locate_constants(r->s, type, &list))
		f = new_function(r, wanted, &list);
	if (!f) {
		if (!quiet) {
			diag_error(r->s->diag, e->range, E_BAD_ACCESS, "the enum of the value "
				   "of '%s' is unknown", wanted.word);
			diag_hint(r->s->diag, "name it: %s(v, \"enum pid_type\")", wanted.word);
		}
		return -EINVAL;
	}
	call_function(r, e, f);
	return 0;
}

/* Macros of a header. */
static int resolve_macros(struct cast *c, struct expr *e)
{
	struct enum_function wanted = { .word = e->u.at.name, .pattern = literal(e, 1),
					.headers = literal(e, 2) };
	const struct user_scope *user = c->site ? c->site->user : NULL;
	struct constant_list list = { 0 };
	struct function *f;
	int rc = 0;

	wanted.of_32bit = user && user->file->is_32bit;
	f = known_function(c->r, &wanted);
	if (!f)
		rc = locate_macros(c->r->s, c->site, e->u.at.args.v[1]->range, wanted.pattern,
				   wanted.headers, c->quiet, &list);
	if (!f && !rc)
		f = new_function(c->r, wanted, &list);
	if (f)
		call_function(c->r, e, f);
	return f ? 0 : rc ? rc : -EINVAL;
}

static int resolve_flags(struct cast *c, struct expr **pe)
{
	struct expr *e = *pe;
	const char *name = literal(e, 1), *where = literal(e, 2), *near;
	struct function *f;

	if (!takes_value(e))
		return wrong_arguments(c, e, "a value and where its flags have names: @flags(v, "
				       "\"open\"), @flags(v, \"enum NAME\"), or "
				       "@flags(v, \"O_*\", \"<fcntl.h>\")");
	if (!name || strncmp(name, "enum ", 5) == 0)
		return resolve_named(c, pe, name);
	if (where && strchr(where, '<'))
		return resolve_macros(c, e);
	if (where)
		return resolve_named(c, pe, name);
	f = flags_of_library(c->r, name);
	if (f) {
		call_function(c->r, e, f);
		return 0;
	}
	if (!c->quiet) {
		near = flags_nearest(c->r, name);
		diag_error(c->r->s->diag, e->u.at.args.v[1]->range, E_UNKNOWN_TYPE,
			   "the library has no flags '%s'", name);
		if (near)
			diag_hint(c->r->s->diag, "did you mean \"%s\"?", near);
		else
			diag_hint(c->r->s->diag, "an enum is written \"enum %s\", macros of a "
				  "header \"%s\", \"<HEADER.h>\"", name, name);
	}
	return -ENOENT;
}

/* ---- all ---- */

static resolve_word *word_of(const struct expr *e)
{
	static const struct { const char *name; resolve_word *f; } words[] = {
		{ "@cast", resolve_cast }, { "@enum", resolve_enum },
		{ "@enumname", resolve_enumname }, { "@flags", resolve_flags },
		{ "@kderef", resolve_kderef },
		{ "@var", resolve_var }, { "@uderef", resolve_uderef },
		{ "@kregister", resolve_kregister }, { "@uregister", resolve_uregister },
	};

	for (size_t i = 0; e->kind == EX_AT && i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(e->u.at.name, words[i].name) == 0)
			return words[i].f;
	return NULL;
}

bool casts_is(const struct expr *e)
{
	return word_of(e) != NULL;
}

int casts_resolve(struct resolver *r, struct probe *p, const struct site *site, struct expr **pe,
		  bool quiet)
{
	struct cast c = { r, p, site, quiet };

	return word_of(*pe)(&c, pe);
}
