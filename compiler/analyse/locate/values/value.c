/* SPDX-License-Identifier: GPL-2.0 */
/* Types and constants that a script names, and paths that begin at a value of the script. */
#include <errno.h>
#include <string.h>

#include "target/dwarf/dwarf.h"
#include "target/kernel/kernel.h"
#include "analyse/locate/values/headers.h"
#include "analyse/locate/values/object_types.h"
#include "analyse/locate/values/path.h"
#include "target/object/object.h"

/* The site and expression of a request, for messages. */
struct asking {
	struct state *s;
	struct range at;
	bool quiet;
	struct dwarf_type_name name; /* in debug information, where it is looked up alone */
	bool of_32bit;               /* in a program of 32 bits */
};

#define FAIL(q, id, ...) do { \
		if (!(q)->quiet) \
			diag_error((q)->s->diag, (q)->at, id, __VA_ARGS__); \
	} while (0)
#define HINT(q, ...) do { \
		if (!(q)->quiet) \
			diag_hint((q)->s->diag, __VA_ARGS__); \
	} while (0)

/* ---- scopes ---- */

/* The types of headers. Returns NULL after a report. */
static struct btf_db *open_header(struct asking *q, const char *where)
{
	const char *why = NULL;
	struct btf_db *db = headers_types(q->s, where, q->of_32bit && *where == '<', &why);

	if (!db) {
		FAIL(q, E_HEADER, "the types of '%s' are not available: %s", where, why);
		HINT(q, *where == '<' ? "a header of the kernel is written \"kernel<linux/fs.h>\"" :
		     "without a header, \"kernel\", the types are those of the kernel's BTF or "
		     "debug information");
	}
	return db;
}

/* Whether it is a path, but not that of a module. */
static bool is_program(const char *where)
{
	return strchr(where, '/') && !strstr(where, ".ko");
}

/* The types with that name of a program or library. Returns NULL after a report; *any is false if
 * the file has debug information but no such type. */
static struct btf_db *open_program(struct asking *q, const char *where, bool *any)
{
	const char *path = object_program(q->s, where), *why = "there is no such file";
	struct program_file *o = path ? object_open(q->s, path, &why) : NULL;
	struct dwarf_db *dwarf = o ? dwarf_db_of_program(q->s, o, &why) : NULL;
	struct dwarf_types_differ differ;
	struct btf_db *ret = dwarf ? dwarf_types_named(q->s, dwarf, &q->name, &differ) : NULL;

	*any = dwarf;
	if (!ret && dwarf && (why = dwarf_missing_types(dwarf))) {
		*any = false;
		FAIL(q, E_NO_DEBUGINFO, "the available debug information of '%s' has no such "
					"type", where);
		HINT(q, "%s", why);
		return NULL;
	}
	if (dwarf)
		return ret;
	FAIL(q, E_NO_DEBUGINFO, "types need the debug information of '%s', which is missing",
	     where);
	HINT(q, "%s", why);
	return NULL;
}

/* The BTFs that @where lists, separated by ':', or that of the site. Types of the kernel's headers
 * are usually in the kernel's BTF as well, where no compiler is needed, so kernel headers come
 * last. */
struct places {
	VEC(struct btf_db *) v;
	VEC(const char *) kernel_headers; /* not opened yet */
	/* "kernel" or a module whose debug information does not have the name; NULL: none */
	const char *without;
	unsigned n;            /* programs, and objects without BTF, that were searched */
};

static void hint_ambiguous(struct asking *q, const struct dwarf_types_differ *differ)
{
	HINT(q, "%s", differ->where);
	if (differ->header)
		HINT(q, "name a header that defines the one you mean: \"kernel<%s>\"",
		     differ->header);
	else if (q->name.constant)
		HINT(q, "no header that can be included defines it: write the number");
	else
		HINT(q, "no header that can be included defines it; a $parameter of a function in "
			"the right source file has its type, without @cast");
}

/* Adds the types of "kernel" or of a module, to which those of the kernel belong. Returns a
 * negative number after a report. @may_lack: a module that has none is left out. */
