/* SPDX-License-Identifier: GPL-2.0 */
/* The types of an object file that was compiled for them: types from a header. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "locate/btf/btf.h"
#include "locate/dwarf/dwarf.h"
#include "locate/dwarf/types.h"
#include "session.h"

/*
 * An object that is not linked refers to its strings by relocations against section symbols; on
 * x86-64 the value is in the relocation. libdw does not apply them: they are put in place here.
 */
static void relocate(Elf *elf, Elf_Scn *table, const GElf_Shdr *head)
{
	GElf_Shdr to, symbols;
	Elf_Scn *target = elf_getscn(elf, head->sh_info), *names = elf_getscn(elf, head->sh_link);
	Elf_Data *rela = elf_getdata(table, NULL), *data = target ? elf_getdata(target, NULL) : NULL;
	Elf_Data *syms = names && gelf_getshdr(names, &symbols) ? elf_getdata(names, NULL) : NULL;
	GElf_Rela r;
	GElf_Sym sym;
	if (!rela || !data || !syms || !gelf_getshdr(target, &to) || (to.sh_flags & SHF_ALLOC))
		return;
	for (int i = 0; gelf_getrela(rela, i, &r); i++) {
		size_t size = GELF_R_TYPE(r.r_info) == R_X86_64_32 ? 4 :
			      GELF_R_TYPE(r.r_info) == R_X86_64_64 ? 8 : 0;
		if (!size || !gelf_getsym(syms, (int)GELF_R_SYM(r.r_info), &sym) ||
		    data->d_size < size || r.r_offset > data->d_size - size)
			continue;
		uint64_t v = sym.st_value + (uint64_t)r.r_addend;
		memcpy((char *)data->d_buf + r.r_offset, &v, size);
	}
}

static void relocate_all(Elf *elf)
{
	GElf_Ehdr ehdr;
	GElf_Shdr head;
	if (!gelf_getehdr(elf, &ehdr) || ehdr.e_type != ET_REL)
		return;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		if (gelf_getshdr(scn, &head) && head.sh_type == SHT_RELA)
			relocate(elf, scn, &head);
	}
}

static int read_types(struct session *s, Elf *elf, struct btf_db **ret, const char **why)
{
	relocate_all(elf);
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!dwarf) {
		*why = "it has no debug information";
		return -ENODATA;
	}
	struct dwarf_types *t = dwarf_types_new(s, dwarf);
	*ret = dwarf_types_all(t);
	if (!*ret)
		*why = "its types can't be held in BTF";
	dwarf_end(dwarf);
	return *ret ? 0 : -ENODATA;
}

int dwarf_types_of_file(struct session *s, const char *path, struct btf_db **ret, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		*why = strerror(errno);
		return -ENOENT;
	}
	elf_version(EV_CURRENT);
	/* Not mapped: relocations are written into what was read. */
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	int err = read_types(s, elf, ret, why);
	elf_end(elf);
	close(fd);
	return err;
}
