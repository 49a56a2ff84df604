/* SPDX-License-Identifier: GPL-2.0 */
/* Functions, inlined copies and blocks around an address. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "target/dwarf/private.h"
#include "target/object/demangle.h"

static void add_code(struct dwarf_db *db, Dwarf_Die *function, struct dwarf_unit *u)
{
	Dwarf_Addr base, start, end;

	if (!dwarf_hasattr(function, DW_AT_low_pc) && !dwarf_hasattr(function, DW_AT_ranges))
		return;
	for (ptrdiff_t i = 0; (i = dwarf_ranges(function, i, &base, &start, &end)) > 0;) {
		struct dwarf_range one = { start, end, dwarf_parts_offset(db, function) };

		vec_push(db->arena, &u->code.v, one);
	}
}

/* Functions of C++ and Rust may lie in namespaces and types. */
static void add_functions(struct dwarf_db *db, Dwarf_Die *outer, unsigned depth,
			  struct dwarf_unit *u)
{
	Dwarf_Die die;

	if (depth == DWARF_SCOPES_MAX)
		return;
	for (int more = dwarf_child(outer, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			add_code(db, &die, u);
			break;
		case DW_TAG_structure_type: case DW_TAG_union_type: case DW_TAG_class_type:
		case DW_TAG_namespace: case DW_TAG_module:
			if (u->has_scopes)
				add_functions(db, &die, depth + 1, u);
			break;
		}
	}
}

/* The functions of a unit that have code; a function that was split has several ranges. */
const struct dwarf_ranges *dwarf_scopes_functions(struct dwarf_db *db, struct dwarf_unit *u)
{
	if (u->code_read)
		return &u->code;
	u->code_read = true;
	add_functions(db, &u->die, 0, u);
	dwarf_ranges_sort(&u->code);
	return &u->code;
}

/* Finds the block or inlined function in @outer that contains @pc. */
static bool find_inner(Dwarf_Die *outer, uint64_t pc, Dwarf_Die *ret)
{
	for (int more = dwarf_child(outer, ret); more == 0; more = dwarf_siblingof(ret, ret)) {
		int tag = dwarf_tag(ret);

		if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
		    dwarf_haspc(ret, pc) > 0)
			return true;
	}
	return false;
}

static bool find_function(struct dwarf_db *db, uint64_t pc, struct dwarf_scopes *ret)
{
	struct dwarf_unit *u = dwarf_units_at(db, pc);

	ret->n = 0;
	if (!u)
		return false;

	const struct dwarf_range *code = dwarf_ranges_find(dwarf_scopes_functions(db, u), pc);

	ret->n = code && dwarf_parts_die(db, code->of, &ret->v[0]);
	return ret->n;
}

bool dwarf_scopes_at(struct dwarf_db *db, uint64_t pc, struct dwarf_scopes *ret)
{
	if (!find_function(db, pc, ret))
		return false;
	while (ret->n < DWARF_SCOPES_MAX &&
	       find_inner(&ret->v[ret->n - 1], pc, &ret->v[ret->n]))
		ret->n++;
	return true;
}

/* The child of @outer that is @scope or contains it: descendants of a DIE come before its next
 * sibling. */
static bool find_towards(struct dwarf_db *db, Dwarf_Die *outer, Dwarf_Off scope, Dwarf_Die *ret)
{
	Dwarf_Die die;
	bool found = false;

	for (int more = dwarf_child(outer, &die);
	     more == 0 && dwarf_parts_offset(db, &die) <= scope;
	     more = dwarf_siblingof(&die, &die)) {
		*ret = die;
		found = true;
	}
	return found;
}

bool dwarf_scopes_down_to(struct dwarf_db *db, uint64_t pc, Dwarf_Off scope,
			  struct dwarf_scopes *ret)
{
	if (!find_function(db, pc, ret))
		return false;
	while (dwarf_parts_offset(db, &ret->v[ret->n - 1]) != scope) {
		if (ret->n == DWARF_SCOPES_MAX ||
		    !find_towards(db, &ret->v[ret->n - 1], scope, &ret->v[ret->n]))
			return false;
		ret->n++;
	}
	return true;
}

bool dwarf_scopes_entry(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Addr base, start, end;

	if (dwarf_entrypc(die, ret) == 0)
		return true;
	for (ptrdiff_t i = 0; (i = dwarf_ranges(die, i, &base, &start, &end)) > 0;) {
		if (start < end) {
			*ret = start;
			return true;
		}
	}
	return false;
}

