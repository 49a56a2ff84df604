/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters at the entry of a function with debug information, where two sources say where they
 * are.
 *
 * Debug information describes what the compiler made of the function: which parameters are not
 * passed at all, and which are constants. But at the first instruction it is often empty. Without
 * optimization, a parameter has a slot of the stack, which the prologue fills; with it, a location
 * may begin a few instructions later, and gcc gives a parameter that gets another value at once the
 * other value.
 *
 * The calling convention says where a function gets its parameters, by their types and the language
 * (struct btf_passing). It holds if the compiler kept the parameters of the source. gcc does so, or
 * names the function otherwise (NAME.isra.0, a clone, which never comes here), unless the source
 * asks for another convention, which the places of other parameters show. clang and rustc remove
 * parameters of functions that no other file can call, and keep the name; all later parameters then
 * move to earlier registers.
 *
 * So, for each parameter:
 *   - If it has no location in the whole function, it is refused: the compiler removed it. But gcc
 *     has no locations for some that are passed (__int128, some structures of two registers). A
 *     function with a global symbol has callers that gcc does not see, so it gets all of them, by
 *     the calling convention; gcc does not change it under any name (-fwhole-program and link-time
 *     optimization make the symbols local where they see all callers).
 *   - If it has one at the first instruction, made only of what the caller left, that is its value.
 *     Where the compiler is gcc, a number, a computation and a location that is given for the whole
 *     function are not taken for what the caller passed, and the calling convention is used; a
 *     register that is given for the whole function (-fno-var-tracking) is refused if the
 *     convention is not known, or if the function's code does not take its parameters from where
 *     that has them (ms_abi). Where clang or rustc has the parameters in each other's registers,
 *     the convention is used as well. Two parameters at one place mean that one gets the value of
 *     the other at once; if the symbol is global, the convention says what was passed, as it does
 *     for a constant and a computation, otherwise both are refused. But LLVM leaves undefined in
 *     the callers of the same file what a function does not use, so the function's code has to.
 *   - Otherwise, the calling convention is used if it is known to hold: the compiler renames
 *     functions; or the symbol is global; or the parameter or a later one is known to be where the
 *     convention has it, by its location at the first instruction, or by the register that the
 *     function's first instructions store in its slot; or the function is not optimized. Registers
 *     and slots of the stack are counted each for themselves, so one says nothing of the other.
 *   - If the calling convention is not known to hold, a number or pointer still has the value of
 *     the register that is stored in its slot. What remains is refused.
 */
#include <errno.h>
#include <string.h>

#include "target/arch/arch.h"
#include "target/arch/flow.h"
#include "target/dwarf/dwarf.h"
#include "analyse/locate/values/entry_match.h"
#include "analyse/locate/values/path.h"

static bool has_slot(const struct dwarf_param *p)
{
	return p->passed == DWARF_PASSED_LATER && p->is_whole;
}

/* Whether something confirms where the calling convention has a parameter. */
enum evidence { EVIDENCE_NONE, EVIDENCE_FOR, EVIDENCE_AGAINST };

static enum evidence evidence(const struct dwarf_param *p, const struct arch_passing *place)
{
	bool in_registers = place->where == ARCH_REGISTERS;

	if (place->where == ARCH_NOWHERE || p->passed == DWARF_PASSED_NOT)
		return EVIDENCE_NONE;
	if (p->passed == DWARF_PASSED_HERE)
		return entry_match_agrees(&p->at, place) ? EVIDENCE_FOR : EVIDENCE_AGAINST;
	if (in_registers && place->is_address && p->later_address == (int)place->first)
		return EVIDENCE_FOR;
	if (p->stored[0] < 0)
		return EVIDENCE_NONE;
	if (!in_registers || p->stored[0] != (int)place->first)
		return EVIDENCE_AGAINST;
	if (place->n > 1 && p->stored[1] < 0)
		return EVIDENCE_NONE;
	return place->n == 1 || p->stored[1] == (int)place->first + 1 ? EVIDENCE_FOR :
									EVIDENCE_AGAINST;
}

