/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A linked file is read where it is. The debug information of a relocatable one, a kernel module,
 * has yet to be relocated, which libdwfl does in memory; it gives addresses to the sections, so
 * that one address means one section.
 */
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "lines/private.h"
#include "shared/lines.h"

static bool is_relocatable(Elf *elf)
{
	GElf_Ehdr head;

	return gelf_getehdr(elf, &head) && head.e_type == ET_REL;
}

/* No other file belongs to it. */
static int find_nothing(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **ret)
{
	(void)m, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)ret;
	return -1;
}

static bool relocate(struct line_source *s)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = find_nothing,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *m = dwfl ? dwfl_report_offline(dwfl, "module", "module", LINES_FILE) : NULL;
	GElf_Addr bias;

	if (!m || dwfl_report_end(dwfl, NULL, NULL) != 0)
		return false;
	s->relocatable = dwfl_module_getelf(m, &bias);
	s->dwarf = s->relocatable ? dwfl_module_getdwarf(m, &bias) : NULL;
	return s->dwarf;
}

static void add_alternate(Dwarf *dwarf)
{
	Elf *elf = elf_begin(LINES_ALTERNATE, ELF_C_READ_MMAP, NULL);
	Dwarf *alternate = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;

	if (alternate)
		dwarf_setalt(dwarf, alternate);
}

bool source_open(struct line_source *s, const struct line_parts *parts)
{
	Elf *elf;

	*s = (struct line_source){ 0 };
	elf_version(EV_CURRENT);
	elf = elf_begin(LINES_FILE, ELF_C_READ_MMAP, NULL);
	if (!elf)
		return false;
	if (is_relocatable(elf)) {
		elf_end(elf);
		if (!relocate(s))
			return false;
	} else {
		s->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
		if (!s->dwarf)
			return false;
		if (parts->alternate)
			add_alternate(s->dwarf);
		if (parts->package)
			split_package(LINES_PACKAGE);
	}
	units_read(s);
	return true;
}

bool source_address(const struct line_source *s, uint64_t asked, Dwarf_Addr *ret)
{
	Elf_Scn *section;
	GElf_Shdr head;
	uint64_t offset;

	*ret = asked;
	if (!s->relocatable)
		return true;
	offset = asked & ((1ull << LINES_SECTION) - 1);
	section = elf_getscn(s->relocatable, asked >> LINES_SECTION);
	if (!section || !gelf_getshdr(section, &head) || offset >= head.sh_size)
		return false;
	*ret = head.sh_addr + offset;
	return true;
}
