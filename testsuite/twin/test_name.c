/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arrays whose key is the name of the current thread: the element that prt_map_get_name() gets is
 * the one that prt_map_get_s() gets for the same bytes. The array is small, so that chains are long
 * and some names find no room.
 */
#include <string.h>

#include "machine.h"
#include "map.h"
#include "twin.h"

enum { NAME = 16, ELEMENTS = 24 };

static u32 name_length(const char *name)
{
	return (u32)strnlen(name, NAME);
}

/* Few letters, so that names occur again and are beginnings of each other. What follows the NUL is
 * arbitrary. */
static void make_name(char *name)
{
	u32 len = (u32)twin_below(NAME + 1), i;

	twin_bytes(name, NAME);
	for (i = 0; i < len; i++)
		name[i] = "ab\xff"[twin_below(3)];
	if (len < NAME)
		name[len] = 0;
}

static void check_name(struct prt_ctx *c, struct prt_map_ref *ref)
{
	u64 lost = ref->m->lost;
	struct prt_str key;
	char name[NAME];
	u64 *value, *other;

	make_name(name);
	key = (struct prt_str){ name, name_length(name) };
	if (twin_below(8) == 0)
		prt_map_del_s(ref, key);
	other = twin_below(2) ? prt_map_find_s(ref, key) : NULL;
	value = prt_map_get_name(c, ref->m, 1, name);
	CHECK(value, "no element for a name of %u bytes", key.len);
	if (ref->m->lost > lost) {
		CHECK(!prt_map_find_s(ref, key), "a name of %u bytes has an element", key.len);
		return;
	}
	CHECK(!other || other == value, "another element for a name of %u bytes", key.len);
	CHECK(prt_map_get_s(c, ref, key, 1) == value, "two elements for a name of %u bytes",
	      key.len);
	(*value)++;
}

/* No two elements have the same name. */
static void check_elements(const struct prt_map *m)
{
	u32 i, j;

	for (i = m->oldest; i; i = prt_map_element(m, i)->newer) {
		const struct prt_element *a = prt_map_element(m, i);

		for (j = a->newer; j; j = prt_map_element(m, j)->newer) {
			const struct prt_element *b = prt_map_element(m, j);

			CHECK(a->klen != b->klen ||
			      memcmp(prt_map_key(m, a), prt_map_key(m, b), a->klen) != 0,
			      "a name of %u bytes has two elements", a->klen);
		}
	}
}

TWIN_TEST(name)
{
	static struct prt_probe probe;
	struct prt_map_ref ref;
	struct prt_global g = { .name = "a", .kind = PRT_G_MAP, .where = &ref, .nkeys = 1,
				.key_string = { 1 }, .size = ELEMENTS };
	u64 round;

	twin_script.probes = &probe;
	twin_script.nprobes = twin_script.nglobals = 1;
	twin_script.globals = &g;
	CHECK(machine_open(0) == 0, "no session");
	for (round = 0; round < twin_rounds(20000); round++) {
		check_name(machine_context(0, 0), &ref);
		if (round % 100 == 0)
			check_elements(ref.m);
	}
	machine_close();
}
