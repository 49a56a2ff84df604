/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types that a script names, of an object or of a header. A program may have a hundred thousand
 * types, of which a script needs a few, so only the types found and those that they consist of are
 * translated. All units of a program are searched for the name, and if several have it, the first
 * type of each kind is taken. The kernel and its modules have an index, which knows whether the
 * types of a name differ; then none is taken.
 */
#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "target/dwarf/private.h"
#include "target/dwarf/values/definitions.h"
#include "target/dwarf/values/read.h"
#include "target/dwarf/values/types.h"
#include "state.h"

enum { TARGETS_MAX = 64 }; /* only damaged information nests deeper */

/* A search by name, or for the enumeration that has a constant. */
struct named_search {
	struct arena *arena;
	struct dwarf_types *t;
	const struct dwarf_type_name *name;
	unsigned tags;        /* kinds that were found, by tag_bit() */
	unsigned found;
	/* In the kernel or a module: */
	Dwarf_Die first;      /* what was found first */
	struct dwarf_types_differ differ;
};

/* 0 for a kind that scripts can't name. */
static unsigned tag_bit(int tag)
{
	static const int tags[] = {
		DW_TAG_structure_type, DW_TAG_class_type, DW_TAG_union_type,
		DW_TAG_enumeration_type, DW_TAG_typedef, DW_TAG_base_type,
	};

	for (unsigned i = 0; i < sizeof(tags) / sizeof(*tags); i++)
		if (tags[i] == tag)
			return 1u << i;
	return 0;
}

static bool has_constant(const struct named_search *w, Dwarf_Die *die)
{
	struct btf_constants all = { 0 };

	if (dwarf_tag(die) != DW_TAG_enumeration_type)
		return false;
	dwarf_read_constants(w->arena, die, &all);
	vec_each(c, &all.v)
		if (strcmp(c->name, w->name->constant) == 0)
			return true;
	return false;
}

static bool has_name(const struct named_search *w, Dwarf_Die *die)
{
	const char *name = dwarf_read_name(die);

	return strcmp(name, w->name->text) == 0 ||
	       (w->name->other && strcmp(name, w->name->other) == 0);
}

static void take_in(struct named_search *w, const char *scope, Dwarf_Die *die);

/* Enters a namespace or class if the wanted scope begins with its name. */
static void enter(struct named_search *w, const char *scope, Dwarf_Die *die)
{
	const char *name = dwarf_read_name(die);
	size_t len = strlen(name);
	Dwarf_Die child;

	if (!len || strncmp(scope, name, len) != 0 || strncmp(scope + len, "::", 2) != 0 ||
	    dwarf_child(die, &child) != 0)
		return;
	do
		take_in(w, scope + len + 2, &child);
	while (dwarf_siblingof(&child, &child) == 0);
}