/* Reads both sources for parameter @i. Returns false for "...", which has no location. */
static bool read_both(struct walk *w, const struct dwarf_place *at, const struct btf_func *func,
		      unsigned i, struct dwarf_param *p, struct arch_passing *place)
{
	uint32_t type;

	*place = arch_param(func, i);
	return btf_func_param(func, i, &type) && dwarf_param_at(w->s, at, i, p);
}

/* Whether the function is not optimized: all parameters that it gets by value are in its frame, or
 * stay in that of its caller. */
static bool is_plain_code(struct walk *w, const struct dwarf_place *at, const struct btf_func *func)
{
	unsigned n = btf_func_nparams(func);

	if (!dwarf_has_frame_pointer(at) || dwarf_breaks_convention(at))
		return false;
	for (unsigned j = 0; j < n; j++) {
		struct arch_passing place;
		struct dwarf_param p;

		if (read_both(w, at, func, j, &p, &place) &&
		    (p.passed == DWARF_PASSED_NOT ||
		     !(has_slot(&p) || place.is_address || place.where == ARCH_NOWHERE ||
		       (place.where == ARCH_STACK && p.is_whole))))
			return false;
	}
	return true;
}

/* Whether parameter @j, which is at @place where the convention has it, shows that no parameter was
 * removed which moves one at @other. Each kind of place is counted for itself, but numbers and
 * pointers are on the stack only where no register is left. */
static bool tells(const struct btf_func *func, unsigned j, const struct arch_passing *place,
		  const struct arch_passing *other)
{
	struct btf_shape shape;
	uint32_t type;

	if (place->where == other->where || place->where != ARCH_STACK)
		return place->where == other->where;
	btf_func_param(func, j, &type);
	shape = btf_types_shape(func->db, type);
	if (other->where == ARCH_SIMD)
		return shape.kind == BTF_FLOATING && shape.size <= 8;
	return shape.size <= 8 && (shape.kind == BTF_INTEGER || shape.kind == BTF_POINTER);
}

/*
 * Whether parameter @i is where the calling convention has it, though clang or rustc may have
 * changed the function: by what is known of it, or of a later one; or if nothing is wrong with the
 * others and the function is not optimized.
 */
static bool is_confirmed(struct walk *w, const struct dwarf_place *at, const struct btf_func *func,
			 unsigned i)
{
	const struct arch_passing own = arch_param(func, i);
	unsigned n = btf_func_nparams(func);
	bool found = false;

	for (unsigned j = 0; j < n; j++) {
		struct arch_passing place;
		struct dwarf_param p;

		if (!read_both(w, at, func, j, &p, &place))
			continue;
		switch (evidence(&p, &place)) {
		case EVIDENCE_FOR:
			found |= j >= i && tells(func, j, &place, &own);
			break;
		case EVIDENCE_AGAINST:
			return false;
		case EVIDENCE_NONE:
			break;
		}
	}
	return found || is_plain_code(w, at, func);
}

/* The location that a parameter has for the whole function, which may be filled later. */
static const struct location *whole_location(const struct dwarf_param *p)
{
	return p->passed == DWARF_PASSED_HERE ? &p->at : &p->whole;
}

/* The argument or vector register that a parameter is in for the whole function, as a bit; 0: it is
 * elsewhere. */
static uint32_t whole_register(const struct dwarf_param *p, bool *is_vector)
{
	const struct location *l = whole_location(p);
	const struct location_piece *piece = l->pieces.n == 1 ? &l->pieces.v[0] : NULL;
	int n;

	*is_vector = false;
	if (!p->is_whole || !piece || piece->ops.n != 1)
		return 0;
	*is_vector = entry_match_is_kind(piece, 0, LO_SIMD);
	if (*is_vector)
		return piece->ops.v[0].n < 32 ? 1u << piece->ops.v[0].n : 0;
	n = entry_match_is_kind(piece, 0, LO_REG) ? arch_argument(piece->ops.v[0].name) : -1;
	return n < 0 ? 0 : 1u << n;
}

/* Whether the function does not take its parameters from the registers of the calling convention,
 * by its code, where debug information has one register for the whole function. That is where it
 * moves the parameter, which may be another register, or one that has something else before. */
