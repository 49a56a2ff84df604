/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs in which a thread has several stacks, or whose stacks are moved. A uretprobe replaces a
 * return address on the stack, and the kernel expects the calls of a thread to return in reverse
 * order. A call that does not, or whose stack is copied or inspected, ends the program.
 */
#include <string.h>

#include "target/object/private.h"
#include "target/object/section.h"

/* Functions that continue on another stack: of libc, and of libraries for coroutines and fibres. */
static const char *const names[] = {
	"makecontext", "swapcontext", "jump_fcontext", "ontop_fcontext", "bthread_jump_fcontext",
	"co_switch", "co_swap", "acosw", "coroutine_transfer", "zend_fiber_switch_context",
	"slp_switch", "swap_context", "st_thread_create", "caml_runstack", "qemu_coroutine_switch",
};

/* The entry of names[] for a function, or NULL. */
static const char *switching(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], name) == 0)
			return names[i];
	return NULL;
}

/* One of these functions that this file uses from another file. */
static const char *find_foreign(Elf *elf)
{
	GElf_Shdr head;
	GElf_Sym sym;
	Elf_Data *data = object_dynamic_symbols(elf, &head);

	for (int i = 1; data && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(elf, head.sh_link, sym.st_name);

		if (name && sym.st_shndx == SHN_UNDEF && switching(name))
			return switching(name);
	}
	return NULL;
}

void object_read_stacks(Elf *elf, struct program_file *o)
{
	static const char *const sections[] = { ".gopclntab", ".note.go.buildid", ".go.buildinfo" };
	GElf_Shdr head;

	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		o->is_go |= section_find(elf, sections[i], &head) != NULL;
	o->switches_stacks = find_foreign(elf);
	/* libc contains them without using them. */
	vec_each(it, &o->symbols)
		if (!o->switches_stacks && !it->is_exported && switching(it->name))
			o->switches_stacks = it->name;
}
