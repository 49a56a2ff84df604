/* SPDX-License-Identifier: GPL-2.0 */
/* Types of headers: "kernel<linux/fs.h>", "<sys/stat.h>". Each header is compiled once in a run. */
#include <string.h>

#include "target/btf/btf.h"
#include "target/dwarf/dwarf.h"
#include "target/kbuild/kbuild.h"
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

static struct header *compile(struct state *s, const char *name, bool of_32bit)
{
	struct header *h = NEW(s->arena, struct header);
	const char *headers = strchr(name, '<');

	h->of_user = headers == name;

	const char *object = kbuild_header(s, headers, !h->of_user ? KBUILD_OF_KERNEL : of_32bit ?
					   KBUILD_OF_32BIT : KBUILD_OF_PROGRAM, &h->why);

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
