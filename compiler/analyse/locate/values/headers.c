/* SPDX-License-Identifier: GPL-2.0 */
/* Types and macros of headers: "kernel<linux/fs.h>", "<sys/stat.h>". Each header is compiled once
 * in a run for its types. */
#include <errno.h>
#include <string.h>

#include "target/btf/btf.h"
#include "target/dwarf/dwarf.h"
#include "target/kbuild/kbuild.h"
#include "target/object/object.h"
#include "analyse/locate/locate.h"
#include "analyse/locate/values/headers.h"
#include "state.h"

struct header {
	struct btf_db *db; /* NULL if it could not be compiled */
	const char *why;
	bool of_user;
};

struct header_types {
	struct map by_name; /* by the text in the script */
};

/* How "<a.h>" or "kernel<a.h>" is compiled. */
static enum kbuild_headers way(const char *name, bool of_32bit)
{
	return *name != '<' ? KBUILD_OF_KERNEL : of_32bit ? KBUILD_OF_32BIT : KBUILD_OF_PROGRAM;
}

static struct header *compile(struct state *s, const char *name, bool of_32bit)
{
	struct header *h = NEW(s->arena, struct header);
	const char *headers = strchr(name, '<');

	h->of_user = headers == name;

	const char *object = kbuild_header(s, headers, way(name, of_32bit), &h->why);

	if (object)
		dwarf_types_of_file(s, object, &h->db, &h->why);
	return h;
}

struct btf_db *headers_types(struct state *s, const char *name, bool of_32bit, const char **why)
{
	const char *key = arena_printf(s->arena, "%s%s", of_32bit ? "-m32 " : "", name);

	if (!s->headers) {
		s->headers = NEW(s->arena, struct header_types);
		map_init(&s->headers->by_name, s->arena);
	}

	struct header *h = map_get(&s->headers->by_name, key);

	if (!h) {
		h = compile(s, name, of_32bit);
		map_set(&s->headers->by_name, key, h);
	}
	*why = h->why;
	return h->db;
}

bool headers_of_user(struct state *s, const struct btf_db *db)
{
	if (db && btf_db_of_user(db))
		return true;
	if (!s->headers || !db)
		return false;
	map_each(it, &s->headers->by_name) {
		const struct header *h = it->value;

		if (h->db == db)
			return h->of_user;
	}
	return false;
}

/* As headers_types(): false if the headers can't be compiled, with the reason. */
static bool macros(struct state *s, const char *name, const char *pattern, bool of_32bit,
		   struct constant_list *ret, const char **why)
{
	struct kbuild_macros known = {0};
	struct btf_db *db = NULL;
	const char *object = kbuild_macros(s, strchr(name, '<'), way(name, of_32bit), pattern,
					   &known, why);

	if (object)
		dwarf_types_of_file(s, object, &db, why);
	if (!db)
		return false;
	vec_each(it, &known.v) {
		struct constant c = { .name = *it };

		if (btf_lookup_constant(db, arena_printf(s->arena, KBUILD_MACRO_PREFIX "%s", *it),
					&c.value))
			vec_push(s->arena, &ret->v, c);
	}
	return true;
}

int locate_macros(struct state *s, const struct site *site, struct range at, const char *pattern,
		  const char *where, bool quiet, struct constant_list *ret)
{
	bool of_32bit = site && site->user && site->user->file->is_32bit;
	const char *why = NULL;

	if (!macros(s, where, pattern, of_32bit, ret, &why)) {
		if (!quiet) {
			diag_error(s->diag, at, E_HEADER, "the macros of '%s' are not available: "
				   "%s", where, why);
			if (*where == '<')
				diag_hint(s->diag, "a header of the kernel is written "
					  "\"kernel<linux/fs.h>\"");
		}
		return -ENODATA;
	}
	if (!ret->v.n && !quiet)
		diag_error(s->diag, at, E_HEADER, "no macro of '%s' that is a number matches '%s'",
			   where, pattern);
	return ret->v.n ? 0 : -ENOENT;
}