static bool can_enter(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Whether nothing is left of the wanted scope. gcc defines the type of a type unit outside of its
 * scope, and declares it within. */
static bool is_in_scope(const struct named_search *w, const char *scope, Dwarf_Die *die)
{
	const char *wanted = w->name->scope ? w->name->scope : "";

	return dwarf_hasattr(die, DW_AT_specification) ?
	       strcmp(dwarf_read_scope(w->arena, die), wanted) == 0 : !*scope;
}

/* @scope: the rest of the wanted scope, below the current one. */
static void take_in(struct named_search *w, const char *scope, Dwarf_Die *die)
{
	unsigned bit = tag_bit(dwarf_tag(die));

	if (*scope && can_enter(dwarf_tag(die)))
		enter(w, scope, die);
	if (!bit || w->tags & bit || dwarf_read_declared(die) ||
	    !(w->name->constant ? has_constant(w, die) : has_name(w, die)) ||
	    !is_in_scope(w, scope, die))
		return;
	w->tags |= bit;
	w->found++;
	dwarf_types_take(w->t, die, w->name->pointers);
}

static void take_wanted(void *data, Dwarf_Die *die)
{
	struct named_search *w = data;

	take_in(w, w->name->scope ? w->name->scope : "", die);
}

/* "drivers/pci/pci.c:12" */
static const char *declared_at(const struct named_search *w, Dwarf_Die *die)
{
	const char *file = dwarf_decl_file(die);
	int line = 0;

	dwarf_decl_line(die, &line);
	return arena_printf(w->arena, "%s:%d", file ? file : "?", line);
}

/* "security/lsm.h:5 and fs/inode.c:20", or if macros make a header differ, "fs/binfmt_elf.c:17 in
 * fs/binfmt_elf.c and in fs/compat_binfmt_elf.c". */
static const char *declared_at_both(const struct named_search *w, Dwarf_Die *one, Dwarf_Die *other)
{
	const char *first = declared_at(w, one), *second = declared_at(w, other);
	Dwarf_Die a, b;

	if (strcmp(first, second) != 0 || !dwarf_diecu(one, &a, NULL, NULL) ||
	    !dwarf_diecu(other, &b, NULL, NULL))
		return arena_printf(w->arena, "%s and %s", first, second);
	return arena_printf(w->arena, "%s in %s and in %s", first, dwarf_read_name(&a),
			    dwarf_read_name(&b));
}

/* The name by which a source of the kernel includes the file: "include/uapi/linux/fs.h" is
 * "linux/fs.h". NULL: it is none of the folders for headers that all include. */
static const char *header_of(Dwarf_Die *die)
{
	const char *file = dwarf_decl_file(die), *below = NULL;

	for (const char *at = file; at && (at = strstr(at, "include/")); at += strlen("include/"))
		if (at == file || at[-1] == '/')
			below = at + strlen("include/");
	if (below && strncmp(below, "generated/", 10) == 0)
		below += 10;
	if (below && strncmp(below, "uapi/", 5) == 0)
		below += 5;
	return below;
}

static void see_definition(void *data, Dwarf_Die *die)
{
	struct named_search *w = data;

	if (w->found++ == 0) {
		w->first = *die;
	} else if (!w->differ.where) {
		const char *header = header_of(&w->first);

		w->differ.where = declared_at_both(w, &w->first, die);
		w->differ.header = header ? header : header_of(die);
	}
}

/* A typedef of a structure, union or enumeration, or of pointers to it, is as ambiguous as that
 * one's name. */
static void see_target(struct named_search *w, struct dwarf_db *db)
{
	struct named_search target = { .arena = w->arena };
	Dwarf_Die die = w->first;

	for (int i = 0; i < TARGETS_MAX && !definitions_word(&die); i++)
		if (!dwarf_read_target(&die, &die))
			return;
	if (definitions_word(&die) && *dwarf_read_name(&die))
		definitions_each(db, definitions_word(&die), dwarf_read_name(&die),
				 see_definition, &target);
	w->differ = target.differ;
}

static void search_definitions(struct named_search *w, struct dwarf_db *db, const char *name)
{
	definitions_each(db, w->name->word, name, see_definition, w);
	if (w->found == 1)
		see_target(w, db);
}

static void search_index(struct named_search *w, struct dwarf_db *db)
{
	const struct dwarf_type_name *name = w->name;

	/* C has no scopes. */
	if (name->scope)
		return;
	if (name->constant) {
		definitions_constant(db, name->constant, see_definition, w);
	} else if (strcmp(name->text, "void") == 0) {
		w->found++;
		dwarf_types_take(w->t, NULL, name->pointers);
		return;
	} else {
		search_definitions(w, db, name->text);
		if (name->other && !w->found)
			search_definitions(w, db, name->other);
	}
	if (w->found && !w->differ.where)
		dwarf_types_take(w->t, &w->first, name->pointers);
}

struct btf_db *dwarf_types_named(struct state *s, struct dwarf_db *db,
				 const struct dwarf_type_name *name,
				 struct dwarf_types_differ *differ)
{
	struct dwarf_types *t = dwarf_types_open(s, db);
	struct named_search w = { .arena = s->arena, .t = t, .name = name };
	const char *key = name->constant ? arena_printf(s->arena, "enum %s", name->constant) :
			  arena_printf(s->arena, "%u %d %s%s", name->pointers, name->word,
				       name->scope ? name->scope : "", name->text);
	struct btf_db *ret = map_get(dwarf_types_by_name(t), key);

	*differ = (struct dwarf_types_differ){0};
	if (ret)
		return ret;
	dwarf_types_begin(t);
	if (db->is_program)
		dwarf_read_top(db, take_wanted, &w);
	else
		search_index(&w, db);
	ret = dwarf_types_end(t, false);
	*differ = w.differ;
	if (!ret || !w.found || w.differ.where)
		return NULL;
	map_set(dwarf_types_by_name(t), key, ret);
	return ret;
}

static void take_top(void *data, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	if ((tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	     tag == DW_TAG_enumeration_type || tag == DW_TAG_typedef) &&
	    *dwarf_read_name(die) && !dwarf_read_declared(die))
		dwarf_types_take(data, die, 0);
}

int dwarf_types_of_file(struct state *s, const char *path, struct btf_db **ret, const char **why)
{
	struct dwarf_db *db = dwarf_db_of_file(s, path, why);
	struct dwarf_types *t;

	if (!db)
		return -ENODATA;
	t = dwarf_types_open(s, db);
	dwarf_types_begin(t);
	dwarf_read_top(db, take_top, t);
	*ret = dwarf_types_end(t, true);
	if (*ret)
		return 0;
	*why = "BTF can't hold so many types";
	return -ENODATA;
}