const char *dwarf_scopes_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
}

const char *dwarf_scopes_linkage(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));

	if (!name)
		name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr));
	return name ? name : dwarf_scopes_name(die);
}

/* Goes to the entry that has the function's name: its declaration, or the entry itself. */
static void follow_origins(Dwarf_Die *die)
{
	static const unsigned origins[] = { DW_AT_abstract_origin, DW_AT_specification };
	Dwarf_Attribute attr;
	Dwarf_Die next;

	for (int left = DWARF_SCOPES_MAX, i = 0; left && i < 2; left--) {
		if (dwarf_formref_die(dwarf_attr(die, origins[i], &attr), &next)) {
			*die = next;
			i = 0;
		} else {
			i++;
		}
	}
}

/* The name with those of the namespaces, types and functions around it. */
static const char *with_scopes(struct dwarf_db *db, Dwarf_Die *die, const char *name)
{
	Dwarf_Die own = *die, *scopes = NULL;
	int n;

	follow_origins(&own);
	n = dwarf_getscopes_die(&own, &scopes);
	for (int i = 1; i < n; i++) {
		Dwarf_Attribute attr;
		int tag = dwarf_tag(&scopes[i]);
		const char *scope = dwarf_formstring(dwarf_attr_integrate(&scopes[i], DW_AT_name,
									  &attr));

		if (tag == DW_TAG_compile_unit || tag == DW_TAG_partial_unit)
			continue;
		if (!scope && tag == DW_TAG_namespace)
			scope = "(anonymous namespace)";
		if (scope)
			name = arena_printf(db->arena, "%s::%s", scope, name);
	}
	free(scopes);
	return name;
}

/* A function that no other unit can call has no linkage name, but it may have a symbol. */
static const char *symbol_of(struct dwarf_db *db, Dwarf_Die *die)
{
	const struct dwarf_symbol *symbol = NULL;
	uint64_t pc;

	if (dwarf_tag(die) == DW_TAG_subprogram && dwarf_scopes_entry(die, &pc))
		symbol = dwarf_symbols_at(db, pc);
	return symbol && symbol->address == pc ? dwarf_symbols_name(db, symbol) : NULL;
}

const char *dwarf_scopes_function(struct dwarf_db *db, Dwarf_Die *die)
{
	const struct dwarf_unit *u = dwarf_units_of(db, die);
	const char *name = dwarf_scopes_linkage(die), *shown;

	if (!name || !u || !u->has_scopes)
		return dwarf_scopes_name(die);
	if (!demangle_is_mangled(name)) {
		const char *symbol = symbol_of(db, die);

		if (symbol && strcmp(symbol, name) == 0)
			return name;
		name = symbol && demangle_is_mangled(symbol) ? symbol : with_scopes(db, die, name);
	}
	if (!db->shown) {
		db->shown = NEW(db->arena, struct map);
		map_init(db->shown, db->arena);
	}
	shown = map_get(db->shown, name);
	if (!shown) {
		shown = demangle_shown(db->arena, name);
		map_set(db->shown, name, (void *)shown);
	}
	return shown;
}

bool dwarf_constant(Dwarf_Attribute *attr, int64_t *ret)
{
	Dwarf_Word word;
	Dwarf_Sword number;

	switch (dwarf_whatform(attr)) {
	case DW_FORM_data1: case DW_FORM_data2: case DW_FORM_data4: case DW_FORM_data8:
		if (dwarf_formudata(attr, &word) != 0)
			return false;
		*ret = (int64_t)word;
		return true;
	default:
		if (dwarf_formsdata(attr, &number) != 0)
			return false;
		*ret = number;
		return true;
	}
}

void dwarf_scopes_declared(struct dwarf_db *db, Dwarf_Die *die, const char **file, unsigned *line)
{
	struct dwarf_unit *u;
	Dwarf_Attribute attr;
	Dwarf_Die unit;
	Dwarf_Word v;

	*file = NULL;
	*line = 0;
	/* The number belongs to the unit that has the attribute: dwz moves declarations. */
	if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attr), &v) == 0 &&
	    dwarf_cu_die(attr.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) &&
	    (u = dwarf_units_of(db, &unit)))
		*file = dwarf_units_file(db, u, v);
	if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_line, &attr), &v) == 0)
		*line = (unsigned)v;
	else if (*file || dwarf_units_language(die) == DWARF_LANGUAGE_GO)
		*line = dwarf_entry_line(db, die, file);
}
