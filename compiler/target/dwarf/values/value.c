/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds names that are visible at a place: in blocks, in the function or inlined copy around them,
 * and then outside of functions in the unit. As in C, names around an inlined copy are not visible
 * in it.
 *
 * The DIE of a function's copy may lack variables that the compiler removed; the abstract one still
 * names them.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "target/dwarf/values/classes.h"
#include "target/dwarf/values/location.h"
#include "target/dwarf/values/read.h"
#include "target/dwarf/values/types.h"
#include "state.h"

/* The scopes from the innermost block to the function or copy. */
struct scopes {
	Dwarf_Die v[DWARF_SCOPES_MAX];
	int n;
	Dwarf_Die unit;
	struct location_place place;
	bool is_go, go_entry;  /* written in Go; and its first instruction */
};

static bool is_function(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subprogram || dwarf_tag(die) == DW_TAG_inlined_subroutine;
}

static bool find_scopes(const struct dwarf_place *at, struct scopes *ret)
{
	struct dwarf_scopes down;

	ret->n = 0;
	/* Go's compiler describes parameters from the first instruction on. */
	ret->is_go = dwarf_is_go(at);
	ret->go_entry = at->at_entry && ret->is_go;
	ret->place = (struct location_place){
		.db = at->db, .pc = at->pc, .entry = at->at_entry && !ret->go_entry,
	};
	if (!dwarf_scopes_down_to(at->db, at->pc, at->scope, &down) ||
	    !dwarf_diecu(&down.v[0], &ret->unit, NULL, NULL))
		return false;
	ret->place.function = down.v[0];
	do {
		ret->v[ret->n++] = down.v[--down.n];
	} while (down.n && !is_function(&ret->v[ret->n - 1]));
	return true;
}

static bool is_variable(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

static bool is_called(Dwarf_Die *die, const char *name)
{
	const char *own = dwarf_diename(die);

	return own && strcmp(own, name) == 0;
}

/* A clone of gcc may list a parameter twice: in a register, and behind that with the number that it
 * has in all calls of the clone, in which the register need not be set. */
static void prefer_constant(const char *name, Dwarf_Die *ret)
{
	Dwarf_Die next = *ret;

	if (dwarf_tag(ret) != DW_TAG_formal_parameter)
		return;
	while (dwarf_siblingof(&next, &next) == 0)
		if (dwarf_tag(&next) == DW_TAG_formal_parameter && is_called(&next, name) &&
		    dwarf_hasattr(&next, DW_AT_const_value))
			*ret = next;
}

/* Finds a name in one scope; if there are several, a definition is preferred to a declaration. */
static bool find_in(Dwarf_Die *scope, const char *name, Dwarf_Die *ret)
{
	Dwarf_Die child;
	bool found = false;

	if (dwarf_child(scope, &child) != 0)
		return false;
	do {
		if (!is_variable(&child) || !is_called(&child, name))
			continue;
		*ret = child;
		found = true;
	} while ((!found || dwarf_read_declared(ret)) && dwarf_siblingof(&child, &child) == 0);
	if (found)
		prefer_constant(name, ret);
	return found;
}

static bool abstract_of(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, ret);
}

/* ---- the nearest line with code ---- */

static bool available(const struct location_place *like, uint64_t pc, Dwarf_Die *die)
{
	struct location_place at = { .db = like->db, .pc = pc, .function = like->function };
	struct location none;
	const char *why;

	return location_of(&at, die, &none, &why) == 0;
}

/* Whether the variable is available on a line of the place's file, in the variable's scope. */
static bool is_available_on(struct scopes *sc, Dwarf_Die *scope, Dwarf_Die *die, Dwarf_Line *line,
			    const char *file)
{
	Dwarf_Addr pc;
	bool begins = false;

	return dwarf_linebeginstatement(line, &begins) == 0 && begins &&
	       dwarf_lines_file_matches(file, dwarf_linesrc(line, NULL, NULL)) &&
	       dwarf_lineaddr(line, &pc) == 0 && dwarf_haspc(scope, pc) == 1 &&
	       available(&sc->place, pc, die);
}

static int nearest_line(struct scopes *sc, Dwarf_Die *scope, Dwarf_Die *die,
			const struct dwarf_place *at)
{
	Dwarf_Lines *lines;
	size_t n;
	int best = 0;

	if (!at->line || !at->file || dwarf_getsrclines(&sc->unit, &lines, &n) != 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		int nr = 0;

		if (dwarf_lineno(line, &nr) != 0 || nr <= 0 ||
		    (best && abs(nr - (int)at->line) >= abs(best - (int)at->line)))
			continue;
		if (is_available_on(sc, scope, die, line, at->file))
			best = nr;
	}
	return best;
}

