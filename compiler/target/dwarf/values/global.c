/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Variables with a fixed address: of files, and the static ones of functions. Debug information has
 * no index of them, so all units are searched, or those of one file. A variable that the linker
 * script defines (jiffies) is only declared there; its address is in the symbol table.
 */
#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "target/dwarf/values/location.h"
#include "target/dwarf/values/read.h"
#include "target/dwarf/values/types.h"
#include "state.h"

struct global_search {
	struct arena *arena;
	const char *name, *pattern; /* pattern: of the unit's file, or NULL */
	const char *scope;       /* around the name, "ns::inner::"; NULL: none is named */
	Dwarf_Die found;         /* without a file: a declaration of another unit's variable */
	/* the file of the unit that has it, or the name with its scope; NULL: not found */
	const char *file;
	const char *other;       /* the same of another one */
	bool external;           /* it is global, so it is the only one */
	int language;            /* of the unit */
	bool removed;            /* the linker has removed one of that name */
	/* How many have no location, and the last one of them: gcc for arm64 gives thread-local
	 * variables none. */
	unsigned nunplaced;
	Dwarf_Die unplaced;
	struct dwarf_db *db;
};

static bool has_flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	bool flag;

	return dwarf_attr_integrate(die, name, &attr) && dwarf_formflag(&attr, &flag) == 0 && flag;
}

/* The address of a thread-local variable is a constant, too: the offset that the last operation
 * makes an address. */
static bool is_address(const Dwarf_Op *ops, size_t n)
{
	return n && (ops[0].atom == DW_OP_addr || ops[0].atom == DW_OP_addrx ||
		     ops[0].atom == DW_OP_GNU_addr_index ||
		     ops[n - 1].atom == DW_OP_form_tls_address ||
		     ops[n - 1].atom == DW_OP_GNU_push_tls_address);
}

static bool has_address(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_tag(die) != DW_TAG_variable)
		return false;
	if (dwarf_attr(die, DW_AT_const_value, &attr))
		return true;
	return dwarf_read_location(die, DW_AT_location, &attr) &&
	       dwarf_getlocation(&attr, &ops, &n) == 0 && is_address(ops, n);
}

/* Linkers write 0 where a variable was that they have removed. For a thread-local one, that is the
 * offset of another one. */
static bool is_removed(struct global_search *f, Dwarf_Die *die)
{
	Dwarf_Attribute attr, linkage;
	const char *name = NULL;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_read_location(die, DW_AT_location, &attr) ||
	    dwarf_getlocation(&attr, &ops, &n) != 0 || n != 2 || ops[0].atom == DW_OP_addrx ||
	    ops[0].number || !is_address(&ops[1], 1))
		return false;
	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &linkage))
		name = dwarf_formstring(&linkage);
	return !address_is_thread_local(f->db, 0, name ? name : dwarf_diename(die));
}

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
	while (n--)
		if (strcmp(name, names[n]) == 0)
			return true;
	return false;
}

/* The variable that Rust's thread_local! makes is in scopes of its own, below the name that the
 * source gives it. If it is such a one, replaces the @scope, and returns the name. */
static const char *thread_local_name(struct global_search *f, const char *name, const char **scope)
{
	static const char *const variables[] = { "__RUST_STD_INTERNAL_VAL", "__KEY", "VAL" };
	static const char *const scopes[] = { "__getit", "__init" };
	char *all = arena_printf(f->arena, "%s", *scope), *last;
	size_t n = strlen(all);
	bool made = false;

	if (!is_one_of(name, variables, sizeof(variables) / sizeof(*variables)))
		return NULL;
	for (;;) {
		if (n < 3)
			return NULL;
		all[n -= 2] = '\0';
		last = strrchr(all, ':');
		last = last ? last + 1 : all;
		if (*last != '{' && !is_one_of(last, scopes, sizeof(scopes) / sizeof(*scopes)))
			break;
		made = true;
		*last = '\0';
		n = (size_t)(last - all);
	}
	*scope = arena_strndup(f->arena, all, (size_t)(last - all));
	return made ? last : NULL;
}

/* Whether the variable has the wanted name, and the scope if one is wanted. */
static bool is_wanted(struct global_search *f, Dwarf_Die *die, const char **name,
		      const char **scope)
{
	*name = dwarf_diename(die);
	if (!*name)
		return false;
	if (strcmp(*name, f->name) == 0) {
		*scope = dwarf_read_scope(f->arena, die);
		if (!f->scope || strcmp(*scope, f->scope) == 0)
			return true;
	}
	if (f->language != DW_LANG_Rust)
		return false;
	*scope = dwarf_read_scope(f->arena, die);
	*name = thread_local_name(f, *name, scope);
	return *name && strcmp(*name, f->name) == 0 &&
	       (!f->scope || strcmp(*scope, f->scope) == 0);
}