static int add_object(struct asking *q, const char *where, bool may_lack, struct places *ret)
{
	bool of_kernel = strcmp(where, "kernel") == 0;
	struct object_types_missing why;
	struct btf_db *db;
	int err = object_types(q->s, where, &q->name, &db, &why);

	if (!err) {
		vec_push(q->s->arena, &ret->v, db);
	} else if (err == -ENOENT) {
		ret->without = ret->without ? ret->without : where;
		ret->n++;
		return of_kernel ? 0 : add_object(q, "kernel", false, ret);
	} else if (err == -ENODATA && may_lack) {
		return add_object(q, "kernel", false, ret);
	} else if (err == -ENOTUNIQ) {
		FAIL(q, E_AMBIGUOUS, "'%s' is ambiguous: debug information of %s%s has several "
				     "different "
				     "ones", q->name.constant ? q->name.constant : q->name.text,
		     of_kernel ? "the " : "", where);
		hint_ambiguous(q, &why.differ);
	} else {
		FAIL(q, E_NO_BTF, "types need the BTF or the debug information of %s %s, and "
		     "neither can be used", of_kernel ? "kernel" : "the module",
		     of_kernel ? kernel_release(q->s->kernel) : where);
		if (!q->quiet)
			object_types_hint(q->s, &why);
	}
	return err;
}

/* The same for one of several places: it is left out if it has no types, as *@missing. */
static int add_one_of(struct asking *q, const char *where, const char **missing,
		      struct places *ret)
{
	struct asking quiet = *q;
	int err;

	quiet.quiet = true;
	err = add_object(&quiet, where, false, ret);
	if (err == -ENODATA) {
		*missing = *missing ? *missing : where;
		return 0;
	}
	return err ? add_object(q, where, false, ret) : 0;
}

/* Adds the kernel's types if it has some, where something else has the name as well. */
static void add_kernel(struct asking *q, struct places *ret)
{
	struct object_types_missing why;
	struct btf_db *db;

	if (object_types(q->s, "kernel", &q->name, &db, &why) == 0)
		vec_push(q->s->arena, &ret->v, db);
}

/* Reports that no place has types: @missing, which has none, or there is nothing to search. */
static int require_one(struct asking *q, const char *missing, struct places *ret)
{
	if (ret->v.n || ret->kernel_headers.n || ret->n)
		return 0;
	if (missing)
		return add_object(q, missing, false, ret);
	FAIL(q, E_UNKNOWN_TYPE, "no source of types is named");
	return -ENOENT;
}

static int open_all(struct asking *q, const struct site *site, const char *where,
		    struct places *ret)
{
	const char *list = where ? where : site ? site->object : "kernel";
	bool own_module = !where && strcmp(list, "kernel") != 0, any;
	const char *missing = NULL;

	/* The kernel's types come after those of the program or module. */
	if (site && site->user && !where) {
		struct asking quiet = *q;

		quiet.quiet = true;

		struct btf_db *db = open_program(&quiet, list, &any);

		list = "kernel";
		own_module = false;
		if (db) {
			vec_push(q->s->arena, &ret->v, db);
			add_kernel(q, ret);
			list = "";
		}
	}

	while (*(list += strspn(list, ":"))) {
		size_t n = strcspn(list, ":");
		const char *name = arena_strndup(q->s->arena, list, n);

		list += n;
		if (strncmp(name, "kernel<", 7) == 0) {
			add_kernel(q, ret);
			vec_push(q->s->arena, &ret->kernel_headers, name);
			continue;
		}
		if (is_program(name) && *name != '<') {
			struct btf_db *types = open_program(q, name, &any);

			if (types)
				vec_push(q->s->arena, &ret->v, types);
			else if (!any)
				return -ENODATA;
			ret->n++;
			continue;
		}
		if (*name == '<') {
			struct btf_db *types = open_header(q, name);

			if (!types)
				return -ENODATA;
			vec_push(q->s->arena, &ret->v, types);
			continue;
		}

		int err = where && strchr(where, ':') ? add_one_of(q, name, &missing, ret) :
			  add_object(q, name, own_module, ret);

		if (err)
			return err;
	}
	return require_one(q, missing, ret);
}