/* ---- values ---- */

/* Whether the type is one that C++ or Rust may pass by the address of an object. Rust passes what
 * fits a word in one. */
static bool may_be_by_address(struct state *s, struct dwarf_db *db, Dwarf_Die *die)
{
	Dwarf_Die type, class;
	Dwarf_Word size = 0;

	if (!dwarf_read_target(die, &type))
		return false;
	if (dwarf_units_language(die) == DWARF_LANGUAGE_RUST)
		return (classes_of(&type, &class) || dwarf_tag(&type) == DW_TAG_array_type) &&
		       (dwarf_aggregate_size(&type, &size) != 0 || size > 8);
	return dwarf_units_language(die) == DWARF_LANGUAGE_CPP && classes_of(&type, &class) &&
	       classes_passed(dwarf_types_open(s, db), &class) != CLASSES_BY_VALUE;
}

/* Whether a location is a slot of the caller's stack that may have the address of an object. LLVM's
 * optimizer describes it as the object. At the entry, the calling convention decides. */
static bool is_doubtful_slot(struct state *s, const struct location_place *place, Dwarf_Die *die,
			     const struct location *l)
{
	return !place->entry && place->db->is_program && !dwarf_units_is_by_gcc(die) &&
	       slot_is_of_caller(place, l) && may_be_by_address(s, place->db, die);
}

static int give(struct state *s, const struct location_place *place, Dwarf_Die *die,
		struct location *ret, const char **why)
{
	int err = location_of(place, die, ret, why);

	if (!err && is_doubtful_slot(s, place, die, ret)) {
		*why = "debug information does not say whether that slot has the object or its "
		       "address";
		err = -ENODATA;
	}
	if (!err && !dwarf_types_of(dwarf_types_open(s, place->db), die, &ret->type)) {
		*why = "BTF can't hold its type";
		err = -ENODATA;
	}
	return err ? -ENODATA : 0;
}

static int removed(struct scopes *sc, const char *name, const char **why)
{
	for (int i = 0; i < sc->n; i++) {
		Dwarf_Die origin, die;

		if (abstract_of(&sc->v[i], &origin) && find_in(&origin, name, &die)) {
			*why = "the compiler removed it";
			return -ENODATA;
		}
	}
	return -ENOENT;
}

/* A copy of a function shares the static variables of the original, which alone describes them. */
static bool is_shared(Dwarf_Die *die)
{
	return is_variable(die) && dwarf_hasattr(die, DW_AT_location);
}

/* Go describes results as parameters with this mark. */
static bool is_result(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool flag;

	return dwarf_attr_integrate(die, DW_AT_variable_parameter, &attr) &&
	       dwarf_formflag(&attr, &flag) == 0 && flag;
}

/* Go's optimiser takes strings, slices and structures apart. If only one part of such a parameter
 * on the stack is used, the list of its locations can name the place of that part as that of the
 * whole: gdb then shows the length of a string as its address. Those that were not taken apart have
 * no list, or were compiled by -N. */
static bool may_be_part(struct scopes *sc, Dwarf_Die *die, const struct location *l)
{
	const struct location_piece *first = &l->pieces.v[0];
	Dwarf_Attribute attr;
	Dwarf_Block block;

	if (l->pieces.n != 1 || first->is_value || first->bit_size ||
	    btf_types_shape(l->type.db, l->type.id).kind != BTF_STRUCT ||
	    !dwarf_attr_integrate(die, DW_AT_location, &attr) ||
	    dwarf_formblock(&attr, &block) == 0)
		return false;

	return !strstr(dwarf_units_producer(&sc->unit), " -N");
}

static int give_in_go(struct state *s, struct scopes *sc, Dwarf_Die *die, struct location *ret,
		      const char **why)
{
	if (sc->go_entry && is_result(die)) {
		*why = "it is a result, which the function sets later";
		return -ENODATA;
	}

	int err = give(s, &sc->place, die, ret, why);

	if (!err && may_be_part(sc, die, ret)) {
		*why = "debug information of Go does not say whether it describes the whole value";
		err = -ENODATA;
	}
	return err;
}

static bool is_same_register(const struct location *a, const struct location *b)
{
	const struct location_piece *p = a->pieces.v, *q = b->pieces.v;

	return a->pieces.n == 1 && b->pieces.n == 1 && p->is_value && q->is_value &&
	       p->ops.n && p->ops.n == q->ops.n && p->ops.n <= 2 && p->ops.v[0].kind == LO_REG &&
	       q->ops.v[0].kind == LO_REG && strcmp(p->ops.v[0].name, q->ops.v[0].name) == 0;
}