static bool is_taken_elsewhere(struct walk *w, const struct dwarf_place *at,
			       const struct btf_func *func)
{
	unsigned n = btf_func_nparams(func);
	bool found = false, denied = false;
	struct arch_taken taken;

	for (unsigned j = 0; j < n; j++) {
		struct arch_passing place;
		struct dwarf_param p;
		uint32_t bit, reads, writes;
		bool is_vector, is_there;

		if (!read_both(w, at, func, j, &p, &place) || !p.is_whole ||
		    !entry_match_is_in_register(whole_location(&p)) ||
		    (place.where != ARCH_REGISTERS && place.where != ARCH_SIMD))
			continue;
		/* ms_abi numbers vector registers by parameters, so it may use this one, too. */
		if (place.where == ARCH_SIMD && place.first == j)
			continue;
		if (!found && !dwarf_taken(at, &taken))
			return false;
		found = true;
		reads = place.where == ARCH_SIMD ? taken.vector_reads : taken.reads;
		writes = place.where == ARCH_SIMD ? taken.vector_writes : taken.writes;
		bit = 1u << place.first;
		is_there = whole_register(&p, &is_vector) == bit &&
			   is_vector == (place.where == ARCH_SIMD);
		if (is_there && ((reads & bit) || !(writes & bit)))
			return false;
		denied |= !(reads & bit);
	}
	return denied;
}

/* Whether a parameter is elsewhere than the calling convention has it, although the compiler keeps
 * that: the source asks for another convention (ms_abi), of which gcc's debug information says
 * nothing. What a parameter gets at once, by a computation, does not count, nor does its place in
 * the whole function, unless that is in the caller's stack: what is passed in registers is never
 * stored there, except by ms_abi. */
static bool is_contradicted(struct walk *w, const struct dwarf_place *at,
			    const struct btf_func *func)
{
	unsigned n = btf_func_nparams(func);

	for (unsigned j = 0; j < n; j++) {
		struct arch_passing place;
		struct dwarf_param p;

		if (!read_both(w, at, func, j, &p, &place))
			continue;
		if ((p.passed != DWARF_PASSED_HERE || entry_match_is_any_slot(&p.at) ||
		     (!p.is_whole && entry_match_is_plain(&p.at))) && place.where != ARCH_NOWHERE &&
		    evidence(&p, &place) == EVIDENCE_AGAINST)
			return true;
	}
	return is_taken_elsewhere(w, at, func);
}

/* Whether a register that debug information has for the whole function is where the caller passed
 * the parameter: nothing else gets into it. */
static bool is_never_written(const struct dwarf_place *at, const struct dwarf_param *p)
{
	struct arch_taken taken;
	bool is_vector;
	uint32_t bit = whole_register(p, &is_vector);

	return bit && dwarf_taken(at, &taken) &&
	       !(bit & (is_vector ? taken.vector_writes : taken.writes));
}

/* Whether the parameters are at the first instruction in the registers of the calling convention,
 * but in another order: the function exchanges them, for which optimized code needs nothing. LLVM
 * may remove parameters, so that later ones move, but does not change their order. */
static bool is_exchanged(struct walk *w, const struct dwarf_place *at, const struct btf_func *func)
{
	unsigned n = btf_func_nparams(func);
	uint32_t here = 0, passed = 0;

	for (unsigned j = 0; j < n; j++) {
		struct arch_passing place;
		struct dwarf_param p;
		int reg;

		if (!read_both(w, at, func, j, &p, &place) || p.passed != DWARF_PASSED_HERE ||
		    place.where != ARCH_REGISTERS || place.n != 1)
			continue;
		if (p.at.pieces.n != 1 || p.at.pieces.v[0].ops.n != 1)
			return false;
		reg = entry_match_is_kind(&p.at.pieces.v[0], 0, LO_REG) ?
			      arch_argument(p.at.pieces.v[0].ops.v[0].name) : -1;
		if (reg < 0)
			return false;
		here |= 1u << reg;
		passed |= 1u << place.first;
	}
	return here == passed;
}

/* Whether the function's code uses what the caller left in all registers or words of a place.
 * LLVM's functions with a global symbol keep their convention, but what such a function does not
 * use, its callers in the same file leave undefined. The kernel's code is not at hand. */
