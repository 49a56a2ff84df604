/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the calls that functions make, and the chains of calls that lead to a call.
 *
 * A call is probed at the call instruction, where the arguments are in place already. So only calls
 * from that function are hit, and nothing has to be tested at each entry of the callee. Debug
 * information has the address to which a call returns. The instruction before it is a call with a
 * 32-bit displacement, or a jump with 32 or 8 bits; the code has to confirm it, if the file has
 * code.
 *
 * Chains of calls are found by a breadth-first walk over the call graph, which visits each function
 * once. Each call instruction gets one place, however many chains lead to it. At run time, a hit
 * checks the stack to find out whether one of the chains led to it: the return address of the
 * function that contains the place must follow one of the calls of that function that the walk met
 * (struct callers); the next return address must follow one of the calls of the function that
 * contains that call; and so on, up to a call in the function where chains begin. A return address
 * belongs to one call, so there is nothing to choose. A function that is taken for a callee by
 * mistake only costs places that are never hit. An inlined copy has no frame: it counts as a call,
 * and its calls belong to the function around it. A tail call leaves no frame either, so the walk
 * does not follow it.
 *
 * If the return of a call is probed, the place is the entry of the called function, where the same
 * check of the stack tells whether the call belongs to a chain.
 *
 * The whole kernel is relocated by one distance, so return addresses are compared by their distance
 * from the place. The sections of a module are relocated separately, so the walk does not follow
 * calls from one section to another.
 */
#include <dwarf.h>

#include "base/map.h"
#include "target/dwarf/private.h"
#include "target/object/demangle.h"
#include "program/site.h"

/* A function or copy whose calls are to be visited. */
struct inside {
	Dwarf_Die of;
	struct callers *callers; /* NULL: chains begin in it, or around it */
	unsigned level;          /* number of calls before it in a chain */
	/* number of copies around its code, within the function with these callers */
	unsigned depth;
};

struct call_walk {
	struct dwarf_db *db;
	const struct dwarf_calls *which;
	struct demangle_pattern *patterns; /* which->names */
	struct dwarf_places *ret;
	size_t found;            /* number of places */
	struct inside now;
	VEC(struct inside) queue; /* in ascending order of level */
	struct map met;          /* calls -> struct code_call */
	struct map called;       /* functions -> struct callers */
};

/* If each call of a chain has its own pattern, a function counts as another one at each level. */
static const char *key_of(struct call_walk *w, Dwarf_Die *die, unsigned level)
{
	return arena_printf(w->db->arena, "%llx %u",
			    (unsigned long long)dwarf_parts_offset(w->db, die),
			    w->which->names ? level : 0);
}

/* ---- the instruction ---- */

/* The byte of the code at @pc, or -1 if the file does not have it. */
static int code_at(const struct dwarf_db *db, uint64_t pc)
{
	GElf_Shdr head;
	Elf_Scn *scn = dwarf_db_section_at(db, pc, &head);

	if (!scn || head.sh_type == SHT_NOBITS)
		return -1;

	const Elf_Data *data = elf_rawdata(scn, NULL);
	uint64_t offset = pc - head.sh_addr;

	return data && offset < data->d_size ? ((unsigned char *)data->d_buf)[offset] : -1;
}

enum { CALL = 0xe8, JUMP = 0xe9, SHORT_JUMP = 0xeb };

/* Whether a jump of two bytes ends at @after and leads to the function @callee. */
static bool is_short_jump(const struct dwarf_db *db, uint64_t after, Dwarf_Die *callee)
{
	Dwarf_Addr entry;
	int distance = code_at(db, after - 1);

	return code_at(db, after - 2) == SHORT_JUMP && dwarf_lowpc(callee, &entry) == 0 &&
	       after + (uint64_t)(int64_t)(signed char)distance == entry;
}

/* @after: the address to which it returns; 0 if there is none, or if it is not known. */
static bool find_call(const struct dwarf_db *db, Dwarf_Die *site, Dwarf_Die *callee, uint64_t *pc,
		      uint64_t *after)
{
	enum { LENGTH = 5 };
	Dwarf_Attribute attr;
	Dwarf_Addr return_pc;
	bool tail = dwarf_hasattr(site, DW_AT_call_tail_call) ||
		    dwarf_hasattr(site, DW_AT_GNU_tail_call);
	Dwarf_Attribute *given = dwarf_attr(site, DW_AT_call_return_pc, &attr);
	bool known = dwarf_formaddr(given, &return_pc) == 0 || dwarf_lowpc(site, &return_pc) == 0;

	*after = known && !tail ? return_pc : 0;
	if (dwarf_formaddr(dwarf_attr(site, DW_AT_call_pc, &attr), pc) == 0)
		return true;
	if (!known)
		return false;

	int code = code_at(db, return_pc - LENGTH);

	if (tail && is_short_jump(db, return_pc, callee)) {
		*pc = return_pc - 2;
		return true;
	}
	*pc = return_pc - LENGTH;
	return code == (tail ? JUMP : CALL) || (code < 0 && !tail);
}