/* Whether a parameter before @die has its register at the function's first instruction. gcc lists
 * the parameters that it has removed from a clone behind others, with what they are set to. */
static bool is_anothers(struct scopes *sc, Dwarf_Die *function, Dwarf_Die *die,
			const struct location *l)
{
	struct location other;
	Dwarf_Die child;
	const char *why;

	if (!sc->place.entry || dwarf_tag(die) != DW_TAG_formal_parameter ||
	    dwarf_child(function, &child) != 0)
		return false;
	do {
		if (dwarf_dieoffset(&child) == dwarf_dieoffset(die))
			return false;
		if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
		    location_of(&sc->place, &child, &other, &why) == 0 &&
		    is_same_register(l, &other))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static int give_in(struct state *s, struct scopes *sc, Dwarf_Die *scope, Dwarf_Die *die,
		   struct location *ret, const char **why)
{
	int err = give(s, &sc->place, die, ret, why);

	if (err || !is_anothers(sc, scope, die, ret))
		return err;
	*why = "debug information has it where another parameter is";
	return -ENODATA;
}

static int find_value(struct state *s, struct dwarf_db *db, struct scopes *sc, const char *name,
		      struct location *ret, const char **why)
{
	Dwarf_Die die, origin;
	bool declared = false;

	for (int i = 0; i < sc->n && !declared; i++) {
		if (!find_in(&sc->v[i], name, &die)) {
			if (!abstract_of(&sc->v[i], &origin) || !find_in(&origin, name, &die) ||
			    !is_shared(&die))
				continue;
		}
		if (!dwarf_read_declared(&die))
			return sc->is_go ? give_in_go(s, sc, &die, ret, why) :
					   give_in(s, sc, &sc->v[i], &die, ret, why);
		declared = true;
	}

	int err = declared ? -ENOENT : removed(sc, name, why);

	if (err != -ENOENT)
		return err;
	if (!find_in(&sc->unit, name, &die))
		return -ENOENT;
	return dwarf_read_declared(&die) ? dwarf_global(s, db, name, NULL, ret, why) :
				      give(s, &sc->place, &die, ret, why);
}

int dwarf_value(struct state *s, const struct dwarf_place *at, const char *name,
		struct location *ret, const char **why)
{
	struct scopes sc;
	int err = -ENOENT;

	*why = NULL;
	if (find_scopes(at, &sc))
		err = find_value(s, at->db, &sc, name, ret, why);
	return err;
}

int dwarf_value_nearest(const struct dwarf_place *at, const char *name)
{
	struct scopes sc;
	Dwarf_Die die;

	/* In Go, a place with a location may not have the value either. */
	if (!find_scopes(at, &sc) || sc.is_go)
		return 0;
	for (int i = 0; i < sc.n; i++) {
		if (find_in(&sc.v[i], name, &die))
			return dwarf_read_declared(&die) ? 0
							 : nearest_line(&sc, &sc.v[i], &die, at);
	}
	return 0;
}

static void names_in(struct state *s, Dwarf_Die *scope, bool shared_only, struct dwarf_names *ret)
{
	Dwarf_Die child;

	if (dwarf_child(scope, &child) != 0)
		return;
	do {
		const char *name = is_variable(&child) ? dwarf_diename(&child) : NULL;
		bool known = !name || dwarf_read_declared(&child) ||
			     (shared_only && !is_shared(&child));

		vec_each(it, &ret->v)
			known = known || strcmp(it->name, name) == 0;
		if (known)
			continue;

		struct dwarf_name one = {
			.name = name,
			.param = dwarf_tag(&child) == DW_TAG_formal_parameter,
		};

		vec_push(s->arena, &ret->v, one);
	} while (dwarf_siblingof(&child, &child) == 0);
}

void dwarf_value_names(struct state *s, const struct dwarf_place *at, struct dwarf_names *ret)
{
	struct scopes sc;

	if (!find_scopes(at, &sc))
		sc.n = 0;
	for (int i = 0; i < sc.n; i++) {
		Dwarf_Die origin;

		names_in(s, &sc.v[i], false, ret);
		if (abstract_of(&sc.v[i], &origin))
			names_in(s, &origin, true, ret);
	}
}

struct dwarf_place *dwarf_place_of_symbol(struct dwarf_db *db, const char *symbol, int namesake,
					  uint64_t offset)
{
	const struct dwarf_symbol *s = dwarf_symbols_named(db, symbol, NULL);

	while (s && dwarf_symbols_namesake(db, s) != namesake)
		s = dwarf_symbols_named(db, symbol, s);
	return s ? dwarf_place_at(db, s->address + offset) : NULL;
}