static bool is_taken(struct walk *w, const struct dwarf_place *at, const struct dwarf_param *p,
		     const struct arch_passing *place)
{
	struct arch_taken taken;
	uint32_t reads, bits;

	if (!w->site || !w->site->user)
		return true;
	if (place->where == ARCH_NOWHERE || place->first + place->n > 31 ||
	    !dwarf_taken(at, &taken))
		return false;
	reads = place->where == ARCH_SIMD ? taken.vector_reads :
		place->where == ARCH_STACK ? taken.slot_reads : taken.reads | taken.stores;
	/* A value that is only passed on stays in its register until then. */
	if (place->where == ARCH_REGISTERS && p->later_register >= 0)
		reads |= 1u << p->later_register & ~taken.writes;
	bits = ((1u << place->n) - 1) << place->first;
	return (reads & bits) == bits;
}

/* Whether a part of another parameter is at the same place as one of parameter @i. A parameter that
 * gets the value of another one at once has only that place in the debug information of LLVM. */
static bool is_shared(struct walk *w, const struct dwarf_place *at, const struct btf_func *func,
		      unsigned i, const struct dwarf_param *p)
{
	unsigned n = btf_func_nparams(func);

	for (unsigned j = 0; j < n; j++) {
		struct arch_passing place;
		struct dwarf_param other;

		if (j != i && read_both(w, at, func, j, &other, &place) &&
		    other.passed == DWARF_PASSED_HERE &&
		    entry_match_is_same_place(&p->at, &other.at))
			return true;
	}
	return false;
}

/* The register that the function stores in the slot of a number or pointer, as a location. */
static struct location *stored_register(struct walk *w, const struct dwarf_param *p)
{
	struct location *l = NEW(w->s->arena, struct location);
	struct location_piece piece = { .is_value = true };
	enum btf_kind_of kind = p->at.type.db ?
				btf_types_shape(p->at.type.db, p->at.type.id).kind : BTF_VOID;

	if (p->stored[0] < 0 || !p->is_whole || (kind != BTF_INTEGER && kind != BTF_POINTER))
		return NULL;
	vec_push(w->s->arena, &piece.ops, ((struct location_op){
		.kind = LO_REG, .name = arch_argument_name((unsigned)p->stored[0]) }));
	vec_push(w->s->arena, &l->pieces, piece);
	l->type = p->at.type;
	return l;
}

/* Whether another parameter has the register that the function stores for parameter @i. */
static bool is_stored_twice(struct walk *w, const struct dwarf_place *at,
			    const struct btf_func *func, unsigned i, const struct location *stored)
{
	unsigned n = btf_func_nparams(func);

	for (unsigned j = 0; j < n; j++) {
		struct arch_passing place;
		struct dwarf_param other;

		if (j == i || !read_both(w, at, func, j, &other, &place))
			continue;
		if (other.passed == DWARF_PASSED_HERE ?
			    entry_match_is_same_place(stored, &other.at) :
			    other.stored[0] >= 0 &&
			    strcmp(arch_argument_name((unsigned)other.stored[0]),
				   stored->pieces.v[0].ops.v[0].name) == 0)
			return true;
	}
	return false;
}

static int refuse(struct walk *w, const char *why)
{
	return path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
			 "'%s' is not available: %s", w->e->u.context.name, why);
}

/* Whether a function of LLVM may not use what its callers pass for a parameter, which gets another
 * value later. */
static bool is_unused(struct walk *w, const struct dwarf_place *at, const struct btf_func *func,
		      const struct dwarf_param *p, const struct arch_passing *place)
{
	return p->passed == DWARF_PASSED_LATER && !p->is_whole && place->where != ARCH_NOWHERE &&
	       evidence(p, place) != EVIDENCE_FOR && !is_taken(w, at, p, place) &&
	       !is_plain_code(w, at, func);
}

/* By the calling convention, of which debug information says nothing else. */
static int walk_convention(struct walk *w, const struct btf_func *func)
{
	w->origin = ACCESS_CONVENTION;
	return context_walk(w, func);
}

/* A parameter with a location at the first instruction. Returns 1 if that is not what the caller
 * passed. */
