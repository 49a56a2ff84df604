/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs in which a thread has more than one stack, or whose stacks are moved. A uretprobe
 * replaces a return address on the stack, and the kernel expects that calls of a thread return in
 * the reverse of their order: the first such call that does not, or whose stack is copied or looked
 * through, ends the program.
 */
#include <string.h>

#include "object/private.h"

/* Functions that go on with another stack: of libc, and of libraries for coroutines and fibres. */
static const char *const names[] = {
	"makecontext", "swapcontext", "jump_fcontext", "ontop_fcontext", "bthread_jump_fcontext",
	"co_switch", "co_swap", "acosw", "coroutine_transfer", "zend_fiber_switch_context",
	"slp_switch", "swap_context", "st_thread_create", "caml_runstack", "qemu_coroutine_switch",
};

static bool switches(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Functions of other files that this one uses. */
static const char *find_foreign(Elf *elf)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr head;
		GElf_Sym sym;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &head) || head.sh_type != SHT_DYNSYM ||
		    !(data = elf_getdata(scn, NULL)))
			continue;
		for (int i = 1; gelf_getsym(data, i, &sym); i++) {
			const char *name = elf_strptr(elf, head.sh_link, sym.st_name);

			if (name && sym.st_shndx == SHN_UNDEF && switches(name))
				return name;
		}
	}
	return NULL;
}

void object_read_stacks(Elf *elf, struct program_file *o)
{
	static const char *const sections[] = { ".gopclntab", ".note.go.buildid", ".go.buildinfo" };
	const char *name = find_foreign(elf);
	GElf_Shdr head;

	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		o->is_go |= object_section(elf, sections[i], &head) != NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && name; i++)
		if (strcmp(names[i], name) == 0)
			o->switches_stacks = names[i];
	/* libc has them, and uses none. */
	vec_each(it, &o->symbols)
		if (!o->switches_stacks && !it->is_exported && switches(it->name))
			o->switches_stacks = it->name;
}
