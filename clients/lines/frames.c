/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frames at an address: the function, and what is inlined there. Debug information of a file
 * that someone has made on purpose may go round in circles, so the steps are counted.
 */
#include <dwarf.h>
#include <string.h>

#include "lines/private.h"
#include "shared/lines.h"

enum {
	STEPS_MAX = 1 << 22, /* DIEs that one question may look at */
	DEPTH_MAX = 512,
};

/* The functions that contain the address, outermost first. */
struct inlining {
	Dwarf_Addr address;
	Dwarf_Die dies[LINES_FRAMES];
	size_t n;
	unsigned steps;
};

/* Whether functions may be inside. */
static bool has_functions(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	}
	return false;
}

static bool is_scope(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		return true;
	}
	return false;
}

static bool walk(struct inlining *c, Dwarf_Die *parent, unsigned depth);

/* Looks at one DIE and below. true: the address is in it. */
static bool look_at(struct inlining *c, Dwarf_Die *die, unsigned depth)
{
	int tag = dwarf_tag(die);

	if (has_functions(tag))
		return walk(c, die, depth + 1);
	if (!is_scope(tag) || dwarf_haspc(die, c->address) <= 0)
		return false;
	if (tag == DW_TAG_subprogram)
		c->n = 0; /* it is nested in another one, which does not call it here */
	if ((tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) && c->n < LINES_FRAMES)
		c->dies[c->n++] = *die;
	walk(c, die, depth + 1);
	return true;
}

static bool walk(struct inlining *c, Dwarf_Die *parent, unsigned depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die) != 0)
		return false;
	do {
		if (++c->steps > STEPS_MAX)
			return false;
		if (look_at(c, &die, depth))
			return true;
	} while (dwarf_siblingof(&die, &die) == 0);
	return false;
}

static const char *function_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		name = dwarf_formstring(&attr);
	return name ? name : dwarf_diename(die);
}

/* Where the function of @die, which is inlined, is called. */
static void find_call(Dwarf_Die *unit, Dwarf_Die *die, struct line_frame *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word line, file;
	Dwarf_Files *files;
	size_t nfiles;

	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &line) == 0 &&
	    line <= INT32_MAX)
		ret->line = (int)line;
	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &file) == 0 &&
	    dwarf_getsrcfiles(unit, &files, &nfiles) == 0 && file < nfiles)
		ret->file = dwarf_filesrc(files, file, NULL, NULL);
}

static void find_line(Dwarf_Die *unit, Dwarf_Addr address, struct line_frame *ret)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);

	if (!line || dwarf_lineno(line, &ret->line) != 0)
		return;
	ret->file = dwarf_linesrc(line, NULL, NULL);
	if (ret->line < 0)
		ret->line = 0;
}

size_t frames_find(const struct line_source *s, Dwarf_Addr address, struct line_frame *ret)
{
	struct inlining c = { .address = address };
	size_t n = 0;
	Dwarf_Die unit, code;

	if (!units_find(s, address, &unit))
		return 0;
	if (split_find(&unit, &code))
		walk(&c, &code, 0);
	memset(ret, 0, LINES_FRAMES * sizeof(*ret));
	find_line(&unit, address, &ret[0]);
	if (!c.n)
		return ret[0].file ? 1 : 0;
	for (size_t i = c.n; i--; n++) {
		ret[n].function = function_name(&c.dies[i]);
		if (i)
			find_call(&code, &c.dies[i], &ret[n + 1]);
	}
	return n;
}