static int walk_here(struct walk *w, const struct dwarf_place *at, const struct btf_func *func,
		     unsigned i, struct dwarf_param *p)
{
	const bool is_kept = dwarf_keeps_convention(at), breaks = dwarf_breaks_convention(at);
	const bool is_unchanged = is_kept || (at->is_global && !breaks);
	struct arch_passing place = arch_param(func, i);
	const bool is_known = place.where != ARCH_NOWHERE;
	enum btf_kind_of kind;
	bool is_elsewhere;

	if (!is_unchanged && is_shared(w, at, func, i, p))
		return refuse(w, "debug information has it where another parameter is");
	is_elsewhere = is_kept && p->is_whole && is_contradicted(w, at, func);
	if (is_elsewhere && is_never_written(at, p))
		return context_place_location(w, at, &p->at);
	if (!is_elsewhere && entry_match_agrees(&p->at, &place) &&
	    (is_kept || entry_match_is_complete(&p->at) ||
	     (is_unchanged && is_taken(w, at, p, &place)))) {
		w->origin = ACCESS_DEBUG_INFO;
		return context_walk(w, func);
	}
	if (!is_kept && !breaks && place.where == ARCH_REGISTERS && place.n == 1 &&
	    entry_match_is_complete(&p->at) && is_exchanged(w, at, func))
		return walk_convention(w, func);
	if (!is_kept && is_unchanged && is_known &&
	    (entry_match_is_computed(&p->at) || is_shared(w, at, func, i, p)))
		return is_taken(w, at, p, &place) ? walk_convention(w, func) :
			refuse(w, "debug information describes another value there, and callers "
				  "may omit what is not used");
	kind = btf_types_shape(p->at.type.db, p->at.type.id).kind;
	if (!is_kept && entry_match_is_any_slot(&p->at) &&
	    (kind == BTF_STRUCT || kind == BTF_ARRAY))
		return refuse(w, "debug information does not say whether that slot has the object "
			      "or its address");
	if (is_kept && is_known && (p->is_whole || !entry_match_is_plain(&p->at)))
		return 1;
	if (is_kept && p->is_whole && !entry_match_is_any_slot(&p->at))
		return refuse(w, "debug information names one register for the whole function, "
				 "which may not have it yet at the entry");
	return context_place_location(w, at, &p->at);
}

int context_entry_walk(struct walk *w, const struct dwarf_place *at, const struct btf_func *func,
		       unsigned i)
{
	const bool is_kept = dwarf_keeps_convention(at);
	const bool is_unchanged = is_kept || (at->is_global && !dwarf_breaks_convention(at));
	struct arch_passing place = arch_param(func, i);
	struct dwarf_param *p = NEW(w->s->arena, struct dwarf_param);
	struct location *stored;
	int err;

	if (!dwarf_param_at(w->s, at, i, p))
		return walk_convention(w, func);
	if (func->passing && (func->passing[i + 1].how == BTF_PASS_NOTHING ||
			      func->passing[i + 1].how == BTF_PASS_PROMOTED))
		return refuse(w, func->passing[i + 1].why);
	if (p->passed == DWARF_PASSED_NOT && !(is_kept && at->is_global))
		return refuse(w, arena_printf(w->s->arena, "the compiler removed it: debug "
					      "information has it nowhere in '%s'", at->function));
	err = p->passed == DWARF_PASSED_HERE ? walk_here(w, at, func, i, p) : 1;
	if (err <= 0)
		return err;
	if (is_unchanged && !is_kept && is_unused(w, at, func, p, &place))
		return refuse(w, "debug information describes it only later, and callers may omit "
				 "what is not used");
	if (place.where != ARCH_NOWHERE &&
	    (is_unchanged ? !is_contradicted(w, at, func) : is_confirmed(w, at, func, i)))
		return walk_convention(w, func);
	stored = stored_register(w, p);
	if (stored && is_stored_twice(w, at, func, i, stored))
		return refuse(w, "its stack slot receives the value of another parameter");
	if (stored)
		return context_place_location(w, at, stored);
	if (place.where == ARCH_NOWHERE)
		return walk_convention(w, func);
	refuse(w, p->why ? p->why : "debug information describes another value there");
	if (is_kept)
		path_hint(w, "'%s' has parameters elsewhere than the calling convention of its "
			  "language", at->function);
	else
		path_hint(w, "the compiler may have changed how '%s' is called, as only its own "
			  "file calls it", at->function);
	return -ENODATA;
}