static void check_variable(struct global_search *f, Dwarf_Die *die, const char *file)
{
	const char *name, *scope;

	if (!is_wanted(f, die, &name, &scope))
		return;
	if (is_removed(f, die)) {
		f->removed = true;
		return;
	}
	if (!has_address(die)) {
		if (!f->file && dwarf_read_declared(die)) {
			f->found = *die;
		} else if (!dwarf_read_declared(die)) {
			f->nunplaced++;
			f->unplaced = *die;
		}
		return;
	}

	/* Without its scope, a name may mean several variables. An inline variable has a definition
	 * in each unit. */
	bool external = has_flag(die, DW_AT_external) && (f->scope || !*scope);

	if (*scope && !f->scope)
		file = arena_printf(f->arena, "%s%s", scope, name);
	if (f->file && !external) {
		if (!f->other && strcmp(f->file, file) != 0)
			f->other = file;
		return;
	}
	f->found = *die;
	f->file = file;
	f->external = external;
}

/* Static variables of functions are searched only if a file is named, because that takes a walk
 * over the whole unit. */
static void search_in(struct global_search *f, Dwarf_Die *scope, const char *file, bool inside,
		      int depth)
{
	Dwarf_Die child;

	if (depth > 32 || dwarf_child(scope, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_variable)
			check_variable(f, &child, file);
		else if (tag == DW_TAG_namespace ||
			 (inside && (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)))
			search_in(f, &child, file, inside, depth + 1);
	} while (!f->external && dwarf_siblingof(&child, &child) == 0);
}

static bool search_unit(void *data, Dwarf_Die *unit)
{
	struct global_search *f = data;
	const char *file = dwarf_diename(unit);

	f->language = dwarf_srclang(unit);
	if (file && (!f->pattern || dwarf_lines_file_matches(f->pattern, file)))
		search_in(f, unit, file, f->pattern != NULL, 0);
	return !f->external;
}

/* The scope of "ns::type<a::b>::name" ends at the last "::" outside of a template's arguments. */
static void split_scope(struct global_search *f, const char *name)
{
	const char *start = strncmp(name, "::", 2) == 0 ? name + 2 : name, *end = start;
	int depth = 0;

	for (const char *at = start; *at; at++) {
		depth += (*at == '<') - (*at == '>');
		if (depth == 0 && at[0] == ':' && at[1] == ':')
			end = at + 2;
	}
	f->name = end;
	if (end > name)
		f->scope = arena_strndup(f->arena, start, (size_t)(end - start));
}

static bool location_of_symbol(struct dwarf_db *db, const char *name, struct location *ret)
{
	struct location_piece piece = {0};
	struct location_ops ops = {0};
	uint64_t address;
	bool per_cpu = false;

	if (!address_of_symbol(db, name, &address) || !address_program(db, address, &ops, &per_cpu))
		return false;
	if (per_cpu)
		vec_push(db->arena, &ops.v, ((struct location_op){ .kind = LO_PERCPU }));
	memcpy(&piece.ops, &ops.v, sizeof(piece.ops));
	vec_push(db->arena, &ret->pieces, piece);
	return true;
}

/* A variable without a location, if it is the only one of its name, and the symbol table has one
 * thread-local variable of that name and size. */
static bool location_of_thread_local(struct global_search *f, struct location *ret)
{
	const struct location_op thread_local = { .kind = LO_THREAD_LOCAL };
	struct location_op offset = { .kind = LO_CONST };
	struct location_piece piece = {0};
	Dwarf_Attribute linkage;
	uint64_t at, size;
	Dwarf_Word own;
	Dwarf_Die type;
	const char *name = dwarf_diename(&f->unplaced);

	if (f->nunplaced != 1 || !f->db->is_program)
		return false;
	if (dwarf_attr_integrate(&f->unplaced, DW_AT_linkage_name, &linkage))
		name = dwarf_formstring(&linkage);
	if (!name || !address_of_thread_local(f->db, name, &at, &size) ||
	    !dwarf_read_target(&f->unplaced, &type) || dwarf_aggregate_size(&type, &own) != 0 ||
	    own != size)
		return false;
	offset.n = (int64_t)at;
	vec_push(f->arena, &piece.ops, offset);
	vec_push(f->arena, &piece.ops, thread_local);
	vec_push(f->arena, &ret->pieces, piece);
	f->found = f->unplaced;
	return true;
}

bool dwarf_is_per_cpu(struct dwarf_db *db, const char *name)
{
	struct location_ops ops = {0};
	uint64_t address;
	bool per_cpu = false;

	return address_of_symbol(db, name, &address) &&
	       address_program(db, address, &ops, &per_cpu) && per_cpu;
}

int dwarf_global(struct state *s, struct dwarf_db *db, const char *name, const char *file,
		 struct location *ret, const char **why)
{
	struct global_search f = { .arena = s->arena, .pattern = file, .db = db };
	struct location_place place = { .db = db };

	split_scope(&f, name);
	dwarf_parts_units(db, search_unit, &f);
	if (!f.file && f.removed) {
		*why = "the linker has removed it";
		return -ENODATA;
	}
	if (!f.file && !(f.found.addr && location_of_symbol(db, name, ret)) &&
	    !location_of_thread_local(&f, ret))
		return -ENOENT;
	if (f.other && !f.external) {
		*why = arena_printf(s->arena, "'%s' and '%s' each have one", f.file, f.other);
		return -ENOTUNIQ;
	}
	if (f.file && location_of(&place, &f.found, ret, why) != 0)
		return -ENODATA;
	if (dwarf_types_of(dwarf_types_open(s, db), &f.found, &ret->type))
		return 0;
	*why = "BTF can't hold its type";
	return -ENODATA;
}