/* The next BTF to be searched, after all of places->v. Returns NULL if there is none, or with *err
 * set. */
static struct btf_db *next_place(struct asking *q, struct places *places, size_t *i, int *err)
{
	size_t n = (*i)++;

	if (n < places->v.n)
		return places->v.v[n];
	if (n - places->v.n >= places->kernel_headers.n)
		return NULL;

	struct btf_db *db = open_header(q, places->kernel_headers.v[n - places->v.n]);

	*err = db ? 0 : -ENODATA;
	return db;
}

/* ---- names of types ---- */

struct value_name {
	enum btf_word word;
	const char *scope;     /* in C++ and Rust: "ns::inner::"; NULL: no scope is named */
	const char *text;      /* one word, or the words of an integer in gcc's order */
	const char *other;     /* another spelling of the same integer, or NULL */
	unsigned pointers;
};

/* C allows the words of an integer type in any order; BTF has them as the kernel's compiler writes
 * them. */
static void integer_name(struct asking *q, const char *text, struct value_name *ret)
{
	struct arena *a = q->s->arena;
	unsigned longs = 0;
	bool is_unsigned = false, is_short = false, is_char = false, is_signed = false;

	for (const char *p = text; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		is_unsigned |= n == 8 && strncmp(p, "unsigned", n) == 0;
		is_signed |= n == 6 && strncmp(p, "signed", n) == 0;
		is_short |= n == 5 && strncmp(p, "short", n) == 0;
		is_char |= n == 4 && strncmp(p, "char", n) == 0;
		longs += n == 4 && strncmp(p, "long", n) == 0;
		p += n;
	}

	const char *sign = is_unsigned ? "unsigned " : "";

	if (is_char) {
		ret->text = is_unsigned ? "unsigned char" : is_signed ? "signed char" : "char";
	} else if (is_short) {
		ret->text = is_unsigned ? "short unsigned int" : "short int";
		ret->other = arena_printf(a, "%sshort", sign);
	} else if (longs) {
		const char *size = longs > 1 ? "long long" : "long";

		ret->text = arena_printf(a, "%s %sint", size, sign);
		ret->other = arena_printf(a, "%s%s", sign, size);
	} else {
		ret->text = is_unsigned ? "unsigned int" : "int";
	}
}

static bool take_word(const char **p, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(*p, word, n) != 0 || (*p)[n] != ' ')
		return false;
	*p += n + strspn(*p + n, " ");
	return true;
}

/* "ns::inner::name": the scope ends at the last "::" outside of a template's arguments. */
static void split_scope(struct asking *q, const char **p, struct value_name *ret)
{
	const char *end;
	int depth = 0;

	*p += strncmp(*p, "::", 2) == 0 ? 2 : 0;
	end = *p;

	for (const char *at = *p; *at; at++) {
		depth += (*at == '<') - (*at == '>');
		if (depth == 0 && at[0] == ':' && at[1] == ':')
			end = at + 2;
	}
	if (end > *p)
		ret->scope = arena_strndup(q->s->arena, *p, (size_t)(end - *p));
	*p = end;
}

/* Reads the name without qualifiers: "const struct file *". */
static void read_name(struct asking *q, const char *text, struct value_name *ret)
{
	static const char *const integers[] = { "unsigned", "signed", "long", "short", "char",
						"int" };
	char *s = arena_strdup(q->s->arena, text + strspn(text, " "));
	size_t n = strlen(s);

	*ret = (struct value_name){0};
	while (n && (s[n - 1] == '*' || s[n - 1] == ' '))
		ret->pointers += s[--n] == '*';
	s[n] = '\0';

	const char *p = s;

	while (take_word(&p, "const") || take_word(&p, "volatile"))
		;
	if (take_word(&p, "struct") || take_word(&p, "class"))
		ret->word = BTF_WORD_STRUCT;
	else if (take_word(&p, "union"))
		ret->word = BTF_WORD_UNION;
	else if (take_word(&p, "enum"))
		ret->word = BTF_WORD_ENUM;
	split_scope(q, &p, ret);
	ret->text = p;
	for (size_t i = 0; ret->word == BTF_ANY && i < sizeof(integers) / sizeof(*integers); i++) {
		size_t len = strlen(integers[i]);

		if (strncmp(p, integers[i], len) == 0 && (p[len] == ' ' || !p[len])) {
			integer_name(q, p, ret);
			break;
		}
	}
}