/* ---- places ---- */

static bool is_last(const struct call_walk *w)
{
	return w->now.level + 1 == w->which->most;
}

static void add_place(struct call_walk *w, const struct code_call *call, Dwarf_Die *scope,
		      Dwarf_Die *of, const char *target)
{
	struct dwarf_place *place;

	if (w->which->names && !is_last(w))
		return;
	if (w->which->limit && w->found >= w->which->limit) {
		w->found++;
		return;
	}
	place = dwarf_functions_place(w->db, call->at, scope, of);
	if (!place || !place->function)
		return;
	place->target = target;
	place->call = call;
	if (target) {
		place->caller = dwarf_scopes_function(w->db, &w->now.of);
		dwarf_scopes_declared(w->db, &w->now.of, &place->caller_file, &place->caller_line);
	}
	w->found++;
	vec_push(w->db->arena, &w->ret->v, place);
}

static void add_return(struct call_walk *w, Dwarf_Die *function, uint64_t entry,
		       const struct callers *callers)
{
	struct code_call *entered = NEW(w->db->arena, struct code_call);

	entered->at = entry;
	entered->callers = callers;
	add_place(w, entered, function, function, NULL);
}

/* ---- the function that is called ---- */

static void reach(struct call_walk *w, Dwarf_Die *function, const struct code_call *call)
{
	const char *key = key_of(w, function, w->now.level + 1);
	struct callers *callers = map_get(&w->called, key);
	uint64_t entry;

	if (!dwarf_scopes_entry(function, &entry) ||
	    !dwarf_db_moves_with(w->db, entry, call->after))
		return;
	if (!callers) {
		struct inside one = { .of = *function, .level = w->now.level + 1 };

		one.callers = callers = NEW(w->db->arena, struct callers);
		map_set(&w->called, key, callers);
		if (!is_last(w))
			vec_push(w->db->arena, &w->queue, one);
		if (w->which->returns)
			add_return(w, function, entry, callers);
	}
	vec_each(known, &callers->v) {
		if (*known == call)
			return;
	}
	vec_push(w->db->arena, &callers->v, call);
}

/* Follows a call of a function that the unit only declares: the global function of that name is
 * called. */
static void follow_name(struct call_walk *w, Dwarf_Die *callee, const struct code_call *call)
{
	const struct dwarf_symbol *symbol = NULL;
	const char *name = dwarf_scopes_linkage(callee);
	struct dwarf_scopes at;

	while (name && (symbol = dwarf_symbols_named(w->db, name, symbol))) {
		if (symbol->global && dwarf_scopes_at(w->db, symbol->address, &at))
			reach(w, &at.v[0], call);
	}
}

/* Follows a call of a function that also has inlined copies: its code and its clones refer to it as
 * their origin. */
static void follow_origin(struct call_walk *w, Dwarf_Die *callee, const struct code_call *call)
{
	struct dwarf_unit *unit = dwarf_units_of(w->db, callee);
	Dwarf_Off wanted = dwarf_parts_offset(w->db, callee);

	if (!unit)
		return;
	vec_each(code, &dwarf_scopes_functions(w->db, unit)->v) {
		Dwarf_Attribute attr;
		Dwarf_Die die, of;

		if (dwarf_parts_die(w->db, code->of, &die) &&
		    dwarf_formref_die(dwarf_attr(&die, DW_AT_abstract_origin, &attr), &of) &&
		    dwarf_parts_offset(w->db, &of) == wanted)
			reach(w, &die, call);
	}
}

static void follow(struct call_walk *w, Dwarf_Die *callee, const struct code_call *call)
{
	uint64_t entry;

	if (!call->after || !dwarf_db_moves_with(w->db, call->at, call->after))
		return;
	if (dwarf_scopes_entry(callee, &entry))
		reach(w, callee, call);
	else if (dwarf_hasattr(callee, DW_AT_declaration))
		follow_name(w, callee, call);
	else
		follow_origin(w, callee, call);
}

