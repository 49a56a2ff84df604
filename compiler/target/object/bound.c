/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the implementation of an indirect function that a running process uses. When ld.so loads a
 * file, it writes the result of the function's resolver into words of that file, and of others that
 * call the function: relocations of these files say which words. They are read from the memory of
 * the process. Only words that nothing but ld.so writes count, those of the global offset table and
 * of data that is read-only afterwards: the program may have changed a variable that pointed to the
 * function.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/object/relocations.h"
#include "state.h"

enum { PAGE = 4096 };

struct bound {
	struct state *s;
	int64_t pid;
	const struct program_file *o;
	const struct object_symbol *of;
	struct object_mappings maps;
	const char *path;      /* of @o, as the process knows it */
	uint64_t base;         /* of @o */
	int memory;
	enum object_bound found;
	uint64_t address;
};

static const struct object_mapping *mapping_of(const struct bound *b, uint64_t address)
{
	vec_each(it, &b->maps.v)
		if (address >= it->start && address < it->end)
			return it;
	return NULL;
}

/* How far the code of a file was moved when it was loaded. Returns false if it is not mapped. */
static bool find_base(const struct bound *b, Elf *elf, const char *path, uint64_t *ret)
{
	size_t n = 0;
	GElf_Phdr head;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &head) || head.p_type != PT_LOAD ||
		    !(head.p_flags & PF_X))
			continue;
		vec_each(it, &b->maps.v) {
			if (it->is_code && it->offset == (head.p_offset & ~(uint64_t)(PAGE - 1)) &&
			    strcmp(it->path, path) == 0) {
				*ret = it->start - (head.p_vaddr & ~(uint64_t)(PAGE - 1));
				return true;
			}
		}
	}
	return false;
}

/* ---- words ---- */

static bool is_obsolete_version(const struct bound *b, uint64_t address)
{
	vec_each(it, &b->o->symbols)
		if (it->address == address && strcmp(it->name, b->of->name) == 0)
			return true;
	return false;
}

/* Before the first call, the word of an entry of the procedure linkage table leads back to it. */
static bool is_entry(const struct bound *b, uint64_t address)
{
	vec_each(it, &b->o->imports)
		if (address >= it->address && address < it->address + it->size)
			return true;
	return false;
}

static void take_value(struct bound *b, uint64_t value)
{
	const struct object_mapping *m = mapping_of(b, value);
	uint64_t address = value - b->base, offset;

	if (m && strcmp(m->path, "[vdso]") == 0) {
		b->found = OBJECT_BOUND_VDSO;
	} else if (m && strcmp(m->path, b->path) == 0 && object_offset(b->o, address, &offset) &&
		   !is_obsolete_version(b, address) && !is_entry(b, address)) {
		b->found = OBJECT_BOUND;
		b->address = address;
	}
}

/* Whether nothing but ld.so writes the word at @address. */
static bool is_constant(Elf *elf, uint64_t address)
{
	size_t names = 0, n = 0;
	const char *name;
	GElf_Phdr part;
	GElf_Shdr head;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &part) && part.p_type == PT_GNU_RELRO &&
		    address - part.p_vaddr < part.p_memsz)
			return true;
	elf_getshdrstrndx(elf, &names);
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		if (!gelf_getshdr(scn, &head) || !(head.sh_flags & SHF_ALLOC) ||
		    address - head.sh_addr >= head.sh_size)
			continue;
		name = elf_strptr(elf, names, head.sh_name);
		return name && strncmp(name, ".got", strlen(".got")) == 0;
	}
	return false;
}

/* Whether the word of a relocation gets the address of the function. @in: it is one of @o itself,
 * whose symbols have the function's resolver as their value. */
static bool is_for(const struct bound *b, const struct relocation *one, bool in)
{
	if (in && one->kind == ARCH_RELOCATION_INDIRECT)
		return one->addend == b->of->address;
	return one->name && one->kind == ARCH_RELOCATION_SYMBOL && !one->addend &&
	       strcmp(one->name, b->of->name) == 0 &&
	       (in ? one->symbol.st_value == b->of->address : one->symbol.st_shndx == SHN_UNDEF);
}

static void read_words(struct bound *b, struct object_file *f, Elf *elf, uint64_t base, bool in)
{
	size_t size = b->o->is_32bit ? sizeof(uint32_t) : sizeof(uint64_t);
	struct relocation_reader reader;
	struct relocation one;

	relocations_start(&reader, f, elf);
	while (!b->found && relocations_next(&reader, &one)) {
		uint64_t value = 0;

		if (is_for(b, &one, in) && is_constant(elf, one.address) &&
		    pread(b->memory, &value, size, (off_t)(base + one.address)) == (ssize_t)size)
			take_value(b, value);
	}
}

/* ---- files ---- */

/* Finds @o among the mapped files. */
static bool find_file(struct bound *b, Elf *elf)
{
	struct stat wanted;

	if (stat(b->o->path, &wanted) != 0)
		return false;
	vec_each(it, &b->maps.v) {
		const char *own = it->is_code && *it->path == '/' ?
				  object_path_of_process(b->s, b->pid, it->path) : NULL;

		if (!own || !object_is_same_file(own, &wanted))
			continue;
		b->path = it->path;
		return find_base(b, elf, it->path, &b->base);
	}
	return false;
}

/* A file that may call the function. */
static void read_caller(struct bound *b, const char *path)
{
	struct object_file f = { .o = { .is_32bit = b->o->is_32bit } };
	const char *own = object_path_of_process(b->s, b->pid, path);
	int fd = own ? open(own, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	uint64_t base;

	if (elf && find_base(b, elf, path, &base))
		read_words(b, &f, elf, base, false);
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}

static void read_process(struct bound *b)
{
	struct object_file *f = (struct object_file *)(uintptr_t)b->o;
	GElf_Addr bias;
	Elf *elf = f->module ? dwfl_module_getelf(f->module, &bias) : NULL;
	const char *last = "";

	object_mappings_read(b->s, b->pid, &b->maps);
	if (!elf || !find_file(b, elf))
		return;
	read_words(b, f, elf, b->base, true);
	vec_each(it, &b->maps.v) {
		if (b->found || !it->is_code || *it->path != '/' ||
		    strcmp(it->path, b->path) == 0 || strcmp(it->path, last) == 0)
			continue;
		last = it->path;
		read_caller(b, it->path);
	}
}

enum object_bound object_bound(struct state *s, int64_t pid, const struct program_file *o,
			       const struct object_symbol *of, uint64_t *ret)
{
	struct bound b = { .s = s, .pid = pid, .o = o, .of = of };
	const char *dir = arena_printf(s->arena, "/proc/%lld", (long long)pid);

	b.memory = open(arena_printf(s->arena, "%s/mem", dir), O_RDONLY | O_CLOEXEC);
	if (b.memory < 0)
		return OBJECT_BOUND_UNKNOWN;
	/* A cached module is for this process, as long as it runs the same program. */
	vec_push(s->arena, &s->files_read, dir);
	vec_push(s->arena, &s->files_read, arena_printf(s->arena, "%s/exe", dir));
	read_process(&b);
	close(b.memory);
	*ret = b.address;
	return b.found;
}