static bool find_type(struct btf_db *db, const struct value_name *name, uint32_t *ret)
{
	bool is_void = strcmp(name->text, "void") == 0;
	uint32_t id = is_void ? 0 : btf_lookup_type(db, name->word, name->text);

	if (!id && !is_void && name->other)
		id = btf_lookup_type(db, name->word, name->other);

	bool found = id != 0 || is_void;

	for (unsigned i = 0; i < name->pointers && found; i++) {
		id = btf_lookup_pointer(db, id);
		found = id != 0;
	}
	*ret = id;
	return found;
}

/* For "did you mean". */
static void known_names(struct state *s, const struct places *places, bool constants,
			struct btf_names *ret)
{
	if (places->without)
		object_types_names(s, places->without, constants, ret);
	else if (places->v.n)
		btf_lookup_names(places->v.v[0], s->arena, constants, ret);
}

static bool is_of_32bit(const struct site *site)
{
	return site && site->user && site->user->file->is_32bit;
}

int locate_type(struct state *s, const struct site *site, struct range at, const char *text,
		const char *where, bool quiet, struct access_type *ret)
{
	struct asking q = { .s = s, .at = at, .quiet = quiet, .of_32bit = is_of_32bit(site) };
	struct places places = {0};
	struct value_name name;
	size_t i = 0;

	read_name(&q, text, &name);
	q.name = (struct dwarf_type_name){ .word = name.word, .scope = name.scope,
					   .text = name.text, .other = name.other,
					   .pointers = name.pointers };

	int err = open_all(&q, site, where, &places);

	if (err)
		return err;
	while ((ret->db = next_place(&q, &places, &i, &err)))
		/* The kernel has no scopes. */
		if ((!name.scope || headers_of_user(s, ret->db)) &&
		    find_type(ret->db, &name, &ret->id))
			return 0;
	if (err)
		return err;

	struct btf_names names = {0};

	if (!where && site && site->user)
		where = site->object;
	FAIL(&q, E_UNKNOWN_TYPE, "there is no type '%s' in %s%s", text,
	     where && (strchr(where, '<') || is_program(where)) ? "" : places.without ?
	     "the debug information of " : "the BTF of ",
	     where ? where : site ? site->object : "the kernel");
	if (!quiet) {
		known_names(s, &places, false, &names);

		const char *nearest = diag_nearest(name.text, names.v.v, names.v.n);

		if (nearest && strcmp(nearest, name.text) != 0)
			HINT(&q, "did you mean '%s'?", nearest);
		else if (!where)
			HINT(&q, "a module's type needs its name: \"%s\", \"MODULE\"", text);
		else if (is_program(where))
			HINT(&q, "gdb -batch -ex 'info types %s' %s lists types of similar names",
			     name.text, where);
	}
	return -ENOENT;
}

int locate_type_beside(struct state *s, struct access_type *ret, const char *text)
{
	struct asking q = { .s = s, .quiet = true };
	struct dwarf_types_differ differ;
	struct dwarf_db *dwarf = dwarf_db_with_types(s, ret->db);
	struct value_name name;

	read_name(&q, text, &name);
	q.name = (struct dwarf_type_name){ .word = name.word, .scope = name.scope,
					   .text = name.text, .other = name.other,
					   .pointers = name.pointers };
	if (dwarf)
		ret->db = dwarf_types_named(s, dwarf, &q.name, &differ);
	return ret->db && find_type(ret->db, &name, &ret->id) ? 0 : -ENOENT;
}

/* ---- constants ---- */