/* ---- the walk ---- */

/* The name of the called function if it is wanted, otherwise NULL. */
static const char *wanted_name(const struct call_walk *w, Dwarf_Die *callee)
{
	const char *linkage = dwarf_scopes_linkage(callee), *name;
	const struct demangle_pattern *pattern = &w->patterns[w->now.level];

	if (!linkage)
		return NULL;
	name = dwarf_scopes_function(w->db, callee);
	return !w->which->names || demangle_matches(pattern, linkage) ||
	       demangle_matches(pattern, name) ? name : NULL;
}

/* The call at @die if it is new, or if it was met with callers before and a chain begins there, in
 * a copy, so that its callers no longer matter. Otherwise NULL. */
static struct code_call *meet_call(struct call_walk *w, Dwarf_Die *die, bool *is_new)
{
	const char *key = key_of(w, die, w->now.level + 1);
	struct code_call *call = map_get(&w->met, key);

	*is_new = !call;
	if (call && (w->now.callers || !call->callers))
		return NULL;
	if (!call) {
		call = NEW(w->db->arena, struct code_call);
		map_set(&w->met, key, call);
	}
	call->callers = w->now.callers;
	call->calls = w->now.depth + 1;
	return call;
}

static void visit_copy(struct call_walk *w, Dwarf_Die *die)
{
	const char *name = wanted_name(w, die);
	struct inside within = { .of = *die, .callers = w->now.callers,
				 .level = w->now.level + 1, .depth = w->now.depth + 1 };
	struct code_call *call;
	uint64_t pc;
	bool is_new;

	/* The rest of a split function is no call: its calls are those of the function. */
	if (dwarf_parts_is_rest(w->db, die)) {
		within.level = w->now.level;
		within.depth = w->now.depth;
		vec_push(w->db->arena, &w->queue, within);
		return;
	}
	if (!name || !dwarf_scopes_entry(die, &pc) ||
	    !(call = meet_call(w, die, &is_new)))
		return;
	call->at = pc;
	if (is_new && !w->which->called && !w->which->returns)
		add_place(w, call, die, die, name);
	if (!is_last(w))
		vec_push(w->db->arena, &w->queue, within);
}

static void visit_call(struct call_walk *w, Dwarf_Die *die, Dwarf_Die *scope)
{
	Dwarf_Attribute attr;
	Dwarf_Die callee;
	struct code_call *call;
	uint64_t pc, after;
	bool is_new;

	if (!dwarf_formref_die(dwarf_attr(die, DW_AT_call_origin, &attr), &callee) &&
	    !dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &callee))
		return;

	const char *name = wanted_name(w, &callee);

	if (!name || !find_call(w->db, die, &callee, &pc, &after) ||
	    !(call = meet_call(w, die, &is_new)))
		return;
	call->at = pc;
	call->after = after;
	if (is_new && !w->which->returns)
		add_place(w, call, scope, &w->now.of, name);
	if (!is_last(w) || w->which->returns)
		follow(w, &callee, call);
}

static void visit_die(void *data, Dwarf_Die *die, Dwarf_Die *scope)
{
	struct call_walk *w = data;
	int tag = dwarf_tag(die);

	if (tag == DW_TAG_inlined_subroutine)
		visit_copy(w, die);
	else if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site)
		visit_call(w, die, scope);
}

static void visit_beginning(void *data, Dwarf_Die *die)
{
	struct call_walk *w = data;
	struct inside one = { .of = *die };

	vec_push(w->db->arena, &w->queue, one);
}

size_t dwarf_callees(struct dwarf_db *db, const struct dwarf_spec *spec,
		     const struct dwarf_calls *which, struct dwarf_places *ret)
{
	struct call_walk w = { .db = db, .which = which, .ret = ret };

	map_init(&w.met, db->arena);
	map_init(&w.called, db->arena);
	w.patterns = arena_alloc(db->arena, (which->most + 1) * sizeof(*w.patterns));
	for (unsigned i = 0; which->names && i < which->most; i++)
		dwarf_functions_pattern(db, which->names[i], &w.patterns[i]);
	dwarf_functions_each(db, spec, DWARF_ENTRIES | DWARF_COPIES, visit_beginning, &w);
	for (size_t i = 0; i < w.queue.n; i++) {
		w.now = w.queue.v[i];
		dwarf_inside_each(&w.now.of, visit_die, &w);
	}
	return w.found;
}
