/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The type of the function that a tracepoint calls, in C without any header. A kernel with kCFI
 * compares a number made of the types of all parameters: of the names of structures and enums, of
 * integers without typedefs, and of const behind pointers. What can't be written so has no text.
 */
#include <string.h>

#include "target/btf/btf.h"
#include "analyse/locate/locate.h"
#include "program/site.h"
#include "state.h"

/* The types of one tracepoint. */
struct receiver_types {
	struct arena *a;
	const struct btf_db *db;
	struct receiver *to;
};

/* A type with a name of its own: "struct file", "unsigned int". */
static const char *named(const struct receiver_types *r, uint32_t id)
{
	static const char *const words[] = { "struct ", "union ", "enum " };
	const char *name = btf_types_name(r->db, r->a, id);

	if (strpbrk(name, "(){}[]*?"))
		return NULL;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(name, words[i], strlen(words[i])) == 0)
			vec_push(r->a, &r->to->tags, name);
	return name;
}

/* A pointer to the type. */
static const char *pointer(const struct receiver_types *r, uint32_t id)
{
	const struct btf_shape shape = btf_types_shape(r->db, id);
	const char *whole = btf_types_name(r->db, r->a, id), *inner = NULL;
	const bool is_const = strncmp(whole, "const ", 6) == 0;

	if (strstr(whole, "volatile") || strstr(whole, "*const") || strstr(whole, "* const"))
		return NULL;
	if (shape.kind == BTF_VOID)
		inner = "void ";
	else if (shape.kind == BTF_POINTER)
		inner = pointer(r, shape.target);
	else if ((shape.kind == BTF_INTEGER || shape.kind == BTF_STRUCT ||
		  shape.kind == BTF_INCOMPLETE) && (inner = named(r, shape.id)))
		inner = arena_printf(r->a, "%s ", inner);
	/* The const of a pointer to a pointer is that of what is behind both. */
	return !inner ? NULL :
	       arena_printf(r->a, "%s%s*", is_const && shape.kind != BTF_POINTER ? "const " : "",
			    inner);
}

const struct receiver *locate_receiver(struct state *s, const struct site *site)
{
	const struct btf_func *f = locate_prototype(site);
	struct receiver *ret = NEW(s->arena, struct receiver);
	struct receiver_types r = { .a = s->arena, .db = f ? f->db : NULL, .to = ret };
	unsigned n = f ? btf_func_nparams(f) : 0;

	/* The first parameter is what was given at the registration. */
	for (unsigned i = 1; i < n; i++) {
		const char *text = NULL;
		uint32_t type;

		if (btf_func_param(f, i, &type)) {
			const struct btf_shape shape = btf_types_shape(r.db, type);

			if (shape.kind == BTF_INTEGER)
				text = named(&r, shape.id);
			else if (shape.kind == BTF_POINTER)
				text = pointer(&r, shape.target);
		}
		if (!text)
			return NULL;
		vec_push(s->arena, &ret->params, text);
	}
	return n ? ret : NULL;
}