int locate_constant(struct state *s, const struct site *site, struct range at, const char *name,
		    const char *where, bool quiet, int64_t *ret)
{
	struct asking q = { .s = s, .at = at, .quiet = quiet, .name = { .constant = name },
			    .of_32bit = is_of_32bit(site) };
	struct places places = {0};
	struct btf_names names = {0};
	struct btf_db *db;
	size_t i = 0;
	int err = open_all(&q, site, where, &places);

	if (err)
		return err;
	while ((db = next_place(&q, &places, &i, &err)))
		if (btf_lookup_constant(db, name, ret))
			return 0;
	if (err)
		return err;
	FAIL(&q, E_UNKNOWN_TYPE, "no enum has a constant '%s'", name);
	if (!quiet) {
		known_names(s, &places, true, &names);

		const char *nearest = diag_nearest(name, names.v.v, names.v.n);

		if (nearest)
			HINT(&q, "did you mean '%s'?", nearest);
	}
	return -ENOENT;
}

/* Debug information of a program may have any text as a name. */
static bool is_name(const char *name)
{
	return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789_:$")];
}

bool locate_constants(struct state *s, struct access_type type, struct constant_list *ret)
{
	struct btf_constants all = {0};

	if (!type.db)
		return false;
	btf_lookup_constants(type.db, s->arena, type.id, &all);
	vec_each(c, &all.v)
		if (is_name(c->name))
			vec_push(s->arena, &ret->v, ((struct constant){ c->name, c->value }));
	return ret->v.n != 0;
}

/* ---- variables ---- */

/* Without BTF. Like that of pahole 1.24, this knows only the variables of which each processor has
 * its own. */
static int variable_of_debuginfo(struct state *s, const char *name, struct variable *ret)
{
	const char *why;
	struct dwarf_db *debug = dwarf_db_get(s, "kernel", &why);
	struct location l = {0};

	ret->per_cpu = debug && dwarf_is_per_cpu(debug, name);
	if (!ret->per_cpu || dwarf_global(s, debug, name, NULL, &l, &why))
		return -ENOENT;
	ret->type = l.type;
	return 0;
}

int locate_variable(struct state *s, const char *name, struct variable *ret)
{
	const char *why;
	struct btf_db *db = kernel_btf(s->kernel, &why);

	*ret = (struct variable){0};
	if (!db)
		return variable_of_debuginfo(s, name, ret);
	if (!btf_lookup_variable(db, name, &ret->type.id, &ret->per_cpu))
		return -ENOENT;
	ret->type.db = db;
	return 0;
}

/* ---- paths from a value ---- */

static int start(struct state *s, struct access_type target, struct expr *e, bool at_target,
		 bool quiet)
{
	struct walk w = {
		.s = s, .e = e, .quiet = quiet, .db = target.db, .type = target.id,
		.standing = ON_ADDRESS, .at_target = at_target, .end = e->range.end,
	};
	struct access *access = w.access = NEW(s->arena, struct access);
	int err = 0;

	access->base = AB_VALUE;
	access->of_user = headers_of_user(s, target.db);
	access->text = path_text(&w);
	if (!at_target || e->u.context.path.n || e->u.context.address || e->u.context.pretty) {
		err = path_follow(&w);
	} else {
		access->result = AR_VALUE;
		access->size = 8;
		access->is_pointer = true;
		access->target = target;
		access->type_name = btf_types_pointer_name(target.db, s->arena, target.id);
	}
	if (!err) {
		e->u.context.access = access;
		e->type = access_value_type(access);
	}
	return err;
}

int locate_value(struct state *s, struct access_type target, struct expr *e, bool quiet)
{
	return start(s, target, e, true, quiet);
}

int locate_object(struct state *s, struct access_type type, struct expr *e, bool quiet)
{
	return start(s, type, e, false, quiet);
}

bool locate_same_type(struct state *s, const struct access_type *a, const struct access_type *b)
{
	struct btf_shape sa = btf_types_shape(a->db, a->id), sb = btf_types_shape(b->db, b->id);

	if (a->db == b->db && sa.id == sb.id)
		return true;
	return sa.kind == sb.kind && sa.size == sb.size &&
	       strcmp(btf_types_name(a->db, s->arena, sa.id),
		      btf_types_name(b->db, s->arena, sb.id)) == 0;
}
