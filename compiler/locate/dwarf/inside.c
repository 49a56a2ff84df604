/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What lies inside of functions: labels and calls.
 *
 * A call is probed at the instruction that calls, where the arguments are in place already: only
 * calls from that function are hit, without asking at each entry of the callee who called. What is
 * known of a call is where it returns to; the instruction before that is a call with 32 bits of
 * distance, or a jump with 32 or with 8, which the code, where the file has it, must confirm.
 */
#include <dwarf.h>
#include <fnmatch.h>
#include <string.h>

#include "locate/dwarf/dwarf_private.h"

struct search {
	struct dwarf_db *db;
	const char *pattern;
	Dwarf_Die *of;
	void (*see)(struct search *f, Dwarf_Die *die, Dwarf_Die *scope);
	struct dwarf_places *ret;
};

static void add_place(struct search *f, uint64_t pc, Dwarf_Die *scope, Dwarf_Die *of,
		      const char *label, const char *target)
{
	struct dwarf_place *place = dwarf_functions_place(f->db, pc, scope, of);
	if (!place || !place->function)
		return;
	place->label = label;
	place->target = target;
	vec_push(f->db->arena, &f->ret->v, place);
}

/* All that is in a function and its blocks, but not in copies of others in it. */
static void see_inside(struct search *f, Dwarf_Die *scope)
{
	Dwarf_Die die;
	for (int more = dwarf_child(scope, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
		f->see(f, &die, scope);
		if (dwarf_tag(&die) == DW_TAG_lexical_block)
			see_inside(f, &die);
	}
}

static void see_function(void *data, Dwarf_Die *die)
{
	struct search *f = data;
	f->of = die;
	see_inside(f, die);
}

static void search_all(struct dwarf_db *db, const struct dwarf_spec *spec, const char *pattern,
		       void (*see)(struct search *f, Dwarf_Die *die, Dwarf_Die *scope),
		       struct dwarf_places *ret)
{
	struct search f = { .db = db, .pattern = pattern, .see = see, .ret = ret };
	dwarf_functions_each(db, spec, DWARF_ENTRIES | DWARF_COPIES, see_function, &f);
}

/* ---- labels ---- */

static void see_label(struct search *f, Dwarf_Die *die, Dwarf_Die *scope)
{
	Dwarf_Addr pc;
	if (dwarf_tag(die) != DW_TAG_label || dwarf_lowpc(die, &pc) != 0)
		return;
	const char *name = dwarf_scopes_name(die);
	if (name && fnmatch(f->pattern, name, 0) == 0)
		add_place(f, pc, scope, f->of, name, NULL);
}

void dwarf_labels(struct dwarf_db *db, const struct dwarf_spec *spec, const char *label,
		  struct dwarf_places *ret)
{
	search_all(db, spec, label, see_label, ret);
}

/* ---- calls ---- */

/* The byte of the code at @pc; -1: the file does not have it. */
static int code_at(const struct dwarf_db *db, uint64_t pc)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(db->elf, scn));) {
		GElf_Shdr head;
		if (!gelf_getshdr(scn, &head) || !(head.sh_flags & SHF_EXECINSTR) ||
		    pc < head.sh_addr || pc - head.sh_addr >= head.sh_size)
			continue;
		const Elf_Data *data = head.sh_type == SHT_NOBITS ? NULL : elf_rawdata(scn, NULL);
		uint64_t offset = pc - head.sh_addr;
		return data && offset < data->d_size ? ((unsigned char *)data->d_buf)[offset] : -1;
	}
	return -1;
}

enum { CALL = 0xe8, JUMP = 0xe9, SHORT_JUMP = 0xeb };

/* A jump of two bytes before @after, to the function @callee. */
static bool is_short_jump(const struct dwarf_db *db, uint64_t after, Dwarf_Die *callee)
{
	Dwarf_Addr entry;
	int distance = code_at(db, after - 1);
	return code_at(db, after - 2) == SHORT_JUMP && dwarf_lowpc(callee, &entry) == 0 &&
	       after + (uint64_t)(int64_t)(signed char)distance == entry;
}

static bool find_call(const struct dwarf_db *db, Dwarf_Die *site, Dwarf_Die *callee, uint64_t *ret)
{
	enum { LENGTH = 5 };
	Dwarf_Attribute attr;
	Dwarf_Addr after;
	if (dwarf_formaddr(dwarf_attr(site, DW_AT_call_pc, &attr), ret) == 0)
		return true;
	if (dwarf_formaddr(dwarf_attr(site, DW_AT_call_return_pc, &attr), &after) != 0 &&
	    dwarf_lowpc(site, &after) != 0)
		return false;
	int code = code_at(db, after - LENGTH);
	bool tail = dwarf_hasattr(site, DW_AT_call_tail_call) ||
		    dwarf_hasattr(site, DW_AT_GNU_tail_call);
	if (tail && is_short_jump(db, after, callee)) {
		*ret = after - 2;
		return true;
	}
	*ret = after - LENGTH;
	return code == (tail ? JUMP : CALL) || (code < 0 && !tail);
}

static void see_call(struct search *f, Dwarf_Die *die, Dwarf_Die *scope)
{
	int tag = dwarf_tag(die);
	Dwarf_Attribute attr;
	Dwarf_Die callee;
	uint64_t pc;
	if (tag == DW_TAG_inlined_subroutine) {
		const char *name = dwarf_scopes_name(die);
		if (name && fnmatch(f->pattern, name, 0) == 0 && dwarf_scopes_entry(die, &pc))
			add_place(f, pc, die, die, NULL, name);
		return;
	}
	if (tag != DW_TAG_call_site && tag != DW_TAG_GNU_call_site)
		return;
	if (!dwarf_formref_die(dwarf_attr(die, DW_AT_call_origin, &attr), &callee) &&
	    !dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &callee))
		return;
	const char *name = dwarf_scopes_name(&callee);
	if (name && fnmatch(f->pattern, name, 0) == 0 && find_call(f->db, die, &callee, &pc))
		add_place(f, pc, scope, f->of, NULL, name);
}

void dwarf_callees(struct dwarf_db *db, const struct dwarf_spec *spec, const char *callee,
		   struct dwarf_places *ret)
{
	search_all(db, spec, callee, see_call, ret);
}
